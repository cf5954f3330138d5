public import TamisArticle
public import TamisCore
package import TamisHTML
public import TamisSanitizer
public import TamisURL

/// The stages for a web page: its article is extracted, then sanitized.
public struct ArticlePipeline: Sendable {
  /// A sanitized article.
  public struct Output: Sendable {
    /// The extracted article, whose markup is that of the page and not sanitized.
    public var article: Article
    /// The sanitized article; nil when the page has none.
    public var content: SanitizedHTML?
    /// The number of texts and attributes of the article from which characters were taken that nobody sees.
    public var invisible = 0
  }

  package let extractor: ArticleExtractor
  /// The boilerplate that pages of sites share; nil when it is not compared.
  package var templates: SiteTemplates?
  /// The style sheets that pages may link to.
  package var sheets = LinkedSheets()
  private let sanitizer: Sanitizer

  /// Creates a pipeline.
  ///
  /// - Parameters:
  ///   - sanitizer: the sanitizer of the article.
  ///   - limits: the bounds of reading a page.
  ///   - sites: the rules for the location of the article on the pages of single sites.
  public init(sanitizer: Sanitizer = .reading, limits: Limits = .standard, sites: SiteRules = SiteRules()) {
    self.init(sanitizer: sanitizer, limits: limits, sites: sites, model: nil)
  }

  /// Creates a pipeline with another model of the scores of blocks; nil for the shipped one.
  package init(sanitizer: Sanitizer, limits: Limits = .standard, sites: SiteRules, model: ArticleModel?) {
    extractor = ArticleExtractor(limits: limits, rules: sites, model: model)
    self.sanitizer = sanitizer.with(limits: limits)
  }

  /// Returns the article of a page.
  ///
  /// - Parameters:
  ///   - page: the bytes of the page, in the encoding that they declare.
  ///   - url: the URL of the page, against which its relative URLs are resolved.
  /// - Returns: the article; its `content` is nil when there is none.
  public func process(page: [UInt8], url: WebURL? = nil) -> Output {
    process(ArticleExtractor.Input(page: PageEncoding.decode(page), url: url))
  }

  /// Returns the article of a page in UTF-8.
  package func process(_ input: ArticleExtractor.Input) -> Output {
    var input = input
    input.templates = input.templates ?? templates
    input.sheets = sheets
    let article = extractor.extract(input)
    let result = article.markup.map { markup in
      sanitizer.sanitize(markup.value, base: markup.base.flatMap { WebURL($0) }, page: input.url)
    }
    return Output(article: article, content: result?.html, invisible: result?.removalCounts[.invisible] ?? 0)
  }
}
