import TamisCore

/// The description of failed cases, in lines for people.
package struct FailureText: Sendable {
  private let hasColours: Bool
  private let labels: (before: String, now: String)

  /// Creates a description.
  ///
  /// - Parameters:
  ///   - hasColours: whether expected text is green and actual text is red, with ANSI sequences.
  ///   - labels: the labels of the expected and the actual text.
  package init(hasColours: Bool, labels: (before: String, now: String) = ("was expected", "came out")) {
    self.hasColours = hasColours
    self.labels = labels
  }

  /// Returns all lines about a failed case, beginning with its name.
  package func lines(_ outcome: CheckRunner.Outcome) -> [String] {
    let id = outcome.each.entry.map { " [\($0.id)]" } ?? ""
    let name = "\(outcome.each.location): \(TerminalText.whole(outcome.each.name))\(id)"
    return [bold("FAILED ") + name] + outcome.failures.flatMap { lines($0, outcome) }.map { "  " + $0 }
  }

  /// Returns the lines about one failure.
  func lines(_ failure: CheckRunner.Failure, _ outcome: CheckRunner.Outcome) -> [String] {
    switch failure {
    case .output(let difference): lines(difference)
    case .contract(let breach):
      [
        "the output contract is broken (\(breach.rule.rawValue)): \(TerminalText.whole(breach.message))",
        "  input:  \(TerminalText.beginning(of: String(decoding: outcome.each.input, as: UTF8.self)))",
        "  output: \(excerpt(outcome.output, around: breach.offset))",
      ]
    case .lost(let wanted):
      ["lost: '\(TerminalText.whole(wanted))'", "  output: \(TerminalText.beginning(of: outcome.output))"]
    case .kept(let unwanted):
      ["still there: '\(TerminalText.whole(unwanted))'", "  output: \(TerminalText.beginning(of: outcome.output))"]
    case .rules(let message): message.split(separator: "\n").map(String.init)
    case .gone(let kind): ["known, and gone: \(kind.rawValue); take it out of the known faults, or --record them"]
    case .other(let fault): lines(fault, outcome)
    }
  }

  private func lines(_ fault: OtherFault, _ outcome: CheckRunner.Outcome) -> [String] {
    let program = fault.program.map { "\($0): " } ?? ""
    var lines = ["\(program)\(fault.kind.rawValue): \(TerminalText.whole(fault.message))"]
    // The input is shown with the first of several faults.
    if fault == outcome.faults.first {
      lines.append("  input:  \(TerminalText.beginning(of: String(decoding: outcome.each.input, as: UTF8.self)))")
    }
    if let output = fault.output { lines.append("  output: \(TerminalText.beginning(of: output))") }
    return lines
  }

  /// Returns the lines about a difference.
  package func lines(_ difference: MarkupDifference) -> [String] {
    let path = difference.path.suffix(Self.mostOpen).map { "<\($0)>" }.joined(separator: " ")
    let shown = difference.path.count > Self.mostOpen ? "… \(path)" : path
    var lines = [shown.isEmpty ? "the output differs:" : "the output differs in \(shown):"]
    lines += difference.before.map { "    \(TerminalText.beginning(of: $0))" }
    lines.append(green("  - \(difference.expected.map(TerminalText.beginning) ?? "(the end)")") + "   \(labels.before)")
    if let next = difference.expectedNext, difference.given != next {
      lines.append(green("  - \(TerminalText.beginning(of: next))"))
    }
    lines.append(red("  + \(difference.given.map(TerminalText.beginning) ?? "(the end)")") + "   \(labels.now)")
    if let next = difference.givenNext, difference.expected != next {
      lines.append(red("  + \(TerminalText.beginning(of: next))"))
    }
    return lines + difference.details.map { TerminalText.whole($0) }
  }

  private static let mostOpen = 6

  private func excerpt(_ text: String, around offset: Int) -> String {
    let bytes = Array(text.utf8)
    let start = max(0, min(offset, bytes.count) - 40)
    let piece = String(decoding: bytes[start..<min(bytes.count, start + 200)], as: UTF8.self)
    return (start > 0 ? "…" : "") + TerminalText.whole(piece) + (start + 200 < bytes.count ? "…" : "")
  }

  private func green(_ text: String) -> String { hasColours ? "\u{1B}[32m\(text)\u{1B}[0m" : text }
  private func red(_ text: String) -> String { hasColours ? "\u{1B}[31m\(text)\u{1B}[0m" : text }
  private func bold(_ text: String) -> String { hasColours ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}
