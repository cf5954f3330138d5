/// What a site shows and which files are its own, written beside its pages.
///
/// From it the listings are made again, so that posts which have left their feed stay listed.
struct SiteManifest: Decodable, Sendable {
  static let fileName = "tamis.json"
  static let currentVersion = 2

  var version = currentVersion
  /// The digest of all that the site was made of; a build that is given the same has nothing to do.
  var inputs: String?
  var feeds: [FeedCard] = []
  /// Newest first.
  var posts: [PostCard] = []
  /// Paths at which posts were before, and those at which they are now.
  var redirects: [String: String]?
  /// The files that the site has written, by path.
  var files: [String: FileMark]?
}

/// By what a file is known as it was written.
struct FileMark: Decodable, Sendable, Hashable {
  /// In bytes.
  var size: Int
  /// A 64-bit digest of its bytes, in hexadecimal.
  var digest: String
}

/// A feed as listings show it.
struct FeedCard: Decodable, Sendable, Hashable {
  /// What identifies the feed: the name of its source.
  var key: String
  /// Path of its page from the site's root.
  var path: String
  var title: String
  var subtitle: String
  var link: String?
  /// Where it is published; nil when it does not say, and for pages of an earlier version.
  var address: String?
  var image: String?
  var language: String?
  var direction: String
  /// How reading it went; nil for pages of an earlier version.
  var status: FeedStatus?
}

/// A post as listings show it.
struct PostCard: Decodable, Sendable, Hashable {
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
  var updated: Int64?
  /// Where it stands in time; see ``SitePost/place``.
  var place: Int64?
  /// Its number in the order in which posts came to the site: which page of many it is on follows from it, so that what
  /// comes later moves nothing.
  var order: Int?
  var readingMinutes: Int?
  var language: String?
  var direction: String
  var hasAudio: Bool
  var hasVideo: Bool
  var thumbnail: Picture?
  var tags: [String]?
  var authors: [String]?
  /// The page of the post elsewhere.
  var original: String?

  /// Path of the page on which it can be read.
  var page: String { foldedInto ?? path }

  struct Picture: Decodable, Sendable, Hashable {
    var url: String
    var alternative: String
    var width: Int?
    var height: Int?
  }
}
