public import TamisArticle
public import TamisCore

extension SiteRuleUse {
  /// What is to be said of it; nil when it did what it was meant for.
  ///
  /// - Parameter page: what the page is called.
  public func finding(on page: String) -> Finding? {
    guard isUnmet else { return nil }
    let message = "nothing on this page is what the rule for \(host) keeps; the article was looked for without it"
    return Finding(.note, "article.site-rule", message, at: SourceLocation(file: page))
  }
}
