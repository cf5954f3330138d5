import TamisCore

/// The open elements of a document, by their tags alone, and the namespaces that are declared there.
struct OpenElements {
  struct Element {
    /// The hash of the name in lower case.
    var hash: UInt64
    /// The handler's number; nil when the tags are left out.
    var number: Int?
    var role: ElementRole
    /// The name as written, empty when the tags are left out.
    var name: String
    /// The prefixes that the start tag declares.
    var prefixes: [String] = []
  }

  /// The maximum number of open elements that are reported; libxml2 gives up at 256.
  static let deepest = 200

  private var stack: [Element] = []
  /// The number of open elements of each name that were left out.
  ///
  /// There can be very many; this tells at once that an end tag ends none of them.
  private var dropped: [UInt64: Int] = [:]
  /// The namespaces of each prefix, the innermost last.
  private var namespaces: [String: [String]] = ["xml": ["http://www.w3.org/XML/1998/namespace"]]

  /// The number of open elements, including those left out.
  var depth: Int { stack.count }

  var innermost: Element? { stack.last }

  /// The number of innermost elements that are stray HTML.
  var strays: Int { stack.reversed().prefix { $0.number != nil && $0.role.contains(.stray) }.count }

  /// Whether one of the open elements is an entry.
  var holdsEntry: Bool { stack.contains { $0.role.contains(.entry) } }

  /// Declares the namespaces of an element that is opened next (Namespaces in XML 1.0, 6).
  mutating func declare(_ declared: [(prefix: String, uri: String)]) {
    for (prefix, uri) in declared { namespaces[prefix, default: []].append(uri) }
  }

  /// Ends the namespaces that an element declared.
  mutating func undeclare(_ prefixes: [String]) {
    for prefix in prefixes { namespaces[prefix]?.removeLast() }
  }

  /// Returns the namespace of a prefix, or nil when there is none.
  func namespace(of prefix: String) -> String? { namespaces[prefix]?.last }

  mutating func push(_ element: Element) {
    stack.append(element)
    if element.number == nil { dropped[element.hash, default: 0] += 1 }
  }

  /// Ends the innermost element, and returns it.
  mutating func pop() -> Element? {
    guard let last = stack.popLast() else { return nil }
    if last.number == nil, let count = dropped[last.hash] { dropped[last.hash] = count > 1 ? count - 1 : nil }
    undeclare(last.prefixes)
    return last
  }

  /// Returns the index of the innermost element of a name, or nil when there is none.
  func nearest(_ hash: UInt64) -> Int? {
    guard let last = stack.last else { return nil }
    if last.hash == hash { return stack.count - 1 }
    // Elements that were left out are inside all others.
    if dropped[hash] != nil { return stack.lastIndex { $0.hash == hash } }
    return stack.prefix(Self.deepest).lastIndex { $0.hash == hash }
  }

  /// Whether the element at `index` contains open elements whose tags were not left out.
  func hasUnended(inside index: Int) -> Bool {
    index + 1 < stack.count && stack[(index + 1)...].contains { $0.number != nil }
  }

  /// Whether the tags of the element at `index` were left out.
  func isDropped(_ index: Int) -> Bool { stack[index].number == nil }
}
