import TamisCore

/// A page as the result of one walk: its elements, texts and attributes in document order, each in one array.
///
/// There is no tree; an element has its parent and the position of its end on the tape, which is enough.
struct PageTape: Sendable {
  /// An element.
  struct Element: Sendable {
    /// The number of its name.
    var name: Int32
    /// The number of the enclosing element; -1 for the outermost.
    var parent: Int32
    /// The position on the tape after its start tag.
    var first: Int32
    /// The position on the tape after its end tag.
    var end: Int32
    /// The range of its attributes.
    var attributes: Range<Int32>
    /// The zones of the element, including those of the enclosing ones.
    var zones: ElementKind.Zones
    /// The number of enclosing elements.
    var depth: UInt16
    /// The line of the page in which it begins, counted from 1.
    var line: Int32
  }

  /// An attribute.
  struct Attribute: Sendable {
    /// The number of its name.
    var name: Int32
    /// The range of its value in the bytes.
    var value: Range<Int32>
  }

  /// An item on the tape.
  enum Item: Sendable {
    /// The start of an element, by its number.
    case element(Int)
    /// A run of text, as a range of the bytes.
    case text(Range<Int32>)
    /// A run of text in a drawing or a formula, as a range of the bytes.
    case foreign(Range<Int32>)
  }

  /// The elements in document order.
  var elements: [Element] = []
  var attributes: [Attribute] = []
  var items: [Item] = []
  /// The texts and the values of attributes in UTF-8, with references decoded.
  var bytes: [UInt8] = []
  /// The length in bytes to which names of elements are cut; they are looked up for every block below an element.
  static let longestName = 128
  /// The names of elements by their numbers, in lower case.
  var names: [String] = []
  /// The properties of elements, by the numbers of their names.
  var kinds: [ElementKind] = []
  /// The elements that are footnotes, and the links to them, each with the number of the note.
  var notes: [Int: Int] = [:]
  var references: [Int: Int] = [:]
  /// The links from footnotes to where they are referred to.
  var backlinks: Set<Int> = []
  /// The positions of elements and texts that nobody sees, except for those in others.
  var hidden: [Int32] = []
  /// The reason why no style sheet of the page is applied; nil when they are, or there are none.
  var sheetRefusal: String?
  /// The names of attributes by their numbers, in lower case.
  var attributeNames: [String] = []

  func kind(of element: Int) -> ElementKind { kinds[Int(elements[element].name)] }

  func name(of element: Int) -> String { names[Int(elements[element].name)] }

  func string(_ range: Range<Int32>) -> String {
    String(streamSafe: bytes[Int(range.lowerBound)..<Int(range.upperBound)])
  }

  /// Returns the value of an element's attribute, or nil when it has none of this name.
  func value(of name: String, in element: Int) -> String? {
    range(of: name, in: element).map { String(streamSafe: bytes[$0]) }
  }

  /// Returns the range of an attribute's value in the bytes, or nil when there is none of this name.
  func range(of name: String, in element: Int) -> Range<Int>? {
    let list = elements[element].attributes
    for index in Int(list.lowerBound)..<Int(list.upperBound)
    where attributeNames[Int(attributes[index].name)] == name {
      return Int(attributes[index].value.lowerBound)..<Int(attributes[index].value.upperBound)
    }
    return nil
  }

  /// Returns the text of an element with unchanged white space, cut after about `most` bytes.
  ///
  /// Concealed elements in it are left out, and controls and hidden elements unless it has nothing else.
  func text(in element: Int, most: Int = 1 << 16) -> String {
    let shown = text(in: element, most: most, isWhole: false)
    return shown.allSatisfy(\.isHTMLSpace)
      ? String(streamSafe: text(in: element, most: most, isWhole: true))
      : String(streamSafe: shown)
  }

  private func text(in element: Int, most: Int, isWhole: Bool) -> [UInt8] {
    var (text, formula): ([UInt8], Range<Int>) = ([], 0..<0)
    let own = elements[element]
    if own.zones.contains(.concealed) { return text }
    var index = Int(own.first)
    while index < Int(own.end), text.count <= most {
      defer { index += 1 }
      switch items[index] {
      case .text(let range):
        text += bytes[Int(range.lowerBound)..<Int(range.upperBound)].prefix(most + 1 - text.count)
      case .element(let inner):
        let zones = elements[inner].zones.subtracting(own.zones)
        if zones.contains(.concealed) || !isWhole && (kind(of: inner).isLeftOut || zones.contains(.hidden)) {
          index = max(index, Int(min(elements[inner].end, own.end)) - 1)
        } else if kind(of: inner).isBlock || kind(of: inner).isLineBreak {
          text.append(0x20)
        } else if name(of: inner) == "math" {
          formula = source(ofFormula: inner)
        }
      case .foreign(let range):
        if formula.contains(index) {
          text += bytes[Int(range.lowerBound)..<Int(range.upperBound)].prefix(most + 1 - text.count)
        }
      }
    }
    return text
  }

  /// Returns the element and the enclosing ones, innermost first.
  func ancestors(of element: Int) -> some Sequence<Int> {
    sequence(first: element) { inner in
      let parent = Int(elements[inner].parent)
      return parent < 0 ? nil : parent
    }
  }

  /// Returns the text of a block with unchanged white space, its formulas in TeX, and without links back from notes.
  func text(of block: Block) -> String {
    var (text, formula, backlinkEnd): ([UInt8], Range<Int>, Int32) = ([], 0..<0, 0)
    forEachItem(of: block) { position, item in
      if position < backlinkEnd { return }
      switch item {
      case .text(let range): text += bytes[Int(range.lowerBound)..<Int(range.upperBound)]
      case .element(let inner):
        if kind(of: inner).isLineBreak || kind(of: inner).isPicture { text.append(0x20) }
        if name(of: inner) == "math" { formula = source(ofFormula: inner) }
        if backlinks.contains(inner) { backlinkEnd = elements[inner].end }
      case .foreign(let range):
        if formula.contains(position) { text += bytes[Int(range.lowerBound)..<Int(range.upperBound)] }
      }
    }
    return String(streamSafe: text)
  }

  /// Returns the items of a formula's TeX, else all of it.
  private func source(ofFormula element: Int) -> Range<Int> {
    let end = elements[element].end
    let annotation = (element + 1..<elements.count).prefix { elements[$0].first < end }.first {
      name(of: $0) == "annotation" && value(of: "encoding", in: $0)?.hasSuffix("tex") == true
    }
    let found = elements[annotation ?? element]
    return Int(found.first)..<Int(found.end)
  }

  /// Calls `body` with each shown item of a block in order.
  ///
  /// Controls and other elements that are not part of a text are left out, and so are hidden elements.
  func forEachItem(of block: Block, _ body: (Int, Item) -> Void) {
    var index = Int(block.items.lowerBound)
    let end = Int(block.items.upperBound)
    while index < end {
      let (own, item) = (index, items[index])
      index += 1
      if case .element(let element) = item,
        kind(of: element).isLeftOut || elements[element].zones.contains(.concealed) || isHiddenDrawing(element)
      {
        let last = Int(elements[element].end)
        // An unclosed element would take the rest with it.
        if last <= end { index = max(index, last) }
        continue
      }
      body(own, item)
    }
  }

  /// Whether an element is hidden MathML or SVG, as pages have it next to a picture of a formula.
  private func isHiddenDrawing(_ element: Int) -> Bool {
    kind(of: element).isForeign && elements[element].zones.contains(.hidden)
  }
}
