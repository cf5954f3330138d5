import Tamis

/// Formats findings as lines, with at most three of one code about one file, and the number of the others.
///
/// A feed with a hundred unreadable dates would otherwise hide the findings about all other feeds.
enum GatheredFindings {
  private static let most = 3

  private struct Kind: Hashable {
    let (file, code, severity): (String, String, Finding.Severity)

    init(_ finding: Finding) { (file, code, severity) = (finding.location.file, finding.code, finding.severity) }
  }

  static func lines(_ findings: [Finding]) -> [String] {
    var counts: [Kind: Int] = [:]
    for finding in findings { counts[Kind(finding), default: 0] += 1 }
    var printed: [Kind: Int] = [:]
    var lines: [String] = []
    for finding in findings {
      let kind = Kind(finding)
      let number = printed[kind, default: 0] + 1
      printed[kind] = number
      if number <= most { lines.append(finding.description) }
      guard number == most, let count = counts[kind], count > most else { continue }
      let rest = Finding(
        finding.severity, finding.code, "and \(count - most) more like this in this feed; -v lists them",
        at: Finding.Location(file: kind.file))
      lines.append(rest.description)
    }
    return lines
  }
}
