import TamisCore

/// The open elements of a well-formed document, with their start tags as written.
///
/// Another reader that takes over begins with these.
struct OpenStartTags {
  struct Element {
    /// The handler's number of the element's name.
    var number: Int
    /// The range of the start tag in ``OpenStartTags/bytes``, and that of the name.
    var tag: Range<Int>
    var name: Range<Int>
    var role: ElementRole
    /// The scope of names around the element.
    var scopeOutside: Int
  }

  private(set) var elements: [Element] = []
  private var bytes: [UInt8] = []
  /// Whether one of the open elements is an entry.
  private(set) var holdsEntry = false

  var isEmpty: Bool { elements.isEmpty }
  var count: Int { elements.count }
  var last: Element? { elements.last }

  mutating func append(
    _ input: borrowing Span<UInt8>, _ tag: Range<Int>, name: XMLQualifiedName, _ element: NamespaceScopes.Element,
    scopeOutside: Int
  ) {
    let start = bytes.count
    bytes.append(input, tag)
    let own = start + name.whole.lowerBound - tag.lowerBound
    elements.append(
      Element(
        number: element.number, tag: start..<bytes.count, name: own..<own + name.whole.count, role: element.role,
        scopeOutside: scopeOutside))
    if element.role.contains(.entry) { holdsEntry = true }
  }

  mutating func removeLast() {
    guard let last = elements.popLast() else { return }
    bytes.removeLast(bytes.count - last.tag.lowerBound)
    // Entries are never nested (`WellFormedReader.isExpected`).
    if last.role.contains(.entry) { holdsEntry = false }
  }

  /// Whether the name of an element is written at a position.
  func isName(of element: Element, in input: borrowing Span<UInt8>, at start: Int) -> Bool {
    for offset in 0..<element.name.count where input[start + offset] != bytes[element.name.lowerBound + offset] {
      return false
    }
    return true
  }

  /// Returns the name of an element as written.
  func name(of element: Element) -> ArraySlice<UInt8> { bytes[element.name] }

  /// All start tags, in one line; a line feed in a tag is white space like any other.
  var startTags: [UInt8] { bytes.map { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn ? ASCII.space : $0 } }
}
