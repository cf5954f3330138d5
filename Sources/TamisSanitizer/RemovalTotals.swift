/// How much was taken away from a number of fragments, and what libtidy did to them.
public struct RemovalTotals: Sendable, Hashable, CustomStringConvertible {
  /// How many fragments.
  public private(set) var fragments = 0
  /// How much was taken away, by rule; rules that took nothing are left out.
  public private(set) var removals: [Removal.Rule: Int] = [:]
  /// What each rule took, by its name, and how often: of the names that came first ``mostNames``.
  private var names: [Removal.Rule: [String: Int]] = [:]
  /// How many fragments libtidy did each to.
  public private(set) var tidy: [Sanitizer.TidyOutcome: Int] = [:]

  private static let mostNames = 50
  private static let longestName = 60

  /// What a rule took most often, that first; of what it took as often in the order of the names.
  public func examples(of rule: Removal.Rule, atMost count: Int) -> [String] {
    (names[rule] ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(count).map(\.key)
  }

  /// Makes totals of nothing.
  public init() {}

  /// Makes the totals of one fragment.
  public init(_ result: Sanitizer.Result) { add(result) }

  /// Adds a fragment.
  public mutating func add(_ result: Sanitizer.Result) {
    fragments += 1
    removals.merge(result.removalCounts, uniquingKeysWith: +)
    for removal in result.removals where removal.name.utf8.count <= Self.longestName {
      let known = names[removal.rule]
      if known?[removal.name] == nil, known?.count ?? 0 >= Self.mostNames { continue }
      names[removal.rule, default: [:]][removal.name, default: 0] += 1
    }
    tidy[result.tidy, default: 0] += 1
  }

  /// `taken away: 3 attribute, 1 tracking; repaired by libtidy: 1`.
  public var description: String {
    let counts = Removal.Rule.allCases.compactMap { rule in removals[rule].map { "\($0) \(rule.rawValue)" } }
    var parts = [counts.isEmpty ? "nothing was taken away" : "taken away: " + counts.joined(separator: ", ")]
    if let accepted = tidy[.accepted] { parts.append("repaired by libtidy: \(accepted)") }
    if let refused = tidy[.refused] {
      parts.append("libtidy's repair not taken, for it could not be trusted: \(refused)")
    }
    return parts.joined(separator: "; ")
  }
}
