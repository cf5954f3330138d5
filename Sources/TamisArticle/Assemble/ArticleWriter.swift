import TamisCore

/// Writes the blocks that make the article as markup: in their own lists, tables, quotes and figures, without the boxes around them.
///
/// What it writes is as little trusted as the page: it is for the sanitizer.
struct ArticleWriter {
  private let page: MeasuredPage
  private var output: [UInt8] = []
  /// The elements that are open in the output, outermost first; -1 for a paragraph that the page does not have.
  private var open: [Int] = []
  private var lastOwner = -2

  private init(_ page: MeasuredPage) { self.page = page }

  /// - Parameter shown: which blocks are written.
  static func markup(_ page: MeasuredPage, _ shown: [Bool]) -> [UInt8] {
    var writer = ArticleWriter(page)
    for (index, block) in page.blocks.list.enumerated() where shown[index] { writer.write(block) }
    writer.close(to: 0)
    return writer.output
  }

  /// Elements around a block that it keeps.
  private static let structure: Set = [
    "ul", "ol", "li", "dl", "dt", "dd", "blockquote", "pre", "table", "caption", "thead", "tbody", "tfoot", "tr", "td",
    "th", "figure", "figcaption", "h1", "h2", "h3", "h4", "h5", "h6", "p", "details", "summary", "a",
  ]
  private static let tableParts: Set = ["table", "caption", "thead", "tbody", "tfoot", "tr", "td", "th"]
  /// Those in which text can stand as it is.
  private static let holdsText: Set = [
    "li", "dt", "dd", "blockquote", "pre", "caption", "td", "th", "figure", "figcaption", "h1", "h2", "h3", "h4", "h5",
    "h6", "p", "summary",
  ]

  private mutating func write(_ block: Block) {
    let path = path(to: block)
    var common = 0
    while common < min(path.count, open.count), path[common] == open[common] { common += 1 }
    if block.owner == lastOwner, common == path.count, let last = path.last {
      // Two blocks of one element: lines with an empty one between.
      if page.tape.kind(of: last).role == .paragraph { common -= 1 } else { output += "<br><br>".utf8 }
    }
    close(to: common)
    for element in path[common...] {
      start(element)
      open.append(element)
    }
    let holdsText = path.last.map { Self.holdsText.contains(page.tape.name(of: $0)) } ?? false
    if !holdsText {
      output += "<p>".utf8
      open.append(-1)
    }
    writeItems(of: block)
    lastOwner = block.owner
  }

  /// The elements that are written around a block, outermost first.
  private func path(to block: Block) -> [Int] {
    guard block.owner >= 0 else { return [] }
    var path: [Int] = []
    for element in page.tape.ancestors(of: block.owner) {
      let name = page.tape.name(of: element)
      guard Self.structure.contains(name) else { continue }
      if Self.tableParts.contains(name), !isInData(element) { continue }
      path.append(element)
    }
    return path.reversed()
  }

  private func isInData(_ element: Int) -> Bool {
    page.tape.ancestors(of: element).first { page.tape.name(of: $0) == "table" }.map(page.isDataTable) ?? false
  }

  private mutating func close(to count: Int) {
    while open.count > count {
      let element = open.removeLast()
      end(element < 0 ? "p" : page.tape.name(of: element))
      if element < 0 || page.tape.kind(of: element).isBlock { output.append(0x0A) }
    }
  }

  // MARK: - Inside

  private mutating func writeItems(of block: Block) {
    var inner: [Int] = []
    for place in Int(block.items.lowerBound)..<Int(block.items.upperBound) {
      while let last = inner.last, page.tape.elements[last].end <= place {
        inner.removeLast()
        endInner(last)
      }
      switch page.tape.items[place] {
      case .text(let range): escape(range)
      case .element(let element):
        if isLeftOut(element) { continue }
        start(element)
        if !page.tape.kind(of: element).isEmpty { inner.append(element) }
      }
    }
    for element in inner.reversed() { endInner(element) }
  }

  private static let leftOut: Set = [
    "script", "style", "template", "textarea", "select", "option", "input", "button", "meta", "link", "title", "head",
  ]

  private func isLeftOut(_ element: Int) -> Bool {
    Self.leftOut.contains(page.tape.name(of: element)) || page.tape.kind(of: element).isBlock
  }

  private mutating func endInner(_ element: Int) { end(page.tape.name(of: element)) }

  private mutating func start(_ element: Int) {
    let name = page.tape.name(of: element)
    guard Self.isPlain(name) else { return }
    output.append(UInt8(ascii: "<"))
    output += name.utf8
    let list = page.tape.elements[element].attributes
    for index in Int(list.lowerBound)..<Int(list.upperBound) {
      let attribute = page.tape.attributes[index]
      let attributeName = page.tape.attributeNames[Int(attribute.name)]
      guard Self.isPlain(attributeName) else { continue }
      output.append(0x20)
      output += attributeName.utf8
      output += "=\"".utf8
      escape(attribute.value)
      output.append(UInt8(ascii: "\""))
    }
    output.append(UInt8(ascii: ">"))
  }

  private mutating func end(_ name: String) {
    guard Self.isPlain(name) else { return }
    output += "</\(name)>".utf8
  }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ":") }
  }

  private mutating func escape(_ range: Range<Int32>) {
    for byte in page.tape.bytes[Int(range.lowerBound)..<Int(range.upperBound)] {
      switch byte {
      case UInt8(ascii: "&"): output += "&amp;".utf8
      case UInt8(ascii: "<"): output += "&lt;".utf8
      case UInt8(ascii: ">"): output += "&gt;".utf8
      case UInt8(ascii: "\""): output += "&quot;".utf8
      default: output.append(byte)
      }
    }
  }
}
