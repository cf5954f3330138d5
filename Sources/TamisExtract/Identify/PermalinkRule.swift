import TamisCore
import TamisURL

/// Picks the canonical page of a post (Tamis.docc/Links.md, L1).
///
/// The page is the first of these that is an http(s) URL: the URL that a proxy says it replaces, the link to a page,
/// the permalink id, Atom's id if it is a URL of the feed's own site. Redirectors and tracking parameters are removed;
/// the original URL of the feed is stored beside the result.
struct PermalinkRule {
  let addresses: WebAddresses
  let tracking: TrackingParameters
  /// The entry's language.
  let language: String?
  /// Whether the entry's id is Atom's, which need not be a URL.
  let isAtom: Bool

  func pick(_ entry: Feed.Entry, into findings: inout [Finding]) -> Post.Permalink? {
    for (address, source) in candidates(entry) {
      if let url = addresses.web(address) { return permalink(url, source: source) }
      findings.append(
        Finding(
          .warning, "extract.permalink", "the \(source) '\(address.prefix(200))' is not an http(s) URL; it is ignored",
          at: entry.location, entry: entry.title?.value ?? entry.id))
    }
    return nil
  }

  private func permalink(_ url: String, source: String) -> Post.Permalink {
    let target = Redirector.target(of: url) ?? url
    let clean = WebURL(target).map { tracking.removed(from: $0).href } ?? target
    return Post.Permalink(url: clean, source: source, original: clean == url ? nil : url)
  }

  private func candidates(_ entry: Feed.Entry) -> [(String, String)] {
    var candidates: [(String, String)] = []
    if let original = entry.extensionText("feedburner_origlink") {
      candidates.append((original, "feedburner:origLink"))
    }
    if let original = entry.extensionText("pheedo_origlink") { candidates.append((original, "pheedo:origLink")) }
    candidates += pages(entry).map { ($0, "link") }
    if let id = entry.id {
      if entry.idIsPermalink, addresses.isWeb(id) || id.hasPrefix("/") { candidates.append((id, "guid")) }
      if isAtom, addresses.isOwnSite(id) { candidates.append((id, "id")) }
    }
    if let other = entry.links.first(where: isDocument) { candidates.append((other.href, "link")) }
    return candidates
  }

  /// The links to the entry's page: those in its language first, and of these the last, as feed readers do.
  private func pages(_ entry: Feed.Entry) -> [String] {
    let pages = entry.links.filter { $0.rel == "alternate" && Self.isPage($0.type) }
    if pages.isEmpty {
      // A link that was derived from the id is not listed as a link.
      return [entry.link].compactMap { $0 }.filter { $0 != entry.id }
    }
    return pages.enumerated().sorted { rank($0.element, $0.offset) < rank($1.element, $1.offset) }.map(\.element.href)
  }

  private func rank(_ link: Feed.Link, _ index: Int) -> (Int, Int, Int) {
    let match: Int
    if let hreflang = link.hreflang, let language {
      match = Self.primary(hreflang) == Self.primary(language) ? 0 : 2
    } else {
      match = link.hreflang == nil ? 1 : 2
    }
    return (match, link.type == nil ? 1 : 0, -index)
  }

  private static func primary(_ language: String) -> String {
    (language.split(whereSeparator: { $0 == "-" || $0 == "_" }).first ?? "").asciiLowercased()
  }

  private static func isPage(_ type: String?) -> Bool {
    guard let type = type?.asciiLowercased() else { return true }
    return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml+xml")
  }

  /// Whether a link is another format of the entry that a reader can open; feeds are not.
  private func isDocument(_ link: Feed.Link) -> Bool {
    guard link.rel == "alternate", let type = link.type?.asciiLowercased() else { return false }
    return !Self.isPage(type) && !type.hasSuffix("+xml") && !type.hasSuffix("/xml") && !type.hasSuffix("json")
  }
}
