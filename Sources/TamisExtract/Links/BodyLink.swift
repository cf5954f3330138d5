import TamisCore
import TamisURL

/// A link in the body of a post, and what it is to the reader.
public struct BodyLink: Sendable, Hashable {
  /// Where a link leads.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// To a place in the same post.
    case fragment
    /// To a note at the end, or back from it.
    case footnote
    /// To the site of the post.
    case `internal`
    /// To another site.
    case external
    /// To a mailbox or a telephone.
    case contact
    /// To something a browser does not show.
    case other
  }

  /// The address as the body has it.
  public var href: String
  /// The visible text, white space collapsed.
  public var text: String
  /// Where it leads.
  public var kind: Kind
  /// Where it ends up when the address says so itself, as those of search engines and networks do; nil otherwise.
  public var target: String?

  init(_ link: MarkupFacts.Link, site: String?) {
    href = link.href
    text = link.text
    target = Redirector.target(of: link.href)
    kind = Self.kind(of: target ?? link.href, text: link.text, site: site)
  }

  private static func kind(of href: String, text: String, site: String?) -> Kind {
    if href.hasPrefix("#") { return isFootnote(href, text) ? .footnote : .fragment }
    guard let url = WebURL(href) else { return site == nil ? .other : .internal }
    switch url.scheme {
    case "http", "https":
      guard let host = url.hostname, let site else { return .external }
      return host == site || host.hasSuffix("." + site) || site.hasSuffix("." + host) ? .internal : .external
    case "mailto", "tel", "sms", "xmpp": return .contact
    default: return .other
    }
  }

  /// By the names that writing tools give: `fn`, `fnref`, `footnote`, `_ftn`, `note`, `cite`, and a short mark as its text.
  private static func isFootnote(_ href: String, _ text: String) -> Bool {
    let name = href.dropFirst().asciiLowercased()
    let isNamed = ["fn", "footnote", "_ftn", "ftn", "note", "endnote", "sdfootnote"].contains { marker in
      name.hasPrefix(marker) || name.hasPrefix("post-" + marker)
    }
    let mark = text.trimmed().unicodeScalars.filter { !"[](){}^.".unicodeScalars.contains($0) }
    let isShort = mark.count <= 3 && !mark.isEmpty
    return isNamed && (isShort || text.isEmpty)
      || (isShort && mark.allSatisfy { "↩︎↑⏎←*†‡§".unicodeScalars.contains($0) })
  }
}

/// Addresses that only pass a reader on, and say in themselves where to (rule L5 of the design).
///
/// As of November 2026.
enum Redirector {
  /// Host, path, and the query parameter with the target.
  private static let known: [(host: String, path: String, parameter: String)] = [
    ("google.com", "/url", "q"), ("google.com", "/url", "url"), ("l.facebook.com", "/l.php", "u"),
    ("lm.facebook.com", "/l.php", "u"), ("l.instagram.com", "/", "u"), ("t.umblr.com", "/redirect", "z"),
    ("out.reddit.com", "/", "url"), ("safelinks.protection.outlook.com", "/", "url"), ("youtube.com", "/redirect", "q"),
    ("steamcommunity.com", "/linkfilter/", "u"), ("vk.com", "/away.php", "to"), ("duckduckgo.com", "/l/", "uddg"),
    ("exit.sc", "/", "url"), ("slack-redir.net", "/link", "url"), ("bing.com", "/news/apiclick.aspx", "url"),
  ]

  /// The end of a chain of at most four such addresses; nil when the address leads where it says.
  static func target(of address: String) -> String? {
    var current = address
    for _ in 0..<4 {
      guard let next = next(current), next != current else { break }
      current = next
    }
    return current == address ? nil : current
  }

  private static func next(_ address: String) -> String? {
    guard let url = WebURL(address), url.scheme == "http" || url.scheme == "https", let host = url.hostname else {
      return nil
    }
    if host == "cdn.ampproject.org" || host.hasSuffix(".cdn.ampproject.org") || host.hasSuffix("google.com") {
      for marker in ["/amp/s/", "/c/s/", "/v/s/"] where url.path.hasPrefix(marker) {
        return WebURL("https://" + url.path.dropFirst(marker.count))?.href
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
}
