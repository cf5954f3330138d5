import TamisCore

/// The characters and names that XML allows (XML 1.0, 2.2 and 2.3; Namespaces in XML 1.0, 4).
enum XMLCharacter {
  /// The longest name in bytes; libxml2 refuses names from 50,000 bytes on, and no vocabulary has names this long.
  static let longestName = 1000

  /// Whether a document may contain the character, directly or as a reference.
  static func isAllowed(_ number: UInt32) -> Bool {
    switch number {
    case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }

  /// Whether the range is a qualified name: a local part with at most one prefix.
  static func isName(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard !range.isEmpty, range.count <= longestName else { return false }
    var isAtStart = true
    var hasPrefix = false
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = bytes[index]
      if byte == UInt8(ascii: ":") {
        if isAtStart || hasPrefix { return false }
        (hasPrefix, isAtStart) = (true, true)
        index += 1
        continue
      }
      let length = byte < 0x80 ? 1 : UTF8Sequence.length(bytes, at: index)
      guard length > 0, index + length <= range.upperBound else { return false }
      let isFine =
        byte < 0x80
        ? isASCIIName(byte, atStart: isAtStart) : isName(scalar(bytes, at: index, length: length), atStart: isAtStart)
      guard isFine else { return false }
      isAtStart = false
      index += length
    }
    return !isAtStart
  }

  /// Returns the position of the first forbidden character from `start` on, or the number of bytes when there is none.
  static func firstForbidden(_ bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    var index = start
    while true {
      index = ByteScan.indexOfXMLSuspect(in: bytes, from: index)
      if index == bytes.count || lengthOfForbidden(bytes, at: index) > 0 { return index }
      index += 1
    }
  }

  /// Returns the length in bytes of the character here if it is forbidden, else 0.
  static func lengthOfForbidden(_ bytes: borrowing Span<UInt8>, at index: Int) -> Int {
    let byte = bytes[index]
    if byte < 0x20 { return byte == 0x09 || byte == 0x0A || byte == 0x0D ? 0 : 1 }
    // U+FFFE and U+FFFF
    guard byte == 0xEF, index + 2 < bytes.count, bytes[index + 1] == 0xBF, bytes[index + 2] >= 0xBE else { return 0 }
    return 3
  }

  private static func isASCIIName(_ byte: UInt8, atStart: Bool) -> Bool {
    if byte.isASCIILetter || byte == UInt8(ascii: "_") { return true }
    return !atStart && (byte.isASCIIDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "."))
  }

  private static func scalar(_ bytes: borrowing Span<UInt8>, at index: Int, length: Int) -> UInt32 {
    var value = UInt32(bytes[index]) & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
    for offset in 1..<length { value = value << 6 | UInt32(bytes[index + offset] & 0x3F) }
    return value
  }

  /// Whether a non-ASCII character is allowed in a name (XML 1.0, productions 4 and 4a).
  private static func isName(_ scalar: UInt32, atStart: Bool) -> Bool {
    switch scalar {
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F,
      0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF:
      true
    case 0xB7, 0x300...0x36F, 0x203F...0x2040: !atStart
    default: false
    }
  }
}
