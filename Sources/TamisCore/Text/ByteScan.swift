/// Looks for bytes eight at a time.
///
/// The arithmetic is the classic one of finding a zero byte in a word: what it reports first is exact.
@usableFromInline package enum ByteScan {
  @inlinable static var ones: UInt64 { 0x0101_0101_0101_0101 }
  @inlinable static var highs: UInt64 { 0x8080_8080_8080_8080 }

  /// The index of the first `first` or `second` from `start` on; the number of bytes when there is none.
  @inlinable package static func index(
    of first: UInt8, or second: UInt8, in bytes: borrowing Span<UInt8>, from start: Int
  ) -> Int {
    let (one, other) = (ones &* UInt64(first), ones &* UInt64(second))
    return search(bytes, start, { zeros($0 ^ one) | zeros($0 ^ other) }, { $0 == first || $0 == second })
  }

  /// The index of the first byte beyond ASCII.
  @inlinable package static func indexOfHighByte(in bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    search(bytes, start, { $0 & highs }, { $0 >= 0x80 })
  }

  /// The index of the first byte that cannot stand in a JSON string as it is: a quotation mark, a backslash, a control.
  @inlinable package static func indexOfJSONEscape(in bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    search(
      bytes, start,
      { zeros($0 ^ ones &* 0x22) | zeros($0 ^ ones &* 0x5C) | controls($0) },
      { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C })
  }

  /// The index of the first byte that may mean something in markup: `&`, `<`, `>`, a control, a byte beyond ASCII.
  @inlinable package static func indexOfMarkup(in bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    search(
      bytes, start,
      {
        // `<` and `>` differ in one bit.
        ($0 & highs) | zeros($0 ^ ones &* 0x26) | zeros(($0 | ones &* 2) ^ ones &* 0x3E) | controls($0)
          | zeros($0 ^ ones &* 0x7F)
      },
      { $0 >= 0x7F || $0 < 0x20 || $0 == 0x26 || $0 == 0x3C || $0 == 0x3E })
  }

  /// The index of the first byte that may begin a character that XML does not allow: a control that is no white space, or
  /// the first byte of U+FFFE and U+FFFF.
  @inlinable package static func indexOfXMLSuspect(in bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    search(
      bytes, start,
      { word in
        // Line feeds are controls too, so that one word in ten or so is looked at byte by byte.
        controls(word) | zeros(word ^ ones &* 0xEF) == 0 ? 0 : exactSuspects(word)
      },
      isXMLSuspect)
  }

  @inlinable static func isXMLSuspect(_ byte: UInt8) -> Bool {
    byte == 0xEF || (byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D)
  }

  /// The high bit of each byte of a word that is suspect, one by one.
  @inlinable static func exactSuspects(_ word: UInt64) -> UInt64 {
    var found: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 8) where isXMLSuspect(UInt8(truncatingIfNeeded: word >> shift)) {
      found |= 0x80 << shift
    }
    return found
  }

  /// Whether a text stands at `start`.
  @inlinable package static func stands(_ text: StaticString, in bytes: borrowing Span<UInt8>, at start: Int) -> Bool {
    guard start + text.utf8CodeUnitCount <= bytes.count else { return false }
    return text.withUTF8Buffer { wanted in
      for offset in wanted.indices where bytes[start + offset] != wanted[offset] { return false }
      return true
    }
  }

  /// How many line feeds there are.
  @inlinable package static func lineFeeds(in bytes: borrowing Span<UInt8>) -> Int {
    var (count, index) = (0, 0)
    let raw = bytes.bytes
    let low = ~highs
    while index &+ 8 <= bytes.count {
      let word = raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self) ^ ones &* UInt64(ASCII.lineFeed)
      // Exact for each byte: no carry leaves it.
      let others = ((word & low) &+ low) | word
      count &+= (~others & highs).nonzeroBitCount
      index &+= 8
    }
    while index < bytes.count {
      count &+= bytes[index] == ASCII.lineFeed ? 1 : 0
      index &+= 1
    }
    return count
  }

  /// The high bit of each byte that is zero; above the lowest of these, others may be set that should not be.
  @inlinable @inline(__always) static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highs }

  /// Likewise of each byte below 0x20.
  @inlinable @inline(__always) static func controls(_ word: UInt64) -> UInt64 {
    (word &- ones &* 0x20) & ~word & highs
  }

  @inlinable @inline(__always) static func search(
    _ bytes: borrowing Span<UInt8>, _ start: Int, _ inWord: (UInt64) -> UInt64, _ inByte: (UInt8) -> Bool
  ) -> Int {
    var index = start
    let raw = bytes.bytes
    while index &+ 8 <= bytes.count {
      let word = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let found = inWord(word)
      if found != 0 { return index &+ found.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < bytes.count, !inByte(bytes[index]) { index &+= 1 }
    return index
  }
}
