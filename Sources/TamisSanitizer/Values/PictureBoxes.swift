import TamisCore

/// Finds pictures beside which text flows, and boxes that contain only pictures and their captions.
///
/// Both are known only at the end of a box. Such fragments are therefore read twice, and start tags are identified by
/// their index.
struct PictureBoxes {
  /// The side on which a picture is aligned.
  enum Side: String, Sendable {
    case left, right
  }

  /// The output in place of a tag of the source.
  enum Replacement {
    case figure
    case caption
    /// No tag; the content stays.
    case nothing
  }

  /// The decision about a start tag.
  struct Decision {
    var replacement: Replacement?
    var side: Side?
  }

  /// The marks of a start tag.
  struct Mark {
    var kind: BoxKind
    var side: Side?
    var width: Int?
    var isCaption: Bool
  }

  /// A picture, or a figure around it, that may be aligned.
  private struct Unit {
    var number: Int
    var side: Side?
    var width: Int?
  }

  private struct Box {
    let number: Int
    let depth: Int
    let mark: Mark
    /// Whether the box has no room for text beside a picture.
    let isNarrow: Bool
    var pictures = 0
    var unit: Unit?
    var captions: [Int] = []
    var ownCaptions = 0
    /// The tags of a table or of a definition list.
    var parts: [Int] = []
    var hasText = false
    var hasOther = false
    var hasFigure = false
  }

  /// The maximum width of a picture that leaves room for text beside it, in pixels.
  private static let widest = 400

  private let alignsPictures: Bool
  private let makesFigures: Bool
  private var boxes: [Box] = []
  private var decisions: [Int: Decision] = [:]
  private var isDecided = false
  /// The number of start tags that were read.
  private(set) var number = 0

  init(alignsPictures: Bool, makesFigures: Bool) {
    (self.alignsPictures, self.makesFigures) = (alignsPictures, makesFigures)
  }

  // MARK: - Readings

  /// Begins a reading.
  mutating func begin() {
    number = 0
    guard isWatching else { return }
    boxes.removeAll(keepingCapacity: true)
    let mark = Mark(kind: .box, side: nil, width: nil, isCaption: false)
    boxes.append(Box(number: 0, depth: 0, mark: mark, isNarrow: false))
    if !decisions.isEmpty { decisions.removeAll() }
  }

  /// Whether a second reading would change the output; from then on the decisions are used.
  mutating func wantsSecondReading() -> Bool {
    guard isWatching else { return false }
    while boxes.count > 1 { closeLast() }
    if let root = boxes.popLast() { settle(root) }
    isDecided = true
    return !decisions.isEmpty
  }

  /// Decides about a fragment without pictures, in which nothing is aligned and no box is a figure.
  mutating func decideWithoutPictures() { isDecided = true }

  /// Whether this reading collects marks.
  var isWatching: Bool { (alignsPictures || makesFigures) && !isDecided }

  /// Counts a start tag; returns the decision about it.
  mutating func next() -> Decision? {
    number += 1
    return decisions.isEmpty || !isDecided ? nil : decisions[number]
  }

  /// Whether a picture or figure is aligned.
  var hasSides: Bool { isDecided && decisions.contains { $1.side != nil } }

  /// The decided alignment of the current tag.
  var side: Side? { isDecided ? decisions[number]?.side : nil }

  // MARK: - Collecting

  /// Records a start tag with its marks.
  mutating func open(_ mark: Mark, depth: Int) {
    let last = boxes.count - 1
    switch mark.kind {
    case .none: return
    case .inline: if mark.side == nil, !mark.isCaption { return }
    case .part:
      boxes[last].parts.append(number)
      if !mark.isCaption { return }
    case .other:
      boxes[last].hasOther = true
      return
    case .narrow, .table, .definitions, .figure, .caption, .box: break
    }
    if mark.kind == .narrow { boxes[last].hasOther = true }
    let isNarrow = boxes[last].isNarrow || mark.kind == .narrow || mark.kind == .part
    boxes.append(Box(number: number, depth: depth, mark: mark, isNarrow: isNarrow))
  }

  /// Closes boxes down to a depth of the source.
  mutating func close(toDepth depth: Int) {
    while boxes.count > 1, boxes[boxes.count - 1].depth > depth { closeLast() }
  }

  mutating func noteText(_ bytes: borrowing Span<UInt8>) {
    let last = boxes.count - 1
    if boxes[last].hasText { return }
    for index in 0..<bytes.count where !bytes[index].isHTMLSpace {
      boxes[last].hasText = true
      return
    }
  }

  /// Records content that is neither text nor a picture.
  mutating func noteOther() { if isWatching { boxes[boxes.count - 1].hasOther = true } }

  /// Records the current tag as a picture.
  mutating func addPicture(_ mark: Mark) {
    guard isWatching else { return }
    add(Unit(number: number, side: mark.side, width: mark.width), to: boxes.count - 1, pictures: 1)
  }

