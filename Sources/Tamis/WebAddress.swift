import TamisURL

/// Addresses that can be asked for a page.
enum WebAddress {
  /// The address as the URL Standard writes it, without a name and a password; nil when it is not an absolute one of http or https.
  static func absolute(_ text: String?) -> String? {
    guard let url = text.flatMap({ WebURL($0) }), url.scheme == "http" || url.scheme == "https" else { return nil }
    return url.removingCredentials.href
  }
}
