/// A feed as lists and its own page show it.
public struct FeedCard: Sendable, Hashable {
  /// What names the feed from run to run.
  public var key: FeedKey
  /// The word by which its pages are named: letters and digits of any script, hyphens; no two feeds of an archive have one.
  public var slug: String
  /// The feed's name as plain text, never empty.
  public var title: String
  /// A line about it as plain text; may be empty.
  public var subtitle = ""
  /// Its home page, http or https; nil when there is none that is safe to follow.
  public var link: String?
  /// Where the feed itself is published, http or https; nil when that is not known.
  public var address: String?
  /// Its picture, http or https; nil when there is none.
  public var image: String?
  /// The file that the site has of its picture; nil when it has none, or none is to be shown.
  public var keptImage: KeptPicture?
  /// Its language (BCP 47), nil when not said.
  public var language: String?
  /// The direction its name runs in.
  public var direction = TextDirection.leftToRight
  /// What may be done with its texts, as plain text; may be empty.
  public var rights = ""
  /// The categories in which it is listed.
  public var categories: [FeedCategory] = []
  /// How reading it went.
  public var status = FeedStatus()

  /// Makes a feed of which no more is known.
  public init(key: FeedKey, slug: String, title: String) { (self.key, self.slug, self.title) = (key, slug, title) }
}

/// A group of feeds.
public struct FeedCategory: Sendable, Hashable {
  /// The word by which its pages are named.
  public var slug: String
  /// What it is called; one in another is `News/Science`.
  public var name: String

  /// Makes a category.
  public init(slug: String, name: String) { (self.slug, self.name) = (slug, name) }
}

/// How reading a feed went, for the page that says so.
public struct FeedStatus: Sendable, Hashable, Codable {
  /// Why it could not be read; nil when it was.
  public var failure: String?
  /// Whether its document ended before its end, so that some may be missing.
  public var isPartial = false
  /// How many entries its document has.
  public var entries = 0
  /// What was odd, a line each.
  public var problems: [String] = []
  /// What the sanitizer took away, by rule.
  public var removals: [Removals] = []

  /// How much a rule took away.
  public struct Removals: Sendable, Hashable, Codable {
    /// The rule.
    public var rule: String
    /// How often.
    public var count: Int
    /// What it took most often, the first of these first: `script`, `img@onerror`.
    public var examples: [String]

    /// Makes a count.
    public init(rule: String, count: Int, examples: [String] = []) {
      (self.rule, self.count, self.examples) = (rule, count, examples)
    }
  }

  /// It was read, and nothing was odd.
  public init() {}
}
