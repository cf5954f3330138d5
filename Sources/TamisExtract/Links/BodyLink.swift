import TamisCore
import TamisURL

/// A link in the body of a post, with its kind.
public struct BodyLink: Sendable, Hashable {
  /// Where a link leads.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// To an anchor in the same post.
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
  /// The target of a redirector, when the URL contains it; nil otherwise.
  public var target: String?

  init(_ link: MarkupFacts.Link, site: String?) {
    href = link.href
    text = link.text
    target = Redirector.target(of: link.href)
    kind = Self.kind(of: target ?? link.href, text: link.text, site: site)
  }

  private static func kind(of href: String, text: String, site: String?) -> Kind {
    if href.hasPrefix("#") { return isFootnote(href, text: text) ? .footnote : .fragment }
    guard let url = WebURL(href) else { return site == nil ? .other : .internal }
    switch url.scheme {
    case "http", "https":
      guard let host = url.hostname, let site else { return .external }
      return WebAddresses.isSameSite(host, site) ? .internal : .external
    case "mailto", "tel", "sms", "xmpp": return .contact
    default: return .other
    }
  }

  /// By the names that writing tools give: `fn`, `fnref`, `footnote`, `_ftn`, `note`, `cite_note`, and a short mark as its text.
  private static func isFootnote(_ href: String, text: String) -> Bool {
    let name = href.dropFirst().asciiLowercased()
    let isNamed = ["fn", "footnote", "_ftn", "ftn", "note", "endnote", "sdfootnote", "cite_note", "cite_ref"].contains {
      marker in
      name.hasPrefix(marker) || name.hasPrefix("post-" + marker)
    }
    let mark = text.trimmed().unicodeScalars.filter { !"[](){}^.".unicodeScalars.contains($0) }
    let isShort = mark.count <= 3 && !mark.isEmpty
    return isNamed && (isShort || text.isEmpty)
      || (isShort && mark.allSatisfy { "↩︎↑⏎←*†‡§".unicodeScalars.contains($0) })
  }
}
