package import TamisCore
package import TamisURL

/// Tells which addresses a page may point to.
package struct WebAddresses {
  /// What relative addresses are resolved against.
  package let base: WebURL?

  package init(base: WebURL?) { self.base = base }

  /// The address as the URL Standard writes it, nil when it is not one of http or https.
  package func web(_ text: String) -> String? {
    guard let url = WebURL(text, base: base), Self.isWeb(url) else { return nil }
    return url.href
  }

  /// As ``WebAddress/web(_:)``, or an inline picture that is one: smaller ones hold the place of others, larger ones would
  /// weigh on every page that lists the post.
  package func picture(_ text: String) -> String? {
    if let web = web(text) { return web }
    let isInline = ["png", "jpeg", "gif", "webp", "avif"].contains { text.hasPrefix("data:image/\($0);base64,") }
    return isInline && (1_000...200_000).contains(text.utf8.count) && WebURL(text) != nil ? text : nil
  }

  /// Whether a text is an http or https address by itself.
  package func isWeb(_ text: String) -> Bool { WebURL(text).map(Self.isWeb) ?? false }

  /// Whether a text is an address of the site that the base is of.
  package func isOwnSite(_ text: String) -> Bool {
    guard let url = WebURL(text), Self.isWeb(url), let host = url.hostname, let site = base?.hostname else {
      return false
    }
    return Self.isSameSite(host, site)
  }

  /// Whether one host is the other or below it; `www.` counts for nothing.
  package static func isSameSite(_ one: String, _ other: String) -> Bool {
    let (one, other) = (withoutWWW(one), withoutWWW(other))
    return one == other || one.hasSuffix("." + other) || other.hasSuffix("." + one)
  }

  private static func withoutWWW(_ host: String) -> String { host.hasPrefix("www.") ? String(host.dropFirst(4)) : host }

  private static func isWeb(_ url: WebURL) -> Bool { url.scheme == "http" || url.scheme == "https" }

  /// A link of the feed that may be followed.
  package func safe(_ link: Link) -> Link? {
    guard let url = web(link.href) else { return nil }
    var link = link
    link.href = url
    return link
  }

  /// An enclosure that may be linked and played.
  package func safe(_ enclosure: Enclosure) -> Enclosure? {
    guard let url = web(enclosure.url) else { return nil }
    return Enclosure(url: url, type: enclosure.type, length: enclosure.length)
  }
}
