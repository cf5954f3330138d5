import TamisCore
import TamisHTML
import TamisURL

/// The constants for all fragments, which the walker and its tables share without copying.
final class WalkerSettings: Sendable {
  let policy: Policy
  let limits: Limits
  let urls: URLFilter.Rules
  /// The names of frame providers, by host.
  let embedProviders: HostTable<String>
  /// The value of `rel` on links that leave the fragment; empty when the policy wants none.
  let linkRelations: [UInt8]
  /// The conventions by which a tree is changed before it is walked.
  let conventions: Conventions
  /// Whether all elements for code stay, in which nothing is read as a formula.
  let keepsCode: Bool
  /// The hook that rewrites the written URLs; nil when there is none.
  let rewriteURL: Sanitizer.URLRewriter?

  init(policy: Policy, limits: Limits, rewriteURL: Sanitizer.URLRewriter?) {
    (self.policy, self.limits, self.rewriteURL) = (policy, limits, rewriteURL)
    urls = URLFilter.Rules(policy)
    embedProviders = HostTable(policy.improvements.embedProviders)
    keepsCode = policy.elements[.html]?.isSuperset(of: ["code", "kbd", "pre", "samp"]) ?? false
    var conventions: Conventions = []
    // Where styles stay, they say it themselves.
    let keepsStyles = policy.attributes[.html]?.values.contains { $0.contains("style") } ?? false
    if policy.improvements.readsStyledEmphasis, !keepsStyles { conventions.insert(.emphasis) }
    if policy.improvements.dropsControls { conventions.insert(.controls) }
    let attributes = policy.attributes[.html] ?? [:]
    if ["a", "li"].allSatisfy({ attributes[$0]?.contains("id") == true || attributes["*"]?.contains("id") == true }) {
      conventions.insert(.anchors)
    }
    let keepsTokens = policy.improvements.classPrefixes?.contains { "tok-".hasPrefix($0) } ?? false
    if keepsTokens, conventions.isSuperset(of: [.controls, .emphasis]) { conventions.insert(.tokens) }
    if policy.improvements.linksEmbeds { conventions.insert(.embeds) }
    if policy.elements[.math]?.contains("math") == true {
      conventions.insert(.formulas)
      if policy.improvements.setsFormulas { conventions.insert(.tex) }
    } else if policy.improvements.setsFormulas, !policy.droppedElements.contains("math") {
      conventions.formUnion([.formulas, .formulaText])
    }
    let keepsRaised = policy.elements[.html].map { !$0.isDisjoint(with: ["sub", "sup"]) } ?? false
    if policy.improvements.setsFormulas, !keepsRaised { conventions.insert(.raisedText) }
    if policy.improvements.readsDrawings { conventions.insert(.drawings) }
    self.conventions = conventions
    linkRelations = Array(policy.improvements.linkRelations.joined(separator: " ").utf8)
  }
}

// MARK: - Values of attributes

extension WalkerSettings {
  /// Returns an `id` or `name` with the policy's prefix, which prevents clashes with ids of the page around it.
  func prefixed(_ value: [UInt8]) -> [UInt8]? {
    guard let prefix = policy.improvements.idPrefix else { return value }
    let name = value.filter { !$0.isHTMLSpace }
    if name.isEmpty { return nil }
    return name.starts(with: prefix.utf8) ? name : Array(prefix.utf8) + name
  }

  /// Returns `#name` with the policy's prefix; nil for any other value.
  func localReference(_ value: [UInt8]) -> [UInt8]? {
    let mark = UInt8(ascii: "#")
    guard value.first == mark else { return nil }
    return value.count == 1 ? value : prefixed(Array(value.dropFirst())).map { [mark] + $0 }
  }

  /// Returns ids of elements with the policy's prefix; nil when there are none.
  func references(_ value: [UInt8]) -> [UInt8]? {
    guard policy.improvements.idPrefix != nil else { return value }
    let names = value.split(whereSeparator: \.isHTMLSpace).compactMap { prefixed(Array($0)) }
    return names.isEmpty ? nil : Array(names.joined(separator: [ASCII.space]))
  }

  /// Returns the classes that the policy keeps.
  func keptClasses(_ value: [UInt8]) -> [UInt8] {
    guard let prefixes = policy.improvements.classPrefixes else { return value }
    let kept = value.split(whereSeparator: \.isHTMLSpace).filter { name in
      prefixes.contains { name.starts(with: $0.utf8) }
    }
    return Array(kept.joined(separator: [ASCII.space]))
  }
}
