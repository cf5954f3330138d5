import TamisCore
import TamisSystem

/// A text as words for comparison: case, accents and white space are ignored, and each sign is a word of its own.
///
/// In scripts without spaces between words each character is a word, so that a run of them is matched like a phrase.
struct FoldedText {
  /// The words in order.
  private(set) var words: [String] = []
  private var word = String.UnicodeScalarView()
  private var decompositions: [Unicode.Scalar: [Unicode.Scalar]] = [:]

  init(_ text: String) {
    for scalar in text.unicodeScalars { add(scalar) }
    end()
  }

  private mutating func add(_ scalar: Unicode.Scalar) {
    if scalar.value < 0x80 {
      let byte = UInt8(truncatingIfNeeded: scalar.value)
      if byte.isASCIIAlphanumeric {
        word.append(Unicode.Scalar(byte.asciiLowercased))
      } else {
        end()
        if byte > ASCII.space, byte != 0x7F { words.append(String(scalar)) }
      }
      return
    }
    let parts: [Unicode.Scalar]
    if let known = decompositions[scalar] {
      parts = known
    } else {
      parts = Self.folded(scalar)
      decompositions[scalar] = parts
    }
    for part in parts { addFolded(part) }
  }

  private mutating func addFolded(_ scalar: Unicode.Scalar) {
    if scalar.value < 0x80 { return add(scalar) }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .nonspacingMark, .format, .enclosingMark: return
    case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control: end()
    default:
      if UnspacedScript.contains(scalar) {
        end()
        words.append(String(scalar))
      } else if properties.isAlphabetic || properties.numericType != nil {
        word.append(scalar)
      } else {
        end()
        words.append(String(scalar))
      }
    }
  }

  private mutating func end() {
    if word.isEmpty { return }
    words.append(String(word))
    word = String.UnicodeScalarView()
  }

  /// Returns the decomposed lower-case form, with quotation marks and dashes as in ASCII.
  private static func folded(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    switch scalar.value {
    case 0x2018, 0x2019, 0x02BC: return ["'"]
    case 0x201C, 0x201D: return ["\""]
    case 0x2010...0x2015: return ["-"]
    // The lower-case mapping does not cover these.
    case 0xDF, 0x1E9E: return ["s", "s"]
    case 0x3C2: return ["\u{3C3}"]
    default:
      return UnicodeText.decomposed(scalar).flatMap { part in
        part.properties.lowercaseMapping.unicodeScalars.flatMap { Self.withoutStroke[$0] ?? [$0] }
      }
    }
  }

  /// Letters with a stroke or tied together, which Unicode does not decompose, as they are written without (CLDR,
  /// Latin-ASCII).
  private static let withoutStroke: [Unicode.Scalar: [Unicode.Scalar]] = [
    "ł": ["l"], "ø": ["o"], "đ": ["d"], "ð": ["d"], "ħ": ["h"], "ı": ["i"], "ŧ": ["t"], "ŀ": ["l"], "ƀ": ["b"],
    "æ": ["a", "e"], "œ": ["o", "e"], "þ": ["t", "h"], "ŋ": ["n"],
  ]
}
