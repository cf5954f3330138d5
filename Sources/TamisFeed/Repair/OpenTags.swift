import TamisCore

/// The elements of a document that are open, by their tags alone.
struct OpenTags {
  private struct Element {
    /// Of the name in lower case.
    var hash: UInt64
    /// The range of the name in ``OpenTags/names``; nil when the start tag was left out.
    var name: Range<Int>?
    var role: ElementRole
  }

  /// The deepest nesting that is passed to libxml2, which gives up at 256.
  static let deepest = 200

  private var stack: [Element] = []
  private var names: [UInt8] = []
  /// How many elements of each name are open of those left out, of which there can be very many: so an end tag that
  /// ends none of them is known at once.
  private var dropped: [UInt64: Int] = [:]

  /// How many are open, those left out among them.
  var depth: Int { stack.count }

  /// The hash of the innermost one's name; nil when none is open.
  var innermost: UInt64? { stack.last?.hash }

  /// How many of the innermost ones are HTML that has strayed into a feed.
  var strays: Int { stack.reversed().prefix { $0.name != nil && $0.role.contains(.stray) }.count }

  /// Whether one of them is an entry of a feed.
  var holdsEntry: Bool { stack.contains { $0.role.contains(.entry) } }

  /// Opens an element.
  ///
  /// - Parameter name: how it is written; nil when its tags are left out.
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

  /// The index of the innermost element of a name; nil when there is none.
  func nearest(_ hash: UInt64) -> Int? {
    guard let last = stack.last else { return nil }
    if last.hash == hash { return stack.count - 1 }
    // All that were left out are inside all that were not.
    if dropped[hash] != nil { return stack.lastIndex { $0.hash == hash } }
    return stack.prefix(Self.deepest).lastIndex { $0.hash == hash }
  }

  /// Whether there are elements inside the one at `index` whose tags were not left out.
  func hasUnended(inside index: Int) -> Bool {
    index + 1 < stack.count && stack[(index + 1)...].contains { $0.name != nil }
  }

  /// Ends what is inside the element at `index`, innermost first.
  mutating func end(inside index: Int, into output: inout [UInt8]) {
    while stack.count > index + 1 {
      writeEnd(into: &output)
      pop()
    }
  }

  /// Whether the tags of the element at `index` were left out.
  func isDropped(_ index: Int) -> Bool { stack[index].name == nil }

  /// Whether the innermost element's name is written so.
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
