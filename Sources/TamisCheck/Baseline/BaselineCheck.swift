import TamisCore
package import TamisSanitizer

/// The differences from a baseline under the present rules.
package struct BaselineCheck: Sendable {
  /// Differences of one kind: they mean the same, and the same rules made them.
  package struct Group: Sendable {
    /// What they mean, by the first of them.
    package var comparison: BaselineComparison
    /// The first difference, in markup.
    package var difference: MarkupDifference
    /// The smallest input that was found to show it, with what came out before and what comes out now; nil when another
    /// version of Tamis made the baseline, so that what it did cannot be tried.
    package var smallest: (input: String, before: String, now: String)?
    /// What is taken away more often now (above zero) or less often (below), by rule and name.
    package var changes: [String: Int]
    /// The bodies, `feed: entry`.
    package var bodies: [String]
  }

  /// The differences, the gravest first, then by number.
  package private(set) var groups: [Group] = []
  /// How many bodies are as they were.
  package private(set) var same = 0
  /// How many bodies the feeds themselves have changed, so that they cannot be compared.
  package private(set) var edited = 0
  /// How many bodies are not in the baseline.
  package private(set) var unknown = 0
  /// How many bodies of the baseline are not in the feeds any more.
  package private(set) var gone = 0
  /// In how many bodies each rule takes away more or less than before, by rule and name.
  package private(set) var changes: [String: (bodies: Int, more: Int, fewer: Int)] = [:]

  /// How many bodies have differences of a class, such as lossier.
  package func count(_ meaning: BaselineComparison.Class) -> Int {
    groups.filter { $0.comparison.meaning == meaning }.reduce(0) { $0 + $1.bodies.count }
  }

  /// How many bodies could be compared.
  package var compared: Int { same + groups.reduce(0) { $0 + $1.bodies.count } }

  /// Compares the bodies of feeds with a baseline.
  package init(_ bodies: [Baseline.Body], with baseline: Baseline, sanitizer now: Sanitizer) {
    let then = baseline.sanitizer
    let known = OutputInventory.Known([then.policy, now.policy])
    var records: [String: Baseline.Record] = [:]
    for record in baseline.records { records["\(record.feed)\n\(record.entry)"] = record }
    var counter = Baseline.EntryCounter()
    var found: [String: Int] = [:]
    for body in bodies {
      let entry = counter.key(of: body)
      guard let record = records.removeValue(forKey: "\(body.feed)\n\(entry)") else {
        unknown += 1
        continue
      }
      guard record.source == Baseline.digest(body) else {
        edited += 1
        continue
      }
      let result = now.sanitize(body.html, base: body.base)
      guard let comparison = BaselineComparison(before: record.html, now: result.html.string, known: known) else {
        same += 1
        continue
      }
      let old = then.sanitize(body.html, base: body.base)
      let isSameEngine = old.html.string.utf8.elementsEqual(record.html.utf8)
      let changes = isSameEngine ? Self.changes(from: old, to: result) : [:]
      note(changes)
      let kind = "\(comparison.meaning) \(changes.map { "\($0.key) \($0.value.signum())" }.sorted())"
      if let index = found[kind] {
        groups[index].bodies.append("\(body.feed): \(entry)")
        continue
      }
      found[kind] = groups.count
      groups.append(
        Group(
          comparison: comparison, difference: MarkupDifference(expected: record.html, given: result.html.string),
          smallest: isSameEngine
            ? Self.smallest(
              body, meaning: comparison.meaning, rules: Set(changes.keys), known: known, then: then, now: now) : nil,
          changes: changes,
          bodies: ["\(body.feed): \(entry)"]))
    }
    gone = records.count
    // The first of a kind decides among equals, so that the order is that of the feeds.
    groups = groups.enumerated().sorted {
      ($0.element.comparison.meaning, -$0.element.bodies.count, $0.offset)
        < ($1.element.comparison.meaning, -$1.element.bodies.count, $1.offset)
    }.map(\.element)
  }

  /// What is taken away more or less often, by rule and name; by rule alone where there is too much to have every name.
  private static func changes(from old: Sanitizer.Result, to new: Sanitizer.Result) -> [String: Int] {
    let isComplete = [old, new].allSatisfy { $0.removalCounts.values.reduce(0, +) == $0.removals.count }
    var changes: [String: Int] = [:]
    if isComplete {
      for removal in new.removals { changes["\(removal.rule.rawValue) \(removal.name)", default: 0] += 1 }
      for removal in old.removals { changes["\(removal.rule.rawValue) \(removal.name)", default: 0] -= 1 }
    } else {
      for (rule, count) in new.removalCounts { changes[rule.rawValue, default: 0] += count }
      for (rule, count) in old.removalCounts { changes[rule.rawValue, default: 0] -= count }
    }
    return changes.filter { $0.value != 0 }
  }

  private mutating func note(_ changes: [String: Int]) {
    for (name, count) in changes {
      let known = self.changes[name] ?? (0, 0, 0)
      self.changes[name] = (known.bodies + 1, known.more + max(0, count), known.fewer + max(0, -count))
    }
  }

  /// The smallest input with a difference that means the same, made by the same rules or some of them.
  private static func smallest(
    _ body: Baseline.Body, meaning: BaselineComparison.Class, rules: Set<String>, known: OutputInventory.Known,
    then: Sanitizer, now: Sanitizer
  ) -> (input: String, before: String, now: String) {
    func results(_ input: [UInt8]) -> (Sanitizer.Result, Sanitizer.Result) {
      (then.sanitize(utf8: input.span, base: body.base), now.sanitize(utf8: input.span, base: body.base))
    }
    let input = Reducer.smallest(Array(body.html.utf8)) { input in
      let (before, after) = results(input)
      return rules.isSuperset(of: changes(from: before, to: after).keys)
        && BaselineComparison(before: before.html.string, now: after.html.string, known: known)?.meaning == meaning
    }
    let (before, after) = results(input)
    return (String(decoding: input, as: UTF8.self), before.html.string, after.html.string)
  }
}
