public import TamisURL

/// What somebody has found out about the pages of a site: where on them the article is, and what in it is none.
public struct SiteRule: Sendable, Hashable {
  /// The host, in lower case and without `www.`; its subdomains are meant too.
  public var host: String
  /// The article is in these elements, all of it; empty when nothing is said of that.
  public var keep: [PageSelector]
  /// These elements are no part of it.
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

  /// Of several rules for one host the last counts.
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
