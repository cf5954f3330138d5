package import TamisCore

/// Builds the tree that a browser builds of a source, and reports it as events in document order.
///
/// All HTML is read this way. Elements without a tag, such as the `tbody` around a row, are left out unless the element
/// before them has the same name and no tag either: a parser of what is written from these events supplies them again.
/// The content of a `noscript` is read as a fragment of its own: browsers with scripts treat it as text, others as
/// markup, and what follows it is the same for both. The content of an `iframe`, which is for browsers without frames,
/// is read in the same way.
///
/// A reader is used for one source after another. Memory is proportional to the source.
package struct HTMLReader: ~Copyable {
  /// An event of the reader.
  ///
  /// Names are numbers, see ``HTMLTree/text(ofElement:)``.
  package enum Event {
    /// An element begins, which ``place`` and ``attributes`` describe; its end follows.
    case start(Int32)
    /// An element ends.
    case end(Int32)
    /// Text with its references decoded, a part of the tree's ``HTMLTree/bytes``; a run may come in several pieces.
    case text(Range<Int>)
  }

  /// The origin of an element or a text.
  package struct Place {
    /// The offset in the source of the last byte of its tag, from 0; for a text, that of its first part.
    package var offset = 0
    /// Whether this is a further element of its tag: formatting that is reopened.
    package var isCopy = false
    /// Whether it was in a table but in none of its cells, and was moved before the table.
    package var isMoved = false
    /// The namespace of the element.
    package var namespace = HTMLTree.Namespace.html

    package init(offset: Int = 0, isCopy: Bool = false, isMoved: Bool = false, namespace: HTMLTree.Namespace = .html) {
      (self.offset, self.isCopy, self.isMoved, self.namespace) = (offset, isCopy, isMoved, namespace)
    }
  }

  /// The builder, which holds the tree.
  package private(set) var builder = HTMLTreeBuilder()
  /// The origin of the last element or text.
  package private(set) var place = Place()
  /// The node of the last element that began, or of the last text.
  package private(set) var entered: Int32 = 0
  /// The range of the attributes of the last element that began in the tree's ``HTMLTree/attributes``.
  package private(set) var attributes: Range<Int32> = 0..<0
  private var isDocument = false
  private var root: Int32 = 0
  /// The node that is entered or left next; -1 at the end.
  private var node: Int32 = -1
  private var isLeaving = false
  /// The next piece of the text that was entered last; -1 when there is none.
  private var piece: Int32 = -1
  private var lines = LineCounter()

  /// Creates a reader.
  package init() {}

  /// Begins to read a fragment, the content of a `div`.
  ///
  /// - Parameters:
  ///   - source: any bytes.
  ///   - limits: the limits of attributes of a tag and of formatting elements that are reopened.
  ///   - conventions: the conventions by which the tree is changed.
  package mutating func readFragment(
    _ source: borrowing Span<UInt8>, limits: Limits, conventions: Conventions = []
  ) {
    read(source, in: "div", limits, conventions)
  }

  /// Begins to read a document: the content of its head and its body, which are not reported themselves.
  ///
  /// - Parameters:
  ///   - source: any bytes, of which the first ``Limits/documentBytes`` are read.
  ///   - limits: the limits of a fragment and of the document.
  ///   - conventions: the conventions by which the tree is changed.
  ///   - sheets: what finds the sheets that the document links to; nil for none.
  package mutating func readDocument(
    _ source: borrowing Span<UInt8>, limits: Limits, conventions: Conventions = [], sheets: LinkedSheets.Finder? = nil
  ) {
    read(source.extracting(0..<min(source.count, limits.documentBytes)), in: nil, limits, conventions, sheets)
  }

  private mutating func read(
    _ source: borrowing Span<UInt8>, in context: String?, _ limits: Limits, _ conventions: Conventions,
    _ sheets: LinkedSheets.Finder? = nil
  ) {
    if let prepared = HTMLInput.prepared(source) {
      builder.read(prepared.span, in: context, .html, HTMLOptions(limits))
    } else {
      builder.read(source, in: context, .html, HTMLOptions(limits))
    }
    isMisnested = builder.isTooDeep || builder.tree.nodes.contains { $0.origin == .copy || $0.isMoved }
    isRearranged = builder.tree.read(conventions, limits, isFragment: context != nil, sheets)
    isDocument = context == nil
    (root, lines) = (isDocument ? 0 : builder.tree.nodes[0].first, LineCounter())
    rewind()
  }

  /// Begins again with the source that was read last.
  package mutating func rewind() {
    (node, isLeaving, piece) = (builder.tree.nodes[Int(root)].first, false, -1)
  }

  /// Finds the hidden parts of the tree.
  ///
  /// - Parameters:
  ///   - hidden: what is found.
  ///   - kinds: the kinds of elements, by the tree's numbers of their names.
  ///   - isPage: whether the tree is that of a page.
  package mutating func find(_ hidden: inout HiddenParts, _ kinds: [HiddenParts.Kind], isPage: Bool = false) {
    builder.findHidden(&hidden, kinds, isPage: isPage)
  }

  /// Returns the next event; nil at the end.
  package mutating func next() -> Event? {
    if piece >= 0 {
      // The event of the first piece has reported the move.
      place.isMoved = false
      return nextPiece()
    }
    while node >= 0 { if let event = isLeaving ? leave() : enter() { return event } }
    return nil
  }

  /// Returns the values of some attributes of the last element that began, by name, without white space at their ends.
  package func attributeValues(_ names: Set<String>) -> [String: String] {
    var values: [String: String] = [:]
    for index in attributes {
      let attribute = builder.tree.attributes[Int(index)]
      let name = builder.tree.attributeTexts[Int(attribute.name)]
      if names.contains(name) {
        values[name] = String(streamSafe: builder.tree.bytes[attribute.value]).trimmed()
      }
    }
    return values
  }

  /// Returns the line and the column in bytes of an offset in this source, both from 1.
  package mutating func location(of offset: Int) -> (line: Int, column: Int) {
    lines.location(of: offset, in: builder.tree)
  }

  /// Whether elements of the tree are elsewhere than their tags, as of `<b>a<p>b</b>c` or `<table>a<tr>`.
  package private(set) var isMisnested = false

  /// Whether the conventions have made, renamed or moved elements, so that tags may say another tree.
  package private(set) var isRearranged = false

  /// Whether some formatting was not reopened because there was too much of it.
  package var isLimited: Bool { builder.isLimited }

  /// The beginning of a tag, comment or declaration that has no end, and its offset; nil when there is none.
  ///
  /// It includes the rest of the source.
  package var unfinished: (beginning: String, offset: Int)? {
    guard let offset = builder.tokenizer.unfinished else { return nil }
    let rest = builder.tree.bytes[offset..<builder.tree.sourceCount]
    return (String(decoding: rest.prefix { !$0.isHTMLSpace }.prefix(20), as: UTF8.self), offset)
  }

  // MARK: - Traversal

  private mutating func enter() -> Event? {
    let (index, node) = (node, builder.tree.nodes[Int(node)])
    entered = index
    if node.first >= 0 { self.node = node.first } else { isLeaving = true }
    switch node.kind {
    case .text:
      place = Place(offset: max(0, Int(node.location) - 1), isMoved: node.isMoved)
      piece = node.content.lowerBound
      return nextPiece()
    case .element:
      guard isReported(index) else { return nil }
      place = Place(
        offset: max(0, Int(node.location) - 1), isCopy: node.origin == .copy, isMoved: node.isMoved,
        namespace: node.namespace)
      attributes = node.content
      return .start(node.name)
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

  /// Whether an element is reported.
  ///
  /// Elements without a tag are not, except after one like them; nor are `html`, `head` and `body` of a document.
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

  /// Whether an element and the element before it have the same name and no tag: without tags both would be one.
  private func isTwin(_ node: HTMLTree.Node) -> Bool {
    var index = Int(node.previous)
    while index >= 0, builder.tree.nodes[index].kind != .element { index = Int(builder.tree.nodes[index].previous) }
    guard index >= 0 else { return false }
    let other = builder.tree.nodes[index]
    return other.origin == .implied && other.name == node.name
  }
}

/// Counts lines as far as locations are requested.
private struct LineCounter {
  private var starts: [Int] = [0]
  /// The offset of the next line feed that was not counted; -1 before the first search.
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
