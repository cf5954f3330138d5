/// Prepares texts for indexing and searching.
///
/// In Chinese, Japanese, Thai and some other scripts words are not separated by spaces, and Korean words have endings:
/// SQLite takes a whole run for one word. Each character of these scripts is therefore indexed as a word, and a word of
/// several characters is a phrase.
enum SearchText {
  /// Returns the text with a space before and after each of these characters: at most twice as many bytes and two.
  static func spaced(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isWord) else { return text }
    var spaced = String.UnicodeScalarView()
    var wasWord = false
    for scalar in text.unicodeScalars {
      let isWord = isWord(scalar)
      if isWord || wasWord { spaced.append(" ") }
      spaced.append(scalar)
      wasWord = isWord
    }
    return String(spaced)
  }

  /// Whether a character is a word by itself: Thai, Lao, Burmese, Khmer, Kana, Han and Hangul.
  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3041...0x3096, 0x30A1...0x30FC, 0x3400...0x4DBF,
      0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF66...0xFF9D, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}
