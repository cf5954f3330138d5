import TamisURL

/// Addresses that only pass a reader on, and say in themselves where to (rule L5 of the design).
///
/// As of November 2026.
package enum Redirector {
  /// Host, path, and the query parameter with the target.
  private static let known: [(host: String, path: String, parameter: String)] = [
    ("google.com", "/url", "q"), ("google.com", "/url", "url"), ("l.facebook.com", "/l.php", "u"),
    ("lm.facebook.com", "/l.php", "u"), ("l.instagram.com", "/", "u"), ("t.umblr.com", "/redirect", "z"),
    ("out.reddit.com", "/", "url"), ("safelinks.protection.outlook.com", "/", "url"), ("youtube.com", "/redirect", "q"),
    ("steamcommunity.com", "/linkfilter/", "u"), ("vk.com", "/away.php", "to"), ("duckduckgo.com", "/l/", "uddg"),
    ("exit.sc", "/", "url"), ("slack-redir.net", "/link", "url"), ("bing.com", "/news/apiclick.aspx", "url"),
  ]

  /// The end of a chain of at most four such addresses; nil when the address leads where it says.
  package static func target(of address: String) -> String? {
    var current = address
    for _ in 0..<4 {
      guard let next = next(current), next != current else { break }
      current = next
    }
    return current == address ? nil : current
  }

  private static func next(_ address: String) -> String? {
    // Nearly all addresses are none of these, and to read an address costs more than to look for what all of these have.
    guard mayRedirect(address) else { return nil }
    guard let url = WebURL(address), url.scheme == "http" || url.scheme == "https", let host = url.hostname else {
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
        target.scheme == "http" || target.scheme == "https"
      else { continue }
      return target.href
    }
    return nil
  }

  /// Whether there is a `?` or, as in all addresses of AMP's caches, a `/s/`.
  private static func mayRedirect(_ address: String) -> Bool {
    var before: (UInt8, UInt8) = (0, 0)
    for byte in address.utf8 {
      if byte == UInt8(ascii: "?") || (byte == UInt8(ascii: "/") && before == (byte, UInt8(ascii: "s"))) { return true }
      before = (before.1, byte)
    }
    return false
  }
}
