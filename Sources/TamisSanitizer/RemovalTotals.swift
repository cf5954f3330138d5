extension Removal {
  /// The numbers of removals from several fragments, and of libtidy's results for them.
  public struct Totals: Sendable, Hashable, CustomStringConvertible {
    /// The number of fragments.
    public private(set) var fragments = 0
    /// The number of removals by rule; rules without removals are left out.
    public private(set) var removals: [Removal.Rule: Int] = [:]
    /// The number of removals by rule and name; only the first ``mostNames`` names are stored.
    private var names: [Removal.Rule: [String: Int]] = [:]
    /// The number of fragments by libtidy's result.
    public private(set) var tidy: [Sanitizer.TidyOutcome: Int] = [:]

    private static let mostNames = 50
    private static let longestName = 60

    /// Returns the most frequent removals of a rule, in descending order; with equal counts in the order of the names.
    ///
    /// - Parameters:
    ///   - rule: the rule.
    ///   - count: the maximum number of names.
    /// - Returns: the names, the most frequent first.
    public func examples(of rule: Removal.Rule, atMost count: Int) -> [String] {
      (names[rule] ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(count).map(\.key)
    }

    /// Makes empty totals.
    public init() {}

    /// Makes the totals of one fragment.
    public init(_ result: Sanitizer.Result) { add(result) }

    /// Adds a fragment.
    public mutating func add(_ result: Sanitizer.Result) {
      fragments += 1
      removals.merge(result.removalCounts, uniquingKeysWith: +)
      for removal in result.removals where Self.isNamed(removal) {
        let known = names[removal.rule]
        if known?[removal.name] == nil, known?.count ?? 0 >= Self.mostNames { continue }
        names[removal.rule, default: [:]][removal.name, default: 0] += 1
      }
      tidy[result.tidy, default: 0] += 1
    }

    /// Whether a removal is counted by name: names in documents may be long, and selectors are the caller's own.
    private static func isNamed(_ removal: Removal) -> Bool {
      removal.rule == .selector || removal.name.utf8.count <= longestName
    }

    /// The totals in words: `removed: 3 attribute, 1 tracking; repaired by libtidy: 1`.
    public var description: String {
      let counts = Removal.Rule.allCases.compactMap { rule in removals[rule].map { "\($0) \(rule.rawValue)" } }
      var parts = [counts.isEmpty ? "nothing was removed" : "removed: " + counts.joined(separator: ", ")]
      if let accepted = tidy[.accepted] { parts.append("repaired by libtidy: \(accepted)") }
      if let refused = tidy[.refused] {
        parts.append("repair by libtidy rejected: \(refused)")
      }
      return parts.joined(separator: "; ")
    }
  }
}
