import Foundation
import TestSupport
import Testing

/// What others rely on: codes of findings, and the version, which has one place.
@Suite struct StabilityTests {
  private static let root = HouseTests.sources.deletingLastPathComponent()

  /// Texts of two words with a dot between them that are no codes: names of HTML metadata and of tables in SQL.
  private static let others: Set = [
    "archive.org", "archive.mustache", "archive.html", "article.mustache", "article.published", "article.updated",
    "feed.json", "feed.mustache", "feed.summary", "feed.title", "feed.xml", "search.html", "search.json",
    "fetch.allow", "search.mustache", "site.archive", "site.link", "site.offline", "site.pictures", "site.title",
    "sites.yaml", "text.yaml", "reading.yaml",
  ]

  @Test func codesOfFindingsAreListed() throws {
    let list = Self.root.appending(path: "docs/codes.txt")
    let found = try Self.codes().sorted()
    if ProcessInfo.processInfo.environment["UPDATE_API"] != nil {
      try Data((found.joined(separator: "\n") + "\n").utf8).write(to: list)
    }
    let listed = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init)
    let (added, removed) = (Set(found).subtracting(listed), Set(listed).subtracting(found))
    #expect(added.isEmpty && removed.isEmpty, "make api writes the list; added: \(added), removed: \(removed)")
    #expect(found.count > 120)
  }

  /// The newest release of the changelog is the version of the program, unless something is unreleased.
  @Test func changelogHasTheVersion() throws {
    let source = try String(contentsOf: HouseTests.sources.appending(path: "Tamis/Tamis.swift"), encoding: .utf8)
    let version = try #require(source.firstMatch(of: /static let current = "(\d+\.\d+\.\d+)"/)?.1)
    let changes = try String(contentsOf: Self.root.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let releases = changes.matches(of: /\n## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d\n/).map(\.1)
    #expect(releases.first == version)
  }

  /// The codes in the sources: those that stand there as they are, and those made of a stage and a reason.
  private static func codes() throws -> Set<String> {
    var codes: Set<String> = []
    var stages: Set<String> = []
    let text = try HouseTests.mayImport.keys.map { try HouseTests.lines(of: $0).map(\.line).joined(separator: "\n") }
      .joined(separator: "\n")
    for match in text.matches(of: /\.(?:note|warning|error),\s*"([a-z]+)\.[a-z0-9-]/) {
      stages.insert(String(match.1))
    }
    // Codes of records, and of messages of the command.
    stages.formUnion([
      "record", "feed", "read", "check", "records", "secrets", "sites", "theme", "sanitize", "selector",
    ])
    for match in text.matches(of: /"([a-z]+)(\.[a-z0-9-]+)"/) where stages.contains(String(match.1)) {
      codes.insert(String(match.1 + match.2))
    }
    for match in text.matches(of: /Terminal\.(?:error\(|failure\(\s*)[^\n]*\[([a-z]+(?:\.[a-z-]+)?)\]"/) {
      codes.insert(String(match.1))
    }
    let reasons = try Self.reasons()
    for stage in ["fetch", "pages", "pictures"] { codes.formUnion(reasons.map { "\(stage).\($0)" }) }
    for (stage, file) in [("pages", "FullText/PageAsker.swift"), ("pictures", "Pictures/PictureAsker.swift")] {
      let source = try String(contentsOf: HouseTests.sources.appending(path: "Tamis/" + file), encoding: .utf8)
      codes.formUnion(source.matches(of: /, "([a-z-]+)", isFinal/).map { "\(stage).\($0.1)" })
    }
    return codes.subtracting(others)
  }

  /// The reasons why fetching fails.
  private static func reasons() throws -> [String] {
    let file = HouseTests.sources.appending(path: "TamisCore/Fetch/FetchProblem.swift")
    let source = try String(contentsOf: file, encoding: .utf8)
    let reasons = try #require(source.firstMatch(of: /enum Reason[^{]*\{(?s:(.*?))\n  \}/)?.1)
    return reasons.matches(of: /case `?(\w+)`?(?: = "([a-z-]+)")?/).map { String($0.2 ?? $0.1) }
  }
}
