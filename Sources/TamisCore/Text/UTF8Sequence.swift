/// Validates UTF-8 byte by byte (Unicode Standard, table 3-7).
@usableFromInline package enum UTF8Sequence {
  /// Returns the length of the well-formed sequence that begins at `start`, 1 to 4; 0 when none does.
  @inlinable package static func length(_ bytes: borrowing Span<UInt8>, at start: Int) -> Int {
    let lead = bytes[start]
    if lead < 0x80 { return 1 }
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: length = 4
    default: return 0
    }
    guard start + length <= bytes.count, second.contains(bytes[start + 1]) else { return 0 }
    for offset in 2..<max(length, 2) where bytes[start + offset] & 0xC0 != 0x80 { return 0 }
    return length
  }

  /// Returns the index of the first byte that is not part of well-formed UTF-8; nil when all bytes are.
  ///
  /// - Parameters:
  ///   - bytes: the bytes to check.
  ///   - start: the offset at which a sequence begins; the bytes before it are not checked.
  /// - Returns: the index of the first fault; nil when there is none.
  @inlinable package static func firstFault(_ bytes: borrowing Span<UInt8>, from start: Int = 0) -> Int? {
    var index = ByteScan.indexOfHighByte(in: bytes, from: start)
    while index < bytes.count {
      let length = length(bytes, at: index)
      if length == 0 { return index }
      index += length
      if index < bytes.count, bytes[index] < 0x80 { index = ByteScan.indexOfHighByte(in: bytes, from: index) }
    }
    return nil
  }

  /// Returns whether all bytes are well-formed UTF-8.
  @inlinable package static func isWellFormed(_ bytes: borrowing Span<UInt8>) -> Bool { firstFault(bytes) == nil }

  /// Returns the last index up to `index` that is not inside a sequence.
  @inlinable package static func boundary(in bytes: borrowing Span<UInt8>, atOrBefore index: Int) -> Int {
    var boundary = index
    // The loop goes back at most three bytes, even in bytes that are not UTF-8.
    while boundary > max(0, index - 3), boundary < bytes.count, bytes[boundary] & 0xC0 == 0x80 { boundary -= 1 }
    return boundary
  }

  /// Returns the number of bytes at the end that begin an incomplete sequence, 0 to 3.
  @inlinable package static func lengthOfIncompleteEnd(_ bytes: borrowing Span<UInt8>) -> Int {
    for length in 1..<4 where length <= bytes.count {
      let lead = bytes[bytes.count - length]
      // A lead byte gives the length of its sequence.
      if lead >= 0xC0 { return length < (lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2) ? length : 0 }
      if lead < 0x80 { return 0 }
    }
    return 0
  }
}

extension String {
  /// Decodes a range of a span; bytes that are not UTF-8 become U+FFFD, and marks that are too many are left out
  /// (``StreamSafeText``).
  @inlinable package init(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) {
    let part = bytes.extracting(range)
    let firstHigh = ByteScan.indexOfHighByte(in: part, from: 0)
    if firstHigh < part.count, let bounded = StreamSafeText.bounded(part, from: firstHigh) {
      self = String(decoding: bounded, as: UTF8.self)
    } else if firstHigh == part.count || UTF8Sequence.firstFault(part, from: firstHigh) == nil {
      // The condition for `unchecked` was checked in the line above, faster than `String` does.
      self = String(copying: UTF8Span(unchecked: part, isKnownASCII: firstHigh == part.count))
    } else {
      self = part.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
  }
}

extension Collection<UInt8> {
  /// The bytes behind a byte order mark of UTF-8; all bytes when they do not begin with one.
  package var withoutByteOrderMark: SubSequence { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...] }

  /// Returns the bytes with each `%XX` replaced by its byte (URL Standard, 1.3); a `%` without two hexadecimal digits
  /// after it stays.
  @inlinable package func percentDecoded(plusIsSpace: Bool = false) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(count)
    var rest = self[...]
    while let byte = rest.popFirst() {
      if byte == 0x25, let high = rest.first?.hexDigitValue, let low = rest.dropFirst().first?.hexDigitValue {
        output.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        output.append(plusIsSpace && byte == 0x2B ? ASCII.space : byte)
      }
    }
    return output
  }
}
