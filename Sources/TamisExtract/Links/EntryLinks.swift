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

  /// Most pages that a post is said to point to.
  private static let mostReferences = 20

  /// The pages that an entry is about or that led to them, each once.
  ///
  /// - Parameter page: the entry's own, which is no reference.
  static func references(of entry: Entry, _ addresses: WebAddresses, besides page: String?) -> [Reference] {
    var seen: Set<String> = page.map { [$0] } ?? []
    let references = entry.links.compactMap { link -> Reference? in
      guard let kind = Reference.Kind(rawValue: link.rel), let url = addresses.web(link.href),
        seen.insert(url).inserted
      else { return nil }
      return Reference(kind, url: url, title: link.title?.collapsingSpace().trimmedOrNil())
    }
    return Array(references.prefix(mostReferences))
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
