package import TamisCore

/// The files of a site for programs: feeds of its lists, the list of its feeds, a sitemap, and search data.
extension Site {
  /// The placeholder for an unknown site URL in feeds, which need one.
  private static let nowhere = "http://localhost/"

  private var address: String { settings.link ?? Self.nowhere }

  /// Returns the feeds of a list, at ``PostList/feedPaths``; a month has none.
  ///
  /// - Parameters:
  ///   - list: the list.
  ///   - entries: the newest posts, newest first, at most ``feedLength``; an entry with the same page as an earlier one
  ///     is the same post and is left out.
  ///   - history: the number of documents of the history of the list, whose last one the feeds name; 0 for none.
  /// - Returns: the files of the feeds; empty for a month.
  package func feeds(of list: PostList, entries: [OutputEntry], history: Int = 0) -> [SiteFile] {
    guard let base = list.feedBase, let output = output(of: list, entries, before: history) else { return [] }
    return list.feedFormats.map { format in
      let bytes =
        switch format {
        case .atom: output.atom()
        case .rss: output.rss()
        case .json: output.json()
        }
      return SiteFile(path: PagePath(base + format.rawValue), bytes: bytes)
    }
  }

  /// Returns the paths of a document of the history of all posts, as Atom and as JSON Feed.
  ///
  /// - Parameter number: from 1 for the posts that arrived first.
  /// - Returns: the paths.
  package static func paths(ofHistory number: Int) -> [PagePath] {
    [FeedOutput.path(ofHistory: number, "xml"), FeedOutput.path(ofHistory: number, "json")]
  }

  /// Returns a document of the history of all posts (RFC 5005, section 4), as Atom and as JSON Feed.
  ///
  /// A document does not name the one behind it, so that it stays as it is when that comes.
  ///
  /// - Parameters:
  ///   - number: from 1 for the posts that arrived first.
  ///   - entries: its posts, the last to arrive first, at most ``historyLength``.
  /// - Returns: the files.
  package func history(number: Int, entries: [OutputEntry]) -> [SiteFile] {
    guard let output = output(of: .all, entries, before: number - 1, number: number) else { return [] }
    return zip(Self.paths(ofHistory: number), [output.atom(), output.json()]).map { SiteFile(path: $0, bytes: $1) }
  }

  private func output(
    of list: PostList, _ entries: [OutputEntry], before previous: Int, number: Int? = nil
  ) -> FeedOutput? {
    guard let base = list.feedBase else { return nil }
    var pages: Set<PagePath> = []
    let title: String
    switch list {
    case .all: title = settings.title
    case .tag, .category: title = "\(self.title(of: list)) · \(settings.title)"
    case .feed, .month: title = self.title(of: list)
    }
    return FeedOutput(
      address: address, page: list.path, base: base, title: title, subtitle: list.feed?.subtitle ?? "",
      language: list.feed.map(\.language) ?? words.language,
      entries: entries.filter { pages.insert($0.item.page).inserted }.map {
        FeedOutput.Entry($0, title: named($0.item.card.heading), at: settings.link)
      }, number: number, previous: previous > 0 ? previous : nil)
  }

