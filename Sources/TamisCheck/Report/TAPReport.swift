package import TamisCore

/// Outcomes in the Test Anything Protocol (TAP 14, https://testanything.org).
package struct TAPReport: Sendable {
  private var count = 0
  private let text = FailureText(hasColours: false)

  /// Begins a report.
  package init() {}

  /// The first line.
  package static let start = "TAP version 14"

  /// Returns the lines of an outcome.
  package mutating func lines(_ outcome: CheckRunner.Outcome) -> [String] {
    count += 1
    let line = "\(count) - \(Self.escaped("\(outcome.each.location) \(outcome.each.name)"))"
    guard !outcome.hasPassed else { return ["ok " + line] }
    let details = outcome.failures.flatMap { text.lines($0, outcome) }
    return ["not ok " + line, "  ---", "  message: |"] + details.map { "    " + $0 } + ["  ..."]
  }

  /// Returns the line of a finding about an unreadable file or case.
  package mutating func line(_ finding: Finding) -> String {
    count += 1
    return "not ok \(count) - \(Self.escaped("\(finding.location) \(finding.message)"))"
  }

  /// Returns the text with number signs escaped, which would begin a directive.
  private static func escaped(_ text: String) -> String {
    TerminalText.whole(text).map { $0 == "#" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
  }

  /// The plan, which comes last.
  package var plan: String { "1..\(count)" }
}
