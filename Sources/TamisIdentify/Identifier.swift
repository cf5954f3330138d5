public import TamisCore
public import TamisURL

/// The second stage: says which page an entry is, from what its feed says and from nothing else.
///
/// What follows needs it: relative addresses in a body are resolved against the entry's page, and links to places in it stay in it.
public struct Identifier: Stage {
  /// What the identifier works on.
  public struct Input: Sendable {
    /// The entry as the feed has it.
    public var entry: Entry
    /// The feed's own page, against which relative addresses are resolved; nil when it is not known.
    public var site: WebURL?
    /// The feed's language, for entries that name none.
    public var language: String?
    /// Whether the feed is an Atom feed, whose ids are addresses only by chance.
    public var isAtom: Bool

    /// Makes an input.
    public init(entry: Entry, site: WebURL?, language: String?, isAtom: Bool) {
      (self.entry, self.site, self.language, self.isAtom) = (entry, site, language, isAtom)
    }
  }

  /// Which page an entry is.
  public struct Identity: Sendable, Hashable {
    /// Its canonical page; nil when the feed named none that is safe to follow.
    public var permalink: Permalink?
    /// The same, read.
    public var page: WebURL?
    /// What its relative addresses are resolved against: its page, else the feed's; nil when there is none, or it is too long.
    public var base: WebURL?
    /// Whether it has a link that leads nowhere, because it is relative and nobody knows where the feed is from.
    public var isUnresolved: Bool
  }

  private let tracking: TrackingParameters
  private let limits: Limits

  /// Makes an identifier.
  ///
  /// - Parameter tracking: what is taken off permalinks.
  public init(tracking: TrackingParameters = TrackingParameters([]), limits: Limits = .standard) {
    (self.tracking, self.limits) = (tracking, limits)
  }

  /// Identifies an entry.
  public func run(_ input: Input, into findings: inout [Finding]) -> Identity {
    let (entry, site) = (input.entry, input.site)
    let rule = PermalinkRule(
      addresses: WebAddresses(base: bounded(site)), tracking: tracking, language: entry.language ?? input.language,
      isAtom: input.isAtom)
    var said: [Finding] = []
    let permalink = rule.pick(entry, into: &said)
    let isUnresolved = permalink == nil && site == nil && entry.link.map { WebURL($0) == nil } ?? false
    // Of those it is said once for the feed.
    if !isUnresolved { findings += said }
    let page = permalink.flatMap { WebURL($0.url) }
    return Identity(permalink: permalink, page: page, base: bounded(page ?? site), isUnresolved: isUnresolved)
  }

  /// A URL that others may be resolved against, nil when it is too long for that.
  private func bounded(_ url: WebURL?) -> WebURL? { url.flatMap { $0.utf8.count <= limits.baseBytes ? $0 : nil } }

  /// What relative addresses in a feed are resolved against: its home page, else its own address, which it may say itself where
  /// nobody else does.
  ///
  /// - Parameters:
  ///   - feed: a feed whose link becomes absolute.
  ///   - address: where the document came from; nil when that is not known.
  public static func site(of feed: inout Feed, from address: String?) -> WebURL? {
    let own = feed.links.lazy.filter { $0.rel == "self" }.compactMap { web($0.href) }.first
    // A name and a password in it are for nobody who follows a link in a post.
    let address = (address.flatMap { WebURL($0) } ?? own)?.removingCredentials
    if let link = feed.link, WebURL(link) == nil, let url = WebURL(link, base: address) { feed.link = url.href }
    return feed.link.flatMap { WebURL($0)?.removingCredentials } ?? address
  }

  private static func web(_ text: String) -> WebURL? {
    WebURL(text).flatMap { $0.scheme == "https" || $0.scheme == "http" ? $0 : nil }
  }
}

extension Entry {
  /// The language that its texts name; nil when they name none.
  package var language: String? { content.first?.language ?? summary?.language ?? title?.language }
}