  /// Records that the last picture was removed from the output.
  mutating func removePicture() {
    guard isWatching else { return }
    // The picture is in the innermost box that has any, unless that box is far away.
    guard let index = boxes.indices.suffix(8).last(where: { boxes[$0].pictures > 0 }) else { return noteOther() }
    boxes[index].pictures -= 1
    boxes[index].unit = nil
  }

  // MARK: - Deciding

  private mutating func add(_ unit: Unit?, to index: Int, pictures: Int) {
    if boxes[index].pictures > 0 || pictures > 1 {
      // Several pictures are decided one by one.
      let isNarrow = boxes[index].isNarrow || boxes[index].mark.kind.isTable
      for each in [boxes[index].unit, unit] { settle(each, isNarrow: isNarrow) }
      boxes[index].unit = nil
    } else {
      boxes[index].unit = unit
    }
    boxes[index].pictures += pictures
  }

  private mutating func closeLast() {
    guard var box = boxes.popLast() else { return }
    let parent = boxes.count - 1
    if box.mark.isCaption || box.mark.kind == .caption, box.hasText, !box.hasOther, box.pictures == 0,
      box.captions.isEmpty, box.ownCaptions == 0
    {
      if box.mark.kind == .caption {
        boxes[parent].ownCaptions += 1
      } else {
        boxes[parent].captions.append(box.number)
      }
      return
    }
    let isPictureOnly = !box.hasText && !box.hasOther && box.pictures > 0
    let isFigure = decideFigure(box, isPictureOnly)
    if isPictureOnly, box.pictures == 1, isFigure || box.captions.isEmpty && box.ownCaptions == 0 {
      let inner = box.unit
      // The elements around a picture lose their width, so that theirs does not count when the picture has its own.
      let width = inner?.width ?? box.mark.width
      let side = box.mark.side ?? inner?.side
      let isLost = box.mark.kind == .narrow || box.mark.kind == .part || box.mark.kind.isTable && !isFigure
      box.unit = Unit(number: isFigure ? box.number : inner?.number ?? 0, side: isLost ? nil : side, width: width)
    } else {
      settle(box)
      box.unit = nil
    }
    let isOther =
      box.hasOther || isFigure && box.pictures > 1 || !isFigure && !(box.captions.isEmpty && box.ownCaptions == 0)
    boxes[parent].hasText = boxes[parent].hasText || box.hasText
    boxes[parent].hasOther = boxes[parent].hasOther || isOther
    boxes[parent].hasFigure = boxes[parent].hasFigure || isFigure || box.hasFigure
    if box.pictures > 0 { add(box.unit, to: parent, pictures: box.pictures) }
  }

  /// Decides whether a box becomes a figure; returns whether it does.
  private mutating func decideFigure(_ box: Box, _ isPictureOnly: Bool) -> Bool {
    let isFigure = box.mark.kind == .figure
    guard makesFigures, isPictureOnly, box.mark.kind.canBeFigure, box.captions.count == 1, box.ownCaptions == 0,
      !box.hasFigure
    else {
      return isFigure
    }
    if !isFigure { decisions[box.number] = Decision(replacement: .figure) }
    for part in box.parts { decisions[part] = Decision(replacement: .nothing) }
    decisions[box.captions[0]] = Decision(replacement: .caption)
    return true
  }

  /// Decides about the picture of a box that has other content too.
  private mutating func settle(_ box: Box) { settle(box.unit, isNarrow: box.isNarrow || box.mark.kind.isTable) }

  private mutating func settle(_ unit: Unit?, isNarrow: Bool) {
    guard alignsPictures, !isNarrow, let unit, unit.number > 0, let side = unit.side, unit.width ?? 0 <= Self.widest
    else {
      return
    }
    decisions[unit.number, default: Decision()].side = side
  }
}

/// The role of an element for the pictures in it.
enum BoxKind: Hashable {
  case none
  /// A `div` or a similar element.
  case box
  case table
  /// The element `dl`.
  case definitions
  case figure
  /// The element `figcaption`.
  case caption
  /// A part of a table or of a definition list.
  case part
  case inline
  /// An element without room for text beside a picture.
  case narrow
  /// An element that is neither text nor a picture.
  case other

  var canBeFigure: Bool { self == .box || self == .table || self == .definitions || self == .figure }

  var isTable: Bool { self == .table || self == .definitions }

  static func of(_ name: String) -> BoxKind {
    switch name {
    case "div", "p", "section", "aside", "center": .box
    case "table": .table
    case "dl": .definitions
    case "figure": .figure
    case "figcaption": .caption
    case "tr", "td", "th", "tbody", "thead", "tfoot", "col", "colgroup", "dt", "dd": .part
    case "a", "span", "b", "strong", "i", "em", "font", "small", "picture", "u": .inline
    case "li", "nav", "h1", "h2", "h3", "h4", "h5", "h6", "summary", "caption": .narrow
    case "ul", "ol", "menu", "video", "audio", "svg", "math", "hr", "pre", "details", "form", "blockquote", "article",
      "header", "footer", "main", "select", "textarea", "input", "button", "address", "fieldset":
      .other
    default: .none
    }
  }
}
