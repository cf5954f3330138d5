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
    for item in text.indices.split(whereSeparator: { text[$0] == UInt8(ascii: " ") }) {
      guard let equals = item.firstIndex(where: { text[$0] == UInt8(ascii: "=") || text[$0] == UInt8(ascii: "!") })
      else { continue }
      let scalars = text[(equals + 1)..<item.endIndex].split(separator: UInt8(ascii: ",")).compactMap { hex in
        UInt32(String(decoding: hex, as: UTF8.self), radix: 16).flatMap(Unicode.Scalar.init)
      }
      guard let first = scalars.first else { continue }
      entries.append(
        Entry(
          name: item.startIndex..<equals, first: first, second: scalars.count > 1 ? scalars[1] : nil,
          countsUnclosed: text[equals] == UInt8(ascii: "!")))
    }
    self.text = text
    self.entries = entries
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
