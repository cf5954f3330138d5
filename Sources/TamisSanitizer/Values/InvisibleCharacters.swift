import TamisCore
import TamisHTML

/// Characters that nobody sees, or that turn the letters around them: in a link they make it look like another.
///
/// The characters are soft hyphens, zero-width and formatting characters (Unicode, general category Cf, as far as they
/// are ignored in display), marks of direction (UAX 9, 2) and tag characters (U+E0000 to U+E007F). Joiners stay after a
/// character beyond ASCII, since scripts and emoji need them.
enum InvisibleCharacters {
  /// Whether the bytes of a URL can contain such a character, as it is or percent-encoded.
  static func mayBeIn(_ url: borrowing Span<UInt8>) -> Bool {
    var index = 0
    while true {
      index = ByteScan.index(of: UInt8(ascii: "%"), in: url, from: index)
      if index == url.count { break }
      if let byte = encodedByte(url, at: index), isLead(byte) { return true }
      index += 1
    }
    for lead in leads where ByteScan.index(of: lead, in: url, from: 0) < url.count { return true }
    return false
  }

  /// Returns a URL without such characters; nil when it has none.
  ///
  /// Characters that come together by a removal are removed as well.
  static func removed(from url: [UInt8]) -> [UInt8]? {
    guard mayBeIn(url.span) else { return nil }
    var output: [UInt8] = []
    // The bytes that the output stands for, and where each begins.
    var meaning: [UInt8] = []
    var starts: [Int] = []
    for byte in url {
      starts.append(output.count)
      meaning.append(byte)
      output.append(byte)
      // The byte may end `%HH`, whose beginning may stand before what was removed.
      let sequence = output.count - 3
      if starts.count >= 3, starts[starts.count - 3] == sequence, let encoded = encodedByte(output.span, at: sequence) {
        meaning.removeLast(3)
        meaning.append(encoded)
        starts.removeLast(2)
      }
      let length = lengthAtEnd(of: meaning)
      if length == 0 { continue }
      output.removeSubrange(starts[starts.count - length]...)
      meaning.removeLast(length)
      starts.removeLast(length)
    }
    return output.count == url.count ? nil : output
  }

  /// Returns a URL whose characters of this kind are percent-encoded: `%E2%80%AE` for U+202E; nil when it has none.
  static func encoded(in url: [UInt8]) -> [UInt8]? {
    guard mayBeIn(url.span) else { return nil }
    var output: [UInt8] = []
    for byte in url {
      output.append(byte)
      let length = lengthAtEnd(of: output)
      if length == 0 { continue }
      let character = output.suffix(length)
      output.removeLast(length)
      for byte in character { output += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]] }
    }
    return output.count == url.count ? nil : output
  }

  private static let hexDigits = Array("0123456789ABCDEF".utf8)

  /// The first bytes of the characters, in UTF-8.
  private static let leads: [UInt8] = [0xC2, 0xD8, 0xE1, 0xE2, 0xEF, 0xF3]

  private static func isLead(_ byte: UInt8) -> Bool { leads.contains(byte) }

  /// Returns the byte that `%HH` stands for; nil when there is no such sequence.
  private static func encodedByte(_ url: borrowing Span<UInt8>, at index: Int) -> UInt8? {
    guard url[index] == UInt8(ascii: "%"), index + 2 < url.count, let high = url[index + 1].hexDigitValue,
      let low = url[index + 2].hexDigitValue
    else { return nil }
    return high << 4 | low
  }

  /// Returns the number of bytes of such a character at the end of a text; 0 when there is none.
  private static func lengthAtEnd(of text: [UInt8]) -> Int {
    guard let last = text.last, last >= 0x80 else { return 0 }
    for length in 2...4 where text.count >= length {
      let start = text.count - length
      guard let scalar = InvisibleScanner.scalar(text[start...]) else { continue }
      let isAfterLetter = start > 0 && text[start - 1] >= 0x80
      return contains(scalar, isAfterLetter: isAfterLetter) ? length : 0
    }
    return 0
  }

  /// Whether a character is one of them.
  private static func contains(_ scalar: UInt32, isAfterLetter: Bool) -> Bool {
    switch scalar {
    case 0x200C, 0x200D: !isAfterLetter
    case 0xAD, 0x61C, 0x180E, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2064, 0x2066...0x206F, 0xFEFF,
      0xE0000...0xE007F:
      true
    default: false
    }
  }
}
