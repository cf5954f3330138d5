import TamisCore

/// The open elements of a document, by their tags alone.
struct OpenTags {
  private struct Element {
    /// The hash of the name in lower case.
    var hash: UInt64
    /// The range of the name in ``OpenTags/names``, or nil when the start tag was left out.
    var name: Range<Int>?
    var role: ElementRole
  }

  /// The deepest nesting that is passed to libxml2, which gives up at 256.
  static let deepest = 200

  private var stack: [Element] = []
  private var names: [UInt8] = []
  /// The number of open elements of each name that were left out.
  ///
  /// There can be very many; this tells at once that an end tag ends none of them.
  private var dropped: [UInt64: Int] = [:]

  /// The number of open elements, including those left out.
  var depth: Int { stack.count }

  /// The hash of the innermost element's name, or nil when none is open.
  var innermost: UInt64? { stack.last?.hash }

  /// The number of innermost elements that are stray HTML.
  var strays: Int { stack.reversed().prefix { $0.name != nil && $0.role.contains(.stray) }.count }

  /// Whether one of the open elements is an entry.
  var holdsEntry: Bool { stack.contains { $0.role.contains(.entry) } }

  /// Opens an element.
  ///
  /// - Parameters:
  ///   - hash: the hash of its name in lower case.
  ///   - name: the name as written, or nil when the tags are left out.
  ///   - role: the role of the element.
  mutating func push(_ hash: UInt64, _ name: ArraySlice<UInt8>?, _ role: ElementRole) {
    var range: Range<Int>?
    if let name {
      range = names.count..<names.count + name.count
      names.append(contentsOf: name)
    }
    stack.append(Element(hash: hash, name: range, role: role))
    if name == nil { dropped[hash, default: 0] += 1 }
  }

  mutating func pop() {
    guard let last = stack.popLast() else { return }
    if let name = last.name {
      names.removeLast(names.count - name.lowerBound)
    } else if let count = dropped[last.hash] {
      dropped[last.hash] = count > 1 ? count - 1 : nil
    }
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
    index + 1 < stack.count && stack[(index + 1)...].contains { $0.name != nil }
  }

  /// Ends the elements inside the one at `index`, innermost first.
  mutating func end(inside index: Int, into output: inout [UInt8]) {
    while stack.count > index + 1 {
      writeEnd(into: &output)
      pop()
    }
  }

  /// Whether the tags of the element at `index` were left out.
  func isDropped(_ index: Int) -> Bool { stack[index].name == nil }

  /// Whether the innermost element's name is written like this.
  func isTop(named name: ArraySlice<UInt8>) -> Bool {
    guard let own = stack.last?.name else { return false }
    return names[own].elementsEqual(name)
  }

  /// Writes the end tag of the innermost element.
  func writeEnd(into output: inout [UInt8]) {
    guard let name = stack.last?.name else { return }
    output.append(contentsOf: "</".utf8)
    output.append(contentsOf: names[name])
    output.append(UInt8(ascii: ">"))
  }
}
