package import TamisCore
package import TamisURL

/// The second stage: finds the page of an entry, using only its feed.
///
/// The next stages need the page: relative URLs in a body are resolved against it, and links to anchors in it stay in
/// the post.
package struct Identifier: Sendable {
  /// The input of the identifier.
  package struct Input: Sendable {
    /// The entry as its feed contains it.
    package var entry: Feed.Entry
    /// The feed's own page, against which relative URLs are resolved; nil when it is not known.
    package var site: WebURL?
    /// The feed's language, for entries that name none.
    package var language: String?
    /// Whether the feed is an Atom feed, whose ids need not be URLs.
    package var isAtom: Bool

    /// Makes an input.
    package init(entry: Feed.Entry, site: WebURL?, language: String?, isAtom: Bool) {
      (self.entry, self.site, self.language, self.isAtom) = (entry, site, language, isAtom)
    }
  }

  /// The page of an entry.
  package struct Identity: Sendable, Hashable {
    /// The canonical page; nil when the feed has none that is an http(s) URL.
    package var permalink: Post.Permalink?
    /// The canonical page as a parsed URL.
    package var page: WebURL?
    /// The base URL of relative URLs, of any length: the page, else the feed's; nil when there is none.
    ///
    /// The link of a link blog leads to another site, where its own pictures are not; its id is used when it is a page
    /// on the feed's site.
    package var textBase: WebURL?
    /// The base URL of the entry's text, `textBase`; nil when it is too long for the limits.
    package var base: WebURL?
    /// Whether the entry has a relative link that cannot be resolved, since the feed's URL is not known.
    package var isUnresolved: Bool
  }

  private let tracking: TrackingParameters
  private let limits: Limits

  /// Makes an identifier.
  ///
  /// - Parameters:
  ///   - tracking: the parameters to remove from permalinks.
  ///   - limits: the limits, of which ``Limits/baseBytes`` applies.
  package init(tracking: TrackingParameters = TrackingParameters([]), limits: Limits = .standard) {
    (self.tracking, self.limits) = (tracking, limits)
  }

  /// Identifies an entry.
  ///
  /// - Parameters:
  ///   - input: the entry and the data about its feed.
  ///   - findings: the list to which problems are added.
  /// - Returns: the permalink of the entry, its page and its base URL, as far as they are known.
  package func run(_ input: Input, into findings: inout [Finding]) -> Identity {
    let (entry, site) = (input.entry, input.site)
    let rule = PermalinkRule(
      addresses: WebAddresses(base: bounded(site)), tracking: tracking, language: entry.language ?? input.language,
      isAtom: input.isAtom)
    var ofPermalink: [Finding] = []
    let permalink = rule.pick(entry, into: &ofPermalink)
    let isUnresolved = permalink == nil && site == nil && entry.link.map { WebURL($0) == nil } ?? false
    // Unresolved links are reported once for the whole feed (`UnresolvedLinks`).
    if !isUnresolved { findings += ofPermalink }
    let page = permalink.flatMap { WebURL($0.url) }
    let base = page.map { Self.isElsewhere($0, from: site) ? Self.ownPage(of: entry, on: site) ?? $0 : $0 } ?? site
    return Identity(permalink: permalink, page: page, textBase: base, base: bounded(base), isUnresolved: isUnresolved)
  }

  private static func isElsewhere(_ page: WebURL, from site: WebURL?) -> Bool {
    site.map { !page.isOnSite(of: $0) } ?? false
  }

  /// Returns the URL that is the id of an entry, when it is a page on the feed's site.
  private static func ownPage(of entry: Feed.Entry, on site: WebURL?) -> WebURL? {
    guard let id = entry.id.flatMap(web), !isElsewhere(id, from: site) else { return nil }
    return id
  }

  /// The URL if it may be a base URL; nil when it is too long for that.
  private func bounded(_ url: WebURL?) -> WebURL? { url.flatMap { $0.utf8.count <= limits.baseBytes ? $0 : nil } }

  /// Returns the base URL for relative URLs in a feed: its home page, else its own URL.
  ///
  /// - Parameters:
  ///   - feed: the feed; its link becomes absolute.
  ///   - address: the URL of the document; nil when it is not known, to use the feed's `self` link.
  /// - Returns: the base URL; nil when there is none.
  package static func site(of feed: inout Feed, from address: String?) -> WebURL? {
    let own = feed.links.lazy.filter { $0.rel == "self" }.compactMap { web($0.href) }.first
    // Links of posts must not contain a user name and password.
    let address = (address.flatMap(web) ?? own)?.removingCredentials
    if let link = feed.link, WebURL(link) == nil, let url = WebURL(link, base: address) { feed.link = url.href }
    return feed.link.flatMap { web($0)?.removingCredentials } ?? address
  }

  private static func web(_ text: String) -> WebURL? {
    WebURL(text).flatMap { $0.isHTTP ? $0 : nil }
  }
}

extension Feed.Entry {
  /// The language that the entry's texts name; nil when they name none.
  package var language: String? {
    let own = extensions.first { $0.name == "language" }?.text
    return own.flatMap(LanguageTag.normalized) ?? content.first?.language ?? summary?.language ?? title?.language
  }
}
