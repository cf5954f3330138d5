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

extension StringProtocol {
  /// The string with `A`…`Z` replaced by `a`…`z` and nothing else: what HTML and XML call ASCII lower case.
  package func asciiLowercased() -> String {
    String(decoding: utf8.lazy.map(\.asciiLowercased), as: UTF8.self)
  }

  /// The string without white space at both ends; white space is HTML's, no-break and zero-width spaces and the byte
  /// order mark.
  package func trimmed() -> String {
    func isBlank(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200B, 0x2028, 0x2029, 0x202F, 0x205F, 0x2060, 0x3000,
        0xFEFF:
        true
      default: false
      }
    }
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !isBlank($0) }), let last = scalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(String.UnicodeScalarView(scalars[first...last]))
  }

  /// The trimmed string, nil when nothing is left.
  package func trimmedOrNil() -> String? {
    let text = trimmed()
    return text.isEmpty ? nil : text
  }

  /// The string with each run of white space made one space, and none at the ends.
  package func collapsingSpace() -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    for byte in utf8 {
      if !byte.isHTMLSpace {
        bytes.append(byte)
      } else if let last = bytes.last, last != ASCII.space {
        bytes.append(ASCII.space)
      }
    }
    if bytes.last == ASCII.space { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
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
