/// Where the pages of posts come from whose articles are shown, and what is known of them.
public struct PageSettings: Sendable, Hashable {
  /// Files with pages, as JSON lines or WARC, seen from the configuration's folder.
  public var known: [String] = []
  /// The file that says of single sites where on their pages the article is, seen from the configuration's folder; nil for none.
  public var siteRules: String?

  /// The defaults.
  public init() {}
}
