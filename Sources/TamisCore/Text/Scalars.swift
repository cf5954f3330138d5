extension Span<UInt8> {
  /// Returns the Unicode scalar at an index of well-formed UTF-8, and moves the index behind it.
  ///
  /// - Parameter index: the index of the first byte of a scalar.
  /// - Returns: the scalar.
  @inlinable @inline(__always) package func scalar(at index: inout Int) -> Unicode.Scalar {
    let first = self[index]
    guard first < 0x80 else { return longScalar(at: &index) }
    index += 1
    return Unicode.Scalar(first)
  }

  /// Returns the scalar of two to four bytes at an index, and moves the index behind it.
  @usableFromInline func longScalar(at index: inout Int) -> Unicode.Scalar {
    let first = UInt32(self[index])
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    // The first byte has as many ones as the scalar has bytes, a zero, and the highest bits of the value.
    var value = first & (0x7F >> UInt32(length))
    for offset in 1..<length { value = value << 6 | UInt32(self[index + offset] & 0x3F) }
    index += length
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }
}

extension String {
  /// Returns the index after a number of characters.
  ///
  /// The result is that of `index(_:offsetBy:limitedBy:)`, which looks up the properties of each scalar. ASCII before
  /// ASCII is a character of its own, unless it is a carriage return (Unicode Standard Annex 29, GB3).
  ///
  /// - Parameter count: the number of characters.
  /// - Returns: the index; nil when the text has fewer characters.
  package func index(afterCharacters count: Int) -> Index? {
    let bytes = utf8.span
    var offset = 0
    // The index at `offset`; nil after an ASCII character, for which none is made.
    var segmented: Index?
    for _ in 0..<count {
      guard offset < bytes.count else { return nil }
      let isAlone = bytes[offset] < 0x80 && (offset + 1 == bytes.count || bytes[offset + 1] < 0x80)
      if isAlone, bytes[offset] != ASCII.carriageReturn {
        offset += 1
        segmented = nil
      } else {
        let next = index(after: segmented ?? utf8.index(startIndex, offsetBy: offset))
        offset = utf8.distance(from: startIndex, to: next)
        segmented = next
      }
    }
    return segmented ?? utf8.index(startIndex, offsetBy: offset)
  }
}
