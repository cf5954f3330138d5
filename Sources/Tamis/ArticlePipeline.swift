public import TamisArticle
public import TamisCore
public import TamisSanitizer

/// The way of a web page through the stages: its article is found, then sanitized.
public struct ArticlePipeline: Sendable {
  /// An article that may be shown.
  public struct Output: Sendable {
    /// What was found; its markup is the page's.
    public var article: Article
    /// The article as it may be shown; nil when the page has none.
    public var content: SanitizedHTML?
  }

  /// Finds the article.
  public let extractor: ArticleExtractor
  /// What the pages of sites have in common; nil when that is not to count.
  public var templates: SiteTemplates?
  private let sanitizer: Sanitizer

  /// - Parameters:
  ///   - policy: the rules for what comes out.
  ///   - sites: those for where on the pages of single sites the article is.
  ///   - trees: what weighs blocks.
  public init(
    policy: Policy, limits: Limits = .standard, sites: SiteRules = SiteRules(), trees: Trees = .shipped
  ) {
    extractor = ArticleExtractor(limits: limits, rules: sites, trees: trees)
    sanitizer = Sanitizer(policy: policy, limits: limits)
  }

  /// The article of a page.
  public func process(_ input: ArticleExtractor.Input) -> Output {
    var input = input
    input.templates = input.templates ?? templates
    let article = extractor.extract(input)
    let content = article.markup.map { sanitizer.sanitize($0.value, base: input.url, page: input.url).html }
    return Output(article: article, content: content)
  }
}
