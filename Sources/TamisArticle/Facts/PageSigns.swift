import TamisCore
import TamisURL

/// What a page says that it is: in its linked data, its metadata, by the program that made it, and in its URL.
struct PageSigns: Sendable, Hashable {
  /// The weight of a type, or of the program that made the page.
  static let typeWeight = 4

  /// The number of signs of each kind, weighted.
  private var weights: [Article.Kind: Int] = [:]

  /// The number of signs of a kind, weighted; 0 when nothing says so.
  subscript(kind: Article.Kind) -> Int { weights[kind] ?? 0 }

  init() {}

  /// Reads the signs of a page.
  ///
  /// - Parameters:
  ///   - types: the schema.org types of the page's main content, and the values of `og:type`.
  ///   - generators: the programs that made the page.
  ///   - url: the URL of the page; nil when not known.
  init(types: [String], generators: [String], url: WebURL?) {
    for kind in Set(types.compactMap { Self.kind(ofType: $0) }) { weights[kind, default: 0] += Self.typeWeight }
    for generator in generators {
      let name = generator.asciiLowercased()
      for (kind, names) in Self.generators where names.contains(where: name.contains) {
        weights[kind, default: 0] += Self.typeWeight
      }
    }
    guard let url else { return }
    let words = Set((url.pathParts + [url.query ?? ""]).flatMap(Self.words))
    let labels = Set((url.hostname ?? "").split(separator: ".").map(String.init))
    for (kind, names) in Self.pathWords where !words.isDisjoint(with: names) { weights[kind, default: 0] += 1 }
    for (kind, names) in Self.hostLabels where !labels.isDisjoint(with: names) { weights[kind, default: 0] += 2 }
  }

  private static func words(_ part: String) -> [String] {
    part.asciiLowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.map(String.init)
  }

  /// Returns the kind of page that a schema.org type or a value of `og:type` stands for, or nil when it tells nothing.
  private static func kind(ofType type: String) -> Article.Kind? {
    let type = type.split(separator: "/").last.map(String.init) ?? type
    if let kind = kinds[type] { return kind }
    if type == "JobPosting" { return nil }
    return type.hasSuffix("Article") || type.hasSuffix("Posting") || type == "article" ? .article : nil
  }

  /// The kinds by types of schema.org and values of `og:type`.
  private static let kinds: [String: Article.Kind] = [
    "DiscussionForumPosting": .thread, "QAPage": .thread, "TechArticle": .documentation, "APIReference": .documentation,
    "ItemList": .listing, "CollectionPage": .listing, "SearchResultsPage": .listing, "OfferCatalog": .listing,
    "product.group": .listing, "Product": .product, "ProductGroup": .product, "IndividualProduct": .product,
    "ProductModel": .product, "Vehicle": .product, "product": .product, "product.item": .product,
    "og:product": .product,
  ]
  /// Parts of the names of programs, in lower case.
  private static let generators: [(kind: Article.Kind, names: [String])] = [
    (
      .thread,
      [
        "phpbb", "vbulletin", "xenforo", "discourse", "mybb", "simple machines", "invision", "flarum", "vanilla",
        "nodebb", "fluxbb", "woltlab",
      ]
    ),
    (
      .documentation,
      [
        "sphinx", "docusaurus", "mkdocs", "gitbook", "mdbook", "vitepress", "vuepress", "docfx", "doxygen",
        "javadoc", "asciidoc", "antora", "starlight", "docsify", "readme.io", "mintlify",
      ]
    ),
  ]
  /// Words of the path and the query of URLs.
  private static let pathWords: [(kind: Article.Kind, names: Set<String>)] = [
    (
      .thread,
      [
        "thread", "threads", "topic", "topics", "forum", "forums", "viewtopic", "showthread", "viewthread",
        "questions", "discussion", "discussions", "community", "comments", "answers", "board", "t",
      ]
    ),
    (
      .documentation,
      [
        "docs", "doc", "documentation", "reference", "manual", "api", "guide", "guides", "wiki", "help",
        "tutorial", "tutorials", "handbook", "kb", "man", "faq",
      ]
    ),
    (
      .listing,
      [
        "category", "categories", "collections", "collection", "tag", "tags", "list", "search", "archive",
        "archives", "browse", "department", "catalog", "c", "jobs", "results",
      ]
    ),
    (.product, ["product", "products", "item", "dp", "ip", "pd", "p", "prod"]),
    (.article, ["news", "blog", "article", "articles", "story", "stories", "post", "posts"]),
  ]
  /// Labels of host names.
  private static let hostLabels: [(kind: Article.Kind, names: Set<String>)] = [
    (
      .thread,
      [
        "forum", "forums", "community", "discuss", "discourse", "boards", "stackoverflow", "stackexchange",
        "reddit", "superuser", "serverfault",
      ]
    ),
    (.documentation, ["docs", "doc", "developer", "developers", "learn", "help", "wiki", "readthedocs", "support"]),
    (.product, ["shop", "store"]),
    (.article, ["blog", "news"]),
  ]
}
