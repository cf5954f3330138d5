import TamisCore

/// Collects the links that a feed gives for an entry, from all of its elements (Tamis.docc/Links.md, L2).
enum EntryLinks {
  /// The links that may be followed: those of link elements in document order, then those of other elements.
  ///
  /// A URL from another element gets a relation for its element: `comments`, `replies` for a feed of comments,
  /// `source`, `player`.
  static func all(of entry: Feed.Entry, _ addresses: WebAddresses) -> [Feed.Link] {
    var links = entry.links
    if let comments = entry.comments { links.append(Feed.Link(href: comments, rel: "comments")) }
    for element in entry.extensions {
      switch element.name {
      case "wfw_commentrss": links.append(Feed.Link(href: element.text, rel: "replies", type: "application/rss+xml"))
      case "media_player":
        if let url = element.attribute("url") { links.append(Feed.Link(href: url, rel: "player")) }
      default: break
      }
    }
    if let source = entry.source.flatMap(address) {
      links.append(Feed.Link(href: source, rel: "source"))
    }
    var seen: Set<Pair> = []
    return links.compactMap(addresses.safe).filter { seen.insert(Pair(rel: $0.rel, href: $0.href)).inserted }
  }

  /// The pages that an entry is about or where its author found them, each once; then the feed that it comes from.
  ///
  /// The entry's own page is not a reference.
  static func references(_ input: Extractor.Input, _ addresses: WebAddresses) -> [Post.Reference] {
    var links = input.entry.links
    if let source = input.entry.source, !input.sourceTitle.isEmpty, let url = address(of: source) {
      links.append(Feed.Link(href: url, rel: Post.Reference.Kind.via.rawValue, title: input.sourceTitle))
    }
    var seen: Set<String> = input.permalink.map { [$0.url] } ?? []
    return links.compactMap { link -> Post.Reference? in
      guard let kind = Post.Reference.Kind(rawValue: link.rel), let url = addresses.web(link.href),
        seen.insert(url).inserted
      else { return nil }
      return Post.Reference(kind, url: url, title: link.title?.collapsingSpace().trimmedOrNil())
    }
  }

  /// The page of a feed, else the URL of its document.
  private static func address(of source: Feed) -> String? { source.link ?? source.links.first?.href }

  private struct Pair: Hashable {
    var rel: String
    var href: String
  }

  /// The number of comments (`slash:comments`, RFC 4685's `thr:total` and `thr:count`); nil when the feed has none.
  static func commentCount(of entry: Feed.Entry) -> Int? {
    let text =
      entry.extensionText("slash_comments") ?? entry.extensionText("thr_total")
      ?? entry.links.lazy.filter { $0.rel == "replies" }.compactMap { link in
        link.attributes.first { $0.name == "thr:count" }?.value
      }.first
    return text.flatMap { Int($0.trimmed()) }.flatMap { $0 >= 0 ? $0 : nil }
  }
}

extension Feed.ExtensionElement {
  /// The value of an attribute; nil when there is none.
  func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
}
