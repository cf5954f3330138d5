public import TamisCore
import FoundationEssentials
import TamisDigest

/// A feed whose posts are to be shown.
public struct SiteFeed: Sendable {
  /// What identifies the feed: the name of its source.
  public var key: String
  /// The feed's name as plain text; may be empty.
  public var title: String
  /// A line about it as plain text; may be empty.
  public var subtitle: String
  /// Its home page, http or https; nil when there is none that is safe to follow.
  public var link: String?
  /// Its picture, http or https; nil when there is none.
  public var image: String?
  /// Its language (BCP 47).
  public var language: String?
  /// Its posts in document order.
  public var posts: [SitePost]

  /// Makes a feed.
  public init(
    key: String, title: String, subtitle: String, link: String?, image: String?, language: String?,
    posts: [SitePost]
  ) {
    self.key = key
    self.title = title
    self.subtitle = subtitle
    self.link = link
    self.image = image
    self.language = language
    self.posts = posts
  }
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

  /// Makes a post with a page of its own, or folded into another.
  public init(post: Post, path: String, foldedInto: String? = nil, memo: String = "") {
    self.post = post
    self.path = path
    self.foldedInto = foldedInto
    self.memo = memo
  }
}

/// The last stage: posts to pages.
///
/// A page for each post, one for each feed, and the index.
public struct Site: Sendable {
  /// What publishing came to.
  public struct Summary: Sendable, Hashable {
    /// Files written because they were new or changed.
    public var written = 0
    /// Files that were left alone because they would not change.
    public var unchanged = 0
    /// Pages that were removed because their posts are not to be shown any more.
    public var removed = 0

    /// Nothing was published yet.
    public init() {}
  }

  private let folder: SiteFolder
  private let title: String
  private let earlier: SiteManifest

  /// Opens a site, or begins it when there is none.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - title: the name on the index page.
  /// - Throws: when the folder cannot be written to, or its manifest is one of a newer version or none at all.
  public init(path: String, title: String) throws(SiteError) {
    folder = try SiteFolder(root: path)
    self.title = title
    guard let bytes = folder.read(SiteManifest.fileName) else {
      if folder.contains("index.html") {
        throw SiteError(
          description: "\(path): this folder holds an index.html that tamis did not write; name another with --output")
      }
      earlier = SiteManifest()
      // From now on the folder is known to be ours, also when this run is cut short.
      _ = try folder.write(Self.encoded(earlier), to: SiteManifest.fileName)
      return
    }
    let file = "\(path)/\(SiteManifest.fileName)"
    guard let manifest = try? JSONDecoder().decode(SiteManifest.self, from: Data(bytes)) else {
      throw SiteError(description: "\(file): this is no manifest of a site; move it away, or name another --output")
    }
    guard manifest.version <= SiteManifest.currentVersion else {
      throw SiteError(description: "\(file): this site was written by a newer tamis; use that one, or another --output")
    }
    earlier = manifest
  }

  /// The words by which a post's page is named.
  public static func name(of post: Post) -> String {
    Slug.of(post.title.isEmpty ? post.excerpt : post.title, fallback: "post")
  }

  /// The path of a post's page from the site's root, by the name that the index keeps for it.
  public static func path(ofPage name: String, inFeed key: String) -> String {
    "posts/\(feedSlug(key))/\(name).html"
  }

  /// The paths of the pages that earlier runs have left.
  public var pages: Set<String> { Set(earlier.posts.lazy.filter { $0.foldedInto == nil }.map(\.path)) }

  /// The posts that earlier runs have left, with what the index wanted kept.
  public var remembered: [(feed: String, path: String, memo: String)] {
    earlier.posts.map { ($0.feed, $0.path, $0.memo ?? "") }
  }

