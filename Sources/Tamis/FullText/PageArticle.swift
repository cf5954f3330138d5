import TamisArchive
import TamisArticle
import TamisCore
import TamisSystem
import TamisFoundation
import TamisURL

/// The extracted content of an entry's page, which is as untrusted as the page.
package struct PageArticle: Sendable, Hashable, Codable {
  /// The page's URL after all redirects.
  package var address = ""
  /// The URL that the page names as the base of its relative URLs; nil when it names none.
  package var base: String?
  /// The page's title; empty when it has none.
  package var title = ""
  /// The authors, separated by commas; nil when the page names none.
  package var byline: String?
  /// The date of publication, as written on the page.
  package var published: String?
  /// The URL of the article's picture.
  package var image: String?
  /// The article's markup, for the sanitizer; empty when the page has none.
  package var markup = ""
  /// The article's text.
  package var text = ""
  /// The confidence of the extraction, from 0 to 1.
  package var confidence = 0.0
  /// The kind of the page; nil when it is not certain.
  package var kind: String?

  /// The minimum probability of a kind.
  private static let leastKindConfidence = 0.6

  /// Creates an empty result.
  package init() {}

  /// Extracts the article of a page.
  ///
  /// - Parameters:
  ///   - input: the page, with the feed's title and text.
  ///   - url: the page's URL.
  ///   - extractor: the extractor, with the rules for sites.
  ///   - findings: receives findings about a rule for its site.
  init(_ input: ArticleExtractor.Input, at url: WebURL, _ extractor: ArticleExtractor, into findings: inout [Finding]) {
    let article = extractor.extract(input)
    findings += article.siteRule?.finding(on: url.href).map { [$0] } ?? []
    (address, base) = (url.href, article.facts.base)
    (title, byline) = (article.facts.title?.value ?? "", article.facts.byline?.value)
    (published, image) = (article.facts.published?.value, article.facts.image?.value)
    (markup, text, confidence) = (article.markup?.value ?? "", article.text, article.confidence)
    kind = article.kind.flatMap { $0.confidence < Self.leastKindConfidence ? nil : $0.kind.rawValue }
  }

  // MARK: - Storing

  /// The value as compressed bytes.
  ///
  /// Keys are sorted, so that the same page gives the same bytes in one version of the program.
  var packed: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self), data.count <= PackedValue.largestArticle else { return [] }
    return Packer().pack(Array(data))
  }

  /// Creates a value from compressed bytes.
  ///
  /// - Returns: nil when the bytes are not an article.
  init?(packed: [UInt8]) {
    guard let bytes = Packing.unpack(packed, most: PackedValue.largestArticle),
      let article = try? JSONDecoder().decode(PageArticle.self, from: Data(bytes))
    else { return nil }
    self = article
  }
}

/// A request for an entry's page.
struct PageRequest: Sendable, Hashable {
  /// The URLs of the page; the first one is requested.
  var addresses: [String]
  /// The title of the entry in the feed.
  var title: String
  /// The text of the entry in the feed.
  var text: String
  /// The publication date of the entry, in seconds since 1970; nil when the feed has none.
  var date: Int64?
}

/// The source of the full text of a feed's entries.
struct FullTextSource: Sendable {
  /// The entries that want full text.
  var setting: Planet.FullText
  /// A function that returns the article of a page; nil when there is none.
  var article: @Sendable (PageRequest) -> PageArticle?
}
