/// A list of posts that has a page: those of a feed, with a tag, of a month.
///
/// The page shows the newest. When there are more, all are also on numbered pages, the first posts on the first; what comes
/// later only adds to the last of those.
struct Listing: Sendable {
  enum Kind: Sendable {
    case feed, tag, month
  }

  /// Posts on the first page of a list.
  static let newest = 60
  /// Posts on a numbered page.
  static let pageLength = 50

  var kind: Kind
  /// The path of its page from the site's root, without ending.
  var base: String
  var title: String
  /// Places of its posts in the manifest, newest first.
  var posts: [Int]

  var path: String { base + ".html" }

  /// The path of a numbered page.
  func path(ofPage number: Int) -> String { "\(base).\(number).html" }

  /// The numbered pages, the oldest first; none when one page shows all.
  func pages(_ cards: [PostCard]) -> [[Int]] {
    guard posts.count > Self.newest else { return [] }
    let ordered = posts.sorted { (cards[$0].order ?? 0) < (cards[$1].order ?? 0) }
    return stride(from: 0, to: ordered.count, by: Self.pageLength).map { start in
      ordered[start..<min(start + Self.pageLength, ordered.count)].sorted()
    }
  }
}

/// The lists of a site.
struct Listings: Sendable {
  private(set) var feeds: [Listing] = []
  private(set) var tags: [Listing] = []
  private(set) var months: [Listing] = []
  /// Places of posts that stand for themselves, newest first.
  let own: [Int]
  /// The numbered pages of all posts by number; a page may be empty or missing when its posts are gone.
  private(set) var pages: [(number: Int, posts: [Int])] = []
  /// The path of a tag's page, without ending, by its slug.
  static func tagBase(_ slug: String) -> String { "tags/\(slug)" }

  init(_ manifest: SiteManifest) {
    let cards = manifest.posts
    own = cards.indices.filter { cards[$0].foldedInto == nil }
    let byFeed = Dictionary(grouping: cards.indices, by: { cards[$0].feed })
    feeds = manifest.feeds.map { feed in
      Listing(
        kind: .feed, base: String(feed.path.dropLast(".html".count)), title: feed.title, posts: byFeed[feed.key] ?? [])
    }
    tags = Self.tags(cards, own)
    months = Self.months(cards, own)
    if own.count > Listing.newest {
      let byPage = Dictionary(grouping: own, by: { (cards[$0].order ?? 0) / Listing.pageLength + 1 })
      pages = byPage.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
  }

  /// Tags that differ only in case, spaces and hyphens are one; its name is what most posts call it.
  private static func tags(_ cards: [PostCard], _ own: [Int]) -> [Listing] {
    var posts: [String: [Int]] = [:]
    var names: [String: [String: Int]] = [:]
    var slugs: [String: String] = [:]
    for index in own {
      var seen: Set<String> = []
      for tag in cards[index].listedTags {
        let slug = slugs[tag] ?? Slug.ofTag(tag)
        slugs[tag] = slug
        guard seen.insert(slug).inserted else { continue }
        posts[slug, default: []].append(index)
        names[slug, default: [:]][tag, default: 0] += 1
      }
    }
    return posts.sorted { $0.key < $1.key }.map { slug, posts in
      let name = names[slug]?.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? slug
      return Listing(kind: .tag, base: tagBase(slug), title: name, posts: posts)
    }
  }

  private static func months(_ cards: [PostCard], _ own: [Int]) -> [Listing] {
    var posts: [Int: (date: DateText, places: [Int])] = [:]
    for index in own {
      guard let place = cards[index].place else { continue }
      let date = DateText(place)
      posts[date.monthNumber, default: (date, [])].places.append(index)
    }
    return posts.sorted { $0.key > $1.key }.map { _, month in
      Listing(kind: .month, base: "months/\(month.date.monthKey)", title: month.date.month, posts: month.places)
    }
  }
}
