import TamisCore

/// Finds pictures beside which text flows, and boxes that contain only pictures and their captions.
///
/// Both are known only at the end of a box.
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
    /// The rule by which the picture is removed; nil when it stays.
    var removal: Removal.Rule?
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
    var node: Int32
    var side: Side?
    var width: Int?
  }

  private struct Box {
    let node: Int32
    let depth: Int
    let mark: Mark
    /// Whether the box has no room for text beside a picture.
    let isNarrow: Bool
    var pictures = 0
    var unit: Unit?
    var captions: [Int32] = []
    var ownCaptions = 0
    /// The tags of a table or of a definition list.
    var parts: [Int32] = []
    var hasText = false
    var hasOther = false
    var hasFigure = false
  }

  /// The maximum width of a picture that leaves room for text beside it, in pixels.
  private static let widest = 400

  private let alignsPictures: Bool
  private let makesFigures: Bool
  private var boxes: [Box]
  private var decisions: [Int32: Decision] = [:]

  init(alignsPictures: Bool, makesFigures: Bool) {
    (self.alignsPictures, self.makesFigures) = (alignsPictures, makesFigures)
    let mark = Mark(kind: .box, side: nil, width: nil, isCaption: false)
    boxes = [Box(node: 0, depth: 0, mark: mark, isNarrow: false)]
  }

  /// Returns the decisions, by node, once all was recorded.
  mutating func finish() -> [Int32: Decision] {
    close(toDepth: 0)
    if let root = boxes.popLast() { settle(root) }
    return decisions
  }

  // MARK: - Collecting

  /// Records an element that begins, with its marks.
  mutating func open(_ mark: Mark, _ node: Int32, depth: Int) {
    let last = boxes.count - 1
    switch mark.kind {
    case .none: return
    case .inline: if mark.side == nil, !mark.isCaption { return }
    case .part:
      boxes[last].parts.append(node)
      if !mark.isCaption { return }
    case .other:
      boxes[last].hasOther = true
      return
    case .narrow, .table, .definitions, .figure, .caption, .box: break
    }
    if mark.kind == .narrow { boxes[last].hasOther = true }
    let isNarrow = boxes[last].isNarrow || mark.kind == .narrow || mark.kind == .part
    boxes.append(Box(node: node, depth: depth, mark: mark, isNarrow: isNarrow))
  }

  /// Closes boxes down to a depth of the source.
  mutating func close(toDepth depth: Int) {
    while boxes.count > 1, boxes[boxes.count - 1].depth > depth { closeLast() }
  }

  /// Records a text that is not white space.
  mutating func noteText() { boxes[boxes.count - 1].hasText = true }

  /// Records content that is neither text nor a picture.
  mutating func noteOther() { boxes[boxes.count - 1].hasOther = true }

  /// Records a picture.
  mutating func addPicture(_ mark: Mark, _ node: Int32) {
    add(Unit(node: node, side: mark.side, width: mark.width), to: boxes.count - 1, pictures: 1)
  }

  /// Decides that a picture goes, which was not recorded.
  mutating func remove(_ node: Int32, because rule: Removal.Rule) { decisions[node] = Decision(removal: rule) }

  /// Decides that the last picture goes.
  mutating func removePicture(_ node: Int32, because rule: Removal.Rule) {
    remove(node, because: rule)
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
        boxes[parent].captions.append(box.node)
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
      box.unit = Unit(node: isFigure ? box.node : inner?.node ?? 0, side: isLost ? nil : side, width: width)
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
    if !isFigure { decisions[box.node] = Decision(replacement: .figure) }
    for part in box.parts { decisions[part] = Decision(replacement: .nothing) }
    decisions[box.captions[0]] = Decision(replacement: .caption)
    return true
  }

  /// Decides about the picture of a box that has other content too.
  private mutating func settle(_ box: Box) { settle(box.unit, isNarrow: box.isNarrow || box.mark.kind.isTable) }

  private mutating func settle(_ unit: Unit?, isNarrow: Bool) {
    guard alignsPictures, !isNarrow, let unit, unit.node > 0, let side = unit.side, unit.width ?? 0 <= Self.widest
    else {
      return
    }
    decisions[unit.node, default: Decision()].side = side
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
