package import TamisCore
package import TamisURL
import TamisHTML

/// A feed to which a page refers.
package struct DiscoveredFeed: Sendable, Hashable {
  /// The way in which the page refers to a feed, from the most to the least reliable.
  package enum Source: Int, Sendable, Hashable, Comparable {
    /// `link rel=alternate` with the type of a feed.
    ///
    /// See https://html.spec.whatwg.org/multipage/links.html#rel-alternate.
    case alternate
    /// A link as for ``alternate``, to the comments or to a part of the site.
    case part
    /// A link in the page whose address looks like that of a feed.
    case anchor
    /// No reference: a path at which many sites have their feed.
    case usualPath

    /// Orders the more reliable source first.
    package static func < (lhs: Source, rhs: Source) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// The URL of the feed.
  package var address: String
  /// The title in the page; may be empty.
  package var title: String
  /// The way in which the page refers to the feed.
  package var source: Source
}

/// Finds the feeds to which a page refers.
package enum DiscoveredFeeds {
  /// The maximum number of feeds of one page.
  package static let most = 50

  /// Returns the feeds to which a page refers, the best first.
  ///
  /// - Parameters:
  ///   - page: the bytes of the page, or of its beginning.
  ///   - base: the URL of the page; without it, only absolute addresses count.
  ///   - fields: the header fields of the page, whose links count before its own.
  /// - Returns: the feeds, each address once; empty when there are none.
  package static func find(in page: [UInt8], base: WebURL?, fields: [HeaderField] = []) -> [DiscoveredFeed] {
    let finder = LinkFinder(page, base, fields)
    var seen: Set<String> = []
    let links = finder.links.enumerated().sorted { ($0.element.source, $0.offset) < ($1.element.source, $1.offset) }
    return Array(links.map(\.element).filter { seen.insert($0.address).inserted }.prefix(most))
  }

  /// Returns the page to which a page leads by `meta http-equiv=refresh`, or by the field `Refresh`; nil when it stays.
  ///
  /// - Parameters:
  ///   - page: the bytes of the page, or of its beginning.
  ///   - base: the URL of the page.
  ///   - fields: the header fields of the page.
  /// - Returns: the URL; nil also for one that leads from https to http.
  package static func refresh(of page: [UInt8], base: WebURL, fields: [HeaderField]) -> WebURL? {
    guard let next = LinkFinder(page, base, fields).refresh?.removingFragment, next.isHTTP else { return nil }
    return next == base.removingFragment || base.scheme == "https" && next.scheme == "http" ? nil : next
  }

  /// Returns common paths of feeds, to be tried when a page refers to none.
  package static func usualPaths(of page: WebURL) -> [DiscoveredFeed] {
    let near = ["feed", "feed/", "rss", "atom.xml", "index.xml", "feed.xml", "rss.xml", "feed.json"]
    let all = near.map { WebURL($0, base: page) } + near.map { WebURL("/" + $0, base: page) }
    var seen: Set<WebURL> = []
    return all.compactMap { $0 }.filter { seen.insert($0).inserted }
      .map { DiscoveredFeed(address: $0.href, title: "", source: .usualPath) }
  }
}

private struct LinkFinder {
  private(set) var links: [DiscoveredFeed] = []
  private var base: WebURL?
  private var hasBase = false

  /// The maximum number of elements examined in one page.
  private static let mostLooked = 10_000
  private var looked = 0
  /// The first URL to which the page leads by itself.
  private(set) var refresh: WebURL?

  init(_ page: [UInt8], _ base: WebURL?, _ fields: [HeaderField]) {
    self.base = base
    for link in HeaderLink.all(in: fields) {
      if let url = WebURL(link.target, base: base) { noteLink(url, link.parameters) }
    }
    noteRefresh(fields.value(of: "Refresh"))
    var reader = HTMLReader()
    reader.readDocument(page.span, limits: .standard)
    while let event = reader.next() { if case .start(let name) = event { look(at: name, reader) } }
  }

  /// Examines the element that was started last.
  private mutating func look(at element: Int32, _ reader: borrowing HTMLReader) {
    let name = HTMLName(rawValue: Int(element))
    guard name == .link || name == .a || name == .base || name == .meta, looked < Self.mostLooked else { return }
    looked += 1
    let found = reader.attributeValues(["href", "rel", "type", "title", "http-equiv", "content"])
    if name == .meta, found["http-equiv"]?.asciiLowercased() == "refresh" { noteRefresh(found["content"]) }
    guard let href = found["href"], let url = WebURL(href, base: base) else { return }
    if name == .base, !hasBase {
      (base, hasBase) = (url, true)
    } else if name == .link {
      noteLink(url, found)
    } else if name == .a {
      noteAnchor(url)
    }
  }

  private static let types: Set<String> = [
    "application/atom+xml", "application/rss+xml", "application/rdf+xml", "application/feed+json", "application/xml",
    "text/xml", "application/x.atom+xml",
  ]

  private mutating func noteLink(_ url: WebURL, _ found: [String: String]) {
    let relations = (found["rel"] ?? "").asciiLowercased().split(whereSeparator: \.isWhitespace)
    guard relations.contains("alternate") || relations.contains("feed") else { return }
    let type = (found["type"] ?? "").asciiLowercased().prefix { $0 != ";" }
    let isJSON = type == "application/json" && url.path.asciiLowercased().contains("feed")
    guard Self.types.contains(String(type).trimmed()) || isJSON || relations.contains("feed") else { return }
    let title = (found["title"] ?? "").collapsingSpace()
    let words = (title + url.path).asciiLowercased()
    add(url, title, ["comment", "kommentar", "oembed"].contains { words.contains($0) } ? .part : .alternate)
  }

  /// Notes the URL of a text such as `0; url=blog/` (HTML Standard, "shared declarative refresh steps").
  private mutating func noteRefresh(_ content: String?) {
    guard refresh == nil, let content else { return }
    let isTime: (UInt8) -> Bool = { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
    var rest = Array(content.utf8)[...].drop(while: \.isHTMLSpace).drop(while: isTime)
    rest = rest.drop { $0.isHTMLSpace || ";,".utf8.contains($0) }
    if rest.prefix(3).map(\.asciiLowercased) == Array("url".utf8) {
      let value = rest.dropFirst(3).drop(while: \.isHTMLSpace)
      if value.first == UInt8(ascii: "=") { rest = value.dropFirst().drop(while: \.isHTMLSpace) }
    }
    if let quote = rest.first, "\"'".utf8.contains(quote) { rest = rest.dropFirst().prefix { $0 != quote } }
    if !rest.isEmpty { refresh = WebURL(String(decoding: rest, as: UTF8.self), base: base) }
  }

  private static let endings = ["/feed", "/feed/", "/rss", "/rss/", "/atom", "/atom/", ".rss", ".atom", ".rdf"]
  private static let names: Set = ["feed.xml", "rss.xml", "atom.xml", "index.xml", "feed.json", "index.rdf"]

  private mutating func noteAnchor(_ url: WebURL) {
    let path = url.path.asciiLowercased()
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    guard Self.names.contains(name) || Self.endings.contains(where: path.hasSuffix) else { return }
    add(url, "", .anchor)
  }

  private mutating func add(_ url: WebURL, _ title: String, _ source: DiscoveredFeed.Source) {
    guard url.isHTTP, links.count < 4 * DiscoveredFeeds.most else { return }
    links.append(DiscoveredFeed(address: url.removingFragment.href, title: String(title.prefix(200)), source: source))
  }
}
