import TamisCore

/// Tells the version of a JSON Feed by the address that stands in `version`.
enum JSONFeedVersion {
  /// `json1` or `json11`, `json` for one that is not known, nil when it is no version of JSON Feed.
  static func of(_ text: String) -> String? {
    for prefix in ["https://jsonfeed.org/version/", "http://jsonfeed.org/version/"] where text.hasPrefix(prefix) {
      switch text.dropFirst(prefix.count) {
      case "1", "1.0": return "json1"
      case "1.1": return "json11"
      default: return "json"
      }
    }
    return nil
  }
}
