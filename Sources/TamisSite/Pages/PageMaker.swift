import TamisCore

/// Makes the pages of a site out of posts and of what is known about earlier ones.
///
/// What pages have in common is here; each kind of page has a file of its own.
struct PageMaker {
  let options: Site.Options
  let manifest: SiteManifest
  let listings: Listings
  private let feeds: [FeedKey: FeedCard]
  /// Where each post stands in its feed's list, by its path.
  private let placesInFeed: [String: (listing: Int, place: Int)]
  /// Where each post stands among all that stand for themselves, by its path.
  private let placesInTime: [String: Int]
  /// Posts that others stand for, by the page of those.
  private let copies: [String: [PostCard]]
  /// Names of tags by their slugs, for links from posts.
  let tagSlugs: [String: String]
  /// The posts' cards as pages in folders show them, by place in the manifest.
  private let cards: [[UInt8]]
  /// What all pages have in common.
  private let shared: PageContext

  /// - Parameter manifest: all feeds and posts to be listed, posts newest first.
  init(options: Site.Options, manifest: SiteManifest) {
    self.options = options
    self.manifest = manifest
    listings = Listings(manifest)
    feeds = Dictionary(manifest.feeds.map { ($0.key, $0) }) { first, _ in first }
    var inFeed: [String: (Int, Int)] = [:]
    for (number, listing) in listings.feeds.enumerated() {
      for (place, post) in listing.posts.enumerated() { inFeed[manifest.posts[post].path] = (number, place) }
    }
    placesInFeed = inFeed
    placesInTime = Dictionary(listings.own.enumerated().map { (manifest.posts[$1].path, $0) }) { first, _ in first }
    copies = Dictionary(grouping: manifest.posts.filter { $0.foldedInto != nil }, by: \.page)
    var slugs: [String: String] = [:]
    for tag in Set(manifest.posts.lazy.map(\.listedTags).joined()) { slugs[tag] = Slug.ofTag(tag) }
    tagSlugs = slugs
    shared = Self.shared(options, posts: listings.own.count, feeds: manifest.feeds.count)
    var cards: [[UInt8]] = []
    cards.reserveCapacity(manifest.posts.count)
    for place in manifest.posts.indices {
      let feed = feeds[manifest.posts[place].feed]
      let card = Self.card(manifest.posts[place], root: "../", feed: feed, isOffline: options.isOffline)
      cards.append(options.theme.render("card", card))
    }
    self.cards = cards
  }

  func feed(of post: PostCard) -> FeedCard? { feeds[post.feed] }

  /// The posts that others stand for.
  func copies(of post: PostCard) -> [PostCard] { copies[post.path] ?? [] }

  /// The posts that stand in a feed of some list.
  var pathsInFeeds: Set<String> {
    let lists = [listings.own] + listings.feeds.map(\.posts)
    return Set(lists.lazy.flatMap { $0.prefix(FeedOutput.length) }.map { manifest.posts[$0].page })
  }

  // MARK: - Neighbours

  /// The places in the manifest of the newer and the older post of the same feed.
  func neighboursInFeed(_ post: PostCard) -> (newer: Int?, older: Int?) {
    guard let (listing, place) = placesInFeed[post.path] else { return (nil, nil) }
    return neighbours(listings.feeds[listing].posts, place)
  }

  /// The places in the manifest of the newer and the older post of all feeds.
  func neighboursInTime(_ post: PostCard) -> (newer: Int?, older: Int?) {
    guard let place = placesInTime[post.path] else { return (nil, nil) }
    return neighbours(listings.own, place)
  }

  private func neighbours(_ posts: [Int], _ place: Int) -> (newer: Int?, older: Int?) {
    (place > 0 ? posts[place - 1] : nil, place + 1 < posts.count ? posts[place + 1] : nil)
  }

  // MARK: - Parts of pages

  /// What every page has.
  func common(root: String, title pageTitle: String, description: String = "") -> PageContext {
    var page = shared
    page.set(.pageTitle, pageTitle)
    page.set(.description, description)
    page.set(.root, root)
    return page
  }

