package import TamisCore

/// The faults that a program is known to have: a run fails only when something changes.
///
/// A line of the file is `ID: FAULT, FAULT`, with the id of a case, or its name when it has none. Empty lines and lines
/// that begin with `#` are comments.
package struct ExpectedFailures: Sendable {
  private var faults: [String: (kinds: Set<OtherFault.Kind>, line: Int)] = [:]
  /// The mistakes of the file; such lines are ignored.
  package private(set) var findings: [Finding] = []
  private let file: String

  /// Reads a file's text.
  package init(_ text: String, file: String) {
    self.file = file
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = line.trimmed()
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
  ///
  /// A shape that is no longer slow is no change: times differ from run to run.
  package func applied(to outcome: CheckRunner.Outcome) -> CheckRunner.Outcome {
    guard let kinds = faults[outcome.each.key]?.kinds else { return outcome }
    var changed = outcome
    changed.failures = outcome.failures.filter { failure in
      guard case .other(let fault) = failure, kinds.contains(fault.kind) else { return true }
      changed.expected.append(fault)
      return false
    }
    let missing = kinds.subtracting(outcome.faults.map(\.kind)).subtracting([.slow])
    changed.failures += OtherFault.Kind.allCases.filter(missing.contains).map { .passes($0) }
    return changed
  }

  /// Returns the text of a file for the faults of outcomes, sorted by the ids of their cases.
  package static func text(_ outcomes: [CheckRunner.Outcome]) -> String {
    outcomes.filter { !$0.faults.isEmpty }.sorted { $0.each.key < $1.each.key }.map { outcome in
      let kinds = Set(outcome.faults.map(\.kind))
      let words = OtherFault.Kind.allCases.filter(kinds.contains).map(\.rawValue)
      return "\(outcome.each.key): \(words.joined(separator: ", "))\n"
    }.joined()
  }
}
