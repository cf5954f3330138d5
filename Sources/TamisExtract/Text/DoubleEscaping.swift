import TamisCore

/// Undoes a second escaping of plain text, when it cannot be intended.
///
/// Atom titles of type `text` hold no markup, so `Don&#8217;t` in one literally says `&#8217;`, although an apostrophe
/// was meant. The evidence is a reference to punctuation or a letter: by number, or by the names that writing tools
/// use. When the text has what it may be about, such as `&lt;`, `&nbsp;` or `<blink>`, the whole text is left alone.
package enum DoubleEscaping {
  private static let names: Set<String> = [
    "amp", "quot", "apos", "rsquo", "lsquo", "rdquo", "ldquo", "ndash", "mdash", "hellip", "laquo", "raquo", "eacute",
    "egrave", "agrave", "uuml", "ouml", "auml", "szlig", "ccedil", "ntilde",
  ]

  /// The text with the second escaping undone.
  package static func decoded(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.contains(UInt8(ascii: "&")) else { return text }
    // A text that contains what looks like a tag may be about markup.
    let isAboutMarkup = bytes.contains(UInt8(ascii: "<"))
    var hasEvidence = false
    var index = 0
    while let start = bytes[index...].firstIndex(of: UInt8(ascii: "&")) {
      index = start + 1
      guard let reference = reference(bytes, after: start) else { continue }
      guard isEvidence(reference), !isAboutMarkup || !["amp", "quot", "apos"].contains(reference) else { return text }
      hasEvidence = true
    }
    return hasEvidence ? text.decodingCharacterReferences() : text
  }

  /// The text between `&` and `;`; nil when it is not a reference, or an unclosed one.
  private static func reference(_ bytes: [UInt8], after start: Int) -> String? {
    let body = bytes[(start + 1)...].prefix { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "#") }
    guard !body.isEmpty, body.count < 12, body.endIndex < bytes.count, bytes[body.endIndex] == UInt8(ascii: ";") else {
      return nil
    }
    return String(streamSafe: body)
  }

  private static func isEvidence(_ reference: String) -> Bool {
    guard reference.hasPrefix("#") else { return names.contains(reference) }
    let digits = reference.dropFirst()
    let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
    let code = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    // Numeric references such as `&#60;` may be the subject of the text.
    return code.map { $0 >= 0x80 || $0 == 0x22 || $0 == 0x26 || $0 == 0x27 } ?? false
  }
}
