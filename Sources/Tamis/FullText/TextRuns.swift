import TamisCore

/// The words of a text, by which full text is judged: they are counted, and compared with those of another text.
///
/// In scripts without spaces between words, each character is compared like a word, and two of them count as one word.
struct TextRuns: Sendable {
  /// The number of words in a run; shorter runs occur in every text.
  private static let length = 3
  /// The maximum number of words of a text that are read.
  private static let mostWords = 20_000

  /// The number of words.
  private(set) var count = 0
  /// Digests of the words, in order.
  private(set) var words: [UInt64] = []

  init(_ text: String) {
    var (spaced, ideographs, word) = (0, 0, UInt64(0))
    for scalar in text.unicodeScalars {
      if UnspacedScript.contains(scalar) {
        end(&word)
        ideographs += 1
        add(Self.mixed(Self.start, with: UInt64(scalar.value)))
      } else if let folded = Self.folded(scalar) {
        if word == 0 {
          spaced += 1
          word = Self.start
        }
        for unit in folded.unicodeScalars { word = Self.mixed(word, with: UInt64(unit.value)) }
      } else if scalar != "'", scalar != "\u{2019}", scalar != "\u{AD}" {
        end(&word)
      }
    }
    end(&word)
    count = spaced + (ideographs + 1) / 2
  }

  /// Returns the share of another text's runs of words that are in this one, from 0 to 1; 0 when it has none.
  func share(of other: TextRuns, first most: Int = .max) -> Double {
    let asked = other.words.prefix(most)
    if asked.count < Self.length {
      let all = Set(words)
      return asked.isEmpty ? 0 : Double(asked.count(where: all.contains)) / Double(asked.count)
    }
    let known = Set(Self.runs(words[...]))
    let runs = Self.runs(asked)
    return Double(runs.count(where: known.contains)) / Double(runs.count)
  }

  /// Returns the share of another text's words that are anywhere in this one, from 0 to 1; 0 when it has none.
  func shareOfWords(of other: TextRuns) -> Double {
    let all = Set(words)
    return other.words.isEmpty ? 0 : Double(other.words.count(where: all.contains)) / Double(other.words.count)
  }

  private static func runs(_ words: ArraySlice<UInt64>) -> [UInt64] {
    guard words.count >= length else { return [] }
    return (words.startIndex...(words.endIndex - length)).map { start in
      words[start..<(start + length)].reduce(Self.start) { mixed($0, with: $1) }
    }
  }

  // MARK: - Words

  private static let start: UInt64 = 0xCBF2_9CE4_8422_2325

  private static func mixed(_ digest: UInt64, with value: UInt64) -> UInt64 { (digest ^ value) &* 0x100_0000_01B3 }

  private mutating func add(_ word: UInt64) { if words.count < Self.mostWords { words.append(word) } }

  private mutating func end(_ word: inout UInt64) {
    if word != 0 { add(word) }
    word = 0
  }

  /// Returns a letter, digit or mark in lower case; nil for characters between words.
  private static func folded(_ scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    case 0x30...0x39, 0x61...0x7A: return String(scalar)
    case 0x41...0x5A: return String(Unicode.Scalar(UInt8(scalar.value) | 0x20))
    case 0..<0x80: return nil
    default:
      let properties = scalar.properties
      let isPart = properties.isAlphabetic || properties.numericType != nil || properties.isDiacritic
      return isPart ? properties.lowercaseMapping : nil
    }
  }
}
