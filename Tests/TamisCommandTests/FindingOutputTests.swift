import Foundation
import TestSupport
import Testing

/// What the command prints of many findings of a kind.
@Suite struct FindingOutputTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try Fixtures.temporaryFolder()
    for (name, count) in [("many", 5), ("few", 3)] {
      let items = (1...count).map {
        "<item><guid>\($0)</guid><title>P\($0)</title><pubDate>soon \($0)</pubDate></item>"
      }
      let text = "<rss version='2.0'><channel><title>\(name)</title>\(items.joined())</channel></rss>"
      try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/\(name).xml"))
    }
  }

  private func dates(_ script: String) throws -> [String] {
    try Command.shell(script, in: folder.path).errors.split(separator: "\n").map(String.init)
      .filter { $0.hasSuffix("[parse.date]") }
  }

  @Test(arguments: [
    "build many.xml few.xml -o site", "ingest many.xml few.xml --archive a", "extract many.xml few.xml",
  ])
  func repeatedFindingsAreAbbreviatedAfterThree(_ command: String) throws {
    let lines = try dates("tamis \(command)")
    let many = lines.filter { $0.hasPrefix("many.xml") }
    #expect(lines.count == 7 && many.count == 4, "\(lines)")
    #expect(many.last == "many.xml: warning: and 2 more like this in this feed; -v lists them [parse.date]")
    #expect(!lines.contains { $0.hasPrefix("few.xml") && $0.contains("more like this") }, "\(lines)")
    #expect(try dates("rm -rf site* a; tamis \(command) -v").count == 8)
  }

  @Test func verboseParseListsAllFindings() throws {
    #expect(try dates("tamis parse many.xml").count == 4)
    #expect(try dates("tamis parse many.xml -v").count == 5)
  }

  @Test func recordAnswersContainAllFindings() throws {
    let feed = try String(contentsOfFile: "\(folder.path)/many.xml", encoding: .utf8)
    let record = try JSONSerialization.data(withJSONObject: ["id": 1, "body": feed])
    let run = try Command.tamis(["parse", "--jsonl"], input: String(decoding: record, as: UTF8.self), in: folder.path)
    #expect(run.output.components(separatedBy: "parse.date").count == 6, "\(run.output)")
  }

  /// The document ends before the guid of its last post is complete.
  @Test func truncatedPostIsReported() throws {
    let text =
      "<rss version='2.0'><channel><title>t</title><item><title>A</title><guid isPermaLink='false'>1</guid></item><item><title>B</title><gu"
    try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/cut.xml"))
    let run = try Command.shell("tamis build cut.xml -o s --report r; grep -c cut-off r", in: folder.path)
    #expect(run.errors.contains("1 new post") && run.errors.contains("1 cut off and left out"), "\(run.errors)")
    #expect(!run.errors.contains("buried") && run.output == "1\n", "\(run)")
  }

  @Test func unreadableFragmentIsReportedWithReason() throws {
    let run = try Command.shell("tamis sanitize nosuch.html; tamis sanitize .", in: folder.path)
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 2 && run.status == 65, "\(run.errors)")
    #expect(lines.first?.contains("nosuch.html: error: this file cannot be read: ") == true, "\(run.errors)")
    #expect(lines.allSatisfy { !$0.contains(": [read") && $0.hasSuffix(" [read.failed]") }, "\(run.errors)")
  }
}
