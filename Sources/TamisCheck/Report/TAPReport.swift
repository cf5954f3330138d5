import TamisCore

/// Outcomes for programs that read the Test Anything Protocol (TAP 14, https://testanything.org).
public struct TAPReport: Sendable {
  private var count = 0
  private let text = FailureText(hasColours: false)

  /// Begins a report.
  public init() {}

  /// The first line.
  public static let start = "TAP version 14"

  /// The lines of one outcome.
  public mutating func lines(_ outcome: CheckRunner.Outcome) -> [String] {
    count += 1
    // A number sign would begin a directive.
    let name = MarkupDifference.visible(outcome.each.name).split(separator: "#", omittingEmptySubsequences: false)
      .joined(separator: "\\#")
    let line = "\(count) - \(outcome.each.location) \(name)"
    guard !outcome.hasPassed else { return ["ok " + line] }
    let details = outcome.failures.flatMap { text.lines($0, outcome) }
    return ["not ok " + line, "  ---", "  message: |"] + details.map { "    " + $0 } + ["  ..."]
  }

  /// The plan, which comes last here.
  public var plan: String { "1..\(count)" }
}
