/// A searchable index of ``NamedCharacterReferences``, built once, at first use.
package struct NamedReferenceIndex: Sendable {
  package struct Entry: Sendable {
    package var name: Range<Int>
    package var first: Unicode.Scalar
    package var second: Unicode.Scalar?
    package var countsUnclosed: Bool
  }

  /// The length of `CounterClockwiseContourIntegral`, the longest name.
  package static let longestName = 31
  /// The length of the longest names that are valid without a semicolon, such as `frac12`.
  package static let longestUnclosedName = 6
  package static let shared = NamedReferenceIndex()

  private let text: [UInt8]
  private let entries: [Entry]

  private init() {
    let text = NamedCharacterReferences.table.withUTF8Buffer { Array($0) }
    var entries: [Entry] = []
    entries.reserveCapacity(2200)
    var index = 0
    while index < text.count {
      entries.append(Self.entry(text, &index))
      // The space between two.
      index += 1
    }
    self.text = text
    self.entries = entries
  }

  /// Reads `name=hex` or `name!hex`, with a comma and a second number if the name expands to two characters.
  private static func entry(_ text: [UInt8], _ index: inout Int) -> Entry {
    let start = index
    while text[index].isASCIIAlphanumeric { index += 1 }
    var entry = Entry(name: start..<index, first: "\0", second: nil, countsUnclosed: text[index] == UInt8(ascii: "!"))
    entry.first = scalar(text, &index)
    if index < text.count, text[index] == UInt8(ascii: ",") { entry.second = scalar(text, &index) }
    return entry
  }

  /// Reads a hexadecimal number after one other character.
  private static func scalar(_ text: [UInt8], _ index: inout Int) -> Unicode.Scalar {
    var value: UInt32 = 0
    index += 1
    while index < text.count, let digit = text[index].hexDigitValue {
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  /// Returns the entry for a name, by binary search.
  package func find(_ bytes: borrowing Span<UInt8>, _ name: Range<Int>) -> Entry? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      let order = compare(bytes, name, entries[middle].name)
      if order == 0 { return entries[middle] }
      if order < 0 { high = middle } else { low = middle + 1 }
    }
    return nil
  }

  private func compare(_ bytes: borrowing Span<UInt8>, _ lhs: Range<Int>, _ rhs: Range<Int>) -> Int {
    for offset in 0..<min(lhs.count, rhs.count) {
      let difference = Int(bytes[lhs.lowerBound + offset]) - Int(text[rhs.lowerBound + offset])
      if difference != 0 { return difference }
    }
    return lhs.count - rhs.count
  }
}
