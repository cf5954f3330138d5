/// The metadata of a feed document.
///
/// Fields a feed may omit are optional or empty.
public struct Feed: Sendable, Hashable, Encodable {
  /// The format and version, in Universal Feed Parser's spelling (`rss20`, `atom10`, …); empty when not known.
  public var version = ""
  /// The encoding in which the bytes were read, in lower case.
  public var encoding = "utf-8"
  /// The namespace URIs by prefix, as declared; known namespaces have their standard prefix.
  public var namespaces: [String: String] = [:]
  /// The feed's title.
  public var title: Feed.Markup?
  /// A line or a paragraph about the feed.
  public var subtitle: Feed.Markup?
  /// A longer text about the feed (Atom `summary`, `itunes:summary`).
  public var summary: Feed.Markup?
  /// A note for people who open the feed in a browser.
  public var info: Feed.Markup?
  /// Copyright and licence in words.
  public var rights: Feed.Markup?
  /// The page the feed belongs to, resolved.
  public var link: String?
  /// The links of the feed, in document order.
  public var links: [Feed.Link] = []
  /// Atom's `id`, RSS's `guid`, or `rdf:about`.
  public var id: String?
  /// The feed's language (BCP 47).
  public var language: String?
  /// The authors.
  public var authors: [Feed.Person] = []
  /// The contributors.
  public var contributors: [Feed.Person] = []
  /// The publisher.
  public var publisher: Feed.Person?
  /// The categories, in document order.
  public var categories: [Feed.Category] = []
  /// The date of publication.
  public var published: Feed.Timestamp?
  /// The date of the last change.
  public var updated: Feed.Timestamp?
  /// The date of creation.
  public var created: Feed.Timestamp?
  /// The date of expiry.
  public var expired: Feed.Timestamp?
  /// The program that wrote the feed.
  public var generator: Feed.Generator?
  /// The feed's picture: RSS `image` or `itunes:image`.
  public var image: Feed.Image?
  /// Atom's `logo`, resolved.
  public var logo: String?
  /// The feed's small picture: Atom `icon`, resolved.
  public var icon: String?
  /// RSS's search box.
  public var textInput: Feed.Image?
  /// The place that the feed is about.
  public var place: Feed.Place?
  /// Media RSS objects and thumbnails of the feed itself.
  public var media: [Feed.MediaObject] = []
  /// The elements for which the model has no field, in document order.
  public var extensions: [Feed.ExtensionElement] = []
  /// The first thing that makes the document ill-formed; nil when it is well-formed.
  public var fault: Finding?

  /// Makes an empty feed.
  public init() {}
}
