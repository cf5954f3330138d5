import TamisCore
import TamisHTML
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

      /// Whether the fact is from the text of the page, and may be about something else on it.
      var isInText: Bool { FactNames.inText.contains { source.hasPrefix($0) } }
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
    /// Whether the page has more linked data or other JSON than is read.
    package var isDataCut = false
    /// What the page says that it is.
    var signs = PageSigns()
    /// The URL that the page names as the base of its relative URLs; nil when it names none.
    package var base: String?

    private enum CodingKeys: String, CodingKey {
      case title, byline, published, updated, image, language, description, site, canonical
    }

    init() {}

    /// Removes characters that nobody sees from the facts that are texts.
    mutating func removeInvisible() {
      let texts: [WritableKeyPath<Self, Fact?>] = [\.title, \.byline, \.description, \.site]
      for path in texts {
        if let text = self[keyPath: path]?.value { self[keyPath: path]?.value = InvisibleText.visible(text) }
      }
    }

    /// The probability of a kind from which the authors and the dates on a page count as those of something else.
    private static let sureKind = 0.6

    /// Removes the author and the dates that stand on a list, a product's page or a company's page.
    ///
    /// They are those of reviews, of staff and of other pages. What the head and
    /// linked data declare stays.
    mutating func settle(by kind: Article.KindGuess?) {
      guard let kind, [.listing, .product, .other].contains(kind.kind), kind.confidence >= Self.sureKind,
        signs[.article] < PageSigns.typeWeight
      else { return }
      if byline?.isInText ?? false { byline = nil }
      if published?.isInText ?? false { published = nil }
      if updated?.isInText ?? false { updated = nil }
    }

    /// Adds the author and the time of a thread's first post, unless its head or linked data declares them.
    mutating func add(_ post: Article.Post?) {
      if let author = post?.author, byline?.isInText ?? true { byline = Fact(value: author, source: "post") }
      if let time = post?.published, self.published?.isInText ?? true { published = Fact(value: time, source: "post") }
    }
  }
}
