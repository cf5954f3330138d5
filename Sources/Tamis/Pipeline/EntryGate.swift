import TamisCore
import TamisFeed

/// Admits the entries of a document that become posts: those that say something, up to ``Limits/entries``.
struct EntryGate {
  private let most: Int
  private var count = 0
  private var firstEmpty: Finding.Location?
  private var firstBeyond: Finding.Location?

  init(_ limits: Limits) { most = limits.entries }

  /// Whether entries were left out because there were too many.
  var isExceeded: Bool { firstBeyond != nil }

  mutating func admits(_ entry: Feed.Entry) -> Bool {
    if entry.isEmpty {
      firstEmpty = firstEmpty ?? entry.location
      return false
    }
    guard count < most else {
      firstBeyond = firstBeyond ?? entry.location
      return false
    }
    count += 1
    return true
  }

  /// The findings about entries that were left out.
  var findings: [Finding] {
    var findings: [Finding] = []
    if let firstEmpty {
      let message = "this entry is empty; empty entries are left out"
      findings.append(Finding(.note, "parse.empty-entry", message, at: firstEmpty))
    }
    if let firstBeyond {
      let message = "this feed has more than \(most) entries; those from here on are left out"
      findings.append(Finding(.warning, "parse.many-entries", message, at: firstBeyond))
    }
    return findings
  }
}
