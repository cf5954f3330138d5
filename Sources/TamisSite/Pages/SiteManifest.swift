/// What a site shows, written beside its pages: from it the listings are made again, so that posts which have left their
/// feed stay listed.
struct SiteManifest: Codable, Sendable {
  static let fileName = "tamis.json"
  static let currentVersion = 1

  var version = currentVersion
  var feeds: [FeedCard] = []
  var posts: [PostCard] = []
}

/// A feed as listings show it.
struct FeedCard: Codable, Sendable, Hashable {
  /// What identifies the feed: the name of its source.
  var key: String
  /// Path of its page from the site's root.
  var path: String
  var title: String
  var subtitle: String
  var link: String?
  var image: String?
  var language: String?
  var direction: String
}

/// A post as listings show it.
struct PostCard: Codable, Sendable, Hashable {
  /// The key of its feed.
  var feed: String
  /// Path of its page from the site's root.
  var path: String
  /// Path of the page of the post that stands for this one; nil when it has its own.
  var foldedInto: String?
  /// What the index wants kept; nil for pages of an earlier version.
  var memo: String?
  var title: String
  /// Whether the post has no title of its own, so that ``PostCard/title`` is the beginning of its text.
  var isUntitled: Bool
  var excerpt: String
  /// Seconds since 1970-01-01T00:00:00Z, nil when the feed did not say.
  var published: Int64?
  var readingMinutes: Int?
  var language: String?
  var direction: String
  var hasAudio: Bool
  var hasVideo: Bool
  var thumbnail: Picture?

  /// Path of the page on which it can be read.
  var page: String { foldedInto ?? path }

  struct Picture: Codable, Sendable, Hashable {
    var url: String
    var alternative: String
    var width: Int?
    var height: Int?
  }
}
