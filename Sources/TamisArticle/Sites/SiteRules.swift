import TamisCore
package import TamisHTML
package import TamisURL

/// A handwritten rule for the pages of a site: where the article is, and what is not part of it.
package struct SiteRule: Sendable, Hashable {
  /// The host, in lower case and without `www.`; its subdomains are included.
  package var host: String
  /// The elements that contain the article; empty when the rule does not name any.
  package var keep: [CSSSelector]
  /// The elements that are not part of the article.
  package var drop: [CSSSelector]

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - host: the host, in lower case and without `www.`.
  ///   - keep: the elements that contain the article.
  ///   - drop: the elements that are not part of it.
  package init(host: String, keep: [CSSSelector] = [], drop: [CSSSelector] = []) {
    (self.host, self.keep, self.drop) = (host, keep, drop)
  }
}

/// Rules for the pages of single sites; pages of other sites incur no cost.
public struct SiteRules: Sendable, Hashable {
  private var rules: [String: SiteRule] = [:]

  /// The maximum length of a host name (RFC 1035, 2.3.4).
  private static let longestHost = 255

  /// Creates an empty set of rules.
  public init() {}

  /// Creates a set of rules; the last of several for one host is used.
  package init(_ rules: [SiteRule]) {
    self.rules = Dictionary(rules.map { (Self.name($0.host), $0) }) { _, last in last }
  }

  /// Whether there are no rules.
  package var isEmpty: Bool { rules.isEmpty }

  /// All rules, sorted by host.
  package var all: [SiteRule] { rules.values.sorted { $0.host < $1.host } }

  /// Returns the rule for a page: that of its host, else of the longest parent domain with a rule.
  package func rule(for url: WebURL) -> SiteRule? {
    guard !rules.isEmpty, let host = url.hostname, host.utf8.count <= Self.longestHost else { return nil }
    var name = Self.name(host)[...]
    while true {
      if let rule = rules[String(name)] { return rule }
      guard let dot = name.firstIndex(of: ".") else { return nil }
      name = name[name.index(after: dot)...]
    }
  }

  /// Returns the normalized name of a host, without `www.` and a final dot.
  package static func name(_ host: String) -> String {
    (host.hasSuffix(".") ? String(host.dropLast()) : host).withoutWWW
  }
}
