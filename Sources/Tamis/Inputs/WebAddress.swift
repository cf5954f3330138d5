import TamisCore
import TamisURL

/// Handles URLs that can be fetched.
enum WebAddress {
  /// Returns the URL as serialized by the URL Standard, without user name and password; nil when it is not an absolute
  /// http(s) URL, or is longer than ``Limits/linkBytes``.
  static func absolute(_ text: String?) -> String? {
    guard let url = text.flatMap({ WebURL($0) }), url.isHTTP else { return nil }
    let address = url.removingCredentials.href
    return address.utf8.count > Limits.standard.linkBytes ? nil : address
  }

  /// Returns the URLs by which a page is found: its own, and the one without tracking parameters.
  static func names(ofPage url: WebURL) -> Set<String> {
    let plain = url.removingFragment
    return [plain.href, PreparedDocument.tracking.removed(from: plain).href]
  }
}
