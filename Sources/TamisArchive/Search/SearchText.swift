import TamisCore

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

  /// Whether a character is a word by itself: one of a script without spaces, Hangul, or Kana of half the width.
  static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    UnspacedScript.contains(scalar) || (0xAC00...0xD7A3).contains(scalar.value)
      || (0xFF66...0xFF9D).contains(scalar.value)
  }

  /// Whether a character is part of a word, as SQLite's tokenizer `unicode61` decides: a letter, a digit or a mark.
  static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }
}
