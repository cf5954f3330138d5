import TamisCore
import TamisURL

/// The document with the posts before those of another: `https://blog.example/feed/?paged=2`.
struct HistoryLink: Equatable {
  /// What a document says of the posts before its own.
  enum Found: Equatable {
    case link(HistoryLink)
    /// The document has all posts (RFC 5005, section 2).
    case whole
    case none
  }

  var address: String
  /// Whether the feed does not name the address, and its program only has such addresses.
  var isGuess = false

  /// Finds the document before another.
  ///
  /// A feed names it as the archive before it (RFC 5005, section 4), as the next page (section 3), or by `next_url`
  /// (JSON Feed 1.1). WordPress and Ghost name none, but number their pages.
  ///
  /// - Parameters:
  ///   - feed: the metadata of the document.
  ///   - address: the URL that the document came from.
  /// - Returns: what it says.
  static func before(_ feed: Feed, at address: String) -> Found {
    if feed.extensions.contains(where: { $0.name == "fh_complete" }) { return .whole }
    for rel in ["prev-archive", "next"] {
      let named = feed.links.lazy.filter { $0.rel == rel }.compactMap { WebAddress.absolute($0.href) }.first
      if let named { return .link(HistoryLink(address: named)) }
    }
    guard let url = WebURL(address) else { return .none }
    let next = feed.extensions.lazy.filter { $0.name == "next_url" }.map(\.text).first
    if let next = next.flatMap({ WebURL($0, base: url) }), next.isHTTP { return .link(HistoryLink(address: next.href)) }
    return guess(feed, at: url).map { .link(HistoryLink(address: $0.href, isGuess: true)) } ?? .none
  }

  private static func guess(_ feed: Feed, at url: WebURL) -> WebURL? {
    let generator = [feed.generator?.name, feed.generator?.url].compactMap { $0?.asciiLowercased() }
    if generator.contains(where: { $0.contains("wordpress") }) {
      let number = url.queryParameters.first { $0.name == "paged" }.flatMap { Int($0.value) } ?? 1
      guard number < Int32.max else { return nil }
      return url.removingQueryParameters { $0 == "paged" }.addingQueryParameter("paged", "\(number + 1)")
    }
    if generator.contains(where: { $0.hasPrefix("ghost") }) {
      var parts = url.path.split(separator: "/").map(String.init)
      let number = parts.last.flatMap { Int($0) }
      if number != nil { parts.removeLast() }
      guard parts.last == "rss", (number ?? 1) < Int32.max else { return nil }
      return WebURL("/" + parts.joined(separator: "/") + "/\((number ?? 1) + 1)/", base: url)
    }
    return nil
  }
}
