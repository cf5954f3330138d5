import TamisCore

/// The findings about one document, at most ``Limits/findings``.
///
/// No decision may depend on this list, since later findings are dropped.
struct FindingLog {
  /// The findings in order of discovery; the last one tells when there are more.
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
