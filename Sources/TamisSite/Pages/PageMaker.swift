import TamisCore

/// Makes the pages of a site out of posts and of what is known about earlier ones.
struct PageMaker {
  let theme: Theme
  let title: String
  let manifest: SiteManifest
  private let feeds: [String: FeedCard]
  private let postsByFeed: [String: [PostCard]]
  /// Where each post stands among its feed's, by its page.
  private let positions: [String: Int]
  /// Posts that others stand for, by the page of those.
  private let copies: [String: [PostCard]]

  /// Posts on the index page; the feeds' pages list them all.
  private static let indexLength = 60

  /// - Parameter manifest: all feeds and posts to be listed, posts newest first.
  init(theme: Theme, title: String, manifest: SiteManifest) {
    self.theme = theme
    self.title = title
    self.manifest = manifest
    feeds = Dictionary(manifest.feeds.map { ($0.key, $0) }) { first, _ in first }
    postsByFeed = Dictionary(grouping: manifest.posts, by: \.feed)
    let placed = postsByFeed.values.flatMap { posts in posts.enumerated().map { ($1.path, $0) } }
    positions = Dictionary(placed) { first, _ in first }
    copies = Dictionary(grouping: manifest.posts.filter { $0.foldedInto != nil }, by: \.page)
  }

  func indexPage() -> [UInt8] {
    var page = common(root: "", title: title)
    page.set("description", "\(manifest.posts.count) posts from \(manifest.feeds.count) feeds")
    var groups: [(heading: String, cards: [PageContext])] = []
    for post in manifest.posts.lazy.filter({ $0.foldedInto == nil }).prefix(Self.indexLength) {
      let heading = post.published.map { DateText($0).long } ?? "Undated"
      if groups.last?.heading != heading { groups.append((heading, [])) }
      groups[groups.count - 1].cards.append(card(post, root: "", showsFeed: true))
    }
    page.set(
      "groups",
      groups.map { group in
        var context = PageContext()
        context.set("heading", group.heading)
        context.set("cards", group.cards)
        return context
      })
    page.set("feeds", manifest.feeds.map { feedItem($0, root: "") })
    return theme.render("index", page)
  }

  func feedPage(_ feed: FeedCard) -> [UInt8] {
    let root = "../"
    var page = common(root: root, title: "\(feed.title) · \(title)")
    page.set("description", feed.subtitle)
    let posts = postsByFeed[feed.key] ?? []
    var context = feedItem(feed, root: root)
    context.set("subtitle", feed.subtitle)
    context.set("link", feed.link)
    if let latest = posts.first?.published {
      context.set("updated_iso", DateText(latest).iso)
      context.set("updated_text", DateText(latest).long)
    }
    page.set("feed", context)
    page.set("cards", posts.map { card($0, root: root, showsFeed: false) })
    return theme.render("feed", page)
  }

  func postPage(_ post: Post, _ own: PostCard) -> [UInt8] {
    let root = "../../"
    let feed = feeds[own.feed]
    var page = common(root: root, title: "\(own.title) · \(feed?.title ?? title)")
    page.set("description", post.excerpt)
    var context = PageContext()
    context.set("title", own.title)
    context.set("untitled", own.isUntitled)
    context.set("content", post.content)
    context.set("lang", post.language)
    context.set("dir", own.direction)
    context.set("feed_title", feed?.title)
    context.set("feed_url", feed.map { root + $0.path })
    context.set("original", post.permalink?.url)
    context.set("original_host", post.permalink.map { Self.host(of: $0.url) })
    setDates(&context, post.published, post.updated)
    context.set("authors", post.authors.joined(separator: ", "))
    context.set("reading", post.readingMinutes.map { "\($0) min" })
    context.set("categories", post.categories)
    context.set("has_categories", !post.categories.isEmpty)
    context.set("lead", post.thumbnail?.isInBody == false ? own.thumbnail.map(pictureContext) : nil)
    context.set("enclosures", post.enclosures.map(enclosureItem))
    context.set("comments", post.comments)
    let others = alsoIn(own, root: root)
    context.set("has_also_in", !others.isEmpty)
    context.set("also_in", others)
    context.set("fields", fields(of: post))
    page.set("post", context)
    let neighbours = postsByFeed[own.feed] ?? []
    if let position = positions[own.path] {
      if position > 0 { page.set("newer", neighbour(neighbours[position - 1], root)) }
      if position + 1 < neighbours.count { page.set("older", neighbour(neighbours[position + 1], root)) }
    }
    return theme.render("post", page)
  }

  // MARK: - Parts