  /// Returns the list of the site's feeds (`feeds.opml`, OPML 2.0, http://opml.org/spec2.opml).
  ///
  /// A feed without a known URL is listed with the URL of the site's own feed of it.
  ///
  /// - Parameters:
  ///   - feeds: the feeds.
  ///   - category: the category of the feeds (`categories/NAME.opml`); nil for all feeds, in folders by category.
  /// - Returns: the file, `feeds.opml` or that of the category.
  package func opml(feeds: [FeedCard], category: CategoryCard? = nil) -> SiteFile {
    var xml = XMLText()
    xml.begin("opml", ["version": "2.0"])
    xml.begin("head")
    xml.element("title", category.map { "\($0.name) · \(settings.title)" } ?? settings.title)
    xml.element("docs", "http://opml.org/spec2.opml")
    xml.element("ownerName", settings.owner.name)
    xml.element("ownerEmail", settings.owner.email)
    xml.element("ownerId", settings.owner.link.ifHTTP)
    xml.end()
    xml.begin("body")
    for folder in category == nil ? Self.folders(feeds) : [(nil, feeds)] {
      if let name = folder.name { xml.begin("outline", ["text": HTMLText.harmless(name), "title": name]) }
      for feed in folder.feeds {
        let own = PostList.feed(feed).feedPaths.first.map { $0.url(at: address) }
        xml.empty(
          "outline",
          [
            "type": "rss", "text": HTMLText.harmless(feed.title), "title": feed.title,
            "xmlUrl": feed.address.ifHTTP.map { PublicAddress.withoutSecrets($0) } ?? own, "htmlUrl": feed.link.ifHTTP,
          ])
      }
      if folder.name != nil { xml.end() }
    }
    xml.end()
    xml.end()
    let path = category.map { Self.path(ofOPML: $0.slug) } ?? PagePath("feeds.opml")
    return SiteFile(path: path, bytes: xml.bytes)
  }

  /// Returns the path of the list of the feeds in a category.
  package static func path(ofOPML category: String) -> PagePath { PagePath("categories/\(category).opml") }

