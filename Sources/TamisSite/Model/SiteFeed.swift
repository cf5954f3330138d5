public import TamisCore

/// A feed whose posts are to be shown.
public struct SiteFeed: Sendable {
  /// What names the feed from run to run.
  public var key: FeedKey
  /// The feed's name as plain text; may be empty.
  public var title: String
  /// A line about it as plain text; may be empty.
  public var subtitle: String
  /// Its home page, http or https; nil when there is none that is safe to follow.
  public var link: String?
  /// Where the feed itself is published, http or https; nil when it does not say.
  public var address: String?
  /// Its picture, http or https; nil when there is none.
  public var image: String?
  /// Its language (BCP 47).
  public var language: String?
  /// What may be done with its texts, as plain text; may be empty.
  public var rights: String
  /// How reading it went.
  public var status: FeedStatus
  /// Its posts in document order.
  public var posts: [SitePost]

  /// Makes a feed.
  public init(
    key: FeedKey, title: String, subtitle: String, link: String?, address: String? = nil, image: String?,
    language: String?, rights: String = "", status: FeedStatus = FeedStatus(), posts: [SitePost]
  ) {
    self.key = key
    self.title = title
    self.subtitle = subtitle
    self.link = link
    self.address = address
    self.image = image
    self.language = language
    self.rights = rights
    self.status = status
    self.posts = posts
  }
}

/// How reading a feed went, for the page that says so.
public struct FeedStatus: Sendable, Hashable, Decodable {
  /// Why it could not be read; nil when it was.
  public var failure: String?
  /// How many entries its document has.
  public var entries = 0
  /// What was odd, a line each.
  public var problems: [String] = []
  /// What the sanitizer took away, by rule.
  public var removals: [Removals] = []

  /// How much a rule took away.
  public struct Removals: Sendable, Hashable, Decodable {
    /// The rule.
    public var rule: String
    /// How often.
    public var count: Int

    /// Makes a count.
    public init(rule: String, count: Int) {
      self.rule = rule
      self.count = count
    }
  }

  /// It was read, and nothing was odd.
  public init() {}
}

/// A post that is to be shown.
public struct SitePost: Sendable {
  /// The post.
  public var post: Post
  /// The path of its page from the site's root.
  public var path: String
  /// The path of the page of the post of another feed that stands for this one; nil when it has its own.
  public var foldedInto: String?
  /// What the index wants kept beside the page, to find the post again; may be empty.
  public var memo: String
  /// Where it stands in time, seconds since 1970-01-01T00:00:00Z; nil when that is not known.
  ///
  /// Not its own date when it has none, or says that it comes from the future.
  public var place: Int64?

  /// Makes a post with a page of its own, or folded into another.
  public init(post: Post, path: String, foldedInto: String? = nil, memo: String = "", place: Int64? = nil) {
    self.post = post
    self.path = path
    self.foldedInto = foldedInto
    self.memo = memo
    self.place = place ?? post.published
  }
}
