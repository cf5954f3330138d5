/// The settings for full text: supplied pages, and rules for sites.
public struct PageSettings: Sendable, Hashable {
  /// Files with pages, as JSON lines or WARC, relative to the configuration's folder.
  public var known: [String] = []
  /// The file with rules for single sites, where on their pages the article is, relative to the configuration's folder; nil for
  /// none.
  public var siteRules: String?

  /// The defaults.
  public init() {}
}
