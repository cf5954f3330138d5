import TamisURL

/// Redirector URLs that contain their target (Tamis.docc/Links.md, L5).
///
/// The list is as of November 2026.
package enum Redirector {
  /// The host, the path, and the query parameter with the target.
  private static let known: [(host: String, path: String, parameter: String)] = [
    ("google.com", "/url", "q"), ("google.com", "/url", "url"), ("l.facebook.com", "/l.php", "u"),
    ("lm.facebook.com", "/l.php", "u"), ("l.instagram.com", "/", "u"), ("t.umblr.com", "/redirect", "z"),
    ("out.reddit.com", "/", "url"), ("safelinks.protection.outlook.com", "/", "url"), ("youtube.com", "/redirect", "q"),
    ("steamcommunity.com", "/linkfilter/", "u"), ("vk.com", "/away.php", "to"), ("duckduckgo.com", "/l/", "uddg"),
    ("exit.sc", "/", "url"), ("slack-redir.net", "/link", "url"), ("bing.com", "/news/apiclick.aspx", "url"),
  ]

  /// The target after at most four such redirectors; nil when the URL is not a redirector.
  package static func target(of address: String) -> String? {
    var current = address
    for _ in 0..<4 {
      guard let next = next(current), next != current else { break }
      current = next
    }
    return current == address ? nil : current
  }

  private static func next(_ address: String) -> String? {
    // Nearly all URLs are not redirectors, and parsing a URL costs more than this test.
    guard mayRedirect(address) else { return nil }
    guard let url = WebURL(address), url.isHTTP, let host = url.hostname else {
      return nil
    }
    if host == "cdn.ampproject.org" || host.hasSuffix(".cdn.ampproject.org") || host == "google.com"
      || host.hasSuffix(".google.com")
    {
      for marker in ["/amp/s/", "/c/s/", "/v/s/"] where url.path.hasPrefix(marker) {
        return WebURL("https://" + url.path.dropFirst(marker.count) + (url.query.map { "?\($0)" } ?? ""))?.href
      }
    }
    for (name, path, parameter) in known where (host == name || host.hasSuffix("." + name)) && url.path == path {
      guard let value = url.queryParameters.first(where: { $0.name == parameter })?.value, let target = WebURL(value),
        target.isHTTP
      else { continue }
      return target.href
    }
    return nil
  }

  /// Whether the URL contains a `?` or `/s/`, which all URLs of AMP caches contain.
  private static func mayRedirect(_ address: String) -> Bool {
    var before: (UInt8, UInt8) = (0, 0)
    for byte in address.utf8 {
      if byte == UInt8(ascii: "?") || (byte == UInt8(ascii: "/") && before == (byte, UInt8(ascii: "s"))) { return true }
      before = (before.1, byte)
    }
    return false
  }
}
