/// The decision about a page and its reasons.
package struct PageReport: Sendable, Hashable {
  /// The expected quality of the article, from 0 to 1; 0 when there is none.
  package var confidence: Double
  /// The kind of the page; nil when there is no article.
  package var kind: Article.KindGuess?
  /// The score above which blocks stay: 0, or less where more of the page is taken for its text.
  package var threshold: Double
  /// The decision about each block, in document order.
  package var blocks: [BlockReport]
}
