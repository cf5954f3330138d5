public import TamisCore

/// The article of a page.
public struct Article: Sendable {
  /// The page's metadata.
  public var facts: Article.Facts
  /// The markup, as untrusted as the page: it must be sanitized; nil when the page has no article.
  public var markup: Feed.Markup?
  /// The text with one line for each paragraph, without title, byline and captions; empty when there is no article.
  public var text: String
  /// The confidence, from 0 to 1, that exactly these blocks are the article; 0 when there is none.
  public var confidence: Double
  /// The share of the feed's text that the article contains, from 0 to 1; nil when no feed was given.
  public var agreement: Double?
  /// The effect of a rule for the site; nil when there is none.
  package var siteRule: SiteRuleUse?
}

extension Article: Encodable {
  private enum CodingKeys: String, CodingKey { case facts, text, confidence, agreement }

  /// Writes the facts, the text and the confidence; the markup is not safe, and left out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(facts, forKey: .facts)
    try container.encode(text, forKey: .text)
    try container.encode(confidence, forKey: .confidence)
    try container.encodeIfPresent(agreement, forKey: .agreement)
  }
}
