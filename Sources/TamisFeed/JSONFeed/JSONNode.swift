import TamisCore

/// A value of a JSON document, and where it begins.
struct JSONNode {
  enum Value {
    case null
    case bool(Bool)
    /// As it was written.
    case number(String)
    case string(String)
    case array([JSONNode])
    /// In document order, names that are there twice too.
    case object([JSONMember])
  }

  var value: Value
  var location: SourceLocation

  /// The text that a string, a number, `true` or `false` is; nil for anything else.
  var scalarText: String? {
    switch value {
    case .string(let text), .number(let text): text
    case .bool(let value): value ? "true" : "false"
    case .null, .array, .object: nil
    }
  }

  /// What it is, in words.
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

  /// Whether it is an object or an array with nothing in it.
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

/// Builds one value out of a reader's events: a member of the feed, or an item.
struct JSONTree {
  /// Most values in one tree; the rest is left out.
  static let mostNodes = 100_000

  private struct Container {
    var location: SourceLocation
    var isObject: Bool
    var elements: [JSONNode] = []
    var members: [JSONMember] = []
    var key = ""
  }

  private var open: [Container] = []
  private var count = 0

  /// Whether an object or an array has begun and not ended.
  var isOpen: Bool { !open.isEmpty }
  /// Where the outermost began that is open.
  var start: SourceLocation? { open.first?.location }
  /// Whether something was left out since the outermost began.
  var isCut: Bool { count > Self.mostNodes }

  mutating func begin(isObject: Bool, at location: SourceLocation) {
    if open.isEmpty { count = 0 }
    open.append(Container(location: location, isObject: isObject))
  }

  mutating func key(_ name: String) {
    open[open.count - 1].key = name
  }

  /// Adds a value to the object or array that is open.
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

  /// Ends the innermost object or array; returns it when it was the outermost.
  mutating func end() -> JSONNode? {
    guard let ended = open.popLast() else { return nil }
    let value: JSONNode.Value = ended.isObject ? .object(ended.members) : .array(ended.elements)
    let node = JSONNode(value: value, location: ended.location)
    if open.isEmpty { return node }
    // What was kept of it stays, however many values there are by now.
    if !isCut || !node.isEmpty { append(node) }
    return nil
  }

  /// Forgets what is open.
  mutating func discard() { open = [] }
}
