import TamisCore
import TamisURL

/// A link in the body of a post, with its kind.
package struct BodyLink: Sendable, Hashable {
  /// The kind of a link's target.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// An anchor in the same post.
    case fragment
    /// A note at the end, or the way back from it.
    case footnote
    /// A page on the site of the post.
    case `internal`
    /// A page on another site.
    case external
    /// A mail address or a telephone number.
    case contact
    /// A target that a browser does not show.
    case other
  }

  /// The URL as the body has it.
  package var href: String
  /// The visible text, white space collapsed.
  package var text: String
  /// The kind of the target.
  package var kind: Kind
  /// The target of a redirector, when the URL contains it; nil otherwise.
  package var target: String?

  init(_ link: SanitizedHTML.Facts.Link, site: String?) {
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

  /// Whether the link leads to or from a footnote.
  ///
  /// The names are those of writing tools: `fn`, `fnref`, `footnote`, `_ftn`, `note`, `cite_note`, and a short mark as
  /// the text.
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
