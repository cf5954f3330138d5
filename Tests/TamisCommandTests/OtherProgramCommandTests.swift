import Foundation
import TestSupport
import Testing

/// `tamis check --command`.
@Suite struct OtherProgramCommandTests {
  private static let programs = Fixtures.url("Others/programs.sh").path

  private func folder() throws -> TemporaryFolder {
    let folder = try Fixtures.temporaryFolder()
    let cases = """
      === a handler
      --- input
      <p onclick="a()">words</p>
      --- output
      <p>words</p>

      === a secret
      --- input
      <p>secret</p>
      --- output
      <p>secret</p>
      """
    try Data(cases.utf8).write(to: URL(filePath: folder.path + "/a.txt"))
    return folder
  }

  private func check(_ program: String, _ arguments: [String] = []) throws -> Command.Run {
    let folder = try folder()
    let command = "sh '\(Self.programs)' \(program)"
    return try Command.tamis(["check", "a.txt", "--command", command] + arguments, in: folder.path)
  }

  @Test(arguments: [
    (
      "all", "2 cases: 1 passed, 1 failed",
      "unsafe 1, loads 0, clobbers 0, spoofs 0, not allowed 0, unbalanced 0, rebuilt 0, not idempotent 0, lost 0"
    ),
    (
      "words", "2 cases: 0 passed, 2 failed",
      "unsafe 1, loads 0, clobbers 0, spoofs 0, not allowed 0, unbalanced 0, rebuilt 0, not idempotent 0, lost 1"
    ),
  ])
  func faultsAreCountedByKind(_ program: String, _ summary: String, _ counts: String) throws {
    let run = try check(program)
    #expect(run.status == 1)
    #expect(run.output.contains("\n\(summary)\n"))
    #expect(run.output.contains("\(program): \(counts), refused 0, no answer 0\n"), "\(run.output)")
  }

  @Test func ownRecordMapperPassesAsOtherProgram() throws {
    let folder = try folder()
    let command = "'\(Command.executable.path)' sanitize --jsonl"
    let run = try Command.tamis(
      ["check", "a.txt", "--command", command, "--rules", "reading", "--exact", "--mutate", "20"], in: folder.path)
    #expect(run.status == 0, "\(run.output)")
  }

  @Test func differencesOfTwoProgramsAreReported() throws {
    let run = try check("all", ["--against", "sh '\(Self.programs)' words", "--contract"])
    #expect(run.status == 1)
    #expect(run.output.contains("different: only the first keeps the words 'secret'"))
    #expect(run.output.hasSuffix("\nthey differ in 1 case\n"))
  }

  /// What a case expects beyond words is counted when it is not asked.
  @Test func expectationsThatAreNotAskedAreCounted() throws {
    let folder = try folder()
    let more = "=== all\nkeeps: https://a.example/\nkeeps: words\ndrops: x\ndrops: y\n--- input\n<p>words</p>\n"
    try Data(more.utf8).write(to: URL(filePath: folder.path + "/b.txt"))
    let files = ["check", "a.txt", "b.txt", "--command", "sh '\(Self.programs)' all"]
    let run = try Command.tamis(files, in: folder.path)
    #expect(run.output.hasSuffix("\n5 expectations not asked (--exact)\n"), "\(run.output)")
    let json = try Command.tamis(files + ["--format", "json"], in: folder.path)
    #expect(json.output.contains("\"unasked\":5"), "\(json.output)")
    for option in ["--exact", "--contract"] {
      #expect(try !Command.tamis(files + [option], in: folder.path).output.contains("not asked"))
    }
  }

  @Test func junitFormatReportsFailures() throws {
    #expect(try check("all", ["--format", "junit"]).output.contains("<failure type=\"unsafe\""))
  }

  @Test(arguments: [
    (["--command", "no-such-program"], 65), (["--command", "cat", "--tidy", "never"], 2), (["--exact"], 2),
    (["--against", "cat"], 2), (["--command", "cat", "--timeout", "0s"], 2), (["--command", "cat", "--record"], 2),
    (["--command", "sleep 9", "--timeout", "200ms"], 65),
  ])
  func invalidCommandOptionsAreReported(_ arguments: [String], _ status: Int) throws {
    let folder = try folder()
    let run = try Command.tamis(["check", "a.txt"] + arguments, in: folder.path)
    #expect(run.status == status, "\(run.errors)")
    #expect(!run.errors.isEmpty)
  }
}
