import Foundation
import TamisArticle
import TamisCore
import TamisFiles
import TamisURL

/// What was found on an entry's page, as little trusted as the page.
package struct PageArticle: Sendable, Hashable, Codable {
  /// Where the page is, at the end of all redirects.
  package var address = ""
  /// The page's title; empty when it has none.
  package var title = ""
  /// When it was published, as the page says it.
  package var published: String?
  /// The address of its picture.
  package var image: String?
  /// The article's markup, for the sanitizer; empty when the page has none.
  package var markup = ""
  /// The article's text.
  package var text = ""
  /// How sure it is that this is the article, from 0 to 1.
  package var confidence = 0.0

  /// Nothing was found.
  package init() {}

  /// Finds the article of a page.
  ///
  /// - Parameters:
  ///   - input: the page, with what the feed says of it.
  ///   - url: where it is.
  ///   - findings: gets what is to be said of a rule for its site.
  init(
    _ input: ArticleExtractor.Input, at url: WebURL, _ extractor: ArticleExtractor, into findings: inout [Finding]
  ) {
    let article = extractor.extract(input)
    findings += article.siteRule?.finding(on: url.href).map { [$0] } ?? []
    address = url.href
    title = article.facts.title?.value ?? ""
    (published, image) = (article.facts.published?.value, article.facts.image?.value)
    (markup, text, confidence) = (article.markup?.value ?? "", article.text, article.confidence)
  }

  // MARK: - As it is kept

  /// The same, packed; keys in order, so that the same page has the same bytes.
  var packed: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { return [] }
    return Packer().pack(Array(data))
  }

  /// - Returns: nil when the bytes are no article.
  init?(packed: [UInt8]) {
    guard let bytes = Packing.unpack(packed),
      let article = try? JSONDecoder().decode(PageArticle.self, from: Data(bytes))
    else { return nil }
    self = article
  }
}

/// A page that an entry wants.
struct PageWish: Sendable, Hashable {
  /// Where it is, the address that is asked first.
  var addresses: [String]
  /// What the feed calls the entry.
  var title: String
  /// What it has of its text.
  var text: String
  /// When the entry was published, seconds since 1970; nil when the feed does not say.
  var date: Int64?
}

/// Where the full text of a feed's entries comes from.
struct FullTextSource: Sendable {
  /// Which entries want it.
  var setting: FullText
  /// The article of a page; nil when that is not known.
  var article: @Sendable (PageWish) -> PageArticle?
}
