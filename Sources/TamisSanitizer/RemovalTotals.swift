/// How much was taken away from a number of fragments, and what libtidy did to them.
public struct RemovalTotals: Sendable, Hashable, CustomStringConvertible {
  /// How many fragments.
  public private(set) var fragments = 0
  /// How much was taken away, by rule; rules that took nothing are left out.
  public private(set) var removals: [Removal.Rule: Int] = [:]
  /// How many fragments libtidy did each to.
  public private(set) var tidy: [Sanitizer.TidyOutcome: Int] = [:]

  /// Makes totals of nothing.
  public init() {}

  /// Makes the totals of one fragment.
  public init(_ result: Sanitizer.Result) { add(result) }

  /// Adds a fragment.
  public mutating func add(_ result: Sanitizer.Result) {
    fragments += 1
    removals.merge(result.removalCounts, uniquingKeysWith: +)
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
