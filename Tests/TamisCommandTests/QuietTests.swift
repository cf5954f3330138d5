import Foundation
import TestSupport
import Testing

/// Commands that say at their end that all is well say nothing with `-q`, and what is wrong nevertheless.
@Suite struct QuietTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try Fixtures.temporaryFolder()
    for (name, text) in [
      ("a.xml", "<rss version='2.0'><channel><title>A</title><item><title>One</title></item></channel></rss>"),
      ("planet.yaml", "feeds: [https://example.org/f]\n"), ("bad.yaml", "feeds: 1\n"),
      ("rules.yaml", "extends: reading\n"), ("bad-rules.yaml", "elements: 1\n"),
      ("case.txt", "=== a\n--- input\n<b>x\n--- output\n<b>x</b>\n"),
      ("bad-case.txt", "=== a\n--- input\nx\n--- output\ny\n"), ("lines.jsonl", ""),
    ] {
      try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/\(name)"))
    }
    #expect(try tamis("ingest a.xml --archive a.archive --reproducible -q") == Outcome(status: 0, says: false))
  }

  private struct Outcome: Equatable {
    var status: Int
    var says: Bool
  }

  private func tamis(_ words: String) throws -> Outcome {
    let run = try Command.tamis(words.split(separator: " ").map(String.init), in: folder.path)
    return Outcome(status: run.status, says: !run.output.isEmpty || !run.errors.isEmpty)
  }

  @Test(arguments: [
    "config check planet.yaml", "rules lint rules.yaml", "theme check default", "check case.txt",
    "archive verify --archive a.archive",
    "status --archive a.archive", "archive import lines.jsonl --archive a.archive",
    "archive merge --archive b.archive a.archive", "ingest a.xml --archive a.archive",
    "publish --output site --archive a.archive", "build a.xml --output site",
  ])
  func successIsSilent(_ words: String) throws {
    #expect(try tamis(words + " --quiet") == Outcome(status: 0, says: false))
    // The status of an archive without fetched feeds has a line too, and so has every other success.
    #expect(try tamis(words) == Outcome(status: 0, says: true))
  }

  @Test(arguments: [
    ("config check bad.yaml", 65), ("rules lint bad-rules.yaml", 1), ("check bad-case.txt", 1),
    ("archive verify --archive none.archive", 65),
  ])
  func failureIsTold(_ words: String, _ status: Int) throws {
    #expect(try tamis(words + " -q") == Outcome(status: status, says: true))
  }
}
