package import TamisCore

/// The tree that a browser builds of a source, as events in document order: the one way in which HTML is read.
///
/// Elements without a tag, such as the `tbody` around a row, are left out, unless another of their name is just before them: whoever
/// reads what is written from these events supplies them again. The content of a `noscript` is read as a fragment of its own: browsers
/// with scripts take it for text, others for markup, and what follows it is the same for both. So is the content of an `iframe`, which
/// is for those who show no frames.
///
/// A reader is used for one source after the other. Memory follows the source.
package struct HTMLReader: ~Copyable {
  /// What comes next.
  ///
  /// Names are numbers, see ``HTMLTree/text(ofElement:)``.
  package enum Event {
    /// An element begins; ``place`` and ``attributes`` are those of it. Each is followed by its end.
    case start(Int32)
    /// An element ends.
    case end(Int32)
    /// Text with its references decoded, a part of the tree's ``HTMLTree/bytes``; a run may come in several pieces.
    case text(Range<Int>)
  }

  /// Where an element or a text comes from.
  package struct Place {
    /// Where the last byte of its tag is in the source, counted from 0; a text's is that of its first part.
    package var offset = 0
    /// Whether it is one more element of its tag: formatting that is opened again.
    package var isCopy = false
    /// Whether such copies follow.
    package var isCopied = false
    /// Whether it was in a table and in none of its cells, and comes before the table.
    package var isMoved = false

    package init(offset: Int = 0, isCopy: Bool = false, isCopied: Bool = false, isMoved: Bool = false) {
      (self.offset, self.isCopy, self.isCopied, self.isMoved) = (offset, isCopy, isCopied, isMoved)
    }
  }

  /// Holds the tree.
  package private(set) var builder = HTMLTreeBuilder()
  /// Where the last element or text comes from.
  package private(set) var place = Place()
  /// The attributes of the last element that began, in the tree's ``HTMLTree/attributes``.
  package private(set) var attributes: Range<Int32> = 0..<0
  private var isDocument = false
  private var root: Int32 = 0
  /// The node that is entered or left next; -1 at the end.
  private var node: Int32 = -1
  private var isLeaving = false
  /// The next piece of the text that was entered last; -1 when there is none.
  private var piece: Int32 = -1
  private var lines = LineCounter()

  /// Makes a reader.
  package init() {}

  /// Begins with a fragment, the content of a `div`.
  ///
  /// - Parameters:
  ///   - source: any bytes.
  ///   - limits: how many attributes of a tag are read, and how many formatting elements are opened again.
  package mutating func readFragment(_ source: borrowing Span<UInt8>, limits: Limits) {
    read(source, in: "div", limits)
  }

  /// Begins with a whole document: what is in its head and its body, which are not reported themselves.
  ///
  /// - Parameters:
  ///   - source: any bytes.
  ///   - limits: as for a fragment.
  ///   Beyond ``Limits/documentBytes`` nothing is read.
  package mutating func readDocument(_ source: borrowing Span<UInt8>, limits: Limits) {
    read(source.extracting(0..<min(source.count, limits.documentBytes)), in: nil, limits)
  }

  private mutating func read(_ source: borrowing Span<UInt8>, in context: String?, _ limits: Limits) {
    if let prepared = HTMLInput.prepared(source) {
      builder.read(prepared.span, in: context, .html, HTMLOptions(limits))
    } else {
      builder.read(source, in: context, .html, HTMLOptions(limits))
    }
    isDocument = context == nil
    (root, lines) = (isDocument ? 0 : builder.tree.nodes[0].first, LineCounter())
    rewind()
  }

  /// Begins once more with the source that was read last.
  package mutating func rewind() {
    (node, isLeaving, piece) = (builder.tree.nodes[Int(root)].first, false, -1)
  }

  /// The next event; nil at the end.
  package mutating func next() -> Event? {
    if piece >= 0 {
      // The event of the first piece has said that the text was moved.
      place.isMoved = false
      return nextPiece()
    }
    while node >= 0 { if let event = isLeaving ? leave() : enter() { return event } }
    return nil
  }

  /// The values of some attributes of the last element that began, by their names, without white space at their ends.
  package func attributeValues(_ names: Set<String>) -> [String: String] {
    var values: [String: String] = [:]
    for index in attributes {
      let attribute = builder.tree.attributes[Int(index)]
      let name = builder.tree.attributeTexts[Int(attribute.name)]
      if names.contains(name) {
        values[name] = String(decoding: builder.tree.bytes[attribute.value], as: UTF8.self).trimmed()
      }
    }
    return values
  }

  /// The line and the column in bytes of an ``offset`` of this source, counted from 1.
  package mutating func location(of offset: Int) -> (line: Int, column: Int) {
    lines.location(of: offset, in: builder.tree)
  }

  /// Whether formatting was not opened again because there was too much of it.
  package var isLimited: Bool { builder.isLimited }

  /// The tag, comment or declaration that the source ends in, and with it all that is behind, and where it begins; nil when there
  /// is none.
  package var unfinished: (beginning: String, offset: Int)? {
    guard let offset = builder.tokenizer.unfinished else { return nil }
    let rest = builder.tree.bytes[offset..<builder.tree.sourceCount]
    return (String(decoding: rest.prefix { !$0.isHTMLSpace }.prefix(20), as: UTF8.self), offset)
  }

  // MARK: - The walk

  private mutating func enter() -> Event? {
    let (index, entered) = (node, builder.tree.nodes[Int(node)])
    if entered.first >= 0 { node = entered.first } else { isLeaving = true }
    switch entered.kind {
    case .text:
      place = Place(offset: max(0, Int(entered.location) - 1), isMoved: entered.isMoved)
      piece = entered.content.lowerBound
      return nextPiece()
    case .element:
      guard isReported(index) else { return nil }
      place = Place(
        offset: max(0, Int(entered.location) - 1), isCopy: entered.origin == .copy, isCopied: entered.isCopied,
        isMoved: entered.isMoved)
      attributes = entered.content
      return .start(entered.name)
    case .document, .doctype, .comment: return nil
    }
  }

  private mutating func nextPiece() -> Event {
    let text = builder.tree.pieces[Int(piece)]
    piece = text.next
    return .text(text.range)
  }

  private mutating func leave() -> Event? {
    let (index, left) = (node, builder.tree.nodes[Int(node)])
    if left.next >= 0 {
      (node, isLeaving) = (left.next, false)
    } else {
      node = left.parent == root ? -1 : left.parent
    }
    return left.kind == .element && isReported(index) ? .end(left.name) : nil
  }

  /// Whether an element has a tag, and is not the document's `html`, `head` or `body`.
  private func isReported(_ index: Int32) -> Bool {
    let node = builder.tree.nodes[Int(index)]
    if node.origin == .implied, !isTwin(node) { return false }
    guard isDocument, node.namespace == .html, node.parent == 0 || builder.tree.nodes[Int(node.parent)].parent == 0
    else { return true }
    switch HTMLName(rawValue: Int(node.name)) {
    case .html, .head, .body: return false
    default: return true
    }
  }

  /// Whether the element before an element is of the same name and has no tag either: without tags both would be one.
  private func isTwin(_ node: HTMLTree.Node) -> Bool {
    var index = Int(node.previous)
    while index >= 0, builder.tree.nodes[index].kind != .element { index = Int(builder.tree.nodes[index].previous) }
    guard index >= 0 else { return false }
    let other = builder.tree.nodes[index]
    return other.origin == .implied && other.name == node.name
  }
}

/// Counts lines as far as places are asked for.
private struct LineCounter {
  private var starts: [Int] = [0]
  /// The next line feed that was not counted; -1 before the first was sought.
  private var feed = -1

  mutating func location(of offset: Int, in tree: borrowing HTMLTree) -> (line: Int, column: Int) {
    let source = tree.bytes.span
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
