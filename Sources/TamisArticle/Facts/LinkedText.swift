import TamisCore

/// The text of an article in the linked data of a page that scripts draw, and whose markup has nothing to read.
struct LinkedText {
  /// The paragraphs.
  let paragraphs: [String]

  /// The minimum number of words of the text.
  private static let fewestWords = 50
  /// The number of times that the text has to have the words of the markup's article.
  private static let leastGain = 4
  /// The mean F1 between such texts and the article, on 29 of 1000 pages with known articles that have them.
  static let confidence = 0.77

  /// Returns the text when it has much more than the markup; nil otherwise.
  ///
  /// - Parameters:
  ///   - facts: the facts of the page.
  ///   - words: the number of words of the article in the markup; 0 when there is none.
  init?(_ facts: Article.Facts, insteadOf words: Int) {
    // Text with tags is the markup of something, and read by the sanitizer alone.
    guard !facts.linkedText.utf8.contains(0x3C) else { return nil }
    var count = TextCount()
    count.add(Array(facts.linkedText.utf8)[...])
    guard count.count >= max(Self.fewestWords, words * Self.leastGain) else { return nil }
    paragraphs = facts.linkedText.split(whereSeparator: \.isNewline).map { String($0).collapsingSpace() }.filter {
      !$0.isEmpty
    }
  }

  /// The text as markup.
  var markup: String { paragraphs.map { "<p>\(SanitizedHTML(escaping: $0).string)</p>" }.joined(separator: "\n") }
}
