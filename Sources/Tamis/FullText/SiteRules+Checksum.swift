public import TamisArticle
import TamisDigest
import TamisURL

extension SiteRules {
  /// Changes when the rules do; 0 when there are none.
  var checksum: Int64 { isEmpty ? 0 : Checksum(Array(all.map(\.text).joined(separator: "\n").utf8)).shortened }

  /// Changes when the rules do; empty when there are none.
  public var fingerprint: String { isEmpty ? "" : "\(checksum)" }

  /// Changes when the rule for a page does; 0 when there is none.
  func checksum(of url: WebURL) -> Int64 { rule(for: url).map { Checksum(Array($0.text.utf8)).shortened } ?? 0 }
}

extension SiteRule {
  /// The whole rule as text.
  fileprivate var text: String {
    "\(host) keep \(keep.map(\.description).joined(separator: ", ")) drop \(drop.map(\.description).joined(separator: ", "))"
  }
}