  /// Returns the feeds by category, in the order of the names; those without a category come last.
  private static func folders(_ feeds: [FeedCard]) -> [(name: String?, feeds: [FeedCard])] {
    var byName: [String: [FeedCard]] = [:]
    for feed in feeds { for category in feed.categories { byName[category.name, default: []].append(feed) } }
    let named = byName.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
      ($0.key as String?, $0.value)
    }
    return named + [(nil, feeds.filter(\.categories.isEmpty))]
  }

  // MARK: - Site map

  /// The XML namespace of a sitemap (https://www.sitemaps.org/protocol.html).
  private static let sitemapNamespace = "http://www.sitemaps.org/schemas/sitemap/0.9"

  /// Returns the path of a part of the sitemap, counted from 1.
  package static func path(ofSitemap number: Int) -> PagePath { PagePath("sitemap/\(number).xml") }

  private static let sitemapOfLists = PagePath("sitemap/lists.xml")

  /// Returns the index of the sitemap (`sitemap.xml`), or nil when the site's URL is not known.
  ///
  /// The index has no dates of changes, and so changes only with a new part.
  ///
  /// - Parameter partCount: the number of parts besides that of the lists.
  /// - Returns: the file; nil when the site's URL is not known.
  package func sitemapIndex(partCount: Int) -> SiteFile? {
    guard let address = settings.link else { return nil }
    var xml = XMLText()
    xml.begin("sitemapindex", ["xmlns": Self.sitemapNamespace])
    for path in [Self.sitemapOfLists] + (0..<max(partCount, 0)).map({ Self.path(ofSitemap: $0 + 1) }) {
      xml.begin("sitemap")
      xml.element("loc", path.url(at: address))
      xml.end()
    }
    xml.end()
    return SiteFile(path: PagePath("sitemap.xml"), bytes: xml.bytes)
  }

  /// Returns a part of the sitemap (`sitemap/1.xml`), or nil when the site's URL is not known.
  ///
  /// - Parameters:
  ///   - number: the number of the part, counted from 1.
  ///   - items: at most ``sitemapLength`` posts.
  /// - Returns: the file; nil when the site's URL is not known.
  package func sitemapPart(number: Int, items: [CardItem]) -> SiteFile? {
    sitemap(Self.path(ofSitemap: number), items.map { ($0.page, $0.card.updated ?? $0.card.published) })
  }

  /// Returns the part of the sitemap with the first ``sitemapLists`` pages of lists (`sitemap/lists.xml`).
  ///
  /// The result is nil when the site's URL is not known.
  package func sitemapLists(_ paths: [PagePath]) -> SiteFile? {
    sitemap(Self.sitemapOfLists, paths.prefix(Self.sitemapLists).map { ($0, nil) })
  }

  private func sitemap(_ path: PagePath, _ pages: [(path: PagePath, changed: Int64?)]) -> SiteFile? {
    guard let address = settings.link else { return nil }
    var xml = XMLText()
    xml.begin("urlset", ["xmlns": Self.sitemapNamespace])
    for page in pages {
      xml.begin("url")
      xml.element("loc", page.path.url(at: address))
      xml.element("lastmod", page.changed.map { DateText($0).iso })
      xml.end()
    }
    xml.end()
    return SiteFile(path: path, bytes: xml.bytes)
  }

  // MARK: - Search

  /// Returns the path of a part of the search data, counted from 1.
  package static func path(ofSearch number: Int) -> PagePath { PagePath("search/\(number).json") }

  /// Returns the list of the parts of the search data (`search.json`).
  package func searchIndex(partCount: Int) -> SiteFile {
    let bytes = JSONWriter.line { writer in
      writer.member("generator", "Tamis")
      writer.array("parts") { writer in
        for number in 0..<max(partCount, 0) { writer.string(Self.path(ofSearch: number + 1).text) }
      }
    }
    return SiteFile(path: PagePath("search.json"), bytes: bytes)
  }

  /// Returns a part of the search data: posts with their text in lists, for programs that build a search.
  ///
  /// - Parameters:
  ///   - number: the number of the part, counted from 1.
  ///   - items: at most ``searchLength`` posts.
  /// - Returns: the file, in JSON.
  package func searchPart(number: Int, items: [CardItem]) -> SiteFile {
    let bytes = JSONWriter.line { writer in
      writer.member("generator", "Tamis")
      writer.array("posts") { writer in
        for item in items {
          writer.breakLine()
          found(item, &writer)
        }
      }
    }
    return SiteFile(path: Self.path(ofSearch: number), bytes: bytes)
  }

  private func found(_ item: CardItem, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("url", item.page.text)
      writer.member("title", named(item.card.heading))
      writer.member("feed", item.feed.title)
      writer.member("date", item.card.published.map { DateText($0).iso })
      writer.member("excerpt", item.card.excerpt)
      guard !item.card.tags.isEmpty else { return }
      writer.member("tags", item.card.tags)
    }
  }

  // MARK: - Servers

  /// Returns the headers that servers should send with every page (`_headers`, `server/nginx.conf`,
  /// `server/Caddyfile`).
  package func serverHeaders() -> [SiteFile] {
    let headers = ServerHeaders(settings)
    return [("_headers", headers.netlify), ("server/nginx.conf", headers.nginx), ("server/Caddyfile", headers.caddy)]
      .map { SiteFile(path: PagePath($0), bytes: Array($1.utf8)) }
  }

  /// Returns the theme's style sheet, which all pages link; its name changes with its content.
  package func styleSheet() -> SiteFile {
    SiteFile(path: PagePath(theme.style.fileName), bytes: theme.style.bytes)
  }

  /// Returns the icon of the site for browser tabs: a sieve.
  package func icon() -> SiteFile {
    let svg = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><!-- Written by Tamis -->
      <circle cx="16" cy="16" r="13" fill="#fbf9f5" stroke="#8a6a48" stroke-width="4"/>
      <path d="M11 7v18M16 5v22M21 7v18M7 11h18M5 16h22M7 21h18" stroke="#a02348" stroke-width="1.4"/></svg>

      """
    return SiteFile(path: PagePath("icon.svg"), bytes: Array(svg.utf8))
  }
}

extension PagePath {
  /// Returns the URL of a page, escaped, since names of pages may be in any script.
  ///
  /// - Parameter address: the URL of the site, with a trailing slash.
  /// - Returns: the URL, with all bytes that are not ASCII percent-encoded.
  func url(at address: String) -> String { address + Self.percentEncoded(text) }

  /// Returns a path with non-ASCII bytes percent-encoded.
  static func percentEncoded(_ path: String) -> String {
    if path.utf8.allSatisfy({ $0 < 0x80 }) { return path }
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in path.utf8 {
      if byte < 0x80 {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
