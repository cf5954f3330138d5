package import TamisCore

/// A format of a site's own feeds; the raw value is the end of the file name.
enum FeedFormat: String, CaseIterable {
  /// Atom 1.0 (RFC 4287).
  case atom = "atom.xml"
  /// RSS 2.0 (https://www.rssboard.org/rss-specification).
  case rss = "rss.xml"
  /// JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).
  case json = "feed.json"
}

/// A list of posts with pages: all posts, or those of a feed, a tag, a category of feeds, or a month.
///
/// The page of a list shows the newest posts. When there are more, all are also on numbered pages, the oldest on the
/// first, so that later posts only change the last of these pages.
package enum PostList: Sendable, Hashable {
  /// All canonical posts; its page is the front page.
  case all
  /// The posts of a feed.
  case feed(FeedCard)
  /// The posts with a tag.
  ///
  /// - Parameters:
  ///   - slug: the name of its pages, see ``Slug/ofTag(_:)``.
  ///   - name: the tag as shown.
  case tag(slug: String, name: String)
  /// The posts of the feeds in a category.
  case category(CategoryCard)
  /// The posts of a month in UTC, whatever time zone the pages show, since the page of a post never changes.
  ///
  /// - Parameters:
  ///   - year: from 1 to 9999.
  ///   - month: from 1 to 12.
  case month(year: Int, month: Int)

  /// The path of the list's page without the extension, such as `feeds/blog`, `tags/swift` and `months/2026-11`.
  package var base: String {
    switch self {
    case .all: "index"
    case .feed(let feed): "feeds/\(feed.slug)"
    case .tag(let slug, _): "tags/\(slug)"
    case .category(let category): "categories/\(category.slug)"
    case .month(let year, let month): "months/\(DateText.month(year, month))"
    }
  }

  /// The path of the list's page.
  package var path: PagePath { PagePath("\(base).html") }

  /// Returns the path of a numbered page, counted from 1.
  package func path(ofPage number: Int) -> PagePath {
    self == .all ? PagePath("page/\(number).html") : PagePath("\(base).\(number).html")
  }

  /// The formats of the list's feeds: all formats for all posts, Atom for other lists.
  ///
  /// Feeds contain bodies; in three formats each body would be on the site four times.
  var feedFormats: [FeedFormat] { self == .all ? FeedFormat.allCases : [.atom] }

  /// The paths of the list's feeds; a month has none.
  package var feedPaths: [PagePath] {
    feedBase.map { base in feedFormats.map { PagePath(base + $0.rawValue) } } ?? []
  }

  /// The path of the list's feeds without `atom.xml`, `rss.xml` and `feed.json`; nil when it has none.
  var feedBase: String? {
    switch self {
    case .all: ""
    case .feed, .tag, .category: "\(base)."
    case .month: nil
    }
  }

  /// The feed whose posts are listed; nil for other lists.
  var feed: FeedCard? {
    if case .feed(let feed) = self { feed } else { nil }
  }
}
