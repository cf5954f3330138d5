/// Byte classes of ASCII, for scanners that work on UTF-8 bytes.
@usableFromInline package enum ASCII {
  @inlinable package static var tab: UInt8 { 0x09 }
  @inlinable package static var lineFeed: UInt8 { 0x0A }
  @inlinable package static var formFeed: UInt8 { 0x0C }
  @inlinable package static var carriageReturn: UInt8 { 0x0D }
  @inlinable package static var space: UInt8 { 0x20 }
}

extension UInt8 {
  /// Whether the byte is HTML white space: tab, line feed, form feed, carriage return or space.
  @inlinable package var isHTMLSpace: Bool {
    self == ASCII.space || self == ASCII.lineFeed || self == ASCII.tab || self == ASCII.carriageReturn
      || self == ASCII.formFeed
  }

  /// Whether the byte is `0`…`9`.
  @inlinable package var isASCIIDigit: Bool { self &- 0x30 < 10 }

  /// Whether the byte is an ASCII letter.
  @inlinable package var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }

  /// Whether the byte is an ASCII letter or digit.
  @inlinable package var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }

  /// The value of a hexadecimal digit; nil for any other byte.
  @inlinable package var hexDigitValue: UInt8? {
    if isASCIIDigit { return self &- 0x30 }
    let lower = (self | 0x20) &- 0x61
    return lower < 6 ? lower + 10 : nil
  }

  /// The lower-case form of an ASCII letter; any other byte unchanged.
  @inlinable package var asciiLowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

extension Array where Element == UInt8 {
  /// Appends a scalar in UTF-8.
  @inlinable package mutating func append(scalar: Unicode.Scalar) {
    let value = scalar.value
    switch value {
    case ..<0x80: append(UInt8(value))
    case ..<0x800:
      append(0xC0 | UInt8(value >> 6))
      append(0x80 | UInt8(value & 0x3F))
    case ..<0x10000:
      append(0xE0 | UInt8(value >> 12))
      append(0x80 | UInt8(value >> 6 & 0x3F))
      append(0x80 | UInt8(value & 0x3F))
    default:
      append(0xF0 | UInt8(value >> 18))
      append(0x80 | UInt8(value >> 12 & 0x3F))
      append(0x80 | UInt8(value >> 6 & 0x3F))
      append(0x80 | UInt8(value & 0x3F))
    }
  }

  /// Appends a part of a span.
  @inlinable package mutating func append(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) {
    bytes.extracting(range).withUnsafeBufferPointer { append(contentsOf: $0) }
  }
}
