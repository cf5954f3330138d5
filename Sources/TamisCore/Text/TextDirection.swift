/// The writing direction of text.
public enum TextDirection: String, Sendable, Hashable, Codable {
  /// From left to right.
  case leftToRight = "ltr"
  /// From right to left.
  case rightToLeft = "rtl"

  /// Finds the direction of a language (BCP 47) or, when that is not known, of a text.
  ///
  /// The direction of a text is that of most letters among its first 500 Unicode scalars. The first letter alone is not
  /// enough: many Arabic headlines begin with a name in Latin letters.
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
      for scalar in text.unicodeScalars {
        if rest == 0 { break }
        rest -= 1
        if scalar.isASCII {
          if UInt8(truncatingIfNeeded: scalar.value).isASCIILetter { balance -= 1 }
        } else if scalar.properties.isAlphabetic {
          balance += Self.isRightToLeft(scalar) ? 1 : -1
        }
      }
    }
    self = balance > 0 ? .rightToLeft : .leftToRight
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
