import TamisCore
package import TamisURL

/// A policy's lists of trackers, prepared for frequent lookups.
package struct TrackingRules {
  private let parameters: TrackingParameters
  private let hosts: TrackingHosts

  package init(_ improvements: Policy.Improvements) {
    parameters = TrackingParameters(improvements.trackingParameters)
    hosts = TrackingHosts(improvements.trackingHosts)
  }

  /// Returns a link without the parameters on the list; nil when it has none of them.
  package func withoutParameters(_ link: borrowing Span<UInt8>) -> [UInt8]? {
    guard !parameters.isEmpty else { return nil }
    let mark = UInt8(ascii: "?")
    guard ByteScan.index(of: mark, in: link, from: 0) < link.count else { return nil }
    let text = copy link
    guard let url = WebURL(utf8: text) else { return nil }
    let clean = parameters.removed(from: url)
    return clean == url ? nil : clean.utf8
  }

  /// Returns a page's URL without the parameters on the list.
  package func withoutParameters(_ page: WebURL) -> WebURL { parameters.removed(from: page) }

  /// Whether a picture's host, or one above it, is on the list.
  package func isTracker(_ picture: borrowing Span<UInt8>) -> Bool {
    guard !hosts.isEmpty else { return false }
    let text = copy picture
    return WebURL(utf8: text).map(hosts.contains) ?? false
  }
}
