extension Feed {
  /// An entry as its feed contains it.
  ///
  /// Its markup is unsafe by type; see ``Post`` for what may be shown.
  public struct Entry: Sendable, Hashable, Encodable {
    /// The RSS `guid`, Atom `id` or `rdf:about`; trimmed, never empty.
    public var id: String?
    /// Whether the `guid` is declared to be the permalink (RSS `isPermaLink`, true by default).
    public var idIsPermalink = false
    /// The title.
    public var title: Feed.Markup?
    /// A short form of the entry.
    public var summary: Feed.Markup?
    /// A line below the title (`itunes:subtitle`).
    @Rare public var subtitle: Feed.Markup?
    /// A note for people who open the feed in a browser.
    @Rare public var info: Feed.Markup?
    /// The entry's bodies, in document order.
    public var content: [Feed.Markup] = []
    /// Texts that may be the body and are not in `content` or `summary`, in document order.
    ///
    /// These are summaries that another one replaced, and full texts of other vocabularies (`yandex:full-text`).
    public var otherTexts: [Feed.Markup] = []
    /// The Media RSS text about the whole entry, outside of any `media:content`, when `summary` does not hold it.
    @Rare public var mediaText: Feed.Markup?
    /// The page that the entry belongs to, from the feed's `link`, resolved.
    public var link: String?
    /// The links of the entry except enclosures, in document order.
    public var links: [Feed.Link] = []
    /// The authors.
    public var authors: [Feed.Person] = []
    /// The publisher.
    @Rare public var publisher: Feed.Person?
    /// The contributors.
    public var contributors: [Feed.Person] = []
    /// The categories, in document order.
    public var categories: [Feed.Category] = []
    /// The date of first publication.
    public var published: Feed.Timestamp?
    /// The date of the last change.
    public var updated: Feed.Timestamp?
    /// The date of creation.
    public var created: Feed.Timestamp?
    /// The date of expiry.
    @Rare public var expired: Feed.Timestamp?
    /// The enclosures, in document order.
    public var enclosures: [Feed.Enclosure] = []
    /// The Media RSS objects and thumbnails and `itunes:image`, in document order.
    public var media: [Feed.MediaObject] = []
    /// The page with the comments, resolved.
    public var comments: String?
    /// The copyright notice.
    @Rare public var rights: Feed.Markup?
    /// The feed that this entry was taken from, when its feed is an aggregate.
    @Rare public var source: Feed?
    /// The entry's own RSS `image`.
    @Rare public var image: Feed.Image?
    /// The place that the entry is about.
    @Rare public var place: Feed.Place?
    /// The chapters of the episode, in document order; nil when the feed names none.
    public var chapters: [Feed.Chapter]?
    /// The version of the chapter vocabulary.
    public var chaptersVersion: String?
    /// The document that contains the chapters, resolved; nil when they are all in the feed.
    public var chaptersURL: String?
    /// The elements for which the model has no field, in document order.
    public var extensions: [Feed.ExtensionElement] = []
    /// The requested fields that the entry has, in document order.
    public var fields: [Feed.Field] = []
    /// The location at which the entry begins.
    public var location: Finding.Location

    /// Makes an empty entry.
    public init(at location: Finding.Location) {
      self.location = location
    }

    /// Whether the entry has nothing that could be shown, opened or used as an identifier.
    package var isEmpty: Bool {
      id == nil && title == nil && summary == nil && link == nil && published == nil && updated == nil
        && content.isEmpty
        && links.isEmpty && enclosures.isEmpty && media.isEmpty && extensions.isEmpty && source == nil && image == nil
    }

    /// The time at which the entry appeared: its date of publication, else of creation, else of the last change.
    ///
    /// The value is in seconds since 1970-01-01T00:00:00Z.
    public var date: Int64? { appeared?.seconds }

    /// The first date of publication, creation and change that can be read.
    ///
    /// Programs that know no date write the beginning of their time: `Mon, 01 Jan 0001 00:00:00 GMT` or 1970.
    public var appeared: Feed.Timestamp? {
      [published, created, updated].lazy.compactMap(\.self).first {
        $0.seconds.map { !Self.zeroTimes.contains($0) } ?? false
      }
    }

    /// The zero times of Go and .NET, and of Unix.
    private static let zeroTimes: Set<Int64> = [-62_135_596_800, 0]

    /// Returns the text of the first extension element with this name (`feedburner_origlink`); nil when there is none.
    public func extensionText(_ name: String) -> String? {
      extensions.first { $0.name == name && !$0.text.isEmpty }?.text
    }
  }
}
