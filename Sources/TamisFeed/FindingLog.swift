import TamisCore

/// What was odd about one document, up to ``Limits/findings``: more of it helps nobody.
///
/// Nothing may be decided by what is in it or not: the rest is left out.
struct FindingLog {
  /// In the order in which it was found; the last says so when there was more.
  private(set) var findings: [Finding] = []
  private let most: Int

  init(limits: Limits) { most = limits.findings }

  mutating func add(_ finding: Finding) {
    if findings.count < most {
      findings.append(finding)
    } else if findings.count == most {
      let message = "there is more; what is odd after this is not listed"
      findings.append(Finding(.note, "parse.more", message, at: finding.location))
    }
  }
}
