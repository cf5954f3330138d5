public import TamisArticle
public import TamisCore
public import TamisSanitizer

/// The stages for a web page: its article is extracted, then sanitized.
public struct ArticlePipeline: Sendable {
  /// A sanitized article.
  public struct Output: Sendable {
    /// The extracted article, whose markup is that of the page and not sanitized.
    public var article: Article
    /// The sanitized article; nil when the page has none.
    public var content: SanitizedHTML?
  }

  /// The extractor of the article.
  public let extractor: ArticleExtractor
  /// The boilerplate that pages of sites share; nil when it is not compared.
  public var templates: SiteTemplates?
  private let sanitizer: Sanitizer

  /// Creates a pipeline.
  ///
  /// - Parameters:
  ///   - sanitizer: the sanitizer of the article.
  ///   - limits: the bounds of reading a page.
  ///   - sites: the rules for the location of the article on the pages of single sites.
  ///   - trees: the model that scores blocks; nil for the shipped one.
  public init(
    sanitizer: Sanitizer, limits: Limits = .standard, sites: SiteRules = SiteRules(), trees: Trees? = nil
  ) {
    extractor = ArticleExtractor(limits: limits, rules: sites, trees: trees)
    self.sanitizer = sanitizer.with(limits: limits)
  }

  /// Returns the article of a page.
  public func process(_ input: ArticleExtractor.Input) -> Output {
    var input = input
    input.templates = input.templates ?? templates
    let article = extractor.extract(input)
    let content = article.markup.map { sanitizer.sanitize($0.value, base: input.url, page: input.url).html }
    return Output(article: article, content: content)
  }
}
