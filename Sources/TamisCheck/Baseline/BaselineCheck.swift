import TamisCore
package import TamisSanitizer

/// The differences from a baseline under the current rules.
package struct BaselineCheck: Sendable {
  /// The differences of one kind: with the same meaning, and made by the same rules.
  package struct Group: Sendable {
    /// The meaning, taken from the first difference.
    package var comparison: BaselineComparison
    /// The first difference, in markup.
    package var difference: MarkupDifference
    /// The smallest input found to show the difference, with the outputs before and now.
    ///
    /// Nil when another version of Tamis produced the baseline, so that the earlier output cannot be reproduced.
    package var smallest: (input: String, before: String, now: String)?
    /// The change of the number of removals, by rule and name; positive for more.
    package var changes: [String: Int]
    /// The bodies, `feed: entry`.
    package var bodies: [String]
  }

  /// The differences, most severe first, then by number.
  package private(set) var groups: [Group] = []
  /// The number of unchanged bodies.
  package private(set) var same = 0
  /// The number of bodies that the feeds themselves have changed, which cannot be compared.
  package private(set) var edited = 0
  /// The number of bodies that are not in the baseline.
  package private(set) var unknown = 0
  /// The number of bodies of the baseline that are no longer in the feeds.
  package private(set) var gone = 0
  /// The number of bodies in which each rule removes more or less than before, by rule and name.
  package private(set) var changes: [String: (bodies: Int, more: Int, fewer: Int)] = [:]

  /// Returns the number of bodies with differences of a class.
  package func count(_ meaning: BaselineComparison.Class) -> Int {
    groups.filter { $0.comparison.meaning == meaning }.reduce(0) { $0 + $1.bodies.count }
  }

  /// The number of bodies that were compared.
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
    // Groups that compare equal keep the order of the feeds.
    groups = groups.enumerated().sorted {
      ($0.element.comparison.meaning, -$0.element.bodies.count, $0.offset)
        < ($1.element.comparison.meaning, -$1.element.bodies.count, $1.offset)
    }.map(\.element)
  }

  /// Returns the change of removals by rule and name, or by rule alone when not all names were recorded.
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

  /// Returns the smallest input with a difference of the same meaning, made by the same rules or some of them.
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
