public import TamisCore

/// The article of a page.
public struct Article: Sendable {
  /// What the page says of itself.
  public var facts: PageFacts
  /// Its markup, as little trusted as the page: it is for the sanitizer; nil when the page has none.
  public var markup: Markup?
  /// Its text: a line for each paragraph, without title, byline and captions; empty when the page has none.
  public var text: String
  /// How sure it is that these blocks are the article, and no others, from 0 to 1; 0 when there is none.
  public var confidence: Double
  /// Of what a feed has of its text, how much is in it, from 0 to 1; nil when nothing was said of a feed.
  public var agreement: Double?
  /// What became of a rule for its site; nil when there is none.
  public var siteRule: SiteRuleUse?
}
