package import TamisCore
package import TamisURL

/// Checks which URLs a page may link to.
package struct WebAddresses {
  /// The base URL of relative URLs.
  package let base: WebURL?

  package init(base: WebURL?) { self.base = base }

  /// The URL in the URL Standard's serialization; nil when it is not http(s).
  ///
  /// User name and password are removed, since pages are published.
  package func web(_ text: String) -> String? {
    guard let url = WebURL(text, base: base), url.isHTTP else { return nil }
    return url.removingCredentials.href
  }

  /// The same as ``web(_:)``, but inline pictures of a plausible size are also accepted.
  ///
  /// Smaller ones are placeholders, and larger ones would add to the size of every page that lists the post.
  package func picture(_ text: String) -> String? {
    if let web = web(text) { return web }
    let isInline = ["png", "jpeg", "gif", "webp", "avif"].contains { text.hasPrefix("data:image/\($0);base64,") }
    return isInline && (1_000...200_000).contains(text.utf8.count) && WebURL(text) != nil ? text : nil
  }

  /// Whether a text is an absolute http(s) URL.
  package func isWeb(_ text: String) -> Bool { WebURL(text)?.isHTTP == true }

  /// Whether a text is a URL on the site of the base URL.
  package func isOwnSite(_ text: String) -> Bool {
    guard let url = WebURL(text), url.isHTTP, let host = url.hostname, let site = base?.hostname else {
      return false
    }
    return Self.isSameSite(host, site)
  }

  /// Whether one host equals the other or is below it; `www.` is ignored.
  package static func isSameSite(_ one: String, _ other: String) -> Bool {
    let (one, other) = (one.withoutWWW, other.withoutWWW)
    return one == other || one.hasSuffix("." + other) || other.hasSuffix("." + one)
  }

  /// Returns the link with an absolute URL; nil when it is not http(s).
  package func safe(_ link: Feed.Link) -> Feed.Link? {
    guard let url = web(link.href) else { return nil }
    var link = link
    link.href = url
    return link
  }
}
