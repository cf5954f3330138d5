import TamisCore
import TamisURL

extension Article {
  /// The metadata of a page, each fact with its source; nil rather than guessed.
  public struct Facts: Sendable, Hashable, Encodable {
    /// A fact and its source.
    public struct Fact: Sendable, Hashable, Encodable {
      /// The fact.
      public var value: String
      /// The source in the page, such as `json-ld`, `og:title` or `h1`.
      public var source: String
    }

    /// The headline.
    public var title: Fact?
    /// The authors, separated by commas.
    public var byline: Fact?
    /// The date of publication: a date, or a date and time, in the format of RFC 3339.
    public var published: Fact?
    /// The date of the last change, in the same format.
    public var updated: Fact?
    /// The URL of the picture.
    public var image: Fact?
    /// The language (BCP 47).
    public var language: Fact?
    /// A description in a sentence or two.
    public var description: Fact?
    /// The name of the site.
    public var site: Fact?
    /// The canonical URL.
    public var canonical: Fact?
    /// The text in the JSON-LD; empty when there is none.
    package var linkedBody = ""
    /// The text in the JSON-LD, also of a post in a forum; empty when there is none.
    var linkedText = ""
    /// The posts in the JSON-LD.
    var linkedPosts: [Article.Post] = []
    /// The description of a product in the JSON-LD; empty when there is none.
    var linkedProduct = ""
    /// The JSON for the page's scripts, as ranges of the bytes of its tape.
    var preloaded: [Range<Int32>] = []
    /// Whether the page has more linked data than is read, 1 MiB.
    package var isLinkedDataCut = false
    /// What the page says that it is.
    var signs = PageSigns()
    /// The URL that the page names as the base of its relative URLs; nil when it names none.
    package var base: String?

    private enum CodingKeys: String, CodingKey {
      case title, byline, published, updated, image, language, description, site, canonical
    }

    init() {}
  }
}
