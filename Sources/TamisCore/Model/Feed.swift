/// The metadata of a feed document.
///
/// Fields a feed may omit are optional or empty.
public struct Feed: Sendable, Hashable {
  /// The format and version, in Universal Feed Parser's spelling (`rss20`, `atom10`, …); empty when it could not be told.
  public var version = ""
  /// The encoding the bytes were read in, lower case.
  public var encoding = "utf-8"
  /// Prefix to namespace URI, as declared; known namespaces under their standard prefix.
  public var namespaces: [String: String] = [:]
  /// The feed's own name.
  public var title: Markup?
  /// A line or a paragraph about it.
  public var subtitle: Markup?
  /// A longer text about it (Atom `summary`, `itunes:summary`).
  public var summary: Markup?
  /// A note for people who open the feed in a browser.
  public var info: Markup?
  /// Copyright and licence in words.
  public var rights: Markup?
  /// The page the feed belongs to, resolved.
  public var link: String?
  /// All links of the feed, in document order.
  public var links: [FeedLink] = []
  /// Atom's `id`, RSS's `guid`, or `rdf:about`.
  public var id: String?
  /// The feed's language (BCP 47).
  public var language: String?
  /// Who writes it.
  public var authors: [FeedPerson] = []
  /// Who helps.
  public var contributors: [FeedPerson] = []
  /// Who publishes it.
  public var publisher: FeedPerson?
  /// Its categories in document order.
  public var categories: [FeedCategory] = []
  /// When it was published.
  public var published: FeedDate?
  /// When it was last changed.
  public var updated: FeedDate?
  /// When it was made.
  public var created: FeedDate?
  /// When it expires.
  public var expired: FeedDate?
  /// The program that wrote it.
  public var generator: FeedGenerator?
  /// Its picture: RSS `image` or `itunes:image`.
  public var image: FeedImage?
  /// Atom's `logo`, resolved.
  public var logo: String?
  /// Its small picture: Atom `icon`, resolved.
  public var icon: String?
  /// RSS's search box.
  public var textInput: FeedImage?
  /// The place it is about.
  public var place: GeoPlace?
  /// Media RSS objects and thumbnails of the feed itself.
  public var media: [MediaObject] = []
  /// Every element the model has no field for, in document order.
  public var extensions: [ExtensionElement] = []
  /// The first thing that makes the document ill-formed; nil when it is well-formed.
  public var fault: Finding?

  /// Makes an empty feed.
  public init() {}
}
