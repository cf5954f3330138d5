/// How long a text takes to read.
enum ReadingTime {
  /// Words a minute, and characters a minute in scripts without spaces (the rates that Zola's issue 3145 cites for English
  /// and Japanese).
  private static let wordsPerMinute = 238
  private static let charactersPerMinute = 500

  /// Minutes, at least 1; nil for no text.
  static func minutes(_ text: String) -> Int? {
    let (words, characters) = count(text)
    guard words + characters > 0 else { return nil }
    let minutes = Double(words) / Double(wordsPerMinute) + Double(characters) / Double(charactersPerMinute)
    return max(1, Int(minutes.rounded()))
  }

  /// Words between spaces, and characters of scripts without spaces.
  static func count(_ text: String) -> (words: Int, characters: Int) {
    var words = 0
    var characters = 0
    var isInWord = false
    for scalar in text.unicodeScalars {
      if isIdeographic(scalar) {
        characters += 1
        isInWord = false
      } else if scalar.properties.isWhitespace {
        isInWord = false
      } else if !isInWord {
        words += 1
        isInWord = true
      }
    }
    return (words, characters)
  }

  private static func isIdeographic(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
    default: false
    }
  }
}
