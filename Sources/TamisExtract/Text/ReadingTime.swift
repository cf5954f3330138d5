import TamisCore

/// Estimates the time to read a text.
enum ReadingTime {
  /// The reading rates in words per minute, and in characters per minute for scripts without spaces.
  ///
  /// The rates are those that Zola's issue 3145 cites for English and Japanese.
  private static let wordsPerMinute = 238
  private static let charactersPerMinute = 500

  /// The number of words from which a text beside audio or video is an article, not notes.
  private static let wordsOfArticle = 400

  /// The time in minutes, at least 1; nil for shorter texts, and for texts beside audio, video or a picture.
  static func minutes(_ counts: WordCount, of kind: Post.Kind) -> Int? {
    let length = counts.length
    guard length > 0, kind != .photo, kind != .podcast && kind != .video || length >= wordsOfArticle else { return nil }
    let minutes =
      Double(counts.words) / Double(wordsPerMinute) + Double(counts.characters) / Double(charactersPerMinute)
    // Shorter texts need no reading time.
    return minutes < 1 ? nil : Int(minutes.rounded())
  }
}
