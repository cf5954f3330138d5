/// The writing direction of text.
public enum TextDirection: String, Sendable, Hashable, Codable {
  /// From left to right.
  case leftToRight = "ltr"
  /// From right to left.
  case rightToLeft = "rtl"

  /// Finds the direction of a language (BCP 47) or, when that is not known, of a text.
  ///
  /// The direction of a text is that of most words among its first 500 Unicode scalars, each by its first letter. The
  /// first word alone is not enough: many Arabic headlines begin with a name in Latin letters. A URL counts as a word.
  ///
  /// - Parameters:
  ///   - language: the language tag; nil when it is not known.
  ///   - text: the text, in any number of parts.
  public init(language: String?, text: String...) {
    if let primary = language?.asciiLowercased().split(separator: "-").first, !primary.isEmpty {
      self = Self.rightToLeftLanguages.contains(String(primary)) ? .rightToLeft : .leftToRight
      return
    }
    var rest = 500
    var balance = 0
    for text in text {
      var isCounted = false
      for scalar in text.unicodeScalars {
        if rest == 0 { break }
        rest -= 1
        if scalar == " " || scalar == "\n" {
          isCounted = false
        } else if !isCounted, let step = Self.step(scalar) {
          balance += step
          isCounted = true
        }
      }
    }
    self = balance > 0 ? .rightToLeft : .leftToRight
  }

  /// Returns 1 for a letter that is written from right to left, -1 for another letter, nil for what is no letter.
  private static func step(_ scalar: Unicode.Scalar) -> Int? {
    if scalar.isASCII { return UInt8(truncatingIfNeeded: scalar.value).isASCIILetter ? -1 : nil }
    return scalar.properties.isAlphabetic ? isRightToLeft(scalar) ? 1 : -1 : nil
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
