import Synchronization
import TamisCore

/// A rule prepared for fast matching.
struct PreparedRule: Sendable {
  let rule: Planet.FilterRule
  /// The condition; nil for rules without one.
  let condition: PreparedCondition?
  private let retags: [String: String?]

  init(_ rule: Planet.FilterRule, _ patterns: PatternCache) {
    self.rule = rule
    switch rule.action {
    case .keep(let condition), .drop(let condition), .excerpt(let condition):
      self.condition = PreparedCondition(condition, patterns)
    case .rename, .retag, .program: condition = nil
    }
    guard case .retag(let changes) = rule.action else {
      retags = [:]
      return
    }
    // Names that differ only in case are the same; the last in byte order counts, whatever the order of the dictionary.
    retags = Dictionary(
      changes.sorted { $0.key < $1.key }.map { (Self.folded($0.key), $0.value) }, uniquingKeysWith: { $1 })
  }

  /// Returns the tags under their new names, each once.
  func retagged(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.compactMap { name in
      let new = retags[Self.folded(name)] ?? name
      guard let new, seen.insert(Self.folded(new)).inserted else { return nil }
      return new
    }
  }

  static func folded(_ name: String) -> String { name.lowercased() }
}

/// The compiled expressions of rules, each compiled once, whatever number of feeds have its rule.
package final class PatternCache: Sendable {
  private let known = Mutex<[String: Pattern]>([:])

  /// Creates an empty cache.
  package init() {}

  /// Returns a compiled expression; nil for one that cannot be used, which the reader of the configuration reports.
  subscript(source: String) -> Pattern? {
    known.withLock { known in
      if let pattern = known[source] { return pattern }
      let pattern = try? Pattern(source)
      known[source] = pattern
      return pattern
    }
  }
}

/// A condition prepared for fast matching, with those inside it.
struct PreparedCondition: Sendable {
  let condition: Planet.FilterCondition
  let words: WordSet
  let authors: WordSet
  let patterns: [Pattern]
  let all: [PreparedCondition]
  let any: [PreparedCondition]
  let not: [PreparedCondition]
  private let tags: Set<String>
  private let categories: Set<String>
  private let domains: Set<String>

  init(_ condition: Planet.FilterCondition, _ patterns: PatternCache) {
    self.condition = condition
    words = WordSet(condition.words)
    authors = WordSet(condition.authors)
    self.patterns = condition.matches.compactMap { patterns[$0] }
    tags = Set(condition.tags.map(PreparedRule.folded))
    categories = Set(condition.categories.map(PreparedRule.folded))
    domains = Set(condition.domains)
    all = condition.all.map { PreparedCondition($0, patterns) }
    any = condition.any.map { PreparedCondition($0, patterns) }
    not = condition.not.map { PreparedCondition($0, patterns) }
  }

  /// Returns the first tag of a post that the condition names.
  func tag(among names: [String]) -> String? { names.first { tags.contains(PreparedRule.folded($0)) } }

  /// Returns the first category of a feed that the condition names, or that is inside one that it names.
  func category(among names: [String]) -> String? {
    names.first { name in
      let parts = PreparedRule.folded(name).split(separator: "/", omittingEmptySubsequences: false)
      return parts.indices.contains { categories.contains(parts[...$0].joined(separator: "/")) }
    }
  }

  /// Whether the condition names a host, or one that it is below.
  func hasDomain(_ host: String) -> Bool {
    // A longer one is not a name of DNS; its end decides all the same.
    var rest = host.utf8.suffix(255)
    while !domains.contains(String(decoding: rest, as: UTF8.self)) {
      guard let dot = rest.firstIndex(of: UInt8(ascii: ".")) else { return false }
      rest = rest[rest.index(after: dot)...]
    }
    return true
  }

  // MARK: - Words

  /// The condition in a few words, however long its lists are.
  var summary: String {
    let isWide = condition.fields == Planet.FilterCondition.Field.standard
    let place = isWide ? "" : " in \(condition.fields.map(\.rawValue).joined(separator: " or "))"
    let lists = [
      ("words", condition.words, place), ("matches", condition.matches.map { "/\($0)/" }, place),
      ("tags", condition.tags, ""), ("authors", condition.authors, ""), ("languages", condition.languages, ""),
      ("categories", condition.categories, ""), ("domains", condition.domains, ""),
      ("kinds", condition.kinds.map(\.rawValue), ""),
    ]
    var parts = lists.filter { !$0.1.isEmpty }.map { "\($0) (\(Self.beginning(of: $1, ", ")))\($2)" }
    if let days = condition.olderThan { parts.append("older than \(days.counted("day"))") }
    if let days = condition.newerThan { parts.append("not older than \(days.counted("day"))") }
    if let count = condition.shorterThan { parts.append("fewer than \(count.counted("word"))") }
    if let count = condition.longerThan { parts.append("more than \(count.counted("word"))") }
    for (name, inner) in [("all", all), ("any", any), ("not", not)] where !inner.isEmpty {
      parts.append("\(name) (\(Self.beginning(of: inner.prefix(4).map(\.summary), "; ")))")
    }
    return parts.joined(separator: " and ")
  }

  private static func beginning(of list: [String], _ separator: String) -> String {
    list.prefix(3).joined(separator: separator) + (list.count > 3 ? separator + "…" : "")
  }
}
