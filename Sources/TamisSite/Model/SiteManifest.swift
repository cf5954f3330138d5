import TamisCore
import TamisDigest

/// What a site shows and which files are its own, written beside its pages.
///
/// From it the listings are made again, so that posts which have left their feed stay listed.
struct SiteManifest: Decodable, Sendable {
  static let fileName = "tamis.json"
  static let currentVersion = 3

  var version = currentVersion
  /// The digest of all that the site was made of; a build that is given the same has nothing to do.
  var inputs: String?
  var feeds: [FeedCard] = []
  /// Newest first.
  var posts: [PostCard] = []
  /// Paths at which posts were before, and those at which they are now.
  var redirects: [String: String]?
  /// How the pages look that are there: this build's and, where pages were kept, those of earlier ones.
  var looks: [Look]?
  /// The files that the site has written, by path.
  var files: [String: FileMark]?
}

/// What of a page's policy depends on how the site was built.
struct Look: Decodable, Sendable, Hashable {
  /// The hash of the style sheet.
  var style: String
  /// Whether the page asks nobody for anything.
  var isOffline: Bool
}

/// By what a file is known as it was written.
struct FileMark: Decodable, Sendable, Hashable {
  /// In bytes.
  var size: Int
  /// Of its bytes.
  var digest: Checksum

  init(_ bytes: [UInt8]) {
    size = bytes.count
    digest = Checksum(bytes)
  }

  /// Whether a file is as it was written, as far as can be told.
  func fits(_ bytes: [UInt8]) -> Bool { size == bytes.count && digest == Checksum(bytes) }
}

/// A feed as listings show it.
struct FeedCard: Decodable, Sendable, Hashable {
  /// What names the feed from run to run.
  var key: FeedKey
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
  var feed: FeedKey
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

  /// Its tags that have pages: each costs four files.
  var listedTags: ArraySlice<String> { (tags ?? []).prefix(Limits.standard.listedTags) }

  /// Path of the page on which it can be read.
  var page: String { foldedInto ?? path }

  /// Whether it was changed after it was published: on the same day that is no news.
  var wasUpdated: Bool { updated.map { updated in published.map { updated >= $0 + 86_400 } ?? true } ?? false }

  struct Picture: Decodable, Sendable, Hashable {
    var url: String
    var alternative: String
    var width: Int?
    var height: Int?
  }
}

extension SiteManifest {
  /// The manifest without what no build writes: the file may be anybody's by now.
  var checked: SiteManifest {
    var manifest = self
    manifest.feeds = feeds.filter { Self.isPage($0.path, in: "feeds/") }.map { feed in
      var feed = feed
      feed.link = Self.address(feed.link)
      feed.address = Self.address(feed.address)
      feed.image = Self.address(feed.image)
      return feed
    }
    manifest.posts = posts.filter { Self.isPage($0.path, in: "posts/") && Self.isPage($0.page, in: "posts/") }.map {
      post in
      var post = post
      post.published = Self.time(post.published)
      post.updated = Self.time(post.updated)
      post.place = Self.time(post.place)
      post.order = post.order.flatMap { (0..<1 << 40).contains($0) ? $0 : nil }
      post.original = Self.address(post.original)
      let isPicture = post.thumbnail.map { $0.url.hasPrefix("data:image/") || Self.address($0.url) != nil } ?? true
      if !isPicture { post.thumbnail = nil }
      return post
    }
    manifest.redirects = redirects?.filter { Self.isPage($0.key, in: "posts/") && Self.isPage($0.value, in: "posts/") }
    manifest.looks = looks?.filter { StyleSheet.isHash($0.style) }
    return manifest
  }

  /// Whether a path is one that a build gives a page: it becomes a file's name and a link.
  private static func isPage(_ path: String, in folder: String) -> Bool {
    guard path.hasPrefix(folder), path.hasSuffix(".html"), SiteFolder.isInside(path), path.utf8.count <= 1000 else {
      return false
    }
    // Letters and digits of any script, with their marks; see Slug.
    return path.unicodeScalars.allSatisfy { scalar in
      if scalar.isASCII { return UInt8(scalar.value).isASCIIAlphanumeric || "-_./".unicodeScalars.contains(scalar) }
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .spacingMark: return true
      default: return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      }
    } && !path.contains("/.")
  }

  private static func address(_ text: String?) -> String? {
    text.flatMap { $0.isWebAddress ? $0 : nil }
  }

  /// A time in the years 1 to 9999.
  private static func time(_ seconds: Int64?) -> Int64? {
    seconds.flatMap { (-62_135_596_800...253_402_300_799).contains($0) ? $0 : nil }
  }
}
