/// The writing direction of text.
public enum TextDirection: String, Sendable, Hashable, Codable {
  /// From left to right.
  case leftToRight = "ltr"
  /// From right to left.
  case rightToLeft = "rtl"

  /// Finds the direction of a text, or of its language (BCP 47) when the text does not tell.
  ///
  /// The direction of a text is that of most words among its first 500 Unicode scalars, each by its first letter. The
  /// first word alone is not enough: many Arabic headlines begin with a name in Latin letters. A URL counts as a word.
  /// The language counts when it is known, unless at least three quarters of at least four words have the other
  /// direction: many programs declare the language of their interface.
  ///
  /// - Parameters:
  ///   - language: the language tag; nil when it is not known.
  ///   - text: the text, in any number of parts.
  package init(language: String?, text: String...) {
    var rest = 500
    var words = (leftToRight: 0, rightToLeft: 0)
    for text in text {
      let bytes = text.utf8.span
      var (index, isCounted) = (0, false)
      while index < bytes.count, rest > 0 {
        let scalar = bytes.scalar(at: &index)
        rest -= 1
        if scalar == " " || scalar == "\n" {
          isCounted = false
        } else if !isCounted, let isRightToLeft = Self.isRightToLeftLetter(scalar) {
          if isRightToLeft { words.rightToLeft += 1 } else { words.leftToRight += 1 }
          isCounted = true
        }
      }
    }
    func outweigh(_ words: Int, _ others: Int) -> Bool { words >= Self.fewestWords && words > 3 * others }
    switch language.flatMap(Self.direction(of:)) {
    case .rightToLeft: self = outweigh(words.leftToRight, words.rightToLeft) ? .leftToRight : .rightToLeft
    case .leftToRight: self = outweigh(words.rightToLeft, words.leftToRight) ? .rightToLeft : .leftToRight
    case nil: self = words.rightToLeft > words.leftToRight ? .rightToLeft : .leftToRight
    }
  }

  /// The minimum number of words that outweigh the language.
  private static let fewestWords = 4

  /// Returns the direction of a language; nil for a tag without a language.
  private static func direction(of language: String) -> TextDirection? {
    guard let primary = language.asciiLowercased().split(separator: "-").first, !primary.isEmpty else { return nil }
    return rightToLeftLanguages.contains(String(primary)) ? .rightToLeft : .leftToRight
  }

  /// Returns whether a letter is written from right to left; nil for what is no letter.
  private static func isRightToLeftLetter(_ scalar: Unicode.Scalar) -> Bool? {
    if scalar.isASCII { return UInt8(truncatingIfNeeded: scalar.value).isASCIILetter ? false : nil }
    return scalar.properties.isAlphabetic ? isRightToLeft(scalar) : nil
  }

  private static let rightToLeftLanguages: Set<String> = [
    "ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "ps", "sd", "syr", "ug", "ur", "yi",
  ]

  /// Returns whether a scalar is in a Unicode block with bidi class R or AL.
  ///
  /// The blocks are those of Hebrew, Arabic, Syriac, Thaana, N'Ko and the presentation forms.
  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }
}
