extension Planet {
  /// The settings for full text: supplied pages, and rules for sites.
  package struct PageSettings: Sendable, Hashable {
    /// The files with pages, as JSON lines or WARC, relative to the configuration's folder.
    package var known: [String] = []
    /// The file with rules for finding the article on single sites, relative to the configuration's folder; nil for
    /// none.
    package var siteRules: String?
  }
}

extension Planet.PageSettings {
  /// The settings of the section `pages`.
  static let table: [Setting<Planet.PageSettings>] = [
    Setting(
      "known", \.known, listed: .paths, "files that are searched before pages are fetched, JSON lines or WARC",
      example: "crawl.warc.gz"),
    Setting(
      "site-rules", optional: \.siteRules, .path, "rules for finding the article on single sites",
      example: "sites.yaml"),
  ]
}
