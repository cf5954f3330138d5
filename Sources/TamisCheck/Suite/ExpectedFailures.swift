package import TamisCore

/// The faults that a program is known to have: a run fails only when something changes.
///
/// A line of the file is `ID: FAULT, FAULT`, with the id of a case, or its name when it has none. Empty lines and lines
/// that begin with `#` are comments.
package struct ExpectedFailures: Sendable {
  private var faults: [String: (kinds: Set<OtherFault.Kind>, line: Int)] = [:]
  private var comments: [String] = []
  /// The mistakes of the file; such lines are ignored.
  package private(set) var findings: [Finding] = []
  private let file: String

  /// Reads a file's text.
  package init(_ text: String, file: String) {
    self.file = file
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = line.trimmed()
      if line.hasPrefix("#") { comments.append(line) }
      if line.isEmpty || line.hasPrefix("#") { continue }
      // Names can have colons, faults have none.
      let parts = line.lastIndex(of: ":").map { (line[..<$0].trimmed(), line[line.index(after: $0)...]) }
      let words = parts?.1.split(separator: ",").map { $0.trimmed() } ?? []
      let kinds = words.compactMap(OtherFault.Kind.init)
      if let id = parts?.0, !id.isEmpty, !kinds.isEmpty, kinds.count == words.count, faults[id] == nil {
        faults[id] = (Set(kinds), index + 1)
        continue
      }
      let isKnown = parts.map { faults[$0.0] != nil } ?? false
      let known = OtherFault.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      report(
        isKnown ? "this case has a line already" : "expected 'ID: FAULT, FAULT'; faults are \(known)", line: index + 1)
    }
  }

  private mutating func report(_ message: String, line: Int) {
    findings.append(Finding(.error, "check.expected", message, at: Finding.Location(file: file, line: line)))
  }

  /// Adds a finding for each line whose case does not exist.
  ///
  /// - Parameter cases: the ids of all cases, regardless of filters, or their names.
  package mutating func check(against cases: Set<String>) {
    for (id, entry) in faults.sorted(by: { $0.value.line < $1.value.line }) where !cases.contains(id) {
      report("there is no case '\(id)'", line: entry.line)
    }
  }

  /// Returns an outcome in which only what changed is a failure.
  package func applied(to outcome: CheckRunner.Outcome) -> CheckRunner.Outcome {
    guard let kinds = faults[outcome.each.key]?.kinds else { return outcome }
    var changed = outcome
    changed.failures = outcome.failures.filter { failure in
      guard case .other(let fault) = failure, kinds.contains(fault.kind) else { return true }
      changed.expected.append(fault)
      return false
    }
    let missing = kinds.subtracting(outcome.faults.map(\.kind))
    changed.failures += OtherFault.Kind.allCases.filter(missing.contains).map { .gone($0) }
    return changed
  }

  /// Returns an outcome in which every fault is expected.
  package static func recorded(_ outcome: CheckRunner.Outcome) -> CheckRunner.Outcome {
    var recorded = outcome
    (recorded.failures, recorded.expected) = ([], outcome.faults)
    return recorded
  }

  /// Replaces the faults of cases by those of their outcomes; other cases keep theirs.
  package mutating func record(_ outcomes: [CheckRunner.Outcome]) {
    for outcome in outcomes {
      let kinds = Set(outcome.faults.map(\.kind))
      faults[outcome.each.key] = kinds.isEmpty ? nil : (kinds, 0)
    }
  }

  /// The text of the file: its comments, then the cases sorted by their ids.
  package var text: String {
    let lines = faults.sorted { $0.key < $1.key }.map { id, entry in
      "\(id): \(OtherFault.Kind.allCases.filter(entry.kinds.contains).map(\.rawValue).joined(separator: ", "))"
    }
    return (comments + lines).map { $0 + "\n" }.joined()
  }

  /// The number of cases with known faults.
  package var count: Int { faults.count }
}