  private static func shared(_ options: Site.Options, posts: Int, feeds: Int) -> PageContext {
    var page = PageContext(capacity: 32)
    // The words around the posts are English; each post says its own language.
    page.set(.lang, "en")
    page.set(.dir, "ltr")
    page.set(.csp, contentSecurityPolicy(options.theme.style, isOffline: options.isOffline))
    page.set(.style, options.theme.style)
    page.set(.siteTitle, options.title)
    page.set(.generator, "Tamis")
    page.set(.postText, posts.counted("post"))
    page.set(.feedText, feeds.counted("feed"))
    return page
  }

  /// Nothing but pictures, sound and film, and the one style sheet (Content Security Policy Level 3).
  static func contentSecurityPolicy(_ style: StyleSheet, isOffline: Bool = false) -> String {
    contentSecurityPolicy(styles: [style.hash], isOffline: isOffline)
  }

  static func contentSecurityPolicy(styles: [String], isOffline: Bool) -> String {
    let sources = isOffline ? "img-src data:" : "img-src https: http: data:; media-src https: http:"
    return
      "default-src 'none'; \(sources); style-src \(styles.map { "'\($0)'" }.joined(separator: " ")); base-uri 'none'; form-action 'none'"
  }

  /// The cards of posts, for pages that are in a folder.
  func cards(_ posts: some Sequence<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    for post in posts { bytes += cards[post] }
    return bytes
  }

  /// A post in a list.
  func card(_ post: PostCard, root: String) -> PageContext {
    Self.card(post, root: root, feed: feeds[post.feed], isOffline: options.isOffline)
  }

  private static func card(_ post: PostCard, root: String, feed: FeedCard?, isOffline: Bool) -> PageContext {
    var card = PageContext(capacity: 20)
    card.set(.url, root + post.page)
    card.set(.title, post.title)
    card.set(.untitled, post.isUntitled)
    card.set(.excerpt, post.excerpt)
    card.set(.feedTitle, feed?.title)
    card.set(.feedURL, feed.map { root + $0.path })
    setDates(&card, post)
    card.set(.reading, post.readingMinutes.map { "\($0) min" })
    card.set(.thumbnail, post.thumbnail.flatMap { picture($0, isOffline: isOffline) })
    card.set(.lang, post.language)
    card.set(.dir, post.direction)
    card.set(.audio, post.hasAudio)
    card.set(.video, post.hasVideo)
    return card
  }

  func feedItem(_ feed: FeedCard, root: String, count: Int) -> PageContext {
    var item = PageContext()
    item.set(.title, feed.title)
    item.set(.url, root + feed.path)
    item.set(.image, options.isOffline ? nil : feed.image)
    item.set(.lang, feed.language)
    item.set(.dir, feed.direction)
    item.set(.count, count)
    item.set(.postText, count.counted("post"))
    return item
  }

  /// `1 post`, `2 posts`.

  /// A link with words.
  func link(_ title: String, _ url: String, count: Int? = nil) -> PageContext {
    var link = PageContext()
    link.set(.title, title)
    link.set(.url, url)
    link.set(.count, count)
    return link
  }

  /// A picture, nil when the page may not ask for it.
  static func picture(_ picture: PostCard.Picture, isOffline: Bool) -> PageContext? {
    if isOffline, !picture.url.hasPrefix("data:") { return nil }
    var context = PageContext()
    context.set(.url, picture.url)
    context.set(.alt, picture.alternative)
    context.set(.width, picture.width)
    context.set(.height, picture.height)
    return context
  }

  static func setDates(_ context: inout PageContext, _ post: PostCard) {
    if let published = post.published {
      let date = DateText(published)
      context.set(.dateISO, date.iso)
      context.set(.dateText, date.long)
      // It stands where it came, not where it says.
      context.set(.isAhead, post.place.map { $0 < published } ?? false)
    }
    if let updated = post.updated, post.wasUpdated {
      let date = DateText(updated)
      context.set(.updatedISO, date.iso)
      context.set(.updatedText, date.long)
    }
  }
}
