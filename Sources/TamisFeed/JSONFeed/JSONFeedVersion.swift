import TamisCore

/// Recognizes the version of a JSON Feed by the URL in `version`.
enum JSONFeedVersion {
  /// Returns `json1` or `json11`, `json` for an unknown version, or nil when the URL is not of a JSON Feed.
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
