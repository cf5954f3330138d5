import TamisCore

/// What a site offers besides pages: feeds of its lists, the list of its feeds, a map, data to search in, and what servers
/// are to be told.
struct Outputs {
  private let maker: PageMaker
  /// Posts whose feeds have them still, by path.
  private let posts: [String: Post]
  /// What an earlier build has written at a path.
  private let earlier: (String) -> [UInt8]?
  private let sanitize: (String) -> SanitizedHTML

  /// Stands for the site's address in feeds, which need one, as long as it is not known.
  private static let nowhere = "http://localhost/"

  private var address: String { maker.options.address ?? Self.nowhere }
  private var manifest: SiteManifest { maker.manifest }

  init(
    _ maker: PageMaker, posts: [String: Post], earlier: @escaping (String) -> [UInt8]?,
    sanitize: @escaping (String) -> SanitizedHTML
  ) {
    self.maker = maker
    self.posts = posts
    self.earlier = earlier
    self.sanitize = sanitize
  }

  func write(_ put: PageMaker.Put) throws(SiteError) {
    try feeds("", page: "index.html", maker.options.title, "", maker.listings.own, put)
    for (feed, listing) in zip(manifest.feeds, maker.listings.feeds) {
      try feeds(listing.base + ".", page: listing.path, listing.title, feed.subtitle, listing.posts, put)
    }
    for tag in maker.listings.tags {
      // Excerpts: a post has many tags, and its body is in the feed of its feed.
      try feeds(
        tag.base + ".", page: tag.path, "\(tag.title) · \(maker.options.title)", "", tag.posts, hasBodies: false, put)
    }
    try put("feeds.opml", opml())
    try put("search.json", search())
    if maker.options.address != nil { try put("sitemap.xml", sitemap()) }
    let headers = ServerHeaders(maker.options, styles: (manifest.looks ?? []).map(\.style))
    try put("_headers", Array(headers.netlify.utf8))
    try put("server/nginx.conf", Array(headers.nginx.utf8))
    try put("server/Caddyfile", Array(headers.caddy.utf8))
  }

  private func feeds(
    _ base: String, page: String, _ title: String, _ subtitle: String, _ places: [Int], hasBodies: Bool = true,
    _ put: PageMaker.Put
  ) throws(SiteError) {
    var entries = places.prefix(FeedOutput.length).map { place in
      let card = manifest.posts[place]
      var entry = FeedOutput.Entry(card: card, feedTitle: maker.feed(of: card)?.title)
      if hasBodies { entry.content = posts[card.page]?.content }
      entry.enclosures = posts[card.page]?.enclosures ?? []
      return entry
    }
    if hasBodies, entries.contains(where: { $0.content == nil }),
      let file = earlier(base + "feed.json").map(EarlierFeed.init)
    {
      for index in entries.indices where entries[index].content == nil { file.complete(&entries[index], sanitize) }
    }
    let output = FeedOutput(
      address: address, page: page, base: base, title: title, subtitle: subtitle, entries: entries)
    try put(base + "atom.xml", output.atom())
    try put(base + "rss.xml", output.rss())
    try put(base + "feed.json", output.json())
  }

  /// The feeds that the site is made of (OPML 2.0, http://opml.org/spec2.opml).
  ///
  /// A feed that does not say where it is published is named by the one that the site makes of it.
  private func opml() -> [UInt8] {
    var xml = XMLText()
    xml.begin("opml", ["version": "2.0"])
    xml.begin("head")
    xml.element("title", maker.options.title)
    xml.element("docs", "http://opml.org/spec2.opml")
    xml.element("ownerName", "Tamis")
    xml.end()
    xml.begin("body")
    for (feed, listing) in zip(manifest.feeds, maker.listings.feeds) {
      let own = address + percentEncoded(listing.base) + ".atom.xml"
      xml.empty(
        "outline",
        [
          "type": "rss", "text": HTMLText.harmless(feed.title), "title": feed.title, "xmlUrl": feed.address ?? own,
          "htmlUrl": feed.link,
        ])
    }
    xml.end()
    xml.end()
    return xml.bytes
  }

  /// All pages (https://www.sitemaps.org/protocol.html).
  private func sitemap() -> [UInt8] {
    var xml = XMLText()
    xml.begin("urlset", ["xmlns": "http://www.sitemaps.org/schemas/sitemap/0.9"])
    func page(_ path: String, _ changed: Int64?) {
      xml.begin("url")
      xml.element("loc", address + percentEncoded(path))
      xml.element("lastmod", changed.map { DateText($0).iso })
      xml.end()
    }
    // A map of more than that is refused.
    let posts = maker.listings.own.prefix(49_000)
    page("index.html", nil)
    for listing in (maker.listings.feeds + maker.listings.tags + maker.listings.months).prefix(900) {
      page(listing.path, nil)
    }
    for place in posts {
      page(manifest.posts[place].path, manifest.posts[place].updated ?? manifest.posts[place].published)
    }
    xml.end()
    return xml.bytes
  }

  /// All posts with their words in lists, for who wants to build a search.
  private func search() -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("generator", "Tamis")
      writer.key("posts")
      writer.array { writer in
        for place in maker.listings.own { found(manifest.posts[place], &writer) }
      }
    }
    writer.endLine()
    return writer.bytes
  }

  private func found(_ post: PostCard, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("url", post.path)
      writer.member("title", post.title)
      writer.member("feed", maker.feed(of: post)?.title)
      writer.member("date", post.published.map { DateText($0).iso })
      writer.member("excerpt", post.excerpt)
      guard let tags = post.tags else { return }
      writer.key("tags")
      writer.array { writer in for tag in tags { writer.string(tag) } }
    }
  }
}
