import Foundation
import TamisCheck
import TamisCore
import TamisSanitizer
import TestSupport
import Testing

@Suite struct RunTests {
  private func run(_ text: String) throws -> CheckRunner.Outcome {
    var findings: [Finding] = []
    let each = try #require(CaseFile(text, file: "f").cases.first.flatMap { SanitizerCase($0, into: &findings) })
    return CheckRunner(sanitizer: .reading).run(each)
  }

  @Test func failureTextShowsFirstDifferingElement() throws {
    let outcome = try run("=== a\n--- input\n<p>a<b onclick=x>b</b></p>\n--- output\n<p>a<b onclick=\"x\">b</b></p>")
    #expect(
      FailureText(hasColours: false).lines(outcome) == [
        "FAILED f:1: a", "  the output differs in <p>:", "      <p>", "      a",
        "    - <b onclick=\"x\">   was expected", "    - b", "    + <b>   came out", "    + b",
        "  onclick: \"x\" -> none",
      ])
  }

  @Test func differencesCompareBytes() {
    // One letter, composed and decomposed: Swift calls them equal.
    let difference = MarkupDifference(expected: "<p>\u{E9}</p>", given: "<p>e\u{301}</p>")
    #expect(difference.expected == "\u{E9}" && !difference.details.isEmpty)
  }

  @Test(arguments: [
    ("keeps: word", true), ("keeps: https://a.example/", true), ("keeps: gone", false), ("drops: ONCLICK", true),
    ("drops: href", false), ("rules: strict", true), ("rules: nowhere.yaml", false), ("unchanged: yes", false),
    ("inert: yes", true),
  ])
  func casePropertiesAreChecked(_ setting: String, _ passes: Bool) throws {
    let outcome = try run("=== a\n\(setting)\n--- input\n<a href=\"https://a.example/\" onclick=\"x\">word</a>")
    #expect(outcome.hasPassed == passes)
  }

  @Test func suitesInJSONLinesAndModulesAreRead() async throws {
    let folder = try Fixtures.temporaryFolder()
    let lines = """
      {"id":"a","html":"<b>x</b>","expected":"<b>x</b>"}
      {"id":"b","html":"<i>x</i>","base":"https://a.example/"}
      nonsense
      {"id":"c","html":"<i>x</i>","expected":["no","<i>x</i>"]}
      """
    try Data(lines.utf8).write(to: URL(filePath: folder.path + "/a.jsonl"))
    let list = #"export default [{"title":"d","payload":"<u>x</u>","expected":"other"}];"#
    try Data(list.utf8).write(to: URL(filePath: folder.path + "/b.mjs"))
    let suite = CheckSuite(paths: [folder.path])
    #expect(suite.cases.map(\.name) == ["a", "b", "c", "d"])
    #expect(suite.findings.map(\.location.line) == [3])
    var passed: [Bool] = []
    await suite.run(with: CheckRunner(sanitizer: .reading), jobs: 3) { outcome in
      passed.append(outcome.hasPassed)
      return true
    }
    #expect(passed == [true, true, true, false])
  }

  @Test func combiningAccentsDoNotHideText() throws {
    #expect(try !run("=== a\ndrops: evil:\n--- input\n<p>evil:\u{301} x").hasPassed)
    #expect(try run("=== a\nkeeps: abc\n--- input\n<p>abc\u{301}").hasPassed)
  }

  @Test func recordingIsStableAndRejectsUnrepresentableCases() throws {
    let folder = try Fixtures.temporaryFolder()
    let path = folder.path + "/a.txt"
    let text =
      "=== a\r\n--- input\r\n&#92;=== x\r\n\r\n=== b\r\nkeeps: gone\r\n--- input\r\nx\r\n--- output\r\ny\r\n\r\n"
      + "=== c\r\n--- input\r\nx\r\n--- output\r\ny\r\n--- output\r\nz\r\n"
    try Data(text.utf8).write(to: URL(filePath: path))
    let first = CaseRecording(file: path, runner: CheckRunner(sanitizer: .reading)) { _ in true }
    #expect(first.changed.map(\.each.name) == ["a"])
    #expect(first.refused.map(\.each.name) == ["b", "c"])
    try first.write()
    let second = CaseRecording(file: path, runner: CheckRunner(sanitizer: .reading)) { _ in true }
    #expect(second.changed.isEmpty)
    #expect(!second.text.replacing("\r\n", with: "").contains("\n"))
  }

  @Test func missingRulesFailVariantsToo() async throws {
    let folder = try Fixtures.temporaryFolder()
    try Data("=== a\nrules: nowhere.yaml\n--- input\nx\n".utf8).write(to: URL(filePath: folder.path + "/a.txt"))
    let suite = CheckSuite(paths: [folder.path])
    await suite.mutate(3, with: Mutator(seed: 1), runner: CheckRunner(sanitizer: .reading), jobs: 1) { outcome in
      #expect(!outcome.hasPassed)
      return true
    }
  }

  @Test func recordingWritesActualOutput() throws {
    let folder = try Fixtures.temporaryFolder()
    let path = folder.path + "/a.txt"
    let before =
      "Head\n\n=== a\n--- input\n<b>x\n--- output\nold\n\n=== b\n# note\n--- input\n<i>y\n\n\n=== c\nkeeps: z\n--- input\nz\n"
    try Data(before.utf8).write(to: URL(filePath: path))
    let recording = CaseRecording(file: path, runner: CheckRunner(sanitizer: .reading)) { _ in true }
    #expect(recording.changed.map(\.each.name) == ["a", "b"])
    try recording.write()
    let after = try String(contentsOfFile: path, encoding: .utf8)
    #expect(
      after
        == "Head\n\n=== a\n--- input\n<b>x\n--- output\n<b>x</b>\n\n=== b\n# note\n--- input\n<i>y\n--- output\n<i>y</i>\n\n\n=== c\nkeeps: z\n--- input\nz\n"
    )
    #expect(CaseRecording(file: path, runner: CheckRunner(sanitizer: .reading)) { _ in true }.changed.isEmpty)
  }

  @Test func variantsAreReproducible() {
    let input = Array("<p title=\"a\" class='b'>x<b>y</b></p>".utf8)
    let variants = (0..<200).map { Mutator(seed: 5).variant($0, of: input, named: "n") }
    #expect(variants == (0..<200).map { Mutator(seed: 5).variant($0, of: input, named: "n") })
    #expect(variants != (0..<200).map { Mutator(seed: 6).variant($0, of: input, named: "n") })
    #expect(Set(variants).count > 150)
  }

  @Test func junitReportIsWritten() throws {
    let failed = try run("=== a # <b>\n--- input\nx\n--- output\ny")
    let passed = try run("=== b\n--- input\nx")
    var junit = JUnitReport()
    junit.add(failed)
    junit.add(passed)
    #expect(junit.document.contains(#"<testsuite name="f" tests="2" failures="1">"#))
    #expect(junit.document.contains(#"<testcase name="a # &lt;b&gt;" classname="f" file="f" line="1">"#))
  }
}
