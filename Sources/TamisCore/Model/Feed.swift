/// The metadata of a feed document.
///
/// Fields a feed may omit are optional or empty.
public struct Feed: Sendable, Hashable {
  /// The format and version, in Universal Feed Parser's spelling (`rss20`, `atom10`, …); empty when not known.
  public var version = ""
  /// The encoding in which the bytes were read, in lower case.
  public var encoding = "utf-8"
  /// The namespace URIs by prefix, as declared; known namespaces have their standard prefix.
  public var namespaces: [String: String] = [:]
  /// The feed's title.
  public var title: Markup?
  /// A line or a paragraph about the feed.
  public var subtitle: Markup?
  /// A longer text about the feed (Atom `summary`, `itunes:summary`).
  public var summary: Markup?
  /// A note for people who open the feed in a browser.
  public var info: Markup?
  /// Copyright and licence in words.
  public var rights: Markup?
  /// The page the feed belongs to, resolved.
  public var link: String?
  /// The links of the feed, in document order.
  public var links: [FeedLink] = []
  /// Atom's `id`, RSS's `guid`, or `rdf:about`.
  public var id: String?
  /// The feed's language (BCP 47).
  public var language: String?
  /// The authors.
  public var authors: [FeedPerson] = []
  /// The contributors.
  public var contributors: [FeedPerson] = []
  /// The publisher.
  public var publisher: FeedPerson?
  /// The categories, in document order.
  public var categories: [FeedCategory] = []
  /// The date of publication.
  public var published: FeedDate?
  /// The date of the last change.
  public var updated: FeedDate?
  /// The date of creation.
  public var created: FeedDate?
  /// The date of expiry.
  public var expired: FeedDate?
  /// The program that wrote the feed.
  public var generator: FeedGenerator?
  /// The feed's picture: RSS `image` or `itunes:image`.
  public var image: FeedImage?
  /// Atom's `logo`, resolved.
  public var logo: String?
  /// The feed's small picture: Atom `icon`, resolved.
  public var icon: String?
  /// RSS's search box.
  public var textInput: FeedImage?
  /// The place that the feed is about.
  public var place: GeoPlace?
  /// Media RSS objects and thumbnails of the feed itself.
  public var media: [MediaObject] = []
  /// The elements for which the model has no field, in document order.
  public var extensions: [ExtensionElement] = []
  /// The first thing that makes the document ill-formed; nil when it is well-formed.
  public var fault: Finding?

  /// Makes an empty feed.
  public init() {}
}
