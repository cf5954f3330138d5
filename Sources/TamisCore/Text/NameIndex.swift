/// Assigns numbers to names and looks them up by bytes, with one hash and usually one comparison, and without strings.
package struct NameIndex: Sendable {
  /// A slot of a hash table with open addressing.
  private struct Slot {
    /// The beginning of the name, from ``NameIndex/head(_:_:)``.
    var head: UInt64 = 0
    /// The length of the name in bytes; -1 when the slot is empty.
    var length = -1
    var number = 0
  }

  private var text: [UInt8] = []
  private var ranges: [Range<Int>] = []
  private var slots = [Slot](repeating: Slot(), count: 256)
  /// A random value for each index, so that input cannot provoke collisions; the numbers do not depend on it.
  private let seed = UInt64.random(in: .min ... .max)

  /// Makes an index of names, which have the numbers of their places.
  package init(_ names: [String] = []) {
    for name in names { add(name) }
  }

  /// The number of names; their numbers are the integers below it.
  package var count: Int { ranges.count }

  /// Returns the number of the name at `range`; nil when it has none.
  package func number(of bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Int? {
    let head = Self.head(bytes, range)
    var index = hash(head, bytes, range) & (slots.count - 1)
    while slots[index].length >= 0 {
      // The head of a short name is the whole name.
      if slots[index].head == head, slots[index].length == range.count,
        range.count <= 8 || isEqual(ranges[slots[index].number], to: bytes, at: range)
      {
        return slots[index].number
      }
      index = (index + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Returns the number of a name; nil when it has none.
  package func number(of name: String) -> Int? {
    var name = name
    return name.withUTF8 { number(of: $0.span, 0..<$0.count) }
  }

  /// Assigns the next number to a name that has none.
  package mutating func add(_ name: String) {
    let start = text.count
    text.append(contentsOf: name.utf8)
    ranges.append(start..<text.count)
    if 2 * ranges.count > slots.count {
      slots = Array(repeating: Slot(), count: 2 * slots.count)
      for number in ranges.indices { place(number) }
    } else {
      place(ranges.count - 1)
    }
  }

  private mutating func place(_ number: Int) {
    let range = ranges[number]
    let head = Self.head(text.span, range)
    var index = hash(head, text.span, range) & (slots.count - 1)
    while slots[index].length >= 0 { index = (index + 1) & (slots.count - 1) }
    slots[index] = Slot(head: head, length: range.count, number: number)
  }

  /// Returns the first eight bytes of a name as one number, padded with zeros.
  private static func head(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    let start = range.lowerBound
    if start + 8 <= bytes.count {
      let word = ByteScan.word(bytes, at: start)
      return range.count >= 8 ? word : word & ((1 << (8 * UInt64(range.count))) - 1)
    }
    var word: UInt64 = 0
    for offset in 0..<min(8, range.count) { word |= UInt64(bytes[start + offset]) << (8 * UInt64(offset)) }
    return word
  }

  /// Returns a hash of the length and all bytes of a name, each bit of which depends on all of them.
  private func hash(_ head: UInt64, _ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Int {
    var hash = Self.mixed(head ^ seed, UInt64(range.count) ^ 0x9E37_79B9_7F4A_7C15)
    var index = range.lowerBound + 8
    while index < range.upperBound {
      // The last eight bytes overlap those before.
      let word = ByteScan.word(bytes, at: min(index, range.upperBound - 8))
      hash = Self.mixed(hash ^ word, seed | 1)
      index += 8
    }
    return Int(truncatingIfNeeded: hash)
  }

  /// Returns the exclusive or of both halves of the product.
  private static func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }

  private func isEqual(_ own: Range<Int>, to bytes: borrowing Span<UInt8>, at range: Range<Int>) -> Bool {
    for offset in 8..<range.count where text[own.lowerBound + offset] != bytes[range.lowerBound + offset] {
      return false
    }
    return true
  }
}
