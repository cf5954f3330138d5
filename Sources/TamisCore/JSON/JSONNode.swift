/// A value of JSON with the place where it stands.
package struct JSONNode: Sendable {
  /// A value.
  package enum Value: Sendable {
    case null
    case bool(Bool)
    /// A number as written.
    case number(String)
    case string(String)
    case array([JSONNode])
    /// Members in the order of the document, including repeated names.
    case object([JSONMember])
  }

  package var value: Value
  package var location: Finding.Location

  package init(value: Value, location: Finding.Location) { (self.value, self.location) = (value, location) }

  /// Reads one value; nil when the bytes are not one JSON text (RFC 8259).
  ///
  /// - Parameters:
  ///   - bytes: the text.
  ///   - limits: the limits, of which ``Limits/fieldBytes`` applies to each string: a longer one is cut.
  package init?(_ bytes: some Sequence<UInt8>, limits: Limits = .standard) {
    let (node, fault) = Self.read(Array(bytes).span, limits: limits)
    guard let node, fault == nil else { return nil }
    self = node
  }

  /// Reads one value as far as it goes.
  ///
  /// - Parameters:
  ///   - bytes: the text.
  ///   - limits: the limits.
  ///   - mends: whether to go on after faults that people make; see ``JSONReader``.
  /// - Returns: what stands before the fault, nil when that is nothing; and the fault, nil when there is none.
  package static func read(
    _ bytes: borrowing Span<UInt8>, limits: Limits = .standard, mends: Bool = false
  ) -> (node: JSONNode?, fault: JSONFault?) {
    let builder = Builder()
    let reader = JSONReader(handler: builder, limits: limits, mends: mends)
    if reader.read(bytes) { reader.finish() }
    return (builder.finish(), builder.fault)
  }

  /// The members of an object; nil for another value.
  package var members: [JSONMember]? { if case .object(let members) = value { members } else { nil } }

  /// The elements of an array; nil for another value.
  package var elements: [JSONNode]? { if case .array(let elements) = value { elements } else { nil } }

  /// The value of a member, the last of several with the name; nil when there is none.
  package subscript(name: String) -> JSONNode? { members?.last { $0.name == name }?.value }

  /// The text of a string; nil for another value.
  package var text: String? { if case .string(let text) = value { text } else { nil } }

  /// The texts of an array of strings; nil for another value.
  package var texts: [String]? {
    guard let elements else { return nil }
    let texts = elements.compactMap(\.text)
    return texts.count == elements.count ? texts : nil
  }

  /// The number as an integer; nil for another value and for a number that is not an integer.
  package var integer: Int64? {
    guard case .number(let text) = value else { return nil }
    return Int64(text) ?? Double(text).flatMap { Int64(exactly: $0.rounded(.down)) }
  }

  /// Whether the value is `null`.
  package var isNull: Bool { if case .null = value { true } else { false } }

  /// The text of a string, a number, `true` or `false`; nil for any other value.
  package var scalarText: String? {
    switch value {
    case .string(let text), .number(let text): text
    case .bool(let value): value ? "true" : "false"
    case .null, .array, .object: nil
    }
  }

  /// The kind of value, in words.
  package var kind: String {
    switch value {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// Whether the value is an empty object or array.
  var isEmpty: Bool { members?.isEmpty ?? elements?.isEmpty ?? false }
}

/// A member of an object.
package struct JSONMember: Sendable {
  package var name: String
  package var value: JSONNode

  package init(name: String, value: JSONNode) { (self.name, self.value) = (name, value) }
}

/// A builder of one value from the events of a reader.
package struct JSONTree {
  private struct Container {
    var location: Finding.Location
    var isObject: Bool
    var elements: [JSONNode] = []
    var members: [JSONMember] = []
    var key = ""
  }

  /// The maximum number of values in one tree; the rest is left out.
  private let mostNodes: Int
  private var open: [Container] = []
  private var count = 0

  package init(mostNodes: Int) { self.mostNodes = mostNodes }

  /// Whether an object or an array is open.
  package var isOpen: Bool { !open.isEmpty }
  /// The location of the outermost open value.
  package var start: Finding.Location? { open.first?.location }
  /// Whether something of the outermost value was left out.
  package var isCut: Bool { count > mostNodes }

  package mutating func begin(isObject: Bool, at location: Finding.Location) {
    if open.isEmpty { count = 0 }
    open.append(Container(location: location, isObject: isObject))
  }

  package mutating func key(_ name: String) { open[open.count - 1].key = name }

  /// Adds a value to the open object or array.
  package mutating func add(_ node: JSONNode) {
    count += 1
    if !isCut { append(node) }
  }

  private mutating func append(_ node: JSONNode) {
    guard let last = open.indices.last else { return }
    if open[last].isObject {
      open[last].members.append(JSONMember(name: open[last].key, value: node))
    } else {
      open[last].elements.append(node)
    }
  }

  /// Ends the innermost object or array, and returns it when it was the outermost.
  package mutating func end() -> JSONNode? {
    guard let ended = open.popLast() else { return nil }
    let value: JSONNode.Value = ended.isObject ? .object(ended.members) : .array(ended.elements)
    let node = JSONNode(value: value, location: ended.location)
    if open.isEmpty { return node }
    // A container keeps what was added to it, even when the limit is reached by now.
    if !isCut || !node.isEmpty { append(node) }
    return nil
  }

  /// Discards the open values.
  package mutating func discard() { open = [] }
}

/// A receiver of events that builds a whole document.
private final class Builder: JSONHandler {
  private var tree = JSONTree(mostNodes: .max)
  private var root: JSONNode?
  private(set) var fault: JSONFault?
  private static let nowhere = Finding.Location(file: "")

  /// Ends what is open, and returns the document.
  func finish() -> JSONNode? {
    while tree.isOpen { end() }
    return root
  }

  private func add(_ value: JSONNode.Value) {
    let node = JSONNode(value: value, location: Self.nowhere)
    if tree.isOpen { tree.add(node) } else { root = node }
  }

  private func end() { if let whole = tree.end() { root = whole } }

  private static func text(_ bytes: borrowing Span<UInt8>) -> String { String(bytes, 0..<bytes.count) }

  func null() { add(.null) }
  func bool(_ value: Bool) { add(.bool(value)) }
  func number(_ text: borrowing Span<UInt8>) { add(.number(Self.text(text))) }
  func string(_ text: borrowing Span<UInt8>) { add(.string(Self.text(text))) }
  func startObject() { tree.begin(isObject: true, at: Self.nowhere) }
  func key(_ name: borrowing Span<UInt8>) { tree.key(Self.text(name)) }
  func endObject() { end() }
  func startArray() { tree.begin(isObject: false, at: Self.nowhere) }
  func endArray() { end() }
  func fault(_ fault: JSONFault) { self.fault = fault }
}

extension JSONWriter {
  /// Writes a value as it was read, numbers as they were written.
  package mutating func json(_ node: JSONNode) {
    switch node.value {
    case .null: null()
    case .bool(let value): bool(value)
    case .number(let text): json(Array(text.utf8).span)
    case .string(let text): string(text)
    case .array(let elements):
      beginArray()
      for element in elements { json(element) }
      endArray()
    case .object(let members):
      beginObject()
      for member in members {
        key(member.name)
        json(member.value)
      }
      endObject()
    }
  }
}
