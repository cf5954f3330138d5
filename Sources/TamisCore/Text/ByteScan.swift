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

  /// The index of the first `wanted` from `start` on; the number of bytes when there is none.
  @inlinable package static func index(of wanted: UInt8, in bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    let word = ones &* UInt64(wanted)
    return search(bytes, start, { zeros($0 ^ word) }, { $0 == wanted })
  }

  /// The index of the first byte beyond ASCII.
  @inlinable package static func indexOfHighByte(in bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    search(bytes, start, { $0 & highs }, { $0 >= 0x80 })
  }

  /// The index of the first byte that must be escaped in a JSON string: a quotation mark, a backslash, a control.
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

  /// The index of the first byte that may have to be escaped in HTML: `&`, `<`, `>`, `"`, and the first of U+00A0.
  @inlinable package static func indexOfHTMLEscape(in bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    search(
      bytes, start,
      {
        // `<` and `>` differ in one bit, `"` and `&` in another.
        zeros(($0 | ones &* 2) ^ ones &* 0x3E) | zeros(($0 | ones &* 4) ^ ones &* 0x26) | zeros($0 ^ ones &* 0xC2)
      },
      { $0 == 0x26 || $0 == 0x3C || $0 == 0x3E || $0 == 0x22 || $0 == 0xC2 })
  }

  /// The index of the first byte that may begin a character that XML does not allow: a control that is no white space, or
  /// the first byte of U+FFFE and U+FFFF.
  @inlinable package static func indexOfXMLSuspect(in bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    search(
      bytes, start,
      { word in
        // Most words have neither; line feeds are in every tenth or so.
        if controls(word) | zeros(word ^ ones &* 0xEF) == 0 { return 0 }
        let space =
          exactZeros(word ^ ones &* 0x0A) | exactZeros(word ^ ones &* 0x09) | exactZeros(word ^ ones &* 0x0D)
        return (exactZeros(word & (ones &* 0xE0)) & ~space) | exactZeros(word ^ ones &* 0xEF)
      },
      { $0 == 0xEF || ($0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D) })
  }

  /// The index of the first byte that may end a run of text in XML: `<`, `&`, `]`, a carriage return.
  @inlinable package static func indexOfXMLText(in bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    search(
      bytes, start,
      {
        zeros($0 ^ ones &* 0x3C) | zeros($0 ^ ones &* 0x26) | zeros($0 ^ ones &* 0x5D) | zeros($0 ^ ones &* 0x0D)
      },
      { $0 == 0x3C || $0 == 0x26 || $0 == 0x5D || $0 == 0x0D })
  }

  /// Whether a text is at `start`; inlined, so that a short text is compared as a number.
  @inlinable @inline(__always) package static func stands(
    _ text: StaticString, in bytes: borrowing Span<UInt8>, at start: Int
  ) -> Bool {
    guard start + text.utf8CodeUnitCount <= bytes.count else { return false }
    return text.withUTF8Buffer { wanted in
      for offset in wanted.indices where bytes[start + offset] != wanted[offset] { return false }
      return true
    }
  }

  /// The index of the first place where a text of at least one byte stands, from `start` on; nil when it stands nowhere.
  @inlinable package static func index(
    of text: StaticString, in bytes: borrowing Span<UInt8>, from start: Int
  ) -> Int? {
    let first = text.withUTF8Buffer { $0[0] }
    var index = start
    while index < bytes.count {
      index = self.index(of: first, in: bytes, from: index)
      if stands(text, in: bytes, at: index) { return index }
      index += 1
    }
    return nil
  }

  /// The eight bytes from `start` on, the first of them lowest.
  @inlinable package static func word(_ bytes: borrowing Span<UInt8>, at start: Int) -> UInt64 {
    UInt64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self))
  }

  /// How many line feeds there are.
  @inlinable package static func lineFeeds(in bytes: borrowing Span<UInt8>) -> Int {
    count(bytes, { $0 .== SIMD16(repeating: ASCII.lineFeed) }, { $0 == ASCII.lineFeed })
  }

  /// How many characters there are in well-formed UTF-8: bytes that continue none.
  @inlinable package static func characters(in bytes: borrowing Span<UInt8>) -> Int {
    let lanes = (mask: SIMD16<UInt8>(repeating: 0xC0), continuing: SIMD16<UInt8>(repeating: 0x80))
    return bytes.count - count(bytes, { $0 & lanes.mask .== lanes.continuing }, { $0 & 0xC0 == 0x80 })
  }

  @inlinable @inline(__always) static func count(
    _ bytes: borrowing Span<UInt8>, _ inBlock: (SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>>, _ inByte: (UInt8) -> Bool
  ) -> Int {
    var (count, index) = (0, 0)
    let raw = bytes.bytes
    while index &+ 16 <= bytes.count {
      // A lane counts to 255.
      let end = min(bytes.count &- 15, index &+ 255 &* 16)
      var counts = SIMD16<UInt8>()
      while index < end {
        let block = raw.unsafeLoadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
        counts.replace(with: counts &+ 1, where: inBlock(block))
        index &+= 16
      }
      count &+= Int(SIMD16<UInt16>(truncatingIfNeeded: counts).wrappedSum())
    }
    while index < bytes.count {
      count &+= inByte(bytes[index]) ? 1 : 0
      index &+= 1
    }
    return count
  }

  /// The high bit of each byte that is zero; above the lowest of these, others may be set that should not be.
  @inlinable @inline(__always) static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highs }

  /// The high bit of each byte that is zero, and of no other: no carry leaves a byte.
  @inlinable @inline(__always) static func exactZeros(_ word: UInt64) -> UInt64 {
    let low = ~highs
    return ~(((word & low) &+ low) | word) & highs
  }

  /// The high bit of each byte below 0x20, as ``zeros(_:)`` has it.
  @inlinable @inline(__always) static func controls(_ word: UInt64) -> UInt64 {
    (word &- ones &* 0x20) & ~word & highs
  }

  /// The loops over words end where one is cut off by the end: the sum with 8 or 16 does not overflow, as no span reaches the end of
  /// the address space.
  @inlinable @inline(__always) static func search(
    _ bytes: borrowing Span<UInt8>, _ start: Int, _ inWord: (UInt64) -> UInt64, _ inByte: (UInt8) -> Bool
  ) -> Int {
    var index = start
    let raw = bytes.bytes
    // Two words at once, as long as neither holds anything: SIMD types are slower here, where closures hide them from the optimizer.
    while index &+ 16 <= bytes.count {
      let first = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let second = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: index &+ 8, as: UInt64.self))
      if inWord(first) | inWord(second) != 0 { break }
      index &+= 16
    }
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
