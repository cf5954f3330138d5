/// Searches for bytes sixteen at a time.
///
/// Blocks are loaded from spans, which check that all sixteen bytes are in bounds; any sixteen bytes form a block.
@usableFromInline package enum ByteScan {
  /// Sixteen bytes of the input.
  @usableFromInline typealias Block = SIMD16<UInt8>
  /// A mask of the matching bytes of a block.
  @usableFromInline typealias Lanes = SIMDMask<SIMD16<Int8>>

  /// Returns the index of the first `first` or `second` from `start` on; the number of bytes when there is none.
  @inlinable package static func index(
    of first: UInt8, or second: UInt8, in bytes: borrowing Span<UInt8>, from start: Int
  ) -> Int {
    search(bytes, start, { equal($0, first) .| equal($0, second) }, { $0 == first || $0 == second })
  }

  /// Returns the index of the first `wanted` from `start` on; the number of bytes when there is none.
  @inlinable package static func index(of wanted: UInt8, in bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    search(bytes, start, { equal($0, wanted) }, { $0 == wanted })
  }

  /// Returns whether bytes contain others, in time linear in both (the algorithm of Knuth, Morris and Pratt).
  package static func contains(_ wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Bool {
    if wanted.count > bytes.count { return false }
    // The length of the longest proper prefix that is a suffix of the first bytes, for each number of them.
    var borders = [0, 0]
    for index in wanted.indices.dropFirst() {
      var border = borders[index]
      while border > 0, wanted[border] != wanted[index] { border = borders[border] }
      borders.append(wanted[border] == wanted[index] ? border + 1 : 0)
    }
    var matched = 0
    for byte in bytes {
      if matched == wanted.count { break }
      while matched > 0, wanted[matched] != byte { matched = borders[matched] }
      if wanted[matched] == byte { matched += 1 }
    }
    return matched == wanted.count
  }

  /// Returns the index of the first non-ASCII byte; the number of bytes when there is none.
  @inlinable package static func indexOfHighByte(in bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    search(bytes, start, { $0 .>= Block(repeating: 0x80) }, { $0 >= 0x80 })
  }

  /// Returns the index of the first byte that needs escaping in a JSON string: `"`, a backslash or a control.
  @inlinable package static func indexOfJSONEscape(in bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    search(
      bytes, start, { below($0, 0x20) .| equal($0, 0x22) .| equal($0, 0x5C) },
      { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C })
  }

  /// Returns the index of the first byte that HTML's input stream may not contain.
  ///
  /// Such a byte is a control other than tab, line feed and NUL, or is not ASCII.
  @inlinable package static func indexOfHTMLSuspect(in bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    search(
      bytes, start,
      {
        let plain = equal($0, 0x09) .| equal($0, 0x0A) .| equal($0, 0)
        return .!below($0 &- Block(repeating: 0x20), 0x5F) .& .!plain
      },
      { ($0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0) || $0 >= 0x7F })
  }

  /// Returns the index of the first byte that may end a run of text in HTML: `<`, `&`, NUL.
  @inlinable package static func indexOfHTMLText(in bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    search(
      bytes, start, { equal($0, 0x3C) .| equal($0, 0x26) .| equal($0, 0) },
      { $0 == 0x3C || $0 == 0x26 || $0 == 0 })
  }

  /// Returns the index of the first byte that may need escaping in HTML: `&`, `<`, `>`, `"`, and the first of U+00A0.
  @inlinable package static func indexOfHTMLEscape(in bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    search(
      bytes, start,
      // `<` and `>` differ in one bit, `"` and `&` in another.
      { equal($0 | Block(repeating: 2), 0x3E) .| equal($0 | Block(repeating: 4), 0x26) .| equal($0, 0xC2) },
      { $0 == 0x26 || $0 == 0x3C || $0 == 0x3E || $0 == 0x22 || $0 == 0xC2 })
  }

  /// Returns the index of the first byte that may need escaping in a quoted value: `&<>"'` or a control.
  @inlinable package static func indexOfHTMLQuotedEscape(in bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    search(
      bytes, start,
      {
        let control = below($0, 0x20) .| equal($0, 0x7F) .| equal($0, 0x27)
        return control .| equal($0 | Block(repeating: 2), 0x3E) .| equal($0 | Block(repeating: 4), 0x26)
      },
      { $0 < 0x20 || $0 == 0x7F || $0 == 0x26 || $0 == 0x27 || $0 == 0x3C || $0 == 0x3E || $0 == 0x22 })
  }

  /// Returns the index of the first byte that may begin a character that XML does not allow.
  ///
  /// Such a byte is a control that is not white space, or the first byte of U+FFFE and U+FFFF.
  @inlinable package static func indexOfXMLSuspect(in bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    search(
      bytes, start,
      {
        let space = equal($0, 0x09) .| equal($0, 0x0A) .| equal($0, 0x0D)
        return (below($0, 0x20) .& .!space) .| equal($0, 0xEF)
      },
      { $0 == 0xEF || ($0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D) })
  }

  /// Returns the index of the first control or byte that is not ASCII.
  @inlinable package static func indexOfControlOrHighByte(in bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    // Signed, bytes that are not ASCII are below the space too.
    search(
      bytes, start, { SIMD16<Int8>(truncatingIfNeeded: $0) .< SIMD16<Int8>(repeating: 0x20) },
      { $0 < 0x20 || $0 >= 0x80 })
  }

  /// Returns the index of the first control, or space after a space, from `start` on, which is at least 1.
  @inlinable package static func indexOfIrregularSpace(in bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    var index = start
    let raw = bytes.bytes
    while index &+ 16 <= bytes.count {
      let block = raw.unsafeLoadUnaligned(fromByteOffset: index, as: Block.self)
      let before = raw.unsafeLoadUnaligned(fromByteOffset: index - 1, as: Block.self)
      let lanes = below(block, 0x20) .| equal(block, 0x20) .& equal(before, 0x20)
      if let lane = first(lanes) { return index &+ lane }
      index &+= 16
    }
    while index < bytes.count {
      if bytes[index] < 0x20 || bytes[index] == 0x20 && bytes[index - 1] == 0x20 { return index }
      index &+= 1
    }
    return index
  }

  /// Returns whether a text is at `start`; inlined, so that a short text is compared as a number.
  @inlinable @inline(__always) package static func stands(
    _ text: StaticString, in bytes: borrowing Span<UInt8>, at start: Int
  ) -> Bool {
    guard start + text.utf8CodeUnitCount <= bytes.count else { return false }
    return text.withUTF8Buffer { wanted in
      for offset in wanted.indices where bytes[start + offset] != wanted[offset] { return false }
      return true
    }
  }

  /// Returns the index of the first occurrence of a non-empty text from `start` on; nil when there is none.
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

  /// Returns the eight bytes from `start` on, the first of them lowest; all eight must be in bounds.
  @inlinable package static func word(_ bytes: borrowing Span<UInt8>, at start: Int) -> UInt64 {
    UInt64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self))
  }

  /// Returns the number of line feeds.
  @inlinable package static func lineFeeds(in bytes: borrowing Span<UInt8>) -> Int {
    count(bytes, { equal($0, ASCII.lineFeed) }, { $0 == ASCII.lineFeed })
  }

  /// Returns the number of characters in well-formed UTF-8: of the bytes that are not continuation bytes.
  @inlinable package static func characters(in bytes: borrowing Span<UInt8>) -> Int {
    bytes.count - count(bytes, { equal($0 & Block(repeating: 0xC0), 0x80) }, { $0 & 0xC0 == 0x80 })
  }

  /// Returns the number of characters other than spaces in well-formed UTF-8.
  @inlinable package static func visibleCharacters(in bytes: borrowing Span<UInt8>) -> Int {
    count(
      bytes, { .!(equal($0 & Block(repeating: 0xC0), 0x80) .| equal($0, 0x20)) }, { $0 & 0xC0 != 0x80 && $0 != 0x20 })
  }

  /// Returns the number of bytes other than spaces that follow a space.
  @inlinable package static func wordStarts(in bytes: borrowing Span<UInt8>) -> Int {
    var (count, index) = (0, 1)
    let raw = bytes.bytes
    while index &+ 16 <= bytes.count {
      let block = raw.unsafeLoadUnaligned(fromByteOffset: index, as: Block.self)
      let before = raw.unsafeLoadUnaligned(fromByteOffset: index &- 1, as: Block.self)
      let halves = halves(.!equal(block, 0x20) .& equal(before, 0x20))
      count &+= (halves.x.nonzeroBitCount &+ halves.y.nonzeroBitCount) / 8
      index &+= 16
    }
    while index < bytes.count {
      if bytes[index] != 0x20, bytes[index &- 1] == 0x20 { count &+= 1 }
      index &+= 1
    }
    return count
  }

  /// Returns the number of matching bytes.
  @inlinable @inline(__always) static func count(
    _ bytes: borrowing Span<UInt8>, _ inBlock: (Block) -> Lanes, _ inByte: (UInt8) -> Bool
  ) -> Int {
    var (count, index) = (0, 0)
    let raw = bytes.bytes
    while index &+ 16 <= bytes.count {
      // A lane counts up to 255.
      let end = min(bytes.count &- 15, index &+ 255 &* 16)
      var counts = Block()
      while index < end {
        let block = raw.unsafeLoadUnaligned(fromByteOffset: index, as: Block.self)
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

  // Operators that take a block and a byte do not compile to one machine instruction: each byte is repeated first.

  @inlinable @inline(__always) static func equal(_ block: Block, _ byte: UInt8) -> Lanes {
    block .== Block(repeating: byte)
  }

  @inlinable @inline(__always) static func below(_ block: Block, _ byte: UInt8) -> Lanes {
    block .< Block(repeating: byte)
  }

  /// Returns the number of the first matching byte of a block; nil when there is none.
  @inlinable @inline(__always) static func first(_ lanes: Lanes) -> Int? {
    let halves = halves(lanes)
    if halves.x | halves.y == 0 { return nil }
    let (low, high) = (halves.x.littleEndian, halves.y.littleEndian)
    return low != 0 ? low.trailingZeroBitCount / 8 : 8 &+ high.trailingZeroBitCount / 8
  }

  @inlinable @inline(__always) static func halves(_ lanes: Lanes) -> SIMD2<UInt64> {
    // Both are sixteen bytes without padding.
    unsafeBitCast(lanes, to: SIMD2<UInt64>.self)
  }

  /// Returns the index of the first matching byte from `start` on; the number of bytes when there is none.
  ///
  /// The last block ends with the input. It overlaps bytes that were searched already without a match, and does not
  /// begin before `start`, as at least sixteen bytes follow it. No sum overflows, as no span reaches the end of the
  /// address space.
  @inlinable @inline(__always) static func search(
    _ bytes: borrowing Span<UInt8>, _ start: Int, _ inBlock: (Block) -> Lanes, _ inByte: (UInt8) -> Bool
  ) -> Int {
    var index = start
    let last = bytes.count &- 16
    guard last >= index else {
      while index < bytes.count, !inByte(bytes[index]) { index &+= 1 }
      return index
    }
    let raw = bytes.bytes
    while true {
      let next = min(index, last)
      let lanes = inBlock(raw.unsafeLoadUnaligned(fromByteOffset: next, as: Block.self))
      if let lane = first(lanes) { return next &+ lane }
      if next == last { return bytes.count }
      index &+= 16
    }
  }
}
