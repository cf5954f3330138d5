/// A character reference as HTML reads it (HTML Standard, 13.2.5.72 to 13.2.5.80): `&eacute;`, `&#233;`, `&#xE9;`.
package struct CharacterReference: Equatable {
  /// The character that it expands to.
  package var first: Unicode.Scalar
  /// A second character, for the few names that expand to two.
  package var second: Unicode.Scalar?
  /// The length in bytes, from the ampersand to the semicolon or the last character of the name.
  package var length: Int

  package init(first: Unicode.Scalar, second: Unicode.Scalar?, length: Int) {
    (self.first, self.second, self.length) = (first, second, length)
  }

  /// Returns the reference that begins with the ampersand at `start`; nil when the ampersand is text.
  ///
  /// Names without their semicolon are references when HTML 2 had them and no letter, digit or `=` follows. That is the
  /// rule for attribute values; in text it leaves `&copyright` alone instead of guessing.
  package static func match(_ bytes: borrowing Span<UInt8>, at start: Int) -> CharacterReference? {
    let next = start + 1
    guard next < bytes.count else { return nil }
    if bytes[next] == UInt8(ascii: "#") { return numeric(bytes, at: start) }
    return named(bytes, at: start)
  }

  /// Returns the numeric reference that begins at `start`; nil when there is none.
  package static func numeric(_ bytes: borrowing Span<UInt8>, at start: Int) -> CharacterReference? {
    var index = start + 2
    var value: UInt32 = 0
    var digits = 0
    let isHex = index < bytes.count && bytes[index] | 0x20 == UInt8(ascii: "x")
    if isHex { index += 1 }
    while index < bytes.count, let digit = bytes[index].hexDigitValue, isHex || digit < 10 {
      value = min(value * (isHex ? 16 : 10) + UInt32(digit), 0x110000)
      digits += 1
      index += 1
    }
    guard digits > 0 else { return nil }
    if index < bytes.count, bytes[index] == UInt8(ascii: ";") { index += 1 }
    return CharacterReference(first: scalar(forNumber: value), second: nil, length: index - start)
  }

  private static func named(_ bytes: borrowing Span<UInt8>, at start: Int) -> CharacterReference? {
    var index = start + 1
    while index < bytes.count, index - start <= NamedReferenceIndex.longestName, bytes[index].isASCIIAlphanumeric {
      index += 1
    }
    let name = start + 1..<index
    guard !name.isEmpty else { return nil }
    let terminator = index < bytes.count ? bytes[index] : 0
    let isClosed = terminator == UInt8(ascii: ";")
    if isClosed, let common = common(bytes, name) {
      return CharacterReference(first: common, second: nil, length: index - start + 1)
    }
    guard let entry = NamedReferenceIndex.shared.find(bytes, name),
      isClosed || (entry.countsUnclosed && terminator != UInt8(ascii: "="))
    else { return nil }
    return CharacterReference(first: entry.first, second: entry.second, length: index - start + (isClosed ? 1 : 0))
  }

  /// Returns the character of one of the most frequent names; nil for any other name.
  private static func common(_ bytes: borrowing Span<UInt8>, _ name: Range<Int>) -> Unicode.Scalar? {
    let start = name.lowerBound
    switch name.count {
    case 2 where ByteScan.stands("lt", in: bytes, at: start): return "<"
    case 2 where ByteScan.stands("gt", in: bytes, at: start): return ">"
    case 3 where ByteScan.stands("amp", in: bytes, at: start): return "&"
    case 4 where ByteScan.stands("quot", in: bytes, at: start): return "\""
    case 4 where ByteScan.stands("nbsp", in: bytes, at: start): return "\u{A0}"
    default: return nil
    }
  }

  /// Returns the character of a numeric reference.
  ///
  /// Numbers in 0x80…0x9F are read as windows-1252; numbers that are not characters become U+FFFD.
  package static func scalar(forNumber number: UInt32) -> Unicode.Scalar {
    if number >= 0x80, number <= 0x9F { return Windows1252.scalar(for: UInt8(number)) }
    guard number != 0, let scalar = Unicode.Scalar(number) else { return "\u{FFFD}" }
    return scalar
  }
}

extension StringProtocol {
  /// Returns the text with each character reference replaced by its character, once, from left to right.
  package func decodingCharacterReferences() -> String {
    guard utf8.contains(UInt8(ascii: "&")) else { return String(self) }
    let bytes = Array(utf8)
    let span = bytes.span
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "&"), let reference = CharacterReference.match(span, at: index) {
        output.append(scalar: reference.first)
        if let second = reference.second { output.append(scalar: second) }
        index += reference.length
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
    return String(streamSafe: output)
  }
}
