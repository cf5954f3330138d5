import TamisCore

/// A value of a JSON document with its location.
struct JSONNode {
  enum Value {
    case null
    case bool(Bool)
    /// A number as written.
    case number(String)
    case string(String)
    case array([JSONNode])
    /// Members in document order, including repeated names.
    case object([JSONMember])
  }

  var value: Value
  var location: Finding.Location

  /// The text of a string, a number, `true` or `false`, or nil for any other value.
  var scalarText: String? {
    switch value {
    case .string(let text), .number(let text): text
    case .bool(let value): value ? "true" : "false"
    case .null, .array, .object: nil
    }
  }

  /// The kind of value, in words.
  var kind: String {
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
  var isEmpty: Bool {
    switch value {
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    default: false
    }
  }
}

/// A member of an object.
struct JSONMember {
  var name: String
  var value: JSONNode
}

/// A builder of one value from a reader's events: a member of the feed, or an item.
struct JSONTree {
  /// The maximum number of values in one tree; the rest is left out.
  static let mostNodes = 100_000

  private struct Container {
    var location: Finding.Location
    var isObject: Bool
    var elements: [JSONNode] = []
    var members: [JSONMember] = []
    var key = ""
  }

  private var open: [Container] = []
  private var count = 0

  /// Whether an object or an array is open.
  var isOpen: Bool { !open.isEmpty }
  /// The location of the outermost open value.
  var start: Finding.Location? { open.first?.location }
  /// Whether something of the outermost value was left out.
  var isCut: Bool { count > Self.mostNodes }

  mutating func begin(isObject: Bool, at location: Finding.Location) {
    if open.isEmpty { count = 0 }
    open.append(Container(location: location, isObject: isObject))
  }

  mutating func key(_ name: String) {
    open[open.count - 1].key = name
  }

  /// Adds a value to the open object or array.
  mutating func add(_ node: JSONNode) {
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
  mutating func end() -> JSONNode? {
    guard let ended = open.popLast() else { return nil }
    let value: JSONNode.Value = ended.isObject ? .object(ended.members) : .array(ended.elements)
    let node = JSONNode(value: value, location: ended.location)
    if open.isEmpty { return node }
    // A container keeps what was added to it, even when the limit is reached by now.
    if !isCut || !node.isEmpty { append(node) }
    return nil
  }

  /// Discards the open values.
  mutating func discard() { open = [] }
}
