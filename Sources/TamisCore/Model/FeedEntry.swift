/// An entry as its feed has it.
///
/// Markup in it is unsafe by type; see ``Post`` for what may be shown.
public struct FeedEntry: Sendable, Hashable {
  /// RSS `guid`, Atom `id` or `rdf:about`; trimmed, never empty.
  public var id: String?
  /// Whether the `guid` claims to be the permalink (RSS `isPermaLink`, true unless said otherwise).
  public var idIsPermalink = false
  /// The headline.
  public var title: Markup?
  /// A short form of the entry.
  public var summary: Markup?
  /// A line below the headline (`itunes:subtitle`).
  @Rare public var subtitle: Markup?
  /// A note for people who open the feed in a browser.
  @Rare public var info: Markup?
  /// The entry's bodies, in document order.
  public var content: [Markup] = []
  /// Texts that may be the body and have no place in `content` and `summary`, in document order: a summary that another one
  /// replaced, and full texts of other vocabularies (`yandex:full-text`).
  public var otherTexts: [Markup] = []
  /// What Media RSS says of the whole entry, outside of any `media:content`, when `summary` does not hold it.
  @Rare public var mediaText: Markup?
  /// The page the entry belongs to, as the feed's `link` says, resolved.
  public var link: String?
  /// All links of the entry, in document order, enclosures left out.
  public var links: [FeedLink] = []
  /// Who wrote it.
  public var authors: [FeedPerson] = []
  /// Who publishes it.
  @Rare public var publisher: FeedPerson?
  /// Who helped.
  public var contributors: [FeedPerson] = []
  /// Its categories in document order.
  public var categories: [FeedCategory] = []
  /// When it was first published.
  public var published: FeedDate?
  /// When it was last changed.
  public var updated: FeedDate?
  /// When it was made.
  public var created: FeedDate?
  /// When it expires.
  @Rare public var expired: FeedDate?
  /// Attached files, in document order.
  public var enclosures: [Enclosure] = []
  /// Media RSS objects and thumbnails and `itunes:image`, in document order.
  public var media: [MediaObject] = []
  /// The page with the comments, resolved.
  public var comments: String?
  /// Rights in words.
  @Rare public var rights: Markup?
  /// The feed this entry was taken from, when the feed is an aggregate.
  @Rare public var source: Feed?
  /// The entry's own RSS `image`.
  @Rare public var image: FeedImage?
  /// The place it is about.
  @Rare public var place: GeoPlace?
  /// The chapters of the episode, in document order; nil when the feed names none.
  public var chapters: [PodcastChapter]?
  /// The version of the chapters' vocabulary.
  public var chaptersVersion: String?
  /// The document that the chapters are in, resolved; nil when they are all in the feed.
  public var chaptersURL: String?
  /// Every element the model has no field for, in document order.
  public var extensions: [ExtensionElement] = []
  /// The requested fields that the entry has, in document order.
  public var fields: [NamedField] = []
  /// Where the entry begins.
  public var location: SourceLocation

  /// Makes an empty entry.
  public init(at location: SourceLocation) {
    self.location = location
  }

  /// Whether it has nothing that could be shown, opened or used as an identifier.
  public var isEmpty: Bool {
    id == nil && title == nil && summary == nil && link == nil && published == nil && updated == nil && content.isEmpty
      && links.isEmpty && enclosures.isEmpty && media.isEmpty && extensions.isEmpty && source == nil && image == nil
  }

  /// When it appeared: its date of publication, else of creation, else of the last change.
  ///
  /// Seconds since 1970-01-01T00:00:00Z.
  public var date: Int64? { appeared?.seconds }

  /// The first date of publication, creation and change that can be read.
  public var appeared: FeedDate? { [published, created, updated].lazy.compactMap(\.self).first { $0.seconds != nil } }

  /// The text of the first extension element with this name (`feedburner_origlink`), nil when there is none.
  public func extensionText(_ name: String) -> String? {
    extensions.first { $0.name == name && !$0.text.isEmpty }?.text
  }
}
