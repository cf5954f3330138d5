import TamisCore

/// Estimates the time to read a text.
enum ReadingTime {
  /// The reading rates in words per minute, and in characters per minute for scripts without spaces.
  ///
  /// The rates are those that Zola's issue 3145 cites for English and Japanese.
  private static let wordsPerMinute = 238
  private static let charactersPerMinute = 500

  /// The number of words between spaces, and of characters of scripts without spaces.
  typealias Counts = (words: Int, characters: Int)

  /// The number of words from which a text beside audio or video is an article, not notes.
  private static let wordsOfArticle = 400

  /// The time in minutes, at least 1; nil for shorter texts, and for texts beside audio, video or a picture.
  static func minutes(_ counts: Counts, of kind: Post.Kind) -> Int? {
    let length = counts.words + counts.characters / 2
    guard length > 0, kind != .photo, kind != .podcast && kind != .video || length >= wordsOfArticle else { return nil }
    let minutes =
      Double(counts.words) / Double(wordsPerMinute) + Double(counts.characters) / Double(charactersPerMinute)
    // Shorter texts need no reading time.
    return minutes < 1 ? nil : Int(minutes.rounded())
  }

  static func count(_ text: String) -> Counts {
    var words = 0
    var characters = 0
    var isInWord = false
    for scalar in text.unicodeScalars {
      let code = scalar.value
      if code > 0x20, code < 0x80 {
        if !isInWord { words += 1 }
        isInWord = true
      } else if isWhiteSpace(scalar) {
        isInWord = false
      } else if code >= 0x0E00, UnspacedScript.contains(scalar) {
        characters += 1
        isInWord = false
      } else if !isInWord {
        words += 1
        isInWord = true
      }
    }
    return (words, characters)
  }

  /// Whether a scalar has Unicode's `White_Space` property; the standard library's table lookup costs more.
  private static func isWhiteSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20, 0x09...0x0D: true
    case 0x21..<0x85: false
    case 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
    default: false
    }
  }
}
