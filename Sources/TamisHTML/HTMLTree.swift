package import TamisCore

/// What a browser builds of a source: nodes in an arena, in lists of children.
package struct HTMLTree: Sendable {
  /// The vocabulary of an element.
  package enum Namespace: UInt8, Sendable { case html, svg, math }

  /// The kind of a node.
  package enum Kind: UInt8, Sendable { case document, doctype, element, text, comment }

  /// A node; others are named by their index, -1 for none.
  package struct Node: Sendable {
    package fileprivate(set) var kind: Kind
    package fileprivate(set) var namespace = Namespace.html
    /// The number of an element's name (``HTMLName``, ``HTMLTree/elementNames``).
    package fileprivate(set) var name: Int32 = -1
    package fileprivate(set) var parent: Int32 = -1
    package fileprivate(set) var first: Int32 = -1
    package fileprivate(set) var last: Int32 = -1
    package fileprivate(set) var next: Int32 = -1
    package fileprivate(set) var previous: Int32 = -1
    /// An element's attributes in ``HTMLTree/attributes``; the pieces of a text or comment in ``HTMLTree/pieces`` are a list from
    /// the lower bound to the upper one.
    package fileprivate(set) var content: Range<Int32> = 0..<0
    /// Where its token ends in the source.
    package fileprivate(set) var location: Int32 = 0
  }

  /// An attribute: the number of its name (``HTMLTree/attributeNames``), its value in ``HTMLTree/bytes``.
  package struct Attribute: Sendable {
    package var name: Int32
    package var value: Range<Int>
  }

  /// A part of a text, in ``HTMLTree/bytes``, and the index of the next one, -1 for none.
  package struct Piece: Sendable {
    package var range: Range<Int>
    package fileprivate(set) var next: Int32 = -1
  }

  package private(set) var nodes: [Node] = []
  package private(set) var attributes: [Attribute] = []
  package private(set) var pieces: [Piece] = []
  /// The bytes of texts, comments and values.
  package private(set) var bytes: [UInt8] = []
  package private(set) var elementNames = HTMLName.index
  package private(set) var attributeNames = NameIndex()
  /// The names of elements beyond those of ``HTMLName``, and of attributes, by their numbers.
  package private(set) var otherElements: [String] = []
  package private(set) var attributeTexts: [String] = []
  /// Whether the document has no `DOCTYPE` of today (13.2.6.4.1), which matters for tables in paragraphs.
  package internal(set) var isInQuirksMode = false
  package internal(set) var doctype: (name: String, publicID: String, systemID: String)?

  init() { _ = add(Node(kind: .document)) }

  /// The name of an element, in lower case.
  package func text(ofElement number: Int32) -> String {
    HTMLName(rawValue: Int(number))?.text ?? otherElements[Int(number) - HTMLName.allCases.count]
  }

  // MARK: - Names and bytes

  mutating func number(ofElement name: [UInt8]) -> Int32 { Self.number(name, &elementNames, &otherElements) }

  mutating func number(ofAttribute name: [UInt8]) -> Int32 { Self.number(name, &attributeNames, &attributeTexts) }

  /// The number of a name, given to it now if it has none.
  private static func number(_ name: [UInt8], _ names: inout NameIndex, _ texts: inout [String]) -> Int32 {
    if let number = names.number(of: name.span, 0..<name.count) { return Int32(number) }
    let text = String(decoding: name, as: UTF8.self)
    names.add(text)
    texts.append(text)
    return Int32(names.count - 1)
  }

  mutating func store(
    _ tokenizer: borrowing HTMLTokenizer, _ piece: HTMLTokenizer.Piece, of source: borrowing Span<UInt8>
  ) -> Range<Int> {
    let begin = bytes.count
    tokenizer.append(piece, of: source, to: &bytes)
    return begin..<bytes.count
  }

  mutating func store(_ more: [UInt8]) -> Range<Int> {
    bytes += more
    return bytes.count - more.count..<bytes.count
  }

  mutating func add(_ attribute: Attribute) { attributes.append(attribute) }

  /// The value of an attribute of a node; nil when it has none of that name.
  package func value(of name: String, _ node: Int32) -> Range<Int>? {
    guard let number = attributeNames.number(of: name) else { return nil }
    for index in nodes[Int(node)].content where attributes[Int(index)].name == Int32(number) {
      return attributes[Int(index)].value
    }
    return nil
  }

  /// Whether two elements have the same attributes with the same values.
  func haveEqualAttributes(_ one: Int32, _ other: Int32) -> Bool {
    let (ours, theirs) = (nodes[Int(one)].content, nodes[Int(other)].content)
    guard ours.count == theirs.count else { return false }
    return ours.allSatisfy { index in
      theirs.contains {
        attributes[Int($0)].name == attributes[Int(index)].name
          && bytes[attributes[Int($0)].value] == bytes[attributes[Int(index)].value]
      }
    }
  }

  /// Gives an element the attributes that it lacks.
  mutating func addMissing(_ more: Range<Int32>, to node: Int32) {
    let own = nodes[Int(node)].content
    let missing = more.filter { index in
      !own.contains { attributes[Int($0)].name == attributes[Int(index)].name }
    }
    if missing.isEmpty { return }
    let begin = Int32(attributes.count)
    for index in own { attributes.append(attributes[Int(index)]) }
    for index in missing { attributes.append(attributes[Int(index)]) }
    nodes[Int(node)].content = begin..<Int32(attributes.count)
  }

  // MARK: - Nodes

  private mutating func add(_ node: Node) -> Int32 {
    nodes.append(node)
    return Int32(nodes.count - 1)
  }

  mutating func addElement(_ name: Int32, _ namespace: Namespace, _ attributes: Range<Int32>, at location: Int32)
    -> Int32
  {
    add(Node(kind: .element, namespace: namespace, name: name, content: attributes, location: location))
  }

  mutating func addComment(_ range: Range<Int>, at location: Int32) -> Int32 {
    pieces.append(Piece(range: range))
    let piece = Int32(pieces.count - 1)
    return add(Node(kind: .comment, content: piece..<piece + 1, location: location))
  }

  mutating func addDoctype() -> Int32 { add(Node(kind: .doctype)) }

  /// Puts text at a place: at the end of the text before it, if there is one.
  mutating func insertText(_ range: Range<Int>, into parent: Int32, before next: Int32, at location: Int32) {
    let previous = next < 0 ? nodes[Int(parent)].last : nodes[Int(next)].previous
    if previous >= 0, nodes[Int(previous)].kind == .text {
      let last = Int(nodes[Int(previous)].content.upperBound) - 1
      if pieces[last].range.upperBound == range.lowerBound {
        pieces[last].range = pieces[last].range.lowerBound..<range.upperBound
      } else {
        pieces.append(Piece(range: range))
        pieces[last].next = Int32(pieces.count - 1)
        nodes[Int(previous)].content = nodes[Int(previous)].content.lowerBound..<Int32(pieces.count)
      }
      return
    }
    pieces.append(Piece(range: range))
    let piece = Int32(pieces.count - 1)
    insert(add(Node(kind: .text, content: piece..<piece + 1, location: location)), into: parent, before: next)
  }

  mutating func insert(_ node: Int32, into parent: Int32, before next: Int32 = -1) {
    let previous = next < 0 ? nodes[Int(parent)].last : nodes[Int(next)].previous
    (nodes[Int(node)].parent, nodes[Int(node)].next, nodes[Int(node)].previous) = (parent, next, previous)
    if previous < 0 { nodes[Int(parent)].first = node } else { nodes[Int(previous)].next = node }
    if next < 0 { nodes[Int(parent)].last = node } else { nodes[Int(next)].previous = node }
  }

  mutating func remove(_ node: Int32) {
    let (parent, next, previous) = (nodes[Int(node)].parent, nodes[Int(node)].next, nodes[Int(node)].previous)
    if parent < 0 { return }
    if previous < 0 { nodes[Int(parent)].first = next } else { nodes[Int(previous)].next = next }
    if next < 0 { nodes[Int(parent)].last = previous } else { nodes[Int(next)].previous = previous }
    (nodes[Int(node)].parent, nodes[Int(node)].next, nodes[Int(node)].previous) = (-1, -1, -1)
  }

  mutating func moveChildren(of node: Int32, to other: Int32) {
    var child = nodes[Int(node)].first
    while child >= 0 {
      let next = nodes[Int(child)].next
      remove(child)
      insert(child, into: other)
      child = next
    }
  }
}
