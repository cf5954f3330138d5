package import TamisCore

/// What ``HTMLReader`` tells while it walks through a tree, in document order.
///
/// Names arrive as numbers of the handler's own, asked for once per distinct name.
package protocol HTMLHandler: AnyObject {
  /// The number under which an element of this (lower-case) name is to be reported.
  func number(ofElement name: String) -> Int
  /// The number under which an attribute of this (lower-case) name is to be reported.
  func number(ofAttribute name: String) -> Int
  /// An element begins. Each is followed by its end.
  func startElement(_ element: Int, _ attributes: borrowing HTMLAttributes)
  /// An element ends.
  func endElement(_ element: Int)
  /// Text with its references decoded; a run may come in several pieces.
  func text(_ bytes: borrowing Span<UInt8>)
}

/// The tree that a browser builds of a source, told as events: the one way in which HTML is read.
///
/// One per task, reusable. Memory follows the source.
package final class HTMLReader {
  private unowned let handler: any HTMLHandler
  private var tree = HTMLTree()
  /// The handler's numbers for the tree's names; nil for those that were not asked for.
  private var elements: [Int?] = []
  private var attributes: [Int?] = []
  private var lines = LineTable()
  private var isDocument = false

  /// Where the tag of the element that is reported ends in the source, in bytes; 0 for an element without a tag.
  package private(set) var offset = 0

  /// Makes a reader that reports to one handler, which must outlive it.
  package init(handler: any HTMLHandler) { self.handler = handler }

  /// Reads a fragment as the content of a `div`.
  ///
  /// - Parameters:
  ///   - source: any bytes.
  ///   - limits: how many attributes of a tag are read, and how many formatting elements are opened again.
  package func readFragment(_ source: borrowing Span<UInt8>, limits: Limits) {
    if let prepared = HTMLInput.prepared(source) { return readPrepared(prepared.span, limits, isDocument: false) }
    readPrepared(source, limits, isDocument: false)
  }

  /// Reads a whole document, and tells what is in its head and its body, which are not reported themselves.
  package func readDocument(_ source: borrowing Span<UInt8>, limits: Limits) {
    if let prepared = HTMLInput.prepared(source) { return readPrepared(prepared.span, limits, isDocument: true) }
    readPrepared(source, limits, isDocument: true)
  }

  private func readPrepared(_ source: borrowing Span<UInt8>, _ limits: Limits, isDocument: Bool) {
    tree =
      isDocument
      ? HTMLTreeBuilder.document(source, HTMLOptions(limits))
      : HTMLTreeBuilder.fragment(source, in: "div", .html, HTMLOptions(limits))
    lines = LineTable(source)
    self.isDocument = isDocument
    elements = Array(repeating: nil, count: tree.elementNames.count)
    attributes = Array(repeating: nil, count: tree.attributeTexts.count)
    walk(from: isDocument ? 0 : Int(tree.nodes[0].first))
  }

  /// The line of ``offset``, counted from 1.
  package var line: Int { lines.line(of: offset) }

  /// Tells of what is in a node, without recursion.
  private func walk(from root: Int) {
    var node = Int(tree.nodes[root].first)
    while node >= 0 {
      let first = enter(node)
      if first >= 0 {
        node = first
        continue
      }
      while node != root {
        leave(node)
        let next = Int(tree.nodes[node].next)
        if next >= 0 {
          node = next
          break
        }
        node = Int(tree.nodes[node].parent)
      }
      if node == root { return }
    }
  }

  /// - Returns: the first child; -1 for none.
  @inline(never)  // Swift 6.3.1 fails to inline it.
  private func enter(_ index: Int) -> Int {
    let node = tree.nodes[index]
    switch node.kind {
    case .text:
      var piece = Int(node.content.lowerBound)
      while piece >= 0 {
        handler.text(tree.bytes.span.extracting(tree.pieces[piece].range))
        piece = Int(tree.pieces[piece].next)
      }
      return -1
    case .element:
      if isFrame(index) { return Int(node.first) }
      offset = Int(node.location)
      handler.startElement(number(ofElement: node.name), HTMLAttributes(reader: self, range: node.content))
      return Int(node.first)
    case .document, .doctype, .comment: return -1
    }
  }

  /// Whether it is the document's `html`, `head` or `body`.
  private func isFrame(_ index: Int) -> Bool {
    let node = tree.nodes[index]
    guard isDocument, node.namespace == .html, node.parent == 0 || tree.nodes[Int(node.parent)].parent == 0 else {
      return false
    }
    switch HTMLName(rawValue: Int(node.name)) {
    case .html, .head, .body: return true
    default: return false
    }
  }

  private func leave(_ index: Int) {
    if tree.nodes[index].kind == .element, !isFrame(index) {
      handler.endElement(number(ofElement: tree.nodes[index].name))
    }
  }

  private func number(ofElement name: Int32) -> Int {
    if let known = elements[Int(name)] { return known }
    let number = handler.number(ofElement: tree.text(ofElement: name))
    elements[Int(name)] = number
    return number
  }

  fileprivate func number(ofAttribute name: Int32) -> Int {
    if let known = attributes[Int(name)] { return known }
    let number = handler.number(ofAttribute: tree.attributeTexts[Int(name)])
    attributes[Int(name)] = number
    return number
  }

  fileprivate func forEach(_ range: Range<Int32>, limit: Int, _ body: (Int, borrowing Span<UInt8>) -> Void) {
    for index in range.prefix(limit) {
      let attribute = tree.attributes[Int(index)]
      body(number(ofAttribute: attribute.name), tree.bytes.span.extracting(attribute.value))
    }
  }
}

/// The attributes of an element, in document order.
package struct HTMLAttributes: ~Copyable {
  private let reader: HTMLReader
  private let range: Range<Int32>

  fileprivate init(reader: HTMLReader, range: Range<Int32>) { (self.reader, self.range) = (reader, range) }

  /// Calls `body` with the number and the value of each attribute, at most `limit` of them; an attribute without a value has an empty
  /// one.
  package borrowing func forEach(limit: Int, _ body: (Int, borrowing Span<UInt8>) -> Void) {
    reader.forEach(range, limit: limit, body)
  }
}

/// Where lines begin.
private struct LineTable {
  private var starts: [Int] = [0]

  init() {}

  init(_ source: borrowing Span<UInt8>) {
    var index = ByteScan.index(of: ASCII.lineFeed, in: source, from: 0)
    while index < source.count {
      starts.append(index + 1)
      index = ByteScan.index(of: ASCII.lineFeed, in: source, from: index + 1)
    }
  }

  func line(of offset: Int) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }
}
