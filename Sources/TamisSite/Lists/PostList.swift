package import TamisCore

/// A format in which a site offers its posts to programs that read feeds, by what ends the names of its files.
enum FeedFormat: String, CaseIterable {
  /// Atom 1.0 (RFC 4287).
  case atom = "atom.xml"
  /// RSS 2.0 (https://www.rssboard.org/rss-specification).
  case rss = "rss.xml"
  /// JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).
  case json = "feed.json"
}

/// A list of posts that has pages: all of them, those of a feed, with a tag, of a category of feeds, of a month.
///
/// The page of a list shows the newest. When there are more, all are also on numbered pages, the first posts on the first: what
/// comes later only adds to the last of those.
package enum PostList: Sendable, Hashable {
  /// All canonical posts; its page is the front page.
  case all
  /// The posts of a feed.
  case feed(FeedCard)
  /// The posts with a tag.
  ///
  /// - Parameters:
  ///   - slug: what its pages are called, as ``Slug/ofTag(_:)`` has it.
  ///   - name: the tag as it is read.
  case tag(slug: String, name: String)
  /// The posts of the feeds in a category.
  case category(CategoryCard)
  /// The posts of a month in UTC, whatever time zone the pages show: the page of a post never changes.
  ///
  /// - Parameters:
  ///   - year: 1 to 9999.
  ///   - month: 1 to 12.
  case month(year: Int, month: Int)

  /// The path of its page without the ending, such as `feeds/blog`, `tags/swift` and `months/2026-11`.
  package var base: String {
    switch self {
    case .all: "index"
    case .feed(let feed): "feeds/\(feed.slug)"
    case .tag(let slug, _): "tags/\(slug)"
    case .category(let category): "categories/\(category.slug)"
    case .month(let year, let month): "months/\(DateText.month(year, month))"
    }
  }

  /// Its page.
  package var path: PagePath { PagePath("\(base).html") }

  /// One of its numbered pages, counted from 1.
  package func path(ofPage number: Int) -> PagePath {
    self == .all ? PagePath("page/\(number).html") : PagePath("\(base).\(number).html")
  }

  /// The formats of its feeds: all there are for all posts, Atom for other lists.
  ///
  /// Each holds bodies, so that a feed in three formats would be on the site four times with its pages.
  var feedFormats: [FeedFormat] { self == .all ? FeedFormat.allCases : [.atom] }

  /// Its feeds; a month has none.
  package var feedPaths: [PagePath] {
    feedBase.map { base in feedFormats.map { PagePath(base + $0.rawValue) } } ?? []
  }

  /// The path of its feeds without `atom.xml`, `rss.xml` and `feed.json`; nil when it has none.
  var feedBase: String? {
    switch self {
    case .all: ""
    case .feed, .tag, .category: "\(base)."
    case .month: nil
    }
  }

  /// The feed whose posts it lists.
  var feed: FeedCard? {
    if case .feed(let feed) = self { feed } else { nil }
  }
}
