public import TamisArticle
import TamisDigest
import TamisURL

extension SiteRules {
  /// Another when rules are; 0 when there are none.
  var checksum: Int64 { isEmpty ? 0 : Checksum(Array(all.map(\.text).joined(separator: "\n").utf8)).shortened }

  /// Another when rules are; empty when there are none.
  public var fingerprint: String { isEmpty ? "" : "\(checksum)" }

  /// Another when the rule for a page is; 0 when there is none.
  func checksum(of url: WebURL) -> Int64 { rule(for: url).map { Checksum(Array($0.text.utf8)).shortened } ?? 0 }
}

extension SiteRule {
  /// All that it says.
  fileprivate var text: String {
    "\(host) keep \(keep.map(\.description).joined(separator: ", ")) drop \(drop.map(\.description).joined(separator: ", "))"
  }
}
