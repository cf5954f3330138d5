public import TamisCore

/// The article of a page.
public struct Article: Sendable {
  /// What the page says of itself.
  public var facts: PageFacts
  /// The article as it may be shown; empty when there is none.
  public var content: SanitizedHTML
  /// Its text: a line for each paragraph, without title, byline and captions.
  public var text: String
  /// How sure it is that this is the article, from 0 to 1.
  public var confidence: Double
}
