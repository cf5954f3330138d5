/// Byte classes of ASCII, for scanners that work on UTF-8 bytes.
package enum ASCII {
  package static let tab: UInt8 = 0x09
  package static let lineFeed: UInt8 = 0x0A
  package static let formFeed: UInt8 = 0x0C
  package static let carriageReturn: UInt8 = 0x0D
  package static let space: UInt8 = 0x20
}

extension UInt8 {
  /// Whether it is white space to HTML: tab, line feed, form feed, carriage return or space.
  package var isHTMLSpace: Bool {
    self == ASCII.space || self == ASCII.lineFeed || self == ASCII.tab || self == ASCII.carriageReturn
      || self == ASCII.formFeed
  }

  /// Whether it is `0`…`9`.
  package var isASCIIDigit: Bool { self &- 0x30 < 10 }

  /// Whether it is a letter of ASCII.
  package var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }

  /// Whether it is a letter or digit of ASCII.
  package var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }

  /// The value of a hexadecimal digit, nil for any other byte.
  package var hexDigitValue: UInt8? {
    if isASCIIDigit { return self &- 0x30 }
    let lower = (self | 0x20) &- 0x61
    return lower < 6 ? lower + 10 : nil
  }

  /// The lower-case form of a letter of ASCII, any other byte unchanged.
  package var asciiLowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

extension Array where Element == UInt8 {
  /// Appends a scalar in UTF-8.
  package mutating func append(scalar: Unicode.Scalar) {
    append(contentsOf: String(scalar).utf8)
  }

  /// Appends a part of a span.
  package mutating func append(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) {
    bytes.extracting(range).withUnsafeBufferPointer { append(contentsOf: $0) }
  }
}
