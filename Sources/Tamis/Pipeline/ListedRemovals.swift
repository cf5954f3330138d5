import TamisCore
import TamisSanitizer

extension Removal.Totals {
  /// The maximum length in bytes of a removed part's name on a page.
  private static let longestName = 1000

  /// The removals as pages list them, with the most frequent ones of each rule.
  var listed: [FeedStatus.Removals] {
    removals.map { rule, count in
      FeedStatus.Removals(
        rule: rule.rawValue, count: count,
        examples: examples(of: rule, atMost: 5).map { $0.prefix(bytes: Self.longestName) })
    }
    .sorted { $0.rule < $1.rule }
  }
}
