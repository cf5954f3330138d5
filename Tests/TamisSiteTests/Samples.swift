import TamisCore
import TamisSanitizer
import TamisSite

/// Values to make pages of.
enum Samples {
  static func site(
    theme: Site.Theme = .standard, words: Site.Words = .standard, _ change: (inout SiteSettings) -> Void = { _ in }
  ) -> Site {
    var settings = SiteSettings(title: "T")
    change(&settings)
    return Site(settings, theme: theme, words: words)
  }

  static let feed = feed("a")

  static func feed(_ slug: String, title: String = "Feed") -> FeedCard {
    FeedCard(key: Feed.Key("\(slug).xml"), slug: slug, title: title)
  }

  static func item(_ number: Int, _ change: (inout Post.Card) -> Void = { _ in }) -> CardItem {
    var card = Post.Card()
    card.title = "Post \(number)"
    let time = 1_700_000_000 + Int64(number) * 3600
    card.published = time
    change(&card)
    return CardItem(card: card, sortDate: time, page: page(number), feed: feed)
  }

  static func page(_ number: Int) -> PagePath { PagePath(ofPost: "\(number)", feedSlug: "a") }

  /// Items, the newest first.
  static func items(_ numbers: ClosedRange<Int>) -> [CardItem] { numbers.reversed().map { item($0) } }

  static func sanitized(_ markup: String) -> SanitizedHTML { Sanitizer.reading.sanitize(markup).html }

  static func view(_ item: CardItem, _ markup: String = "<p>body</p>", isOffline: Bool = false) -> PostView {
    PostView(item: item, details: Post.Details(), body: PageBody(sanitized(markup), isOffline: isOffline))
  }

  /// Every kind of page, made of one item.
  static func pages(_ site: Site, _ item: CardItem, _ view: PostView) -> [SiteFile] {
    let feed = FeedItem(feed: item.feed, count: 3)
    let neighbour = Neighbour(title: item.card.heading, page: item.page)
    let tag = PostList.tag(slug: "t", name: item.card.title)
    return [
      site.postPage(view),
      site.redirectPage(from: PagePath("posts/a/old.html"), to: item.page),
      site.missingPage(),
      site.updatedPage([item]),
      site.listPage(.feed(item.feed), items: [item], count: 61, pageCount: 2, newest: item.sortDate),
      site.listPage(tag, items: [item], count: 1, pageCount: 0, newest: nil),
      site.listPage(.month(year: 2026, month: 11), items: [item], count: 1, pageCount: 0, newest: nil),
      site.numberedPage(.feed(item.feed), number: 1, items: [item], pageCount: 2),
      site.numberedPage(tag, number: 2, items: [item], pageCount: 2),
      site.numberedPage(.all, number: 2, items: [item], pageCount: 3),
      site.indexPage(FrontView(items: [item], feeds: [feed], postCount: 61, feedCount: 2, pageCount: 2)),
      site.archivePage(years: [2026], hasUndated: true, hasTags: true, pageCount: 2),
      site.yearPage(year: 2026, months: [MonthItem(month: 11, count: 3)]),
      site.tagIndexPage(parts: ["a", "b"]),
      site.tagPartPage(
        prefix: "a",
        tags: [
          TagItem(slug: "t", name: item.card.title, count: 5, posts: []),
          TagItem(slug: "u", name: item.card.title, count: 1, posts: [neighbour]),
        ]),
      site.aboutPage(number: 1, of: 2, feeds: [feed], feedCount: 101),
      site.statusPage(number: 2, of: 3, feeds: [StatusItem(feed)]),
      site.searchPage(),
    ]
  }
}

extension SiteFile {
  /// What it holds as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The addresses that it links to, without those of the web and of data.
  var links: [String] {
    text.split(separator: "href=\"").dropFirst().map { $0.prefix { $0 != "\"" && $0 != "#" } }
      .filter { !$0.isEmpty && !$0.hasPrefix("data:") && !$0.hasPrefix("https:") }.map(String.init)
  }
}

extension CardItem {
  /// The item with another sort date.
  func sorted(by sortDate: Int64?) -> CardItem {
    var item = self
    item.sortDate = sortDate
    return item
  }
}
