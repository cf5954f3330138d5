public import TamisCore

/// The article of a page.
public struct Article: Sendable {
  /// The page's metadata.
  public var facts: PageFacts
  /// Its markup, as untrusted as the page: it has to be sanitized; nil when the page has no article.
  public var markup: Markup?
  /// Its text: a line for each paragraph, without title, byline and captions; empty when the page has none.
  public var text: String
  /// The confidence, from 0 to 1, that exactly these blocks are the article; 0 when there is none.
  public var confidence: Double
  /// The share of the feed's text that is in it, from 0 to 1; nil when no feed was given.
  public var agreement: Double?
  /// The effect of a rule for its site; nil when there is none.
  public var siteRule: SiteRuleUse?
}
