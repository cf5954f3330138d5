public import TamisURL

/// A rule for the pages of a site, written by hand: where the article is, and what is not part of it.
public struct SiteRule: Sendable, Hashable {
  /// The host, in lower case and without `www.`; its subdomains are included.
  public var host: String
  /// The elements that contain the article; empty when the rule does not name them.
  public var keep: [PageSelector]
  /// The elements that are not part of it.
  public var drop: [PageSelector]

  /// Makes a rule.
  public init(host: String, keep: [PageSelector] = [], drop: [PageSelector] = []) {
    (self.host, self.keep, self.drop) = (host, keep, drop)
  }

  /// Most alternatives of all selectors of one rule.
  public static let mostSelectors = 200
}

/// Rules for the pages of single sites; a page of a site without one costs nothing.
public struct SiteRules: Sendable, Hashable {
  private var rules: [String: SiteRule] = [:]

  /// Longer names of hosts are none (RFC 1035, 2.3.4).
  private static let longestHost = 255

  /// None.
  public init() {}

  /// Makes rules; of several for one host the last is used.
  public init(_ rules: [SiteRule]) {
    self.rules = Dictionary(rules.map { (Self.name($0.host), $0) }) { _, last in last }
  }

  /// Whether there are none.
  public var isEmpty: Bool { rules.isEmpty }

  /// All of them, by their hosts.
  public var all: [SiteRule] { rules.values.sorted { $0.host < $1.host } }

  /// The rule for a page: that of its host, else of the longest name that its host ends with.
  public func rule(for url: WebURL) -> SiteRule? {
    guard !rules.isEmpty, let host = url.hostname, host.utf8.count <= Self.longestHost else { return nil }
    var name = Self.name(host)[...]
    while true {
      if let rule = rules[String(name)] { return rule }
      guard let dot = name.firstIndex(of: ".") else { return nil }
      name = name[name.index(after: dot)...]
    }
  }

  /// The name of a host by which it is known.
  public static func name(_ host: String) -> String {
    let host = host.hasSuffix(".") ? String(host.dropLast()) : host
    return host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
  }
}
