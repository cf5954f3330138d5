/// An element whose start tag is written and whose end tag is not.
struct OpenElement {
  /// The number that identifies the element among those of the fragment.
  var id: Int
  var element: Int
  var namespace: Policy.Namespace
  var traits: ElementTraits
  var role: ElementRole
  /// Whether only text may be inside.
  var isTextOnly: Bool
  /// The depth of the source inside the element.
  var depth: Int
  /// Whether it is a link that begins here: neither a mere anchor nor the rest of a link that has no end.
  var isLink: Bool
}

/// The written elements around the current position, from the outermost on.
struct OpenElements {
  private(set) var stack: [OpenElement] = []
  /// The number of open formatting elements.
  private(set) var formattingCount = 0
  /// The number of open SVG and MathML elements.
  private(set) var foreignCount = 0

  var count: Int { stack.count }
  var current: OpenElement? { stack.last }

  mutating func removeAll() {
    stack.removeAll(keepingCapacity: true)
    (formattingCount, foreignCount) = (0, 0)
  }

  mutating func push(_ element: OpenElement) {
    stack.append(element)
    count(element, 1)
  }

  mutating func pop() -> OpenElement? {
    guard let element = stack.popLast() else { return nil }
    count(element, -1)
    return element
  }

  private mutating func count(_ element: OpenElement, _ one: Int) {
    if element.namespace != .html {
      foreignCount += one
    } else if element.traits.contains(.formatting) {
      formattingCount += one
    }
  }

  /// The index of the element with this id; nil when it is already closed.
  func index(ofID id: Int) -> Int? { stack.lastIndex { $0.id == id } }

  /// Whether the current position is in a link.
  var isInLink: Bool { stack.contains { $0.isLink } }

  /// Whether an element of this role is open anywhere.
  func contains(_ role: ElementRole) -> Bool { stack.contains { $0.role == role } }
}