  /// Writes the pages of these feeds, and the listings of these and of what earlier runs left.
  ///
  /// - Parameter hidden: paths of pages that are not to be listed any more; those that are the site's own are removed.
  public func publish(_ feeds: [SiteFeed], hiding hidden: Set<String> = []) throws(SiteError) -> Summary {
    let cards = feeds.map { feed in feed.posts.map { card($0, feed) } }
    let manifest = merged(feedCards(feeds), cards.flatMap { $0 }, hidden)
    let maker = PageMaker(theme: .standard, title: title, manifest: manifest)
    var summary = Summary()
    func write(_ bytes: [UInt8], _ path: String) throws(SiteError) {
      switch try folder.write(bytes, to: path) {
      case .written: summary.written += 1
      case .unchanged: summary.unchanged += 1
      }
    }
    // Posts before what links to them: a run that is cut short leaves no dead link.
    for (feed, cards) in zip(feeds, cards) {
      for (post, card) in zip(feed.posts, cards) where post.foldedInto == nil {
        try write(maker.postPage(post.post, card), post.path)
      }
    }
    for feed in manifest.feeds { try write(maker.feedPage(feed), feed.path) }
    try write(maker.indexPage(), "index.html")
    try write(Self.encoded(manifest), SiteManifest.fileName)
    let listed = Set(manifest.posts.map(\.page))
    let stale = Set(earlier.posts.map(\.path)).union(hidden).subtracting(listed)
    for path in stale.sorted() where folder.removePage(path) { summary.removed += 1 }
    return summary
  }

  /// What earlier runs listed, with what this one has put over it.
  private func merged(_ feeds: [FeedCard], _ posts: [PostCard], _ hidden: Set<String>) -> SiteManifest {
    let newFeeds = Set(feeds.map(\.key))
    let newPaths = Set(posts.map(\.path))
    var manifest = SiteManifest()
    manifest.feeds = (feeds + earlier.feeds.filter { !newFeeds.contains($0.key) }).sorted { lhs, rhs in
      (lhs.title.lowercased(), lhs.key) < (rhs.title.lowercased(), rhs.key)
    }
    let all = (posts + earlier.posts.filter { !newPaths.contains($0.path) }).filter {
      !hidden.contains($0.path) && !hidden.contains($0.page)
    }
    // Newest first, undated last; what is of the same second keeps the order of its document.
    manifest.posts = all.enumerated().sorted { lhs, rhs in
      let (left, right) = (lhs.element, rhs.element)
      if left.published != right.published { return left.published ?? .min > right.published ?? .min }
      return left.feed == right.feed ? lhs.offset < rhs.offset : left.feed < right.feed
    }.map(\.element)
    return manifest
  }

  private static func encoded(_ manifest: SiteManifest) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(manifest) else { preconditionFailure("a manifest is made of plain values") }
    return Array(data)
  }

  private static func feedSlug(_ key: String) -> String {
    let name = key.split(separator: "/").last.map(String.init) ?? key
    return Slug.of(name.split(separator: ".").first.map(String.init) ?? name, fallback: "feed")
  }

  /// The feeds' cards.
  ///
  /// A feed keeps the page it got first; one whose name is taken gets a part of its key's digest too.
  private func feedCards(_ feeds: [SiteFeed]) -> [FeedCard] {
    let known = Dictionary(earlier.feeds.map { ($0.key, $0.path) }) { first, _ in first }
    var taken = Set(known.values)
    return feeds.map { feed in
      let slug = Self.feedSlug(feed.key)
      var path = known[feed.key] ?? "feeds/\(slug).html"
      if known[feed.key] == nil, taken.contains(path) { path = "feeds/\(slug)-\(SHA256(feed.key).hex.prefix(8)).html" }
      taken.insert(path)
      let title = feed.title.isEmpty ? feed.key : feed.title
      return FeedCard(
        key: feed.key, path: path, title: title, subtitle: feed.subtitle, link: feed.link, image: feed.image,
        language: feed.language, direction: TextDirection(language: feed.language, text: title).rawValue)
    }
  }

  private func card(_ shown: SitePost, _ feed: SiteFeed) -> PostCard {
    let post = shown.post
    let beginning = post.excerpt.split(separator: " ").prefix(12).joined(separator: " ")
    let types = post.enclosures.compactMap { $0.type?.lowercased() }
    return PostCard(
      feed: feed.key, path: shown.path, foldedInto: shown.foldedInto, memo: shown.memo,
      title: post.title.isEmpty ? (beginning.isEmpty ? "Untitled" : String(beginning.prefix(120))) : post.title,
      isUntitled: post.title.isEmpty, excerpt: post.excerpt, published: post.published,
      readingMinutes: post.readingMinutes, language: post.language, direction: post.direction.rawValue,
      hasAudio: types.contains { $0.hasPrefix("audio/") }, hasVideo: types.contains { $0.hasPrefix("video/") },
      thumbnail: post.thumbnail.map {
        PostCard.Picture(url: $0.url, alternative: $0.alternative, width: $0.width, height: $0.height)
      })
  }
}
