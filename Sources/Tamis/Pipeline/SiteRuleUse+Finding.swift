package import TamisArticle
package import TamisCore

extension SiteRuleUse {
  /// Returns the finding about a rule; nil when the rule had its effect.
  ///
  /// - Parameter page: the name of the page.
  /// - Returns: the finding, at the page; nil when the rule had its effect.
  package func finding(on page: String) -> Finding? {
    guard isUnmet else { return nil }
    let message = "the 'keep' selectors for \(host) match nothing on this page; the article was found without them"
    return Finding(.note, "article.site-rule", message, at: Finding.Location(file: page))
  }
}
