import TamisCore

/// The findings about one document, at most ``Limits/findings``.
///
/// Never decide anything by its content: later findings are dropped.
struct FindingLog {
  /// In the order of discovery; the last one says when there are more.
  private(set) var findings: [Finding] = []
  private let most: Int

  init(limits: Limits) { most = limits.findings }

  mutating func add(_ finding: Finding) {
    if findings.count < most {
      findings.append(finding)
    } else if findings.count == most {
      let message = "too many findings; later ones are not listed"
      findings.append(Finding(.note, "parse.more", message, at: finding.location))
    }
  }
}
