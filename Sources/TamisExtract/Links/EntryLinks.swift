import TamisCore
import TamisIdentify

/// Gathers the links that a feed gives for an entry, whichever element they are in (rule L2 of the design).
enum EntryLinks {
  /// The links that may be followed: those of link elements in document order, then those of other elements.
  ///
  /// What is no `link` in the feed gets a relation that says what it is: `comments`, `replies` for a feed of comments,
  /// `source`, `player`.
  static func all(of entry: Entry, _ addresses: WebAddresses) -> [Link] {
    var links = entry.links
    if let comments = entry.comments { links.append(Link(href: comments, rel: "comments")) }
    for element in entry.extensions {
      switch element.name {
      case "wfw_commentrss": links.append(Link(href: element.text, rel: "replies", type: "application/rss+xml"))
      case "media_player":
        if let url = element.attribute("url") { links.append(Link(href: url, rel: "player")) }
      default: break
      }
    }
    if let source = entry.source?.link ?? entry.source?.links.first?.href {
      links.append(Link(href: source, rel: "source"))
    }
    var seen: Set<Pair> = []
    return links.compactMap(addresses.safe).filter { seen.insert(Pair(rel: $0.rel, href: $0.href)).inserted }
  }

  private struct Pair: Hashable {
    var rel: String
    var href: String
  }

  /// How many comments there are, as well as the feed says (`slash:comments`, RFC 4685's `thr:total` and `thr:count`);
  /// nil when it does not.
  static func commentCount(of entry: Entry) -> Int? {
    let text =
      entry.extensionText("slash_comments") ?? entry.extensionText("thr_total")
      ?? entry.links.lazy.filter { $0.rel == "replies" }.compactMap { link in
        link.attributes.first { $0.name == "thr:count" }?.value
      }.first
    return text.flatMap { Int($0.trimmed()) }.flatMap { $0 >= 0 ? $0 : nil }
  }
}

extension ExtensionElement {
  /// The value of an attribute, nil when there is none.
  func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
}
