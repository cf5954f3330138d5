/// Numbers for names, found by their bytes: one hash and one comparison, no string.
package struct NameIndex: Sendable {
  private var text: [UInt8] = []
  private var ranges: [Range<Int>] = []
  /// Slots of a hash table with open addressing: the number of a name and one, 0 for none.
  private var slots = [Int](repeating: 0, count: 512)

  package init() {}

  /// How many names there are; their numbers are those below.
  package var count: Int { ranges.count }

  /// The number of the name at `range`, nil when it has none.
  package func number(of bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Int? {
    var slot = Self.hash(bytes, range) & (slots.count - 1)
    while slots[slot] != 0 {
      let number = slots[slot] - 1
      if isEqual(ranges[number], to: bytes, at: range) { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// The number of a name, nil when it has none.
  package func number(of name: String) -> Int? {
    var name = name
    return name.withUTF8 { number(of: $0.span, 0..<$0.count) }
  }

  /// Gives a name that has no number the next one.
  package mutating func add(_ name: String) {
    let start = text.count
    text.append(contentsOf: name.utf8)
    ranges.append(start..<text.count)
    if 2 * ranges.count > slots.count {
      slots = Array(repeating: 0, count: 2 * slots.count)
      for number in ranges.indices { place(number) }
    } else {
      place(ranges.count - 1)
    }
  }

  private mutating func place(_ number: Int) {
    var slot = Self.hash(text.span, ranges[number]) & (slots.count - 1)
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = number + 1
  }

  private static func hash(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Int {
    let hash = NameHash.of(bytes, range)
    return Int(truncatingIfNeeded: (hash ^ hash >> 32) & 0x7fff_ffff)
  }

  private func isEqual(_ own: Range<Int>, to bytes: borrowing Span<UInt8>, at range: Range<Int>) -> Bool {
    guard own.count == range.count else { return false }
    for offset in 0..<range.count where text[own.lowerBound + offset] != bytes[range.lowerBound + offset] {
      return false
    }
    return true
  }
}
