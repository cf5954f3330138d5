package import TamisCore

/// The tree that a browser builds of a source: nodes in an arena, linked in lists of children.
package struct HTMLTree: ~Copyable, Sendable {
  /// The namespace of an element.
  package enum Namespace: UInt8, Sendable { case html, svg, math }

  /// The kind of a node.
  package enum Kind: UInt8, Sendable { case document, doctype, element, text, comment }

  /// The reason why an element exists.
  package enum Origin: UInt8, Sendable {
    /// A tag.
    case tag
    /// A tag whose element ended before its end tag, and is reopened (13.2.4.3, 13.2.6.4.7).
    case copy
    /// No tag: a required element, such as the `tbody` around a row.
    case implied
  }

  /// A node, which refers to other nodes by index, or -1 for none.
  package struct Node: Sendable {
    package fileprivate(set) var kind: Kind
    package fileprivate(set) var namespace = Namespace.html
    package fileprivate(set) var origin = Origin.tag
    /// Whether there is a copy of the element.
    package fileprivate(set) var isCopied = false
    /// Whether the element is in the list of active formatting elements (13.2.4.3).
    package fileprivate(set) var isActive = false
    /// Whether the node was in a table but in none of its cells, and is now before the table (13.2.6.1, "foster
    /// parent").
    package fileprivate(set) var isMoved = false
    /// The number of an element's name (``HTMLName``, ``HTMLTree/elementNames``).
    package fileprivate(set) var name: Int32 = -1
    package fileprivate(set) var parent: Int32 = -1
    package fileprivate(set) var first: Int32 = -1
    package fileprivate(set) var last: Int32 = -1
    package fileprivate(set) var next: Int32 = -1
    package fileprivate(set) var previous: Int32 = -1
    /// The attributes of an element in ``HTMLTree/attributes``, or the pieces of a text or comment.
    ///
    /// The pieces are a list in ``HTMLTree/pieces`` from the lower bound to the upper one.
    package fileprivate(set) var content: Range<Int32> = 0..<0
    /// The offset in the source at which the token of the node ends.
    package fileprivate(set) var location: Int32 = 0
  }

  /// An attribute: the number of its name (``HTMLTree/attributeNames``), and its value in ``HTMLTree/bytes``.
  package struct Attribute: Sendable {
    package var name: Int32
    package var value: Range<Int>
  }

  /// A part of a text in ``HTMLTree/bytes``, and the index of the next part, or -1 for none.
  package struct Piece: Sendable {
    package var range: Range<Int>
    package fileprivate(set) var next: Int32 = -1
  }

  package private(set) var nodes: [Node] = []
  package private(set) var attributes: [Attribute] = []
  package private(set) var pieces: [Piece] = []
  /// The length of the source in bytes.
  package private(set) var sourceCount = 0
  /// The source, followed by the parts of texts, comments and values that are not in it.
  package private(set) var bytes: [UInt8] = []
  package private(set) var elementNames = HTMLName.index
  package private(set) var attributeNames = NameIndex()
  /// The names of elements beyond those of ``HTMLName``, and of attributes, by their numbers.
  package private(set) var otherElements: [String] = []
  package private(set) var attributeTexts: [String] = []
  /// Whether the document is in quirks mode (13.2.6.4.1), which affects tables in paragraphs.
  package internal(set) var isInQuirksMode = false
  /// The attributes of the tags `html` and `body` of a fragment, which has no elements for them.
  package internal(set) var documentTags: [Range<Int32>] = []
  /// Whether a fragment begins as a document does.
  package internal(set) var hasDoctype = false
  package internal(set) var doctype: (name: String, publicID: String, systemID: String)?
  /// The nodes that belong to the page's controls, such as the numbers beside lines of code (``Conventions``).
  package internal(set) var controls: Set<Int32> = []
  /// The words of the classes of all elements, in lower case: a pass over the tree for others is not needed.
  private(set) var classNames: Set<String> = []
  /// The marks of notes that stood within the text, in document order, and the items that the notes are now
  /// (``Conventions``): what takes a mark from the reader takes its note too.
  package internal(set) var movedNotes: [(mark: Int32, item: Int32)] = []
  /// What the style sheets say of the elements (``Conventions``).
  package internal(set) var sheets = SheetStyles()

  /// Forgets what the sheets say, since they would hide too much.
  package mutating func refuseSheets() { sheets.refuse(.share) }

  /// The nodes that show a formula a second time (``Conventions``).
  package internal(set) var duplicates: Set<Int32> = []
  /// Whether a drawing was not read as a whole because of ``Limits/drawingCopies``.
  package internal(set) var isDrawingCut = false
  /// Whether a formula stays in TeX because of ``Limits/formulaBytes``.
  package internal(set) var isFormulaCut = false
  /// Whether a text has marks of formulas between which it was not read as one.
  package internal(set) var hasFormulaMarks = false
  /// Whether code has such marks, of which it would be text without its element.
  package internal(set) var hasFormulaMarksInCode = false
  /// Whether elements were made, renamed or taken away since this was last reset.
  var isRearranged = false

  init() {}

  /// Empties the tree for a source; names keep their numbers.
  mutating func begin(_ source: borrowing Span<UInt8>) {
    nodes.removeAll(keepingCapacity: true)
    attributes.removeAll(keepingCapacity: true)
    pieces.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    bytes.append(source, 0..<source.count)
    sourceCount = source.count
    (isInQuirksMode, doctype, documentTags, hasDoctype) = (false, nil, [], false)
    (isDrawingCut, isFormulaCut) = (false, false)
    (hasFormulaMarks, hasFormulaMarksInCode) = (false, false)
    (controls, duplicates, movedNotes, sheets) = ([], [], [], SheetStyles())
    _ = add(Node(kind: .document))
  }

  /// The size in bytes of the memory that is kept for the next source.
  package var keptBytes: Int {
    nodes.capacity * MemoryLayout<Node>.stride + attributes.capacity * MemoryLayout<Attribute>.stride
      + pieces.capacity * MemoryLayout<Piece>.stride + bytes.capacity
  }

  /// Returns the name of an element, in lower case.
  package func text(ofElement number: Int32) -> String {
    let number = Int(number)
    return number < HTMLName.texts.count ? HTMLName.texts[number] : otherElements[number - HTMLName.texts.count]
  }

  /// Returns the name of an element; nil for other nodes.
  func elementText(_ node: Int32) -> String? {
    nodes[Int(node)].kind == .element ? text(ofElement: nodes[Int(node)].name) : nil
  }

  /// The element of HTML that a node is; nil for other nodes and names.
  func htmlName(_ node: Int32) -> HTMLName? {
    let node = nodes[Int(node)]
    return node.kind == .element && node.namespace == .html ? HTMLName(rawValue: Int(node.name)) : nil
  }

  /// Gives an element another name; it keeps the attributes that `keeps` names, or all.
  mutating func rename(_ node: Int32, _ name: HTMLName, keeping keeps: Set<String>? = nil) {
    nodes[Int(node)].name = Int32(name.rawValue)
    isRearranged = true
    if let keeps { nodes[Int(node)].content = copied(nodes[Int(node)].content) { keeps.contains($0) } }
  }

  /// Takes attributes from an element.
  mutating func remove(_ names: Set<String>, of node: Int32) {
    nodes[Int(node)].content = copied(nodes[Int(node)].content) { !names.contains($0) }
  }

  /// Appends copies of those attributes whose names are wanted; returns their range.
  private mutating func copied(_ list: Range<Int32>, _ isWanted: (String) -> Bool) -> Range<Int32> {
    let kept = list.map { attributes[Int($0)] }.filter { isWanted(attributeTexts[Int($0.name)]) }
    attributes += kept
    return Int32(attributes.count - kept.count)..<Int32(attributes.count)
  }

  /// Inserts an element that is not in the source, where another node stands in it.
  ///
  /// - Parameters:
  ///   - name: the name of the element.
  ///   - values: its attributes by name, as ranges of ``bytes``.
  ///   - parent: the element that it is inserted into.
  ///   - next: the node before which it stands; -1 at the end.
  /// - Returns: the element.
  mutating func insert(
    _ name: HTMLName, _ values: [(name: String, value: Range<Int>)] = [], into parent: Int32, before next: Int32 = -1
  ) -> Int32 {
    insert(Int32(name.rawValue), .html, values, into: parent, before: next)
  }

  /// Inserts an element of MathML.
  mutating func insert(
    math name: String, _ values: [(name: String, value: Range<Int>)], into parent: Int32, before next: Int32
  ) -> Int32 {
    insert(number(ofElement: name), .math, values, into: parent, before: next)
  }

  private mutating func insert(
    _ name: Int32, _ namespace: Namespace, _ values: [(name: String, value: Range<Int>)], into parent: Int32,
    before next: Int32
  ) -> Int32 {
    let begin = Int32(attributes.count)
    for (name, value) in values { attributes.append(Attribute(name: number(ofAttribute: name), value: value)) }
    let location = nodes[Int(next < 0 ? parent : next)].location
    let element = addElement(name, namespace, begin..<Int32(attributes.count), at: location)
    insert(element, into: parent, before: next)
    isRearranged = true
    return element
  }

  /// Gives an element an attribute, in place of the one of that name.
  mutating func set(_ name: String, _ value: Range<Int>, of node: Int32) {
    let attribute = Attribute(name: number(ofAttribute: name), value: value)
    let others = copied(nodes[Int(node)].content) { $0 != name }
    attributes.append(attribute)
    nodes[Int(node)].content = others.lowerBound..<Int32(attributes.count)
  }

  private mutating func number(ofAttribute name: String) -> Int32 {
    Self.number(Array(name.utf8).span, 0..<name.utf8.count, &attributeNames, &attributeTexts)
  }

  /// Adds a copy of a node without its children and without some attributes; the copy stands nowhere.
  mutating func copy(_ node: Int32, without names: Set<String>) -> Int32 {
    var copy = nodes[Int(node)]
    (copy.parent, copy.first, copy.last, copy.next, copy.previous) = (-1, -1, -1, -1, -1)
    if copy.kind == .element { copy.content = copied(copy.content) { !names.contains($0) } }
    let number = add(copy)
    sheets.noteCopy(number, of: node)
    return number
  }

  /// Gives an element of a drawing another name.
  mutating func rename(drawn node: Int32, _ name: String) { nodes[Int(node)].name = number(ofElement: name) }

  /// Appends a text to ``bytes``; returns its range.
  mutating func store(_ text: some Sequence<UInt8>) -> Range<Int> {
    let begin = bytes.count
    bytes += text
    return begin..<bytes.count
  }

  /// Puts a text in the place of a node.
  mutating func replace(_ node: Int32, withText text: Range<Int>) {
    let (parent, next, location) = (nodes[Int(node)].parent, nodes[Int(node)].next, nodes[Int(node)].location)
    remove(node)
    insertText(text, into: parent, before: next, isMoved: false, at: location)
  }

  // MARK: - Names and bytes

  mutating func number(ofElement name: String) -> Int32 {
    if let number = elementNames.number(of: name) { return Int32(number) }
    elementNames.add(name)
    otherElements.append(name)
    return Int32(elementNames.count - 1)
  }

  mutating func number(
    ofElement name: HTMLTokenizer.Piece, of tokenizer: borrowing HTMLTokenizer, _ source: borrowing Span<UInt8>
  ) -> Int32 {
    if name.isOwn { return Self.number(tokenizer.buffer.span, name.range, &elementNames, &otherElements) }
    return Self.number(source, name.range, &elementNames, &otherElements)
  }

  mutating func number(
    ofAttribute name: HTMLTokenizer.Piece, of tokenizer: borrowing HTMLTokenizer, _ source: borrowing Span<UInt8>
  ) -> Int32 {
    if name.isOwn { return Self.number(tokenizer.buffer.span, name.range, &attributeNames, &attributeTexts) }
    return Self.number(source, name.range, &attributeNames, &attributeTexts)
  }

  /// Returns the number of a name, after assigning one if it has none.
  private static func number(
    _ name: borrowing Span<UInt8>, _ range: Range<Int>, _ names: inout NameIndex, _ texts: inout [String]
  ) -> Int32 {
    if let number = names.number(of: name, range) { return Int32(number) }
    let text = String(name, range)
    names.add(text)
    texts.append(text)
    return Int32(names.count - 1)
  }

  /// Returns the range in ``bytes`` of a piece of a token, which is appended unless it is in the source.
  mutating func store(_ piece: HTMLTokenizer.Piece, of tokenizer: borrowing HTMLTokenizer) -> Range<Int> {
    if !piece.isOwn { return piece.range }
    let begin = bytes.count
    bytes.append(tokenizer.buffer.span, piece.range)
    return begin..<bytes.count
  }

  /// Appends a U+FFFD to ``bytes``; returns its range.
  mutating func storeReplacement() -> Range<Int> {
    bytes += [0xEF, 0xBF, 0xBD]
    return bytes.count - 3..<bytes.count
  }

  mutating func add(_ attribute: Attribute) { attributes.append(attribute) }

  /// Returns the number of the name of an element; -1 when no element has had it.
  package func knownNumber(ofElement name: String) -> Int32 { elementNames.number(of: name).map(Int32.init) ?? -1 }

  /// Returns the number of the name of an attribute; -1 when no attribute has had it.
  package func knownNumber(ofAttribute name: String) -> Int32 { attributeNames.number(of: name).map(Int32.init) ?? -1 }

  /// Returns the value of an attribute of a node; nil when it has none of that name.
  package func value(of name: String, _ node: Int32) -> Range<Int>? {
    guard nodes[Int(node)].kind == .element, let number = attributeNames.number(of: name) else { return nil }
    for index in nodes[Int(node)].content where attributes[Int(index)].name == Int32(number) {
      return attributes[Int(index)].value
    }
    return nil
  }

  /// Returns whether two elements have the same attributes with the same values.
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

  /// Adds to an element the attributes that it lacks, as long as it has no more than `most`.
  mutating func addMissing(_ more: Range<Int32>, to node: Int32, most: Int) {
    let own = nodes[Int(node)].content
    if own.count >= most { return }
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

  /// Returns the approximate size in bytes of the attributes of an element.
  package func attributeBytes(of node: Int32) -> Int {
    nodes[Int(node)].content.reduce(0) { $0 + attributes[Int($1)].value.count + 8 }
  }

  private mutating func add(_ node: Node) -> Int32 {
    nodes.append(node)
    return Int32(nodes.count - 1)
  }

  mutating func addElement(
    _ name: Int32, _ namespace: Namespace, _ attributes: Range<Int32>, _ origin: Origin = .tag, at location: Int32
  ) -> Int32 {
    add(Node(kind: .element, namespace: namespace, origin: origin, name: name, content: attributes, location: location))
  }

  mutating func addComment(_ range: Range<Int>, at location: Int32) -> Int32 {
    pieces.append(Piece(range: range))
    let piece = Int32(pieces.count - 1)
    return add(Node(kind: .comment, content: piece..<piece + 1, location: location))
  }

  mutating func addDoctype() -> Int32 { add(Node(kind: .doctype)) }

  /// Inserts text at a place, appending it to the text before if there is one.
  mutating func insertText(
    _ range: Range<Int>, into parent: Int32, before next: Int32, isMoved: Bool, at location: Int32
  ) {
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
    let node = Node(kind: .text, isMoved: isMoved, content: piece..<piece + 1, location: location)
    insert(add(node), into: parent, before: next)
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

  /// Returns the length in the source of a text without references, in which each U+FFFD stands for one byte.
  func sourceLength(ofText node: Int32) -> Int {
    var (length, piece) = (0, nodes[Int(node)].content.lowerBound)
    while piece >= 0 {
      let range = pieces[Int(piece)].range
      length += range.lowerBound < sourceCount ? range.count : range.count / 3
      piece = pieces[Int(piece)].next
    }
    return length
  }

  /// Returns the number of bytes of a text.
  package func count(ofText node: Int32) -> Int {
    var (count, piece) = (0, nodes[Int(node)].content.lowerBound)
    while piece >= 0 {
      count += pieces[Int(piece)].range.count
      piece = pieces[Int(piece)].next
    }
    return count
  }

  /// Returns whether a text is white space alone.
  package func isBlank(text node: Int32) -> Bool {
    var piece = nodes[Int(node)].content.lowerBound
    while piece >= 0 {
      if !WhiteSpace.isHTMLSpace(bytes.span.extracting(pieces[Int(piece)].range)) { return false }
      piece = pieces[Int(piece)].next
    }
    return true
  }

  mutating func noteCopy(of node: Int32) { nodes[Int(node)].isCopied = true }

  mutating func noteActive(_ node: Int32, _ isActive: Bool) { nodes[Int(node)].isActive = isActive }

  mutating func noteMove(of node: Int32) { nodes[Int(node)].isMoved = true }

  /// Moves the children of a node into another element, before one of its children or, with -1, behind them.
  mutating func moveChildren(of node: Int32, to other: Int32, before sibling: Int32 = -1) {
    var child = nodes[Int(node)].first
    while child >= 0 {
      let next = nodes[Int(child)].next
      remove(child)
      insert(child, into: other, before: sibling)
      child = next
    }
  }

  /// The next node in document order; behind the content of this one when that is asked for.
  func following(_ node: Int32, isBehind: Bool = false) -> Int32 {
    if !isBehind, nodes[Int(node)].first >= 0 { return nodes[Int(node)].first }
    var node = node
    while node > 0, nodes[Int(node)].next < 0 { node = nodes[Int(node)].parent }
    return node > 0 ? nodes[Int(node)].next : -1
  }

  /// The children of a node.
  func children(of node: Int32) -> [Int32] {
    var (children, child): ([Int32], Int32) = ([], nodes[Int(node)].first)
    while child >= 0 {
      children.append(child)
      child = nodes[Int(child)].next
    }
    return children
  }

  /// Returns the text inside a node, with a space for each tag, and no more than about `most` bytes of it.
  func text(in node: Int32, most: Int) -> [UInt8] {
    var (text, current): ([UInt8], Int32) = ([], nodes[Int(node)].first)
    while current >= 0, current != node, text.count < most {
      var piece = nodes[Int(current)].kind == .text ? nodes[Int(current)].content.lowerBound : -1
      if nodes[Int(current)].kind == .element { text.append(ASCII.space) }
      while piece >= 0 {
        text += bytes[pieces[Int(piece)].range].prefix(most - text.count)
        piece = pieces[Int(piece)].next
      }
      if nodes[Int(current)].first >= 0 {
        current = nodes[Int(current)].first
        continue
      }
      while current != node, nodes[Int(current)].next < 0 {
        current = nodes[Int(current)].parent
        text.append(ASCII.space)
      }
      if current != node { current = nodes[Int(current)].next }
    }
    return text
  }

  /// Finds ``classNames``.
  mutating func findClassNames() {
    var values: Set<ArraySlice<UInt8>> = []
    for node in nodes.indices {
      if let value = value(of: "class", Int32(node)), value.count < 1000 { values.insert(bytes[value]) }
    }
    classNames = []
    for value in values {
      for word in value.split(whereSeparator: \.isHTMLSpace) {
        classNames.insert(String(streamSafe: word).asciiLowercased())
      }
    }
  }

  /// Returns the words of the `class` of an element, in lower case.
  func classes(of node: Int32) -> [String] {
    guard let value = value(of: "class", node), value.count < 1000 else { return [] }
    return bytes[value].split(whereSeparator: \.isHTMLSpace).map { String(streamSafe: $0).asciiLowercased() }
  }
}
