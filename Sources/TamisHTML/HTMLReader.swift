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
/// Elements without a tag, such as the `tbody` around a row, are not told of, unless another of their name is just before them: whoever
/// reads what is written from these events will supply them again. What is in a `noscript` is read as a fragment of its own: browsers
/// with scripts take it for text, others for markup, and what follows it is the same for both. So is what is in an `iframe`, which
/// is for those who show no frames.
///
/// One per task, reusable. Memory follows the source.
package final class HTMLReader {
  private unowned let handler: any HTMLHandler
  private var builder = HTMLTreeBuilder()
  /// The handler's numbers for the tree's names; -1 for those that were not asked for.
  private var elements: [Int] = []
  private var attributes: [Int] = []
  private var lines = LineCounter()
  private var options = HTMLOptions()
  private var isDocument = false
  private var place = Place()
  /// Reads what is in a `noscript` or the like; where that begins, -1 outside of one.
  private lazy var inner = HTMLReader(handler: handler)
  private var innerStart = -1

  /// Where the element whose start is reported, or the text, comes from.
  package struct Place {
    /// Where the last byte of its tag is in the source, counted from 0; a text's is that of its last part.
    package var offset = 0
    /// Whether it is one more element of its tag: formatting that is opened again.
    package var isCopy = false
    /// Whether such copies follow.
    package var isCopied = false
    /// Whether it was in a table and in none of its cells, and is reported before the table.
    package var isMoved = false

    package init(offset: Int = 0, isCopy: Bool = false, isCopied: Bool = false, isMoved: Bool = false) {
      (self.offset, self.isCopy, self.isCopied, self.isMoved) = (offset, isCopy, isCopied, isMoved)
    }
  }

  /// Where the element or the text comes from that is reported.
  package var current: Place {
    if innerStart < 0 { return place }
    var place = inner.place
    place.offset += innerStart
    return place
  }

  /// Makes a reader that reports to one handler, which must outlive it.
  package init(handler: any HTMLHandler) { self.handler = handler }

  /// Reads a fragment as the content of a `div`.
  ///
  /// - Parameters:
  ///   - source: any bytes.
  ///   - limits: how many attributes of a tag are read, and how many formatting elements are opened again.
  package func readFragment(_ source: borrowing Span<UInt8>, limits: Limits) {
    if let prepared = HTMLInput.prepared(source) { return readFragment(prepared.span, HTMLOptions(limits)) }
    readFragment(source, HTMLOptions(limits))
  }

  /// Reads a whole document, and tells what is in its head and its body, which are not reported themselves.
  package func readDocument(_ source: borrowing Span<UInt8>, limits: Limits) {
    let options = HTMLOptions(limits)
    if let prepared = HTMLInput.prepared(source) {
      builder.readDocument(prepared.span, options)
    } else {
      builder.readDocument(source, options)
    }
    (self.options, isDocument) = (options, true)
    walk()
  }

  /// Tells once more of what was read last.
  package func readAgain() { walk() }

  private func readFragment(_ source: borrowing Span<UInt8>, _ options: HTMLOptions) {
    builder.readFragment(source, in: "div", .html, options)
    (self.options, isDocument) = (options, false)
    walk()
  }

  /// The line and the column in bytes of an ``offset`` of this source, counted from 1.
  package func location(of offset: Int) -> (line: Int, column: Int) {
    let source = builder.tree.bytes
    return lines.location(of: offset, in: source.span)
  }

  /// Whether formatting was not opened again because there was too much of it.
  package var isLimited: Bool { builder.isLimited }

  /// The tag, comment or declaration that the source ends in, and with it all that is behind, and where it begins; nil when there
  /// is none.
  package var unfinished: (beginning: String, offset: Int)? {
    guard let offset = builder.tokenizer.unfinished else { return nil }
    let rest = builder.tree.bytes[offset...]
    return (String(decoding: rest.prefix { !$0.isHTMLSpace }.prefix(20), as: UTF8.self), offset)
  }

  /// Tells of what is in the tree, without recursion.
  private func walk() {
    lines = LineCounter()
    let tree = builder.tree
    let root = isDocument ? 0 : Int(tree.nodes[0].first)
    elements += repeatElement(-1, count: tree.elementNames.count - elements.count)
    attributes += repeatElement(-1, count: tree.attributeTexts.count - attributes.count)
    var node = Int(tree.nodes[root].first)
    while node >= 0 {
      enter(node, tree)
      let first = Int(tree.nodes[node].first)
      if first >= 0 {
        node = first
        continue
      }
      while node != root {
        if isReported(node, tree) { handler.endElement(number(ofElement: tree.nodes[node].name)) }
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

  @inline(never)  // Swift 6.3.1 fails to inline it.
  private func enter(_ index: Int, _ tree: borrowing HTMLTree) {
    let node = tree.nodes[index]
    switch node.kind {
    case .text:
      if options.hasScripting, Self.isFallback(tree.nodes[Int(node.parent)]) { return readInner(node, tree) }
      place = Place(offset: max(0, Int(node.location) - 1), isMoved: node.isMoved)
      var piece = Int(node.content.lowerBound)
      while piece >= 0 {
        handler.text(tree.bytes.span.extracting(tree.pieces[piece].range))
        piece = Int(tree.pieces[piece].next)
      }
    case .element:
      guard isReported(index, tree) else { return }
      place = Place(
        offset: max(0, Int(node.location) - 1), isCopy: node.origin == .copy, isCopied: node.isCopied,
        isMoved: node.isMoved)
      handler.startElement(number(ofElement: node.name), HTMLAttributes(reader: self, range: node.content))
    case .document, .doctype, .comment: break
    }
  }

  private static func isFallback(_ node: HTMLTree.Node) -> Bool {
    guard node.kind == .element, node.namespace == .html else { return false }
    switch HTMLName(rawValue: Int(node.name)) {
    case .iframe, .noscript: return true
    default: return false
    }
  }

  private func readInner(_ node: HTMLTree.Node, _ tree: borrowing HTMLTree) {
    var source: [UInt8] = []
    var piece = Int(node.content.lowerBound)
    let start = tree.pieces[piece].range.lowerBound
    while piece >= 0 {
      source.append(tree.bytes.span, tree.pieces[piece].range)
      piece = Int(tree.pieces[piece].next)
    }
    var options = options
    options.hasScripting = false
    innerStart = start
    inner.readFragment(source.span, options)
    innerStart = -1
  }

  /// Whether it is an element with a tag, and not the document's `html`, `head` or `body`.
  private func isReported(_ index: Int, _ tree: borrowing HTMLTree) -> Bool {
    let node = tree.nodes[index]
    guard node.kind == .element else { return false }
    if node.origin == .implied, !Self.isTwin(node, tree) { return false }
    guard isDocument, node.namespace == .html, node.parent == 0 || tree.nodes[Int(node.parent)].parent == 0 else {
      return true
    }
    switch HTMLName(rawValue: Int(node.name)) {
    case .html, .head, .body: return false
    default: return true
    }
  }

  /// Whether the element before an element is of the same name and has no tag either: without tags both would be one.
  private static func isTwin(_ node: HTMLTree.Node, _ tree: borrowing HTMLTree) -> Bool {
    var index = Int(node.previous)
    while index >= 0, tree.nodes[index].kind != .element { index = Int(tree.nodes[index].previous) }
    return index >= 0 && tree.nodes[index].origin == .implied && tree.nodes[index].name == node.name
  }

  private func number(ofElement name: Int32) -> Int {
    let known = elements[Int(name)]
    if known >= 0 { return known }
    let number = handler.number(ofElement: builder.tree.text(ofElement: name))
    elements[Int(name)] = number
    return number
  }

  fileprivate func number(ofAttribute name: Int32) -> Int {
    let known = attributes[Int(name)]
    if known >= 0 { return known }
    let number = handler.number(ofAttribute: builder.tree.attributeTexts[Int(name)])
    attributes[Int(name)] = number
    return number
  }

  fileprivate func forEach(_ range: Range<Int32>, limit: Int, _ body: (Int, borrowing Span<UInt8>) -> Void) {
    for index in range.prefix(limit) {
      let attribute = builder.tree.attributes[Int(index)]
      body(number(ofAttribute: attribute.name), builder.tree.bytes.span.extracting(attribute.value))
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

/// Counts lines as far as places are asked for.
private struct LineCounter {
  private var starts: [Int] = [0]
  /// The next line feed that was not counted; -1 before the first was sought.
  private var feed = -1

  mutating func location(of offset: Int, in source: borrowing Span<UInt8>) -> (line: Int, column: Int) {
    if feed < 0 { feed = ByteScan.index(of: ASCII.lineFeed, in: source, from: 0) }
    while feed < offset {
      starts.append(feed + 1)
      feed = ByteScan.index(of: ASCII.lineFeed, in: source, from: feed + 1)
    }
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return (low + 1, offset - starts[low] + 1)
  }
}
