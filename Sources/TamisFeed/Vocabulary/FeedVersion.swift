/// The name of a feed format and version, as Universal Feed Parser spells it.
enum FeedVersion {
  /// Returns the name of the version.
  ///
  /// - Parameters:
  ///   - root: the document element's local name in lower case.
  ///   - version: its `version` attribute.
  ///   - namespaces: the namespaces it declares.
  ///   - doctype: the version that the document type implies, empty when there is none.
  /// - Returns: a name such as `rss20` or `atom10`; empty when the document element is not that of a feed.
  static func of(root: String, version: String?, namespaces: [String: String], doctype: String) -> String {
    let uris = namespaces.values.map { $0.lowercased() }
    switch root {
    case "rss":
      switch version ?? "" {
      case "0.90": return "rss090"
      case "0.91": return doctype.isEmpty ? "rss091u" : doctype
      case "0.92": return "rss092"
      case "0.93": return "rss093"
      case "0.94": return "rss094"
      case let other where other.hasPrefix("2."): return "rss20"
      default: return "rss"
      }
    case "rdf":
      return uris.contains("http://my.netscape.com/rdf/simple/0.9/") ? "rss090" : "rss10"
    case "feed", "entry":
      if uris.contains("http://www.w3.org/2005/atom") { return "atom10" }
      switch version ?? "" {
      case "0.1": return "atom01"
      case "0.2": return "atom02"
      case "0.3": return "atom03"
      default: return "atom"
      }
    case "channel": return "cdf"
    default: return ""
    }
  }
}
