package import TamisCore

/// Outcomes in JUnit's XML format, which most continuous integration systems read: a suite for each file, without
/// times.
package struct JUnitReport: Sendable {
  private var suites: [(file: String, cases: [String], failures: Int)] = []
  private let text = FailureText(hasColours: false)

  /// Begins a report.
  package init() {}

  /// Adds an outcome.
  package mutating func add(_ outcome: CheckRunner.Outcome) {
    let each = outcome.each
    if suites.last?.file != each.location.file { suites.append((each.location.file, [], 0)) }
    let last = suites.count - 1
    let title = each.entry.map { "\($0.id): \(each.name)" } ?? each.name
    let name =
      "    <testcase name=\"\(Self.escape(title))\" classname=\"\(Self.escape(each.entry?.className ?? each.location.file))\""
      + " file=\"\(Self.escape(each.location.file))\" line=\"\(each.location.line)\""
    guard !outcome.hasPassed else {
      let known = Set(outcome.expected.map(\.kind.rawValue)).sorted().joined(separator: ", ")
      suites[last].cases.append(
        known.isEmpty ? name + "/>" : "\(name)>\n      <skipped message=\"known: \(known)\"/>\n    </testcase>")
      return
    }
    suites[last].failures += 1
    let lines = outcome.failures.flatMap { text.lines($0, outcome) }
    let kind = outcome.failures.lazy.compactMap(Self.kind).first.map { " type=\"\($0.rawValue)\"" } ?? ""
    suites[last].cases.append(
      "\(name)>\n      <failure\(kind) message=\"\(Self.escape(lines.first ?? ""))\">"
        + "\(Self.escape(lines.joined(separator: "\n")))</failure>\n    </testcase>")
  }

  private static func kind(of failure: CheckRunner.Failure) -> OtherFault.Kind? {
    switch failure {
    case .other(let fault): fault.kind
    case .gone(let kind): kind
    default: nil
    }
  }

  /// Adds a finding about an unreadable file or case.
  package mutating func add(_ finding: Finding) {
    let file = Self.escape(finding.location.file)
    if suites.last?.file != finding.location.file { suites.append((finding.location.file, [], 0)) }
    suites[suites.count - 1].failures += 1
    suites[suites.count - 1].cases.append(
      "    <testcase name=\"\(Self.escape(finding.entry ?? "the file"))\" classname=\"\(file)\" file=\"\(file)\""
        + " line=\"\(finding.location.line)\">\n      <failure message=\"\(Self.escape(finding.message))\"/>\n    </testcase>"
    )
  }

  /// The document.
  package var document: String {
    let total = suites.reduce(0) { $0 + $1.cases.count }
    let failures = suites.reduce(0) { $0 + $1.failures }
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
      "<testsuites name=\"tamis check\" tests=\"\(total)\" failures=\"\(failures)\">",
    ]
    for suite in suites {
      lines.append(
        "  <testsuite name=\"\(Self.escape(suite.file))\" tests=\"\(suite.cases.count)\" failures=\"\(suite.failures)\">"
      )
      lines += suite.cases
      lines.append("  </testsuite>")
    }
    return (lines + ["</testsuites>"]).joined(separator: "\n")
  }

  /// Returns the text with XML references, and without characters that XML does not allow.
  private static func escape(_ text: String) -> String {
    var output = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": output += "&amp;"
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      case "\"": output += "&quot;"
      case "\n": output += "&#10;"
      case "\u{FFFE}", "\u{FFFF}": output += "\u{FFFD}"
      default: output += scalar.value < 0x20 && scalar != "\t" ? "\u{FFFD}" : String(scalar)
      }
    }
    return output
  }
}
