public import TamisCore

/// The article of a page.
public struct Article: Sendable {
  /// The kind of a page.
  public enum Kind: String, Sendable, Hashable, CaseIterable, Encodable {
    /// A text of one piece: news, a blog's post, an essay.
    case article
    /// The posts of a forum, or questions with their answers.
    case thread
    /// Documentation: a manual, a reference, a wiki's page.
    case documentation
    /// A list of other pages: a category, a collection, results of a search.
    case listing
    /// A product.
    case product
    /// Another page, such as a company's page about its services.
    case other
  }

  /// A kind with its probability.
  public struct KindGuess: Sendable, Hashable, Encodable {
    /// The most probable kind.
    public var kind: Kind
    /// The probability of the kind, from 0 to 1.
    public var confidence: Double
  }

  /// A post of a thread.
  public struct Post: Sendable, Hashable, Encodable {
    /// The name of the author; nil when the page does not tell it.
    public var author: String?
    /// The date of the post, or its date and time, in the format of RFC 3339; nil when the page does not tell it.
    public var published: String?
    /// The text with one line for each paragraph.
    public var text: String
  }

  /// The page's metadata.
  public var facts: Article.Facts
  /// The markup, as untrusted as the page: it must be sanitized; nil when the page has no article.
  public var markup: Feed.Markup?
  /// The text with one line for each paragraph, without title, byline and captions; empty when there is no article.
  public var text: String
  /// The posts of a thread, whose texts are part of ``text``; empty for other pages.
  public var posts: [Post] = []
  /// The expected quality of the text: the predicted F1 of its words, from 0 to 1; 0 when there is no article.
  ///
  /// For a text from the data of the page, the mean F1 of such texts.
  public var confidence: Double
  /// The kind of the page, with its probability; nil when there is no article.
  public var kind: KindGuess?
  /// The source of the text when it is not the markup of the page: `json-ld`, or `json` for other data; nil otherwise.
  public var source: String?
  /// The share of the feed's text that the article contains, from 0 to 1; nil when no feed was given.
  public var agreement: Double?
  /// The number of elements and texts between the first block of the article and the element around the last that
  /// readers of the page do not see, and which are left out; 0 when the text is from the data of the page.
  public var hidden = 0
  /// The reason why the page's style sheets are not read for what they hide: `bytes` or `steps` when they are beyond
  /// ``Limits/sheetBytes`` or ``Limits/sheetSteps``, `share` when they hide more than a fifth of the page's prose; nil
  /// when they are read, or there are none.
  public var sheetRefusal: String?
  /// The effect of a rule for the site; nil when there is none.
  package var siteRule: SiteRuleUse?
}

extension Article: Encodable {
  private enum CodingKeys: String, CodingKey {
    case facts, text, posts, confidence, kind, source, agreement, hidden, sheetRefusal
  }

  /// Writes all but the markup, which is not safe.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(facts, forKey: .facts)
    try container.encode(text, forKey: .text)
    if !posts.isEmpty { try container.encode(posts, forKey: .posts) }
    try container.encode(confidence, forKey: .confidence)
    try container.encodeIfPresent(kind, forKey: .kind)
    try container.encodeIfPresent(source, forKey: .source)
    try container.encodeIfPresent(agreement, forKey: .agreement)
    try container.encode(hidden, forKey: .hidden)
    try container.encodeIfPresent(sheetRefusal, forKey: .sheetRefusal)
  }
}
