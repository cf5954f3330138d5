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

// MARK: - Values of attributes

extension WalkerSettings {
  /// An `id` or `name` with the policy's prefix, which keeps it from clashing with ids of the page around it.
  func prefixed(_ value: [UInt8]) -> [UInt8]? {
    guard let prefix = policy.improvements.idPrefix else { return value }
    let name = value.filter { !$0.isHTMLSpace }
    if name.isEmpty { return nil }
    return name.starts(with: prefix.utf8) ? name : Array(prefix.utf8) + name
  }

  /// `#name` with the policy's prefix; nil when it is anything else.
  func localReference(_ value: [UInt8]) -> [UInt8]? {
    let mark = UInt8(ascii: "#")
    guard value.first == mark else { return nil }
    return value.count == 1 ? value : prefixed(Array(value.dropFirst())).map { [mark] + $0 }
  }

  /// Names of elements with the policy's prefix; nil when there is none.
  func references(_ value: [UInt8]) -> [UInt8]? {
    guard policy.improvements.idPrefix != nil else { return value }
    let names = value.split(whereSeparator: \.isHTMLSpace).compactMap { prefixed(Array($0)) }
    return names.isEmpty ? nil : Array(names.joined(separator: [ASCII.space]))
  }

  /// The classes that the policy keeps.
  func keptClasses(_ value: [UInt8]) -> [UInt8] {
    guard let prefixes = policy.improvements.classPrefixes else { return value }
    let kept = value.split(whereSeparator: \.isHTMLSpace).filter { name in
      prefixes.contains { name.starts(with: $0.utf8) }
    }
    return Array(kept.joined(separator: [ASCII.space]))
  }
}