  /// The other feeds that have the post, by name, each once.
  private func alsoIn(_ post: PostCard, root: String) -> [PageContext] {
    let keys = Set((copies[post.path] ?? []).map(\.feed)).subtracting([post.feed])
    return manifest.feeds.filter { keys.contains($0.key) }.map { feed in
      var context = PageContext()
      context.set("title", feed.title)
      context.set("url", root + feed.path)
      return context
    }
  }

  /// What the feed says besides, for templates that know its names: `{{post.fields.dz_voteupcount}}`.
  private func fields(of post: Post) -> PageContext {
    var context = PageContext()
    for (name, value) in post.fields { context.set(name, value) }
    return context
  }

  private func common(root: String, title pageTitle: String) -> PageContext {
    var page = PageContext()
    // The words around the posts are English; each post says its own language.
    page.set("lang", "en")
    page.set("dir", "ltr")
    page.set("page_title", pageTitle)
    page.set("csp", Self.contentSecurityPolicy(theme.style))
    page.set("style", theme.style)
    page.set("root", root)
    page.set("site_title", title)
    page.set("generator", "Tamis")
    page.set("feed_count", manifest.feeds.count)
    page.set("post_count", manifest.posts.count)
    return page
  }

  /// Nothing but pictures, sound and film, and the one style sheet (Content Security Policy Level 3).
  static func contentSecurityPolicy(_ style: StyleSheet) -> String {
    "default-src 'none'; img-src https: http: data:; media-src https: http:; style-src '\(style.hash)'; "
      + "base-uri 'none'; form-action 'none'"
  }

  private func card(_ post: PostCard, root: String, showsFeed: Bool) -> PageContext {
    var card = PageContext()
    card.set("url", root + post.page)
    card.set("title", post.title)
    card.set("untitled", post.isUntitled)
    card.set("excerpt", post.isUntitled ? "" : post.excerpt)
    if showsFeed, let feed = feeds[post.feed] {
      card.set("feed_title", feed.title)
      card.set("feed_url", root + feed.path)
    }
    setDates(&card, post.published, nil)
    card.set("reading", post.readingMinutes.map { "\($0) min" })
    card.set("thumbnail", post.thumbnail.map(pictureContext))
    card.set("lang", post.language)
    card.set("dir", post.direction)
    card.set("audio", post.hasAudio)
    card.set("video", post.hasVideo)
    return card
  }

  private func feedItem(_ feed: FeedCard, root: String) -> PageContext {
    var item = PageContext()
    item.set("title", feed.title)
    item.set("url", root + feed.path)
    item.set("image", feed.image)
    item.set("lang", feed.language)
    item.set("dir", feed.direction)
    item.set("count", postsByFeed[feed.key]?.count ?? 0)
    return item
  }

  private func enclosureItem(_ enclosure: Enclosure) -> PageContext {
    var item = PageContext()
    let type = enclosure.type?.lowercased() ?? ""
    item.set("url", enclosure.url)
    item.set("type", type)
    item.set("name", Self.fileName(of: enclosure.url))
    item.set("size", enclosure.length.flatMap(Self.size))
    item.set("audio", type.hasPrefix("audio/"))
    item.set("video", type.hasPrefix("video/"))
    item.set("image", type.hasPrefix("image/"))
    return item
  }

  private func neighbour(_ post: PostCard, _ root: String) -> PageContext {
    var context = PageContext()
    context.set("url", root + post.page)
    context.set("title", post.title)
    return context
  }

  private func pictureContext(_ picture: PostCard.Picture) -> PageContext {
    var context = PageContext()
    context.set("url", picture.url)
    context.set("alt", picture.alternative)
    context.set("width", picture.width)
    context.set("height", picture.height)
    return context
  }

  private func setDates(_ context: inout PageContext, _ published: Int64?, _ updated: Int64?) {
    if let published {
      context.set("date_iso", DateText(published).iso)
      context.set("date_text", DateText(published).long)
    }
    // A change on the day it was published is no news.
    let changed = updated.map(DateText.init)
    if let changed, let updated, published.map({ updated > $0 && DateText($0).long != changed.long }) ?? true {
      context.set("updated_iso", changed.iso)
      context.set("updated_text", changed.long)
    }
  }

  private static func host(of url: String) -> String {
    let rest = url.split(separator: "/", omittingEmptySubsequences: true)
    let host = rest.count > 1 ? String(rest[1]) : url
    return host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
  }

  private static func fileName(of url: String) -> String {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    return path.split(separator: "/").last.map(String.init) ?? url
  }

  /// Megabytes with one digit, kilobytes below; nil for what cannot be true.
  private static func size(_ bytes: Int) -> String? {
    guard bytes >= 1000 else { return nil }
    if bytes < 1_000_000 { return "\(bytes / 1000) kB" }
    let tenths = bytes / 100_000
    return tenths % 10 == 0 ? "\(tenths / 10) MB" : "\(tenths / 10).\(tenths % 10) MB"
  }
}
