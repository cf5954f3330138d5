import TamisCore
import TamisURL

/// What stays the same from fragment to fragment, shared by the walker and its tables instead of copied with them.
final class WalkerSettings: Sendable {
  let policy: Policy
  let limits: Limits
  let urls: URLFilter.Rules
  /// The names of providers of frames, by host.
  let embedProviders: HostTable<String>
  /// The value of `rel` on links that leave the fragment; empty when the policy wants none.
  let linkRelations: [UInt8]
  /// Rewrites the URLs that are written; nil when there is no such hook.
  let rewriteURL: Sanitizer.URLRewriter?

  init(policy: Policy, limits: Limits, rewriteURL: Sanitizer.URLRewriter?) {
    (self.policy, self.limits, self.rewriteURL) = (policy, limits, rewriteURL)
    urls = URLFilter.Rules(policy)
    embedProviders = HostTable(policy.improvements.embedProviders)
    linkRelations = Array(policy.improvements.linkRelations.joined(separator: " ").utf8)
  }
}
