import TamisCore

/// A page as one walk over it left it: its elements, texts and attributes in document order, each in one array.
///
/// There is no tree: an element has its parent and the position of its end on the tape, which is enough.
struct PageTape: Sendable {
  /// An element.
  struct Element: Sendable {
    /// The number of its name.
    var name: Int32
    /// The number of the element around it; -1 for the outermost.
    var parent: Int32
    /// The position on the tape after its start tag.
    var first: Int32
    /// The position on the tape after its end tag.
    var end: Int32
    /// Its attributes.
    var attributes: Range<Int32>
    /// What it and all around it say of what is in it.
    var zones: ElementKind.Zones
    /// How many elements are around it.
    var depth: UInt16
    /// The line of the page in which it begins, counted from 1.
    var line: Int32
  }

  /// An attribute.
  struct Attribute: Sendable {
    /// The number of its name.
    var name: Int32
    /// Its value among the bytes.
    var value: Range<Int32>
  }

  /// What stands on the tape.
  enum Item: Sendable {
    /// The start of an element, by its number.
    case element(Int)
    /// A run of text among the bytes.
    case text(Range<Int32>)
    /// A run of text of a drawing or a formula among the bytes.
    case foreign(Range<Int32>)
  }

  /// In document order.
  var elements: [Element] = []
  var attributes: [Attribute] = []
  var items: [Item] = []
  /// Texts and values of attributes, UTF-8, with their references decoded.
  var bytes: [UInt8] = []
  /// The names of elements by their numbers, in lower case.
  var names: [String] = []
  /// What is to be known of elements, by the numbers of their names.
  var kinds: [ElementKind] = []
  /// The names of attributes by their numbers, in lower case.
  var attributeNames: [String] = []

  func kind(of element: Int) -> ElementKind { kinds[Int(elements[element].name)] }

  func name(of element: Int) -> String { names[Int(elements[element].name)] }

  func string(_ range: Range<Int32>) -> String {
    String(decoding: bytes[Int(range.lowerBound)..<Int(range.upperBound)], as: UTF8.self)
  }

  /// The value of an element's attribute; nil when it has none of this name.
  func value(of name: String, in element: Int) -> String? {
    range(of: name, in: element).map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  /// The range of an attribute's value in the bytes; nil when it has none of this name.
  func range(of name: String, in element: Int) -> Range<Int>? {
    let list = elements[element].attributes
    for index in Int(list.lowerBound)..<Int(list.upperBound)
    where attributeNames[Int(attributes[index].name)] == name {
      return Int(attributes[index].value.lowerBound)..<Int(attributes[index].value.upperBound)
    }
    return nil
  }

  /// The text of an element with unchanged white space, cut after so many bytes.
  func text(in element: Int, most: Int = 1 << 16) -> String {
    var text: [UInt8] = []
    for item in items[Int(elements[element].first)..<Int(elements[element].end)] {
      switch item {
      case .text(let range):
        text += bytes[Int(range.lowerBound)..<Int(range.upperBound)].prefix(most + 1 - text.count)
      case .element(let inner): if kind(of: inner).isBlock || kind(of: inner).isLineBreak { text.append(0x20) }
      case .foreign: continue
      }
      if text.count > most { break }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The element and those around it, innermost first.
  func ancestors(of element: Int) -> some Sequence<Int> {
    sequence(first: element) { inner in
      let parent = Int(elements[inner].parent)
      return parent < 0 ? nil : parent
    }
  }

  /// The text of a block with unchanged white space.
  func text(of block: Block) -> String {
    var text: [UInt8] = []
    forEachItem(of: block) { _, item in
      switch item {
      case .text(let range): text += bytes[Int(range.lowerBound)..<Int(range.upperBound)]
      case .element(let inner): if kind(of: inner).isLineBreak || kind(of: inner).isPicture { text.append(0x20) }
      case .foreign: break
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Each item of a block that is shown, in order: without controls and what else is no part of a text, and without drawings and
  /// formulas that are there twice.
  func forEachItem(of block: Block, _ body: (Int, Item) -> Void) {
    let isHeading = block.owner >= 0 && kind(of: block.owner).headingLevel > 0
    var index = Int(block.items.lowerBound)
    let end = Int(block.items.upperBound)
    while index < end {
      let (own, item) = (index, items[index])
      index += 1
      if case .element(let element) = item,
        kind(of: element).isLeftOut || isHiddenDrawing(element) || isHeading && isAnchor(element)
      {
        let last = Int(elements[element].end)
        // One that is left open would take the rest with it.
        if last <= end { index = max(index, last) }
        continue
      }
      body(own, item)
    }
  }

  /// A link whose text is only a sign leads to the heading in which it stands.
  private func isAnchor(_ element: Int) -> Bool {
    let own = elements[element]
    guard kind(of: element).isLink, own.end - own.first <= 3 else { return false }
    let text = text(in: element, most: 16).trimmed()
    return text == "#" || !text.isEmpty && text.unicodeScalars.allSatisfy(Headline.isAnchor)
  }

  /// Formulas are there as MathML, not shown, beside a picture of them.
  private func isHiddenDrawing(_ element: Int) -> Bool {
    kind(of: element).isForeign && elements[element].zones.contains(.hidden)
  }
}
