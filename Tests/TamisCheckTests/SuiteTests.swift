import Foundation
import TamisCheck
import TamisCore
import TamisSanitizer
import TestSupport
import Testing

/// `Suite/`: the cases, what they ask, and what the sanitizer makes of them at each level.
@Suite struct SuiteTests {
  private static let folder = Fixtures.root.appending(path: "Suite")
  static let suite = CheckSuite(paths: [folder.appending(path: "cases").path])

  @Test func casesAreReadable() {
    #expect(Self.suite.findings.isEmpty, "\(Self.suite.findings.map(\.description))")
    let entries = Self.suite.cases.compactMap(\.entry)
    #expect(entries.count == Self.suite.cases.count && entries.count >= 900)
    #expect(Set(entries.flatMap(\.advisories)).count >= 120)
    for each in Self.suite.cases {
      let file = URL(filePath: each.location.file).deletingPathExtension().lastPathComponent
      #expect(each.entry?.className == file, "\(each.location)")
    }
  }

  @Test(arguments: ["docs/checking.md", "README.md"])
  func documentedNumbersAreTrue(_ file: String) throws {
    let text = try String(contentsOf: Fixtures.root.appending(path: file), encoding: .utf8)
    let entries = Self.suite.cases.compactMap(\.entry)
    let numbers = [
      (/([\d,]+) inputs in/, entries.count), (/([\d,]+) classes/, Set(entries.map(\.className)).count),
      (/([\d,]+)\s+(?:public )?advisories by id/, Set(entries.flatMap(\.advisories)).count),
    ]
    var found = 0
    for (pattern, number) in numbers {
      for match in text.matches(of: pattern) {
        found += 1
        #expect(Int(match.1.replacing(",", with: "")) == number, "\(match.0)")
      }
    }
    #expect(found > 0)
  }

  @Test func filterTakesNumbersWhole() throws {
    let first = try #require(Self.suite.cases.first?.entry)
    let paths = [Self.folder.appending(path: "cases").path]
    #expect(CheckSuite(paths: paths, filter: first.id.uppercased()).cases.compactMap(\.entry?.id) == [first.id])
    #expect(CheckSuite(paths: paths, filter: String(first.id.dropLast())).cases.isEmpty)
    #expect(CheckSuite(paths: paths, filter: "CVE-2024-").cases.count > 10)
    #expect(CheckSuite(paths: paths, filter: "CVE-2024").cases.count > 10)
    #expect(!CheckSuite(paths: paths, filter: "CVE-2024-45801").cases.isEmpty)
    #expect(CheckSuite(paths: paths, filter: "CVE-2024-4580").cases.isEmpty)
  }

  /// `UPDATE_SUITE=1` writes the file.
  @Test func exportIsCurrent() throws {
    let exported = Data(SuiteExport.json(Self.suite.cases))
    let file = Self.folder.appending(path: "cases.json")
    if ProcessInfo.processInfo.environment["UPDATE_SUITE"] != nil { try exported.write(to: file) }
    #expect(try Data(contentsOf: file) == exported, "UPDATE_SUITE=1 make test writes the cases")
    let again = CheckSuite(paths: [file.path])
    #expect(again.findings.isEmpty)
    #expect(Data(SuiteExport.json(again.cases)) == exported)
    // Bytes that are not UTF-8 are replacement characters.
    let inputs = { (suite: CheckSuite) in suite.cases.map { String(decoding: $0.input, as: UTF8.self) } }
    #expect(inputs(again) == inputs(Self.suite))
  }

  /// The four levels, as our own rules are set to them.
  static func sanitizers() throws -> [Sanitizer] {
    let text = try String(contentsOf: Fixtures.url("Suite/P3.yaml"), encoding: .utf8)
    return [.text, .strict, .reading, try Sanitizer(policy: Policy(yaml: text, file: "P3.yaml"))]
  }

  @Test func sanitizerPassesAtEachLevel() throws {
    for sanitizer in try Self.sanitizers() {
      let runner = CheckRunner(sanitizer: sanitizer)
      for each in Self.suite.cases {
        let outcome = runner.run(each)
        #expect(outcome.hasPassed, "\(sanitizer.policy.name): \(FailureText(hasColours: false).lines(outcome))")
      }
    }
  }

  /// Variants ask the same as their cases.
  @Test func mutatedCasesPass() throws {
    let runner = CheckRunner(sanitizer: try Self.sanitizers()[3])
    let mutator = Mutator(seed: 38)
    let asking = Self.suite.cases.filter { !($0.entry?.questions ?? []).isEmpty }
    let inputs = asking.map(\.input)
    for each in asking {
      for number in 0..<4 {
        var variant = each
        variant.input = mutator.variant(number, of: each.input, named: each.name, others: inputs)
        variant.keeps = []
        let outcome = runner.run(variant)
        #expect(outcome.hasPassed, "\(FailureText(hasColours: false).lines(outcome))")
      }
    }
  }

  // MARK: - Verdicts

  private static let programs = Fixtures.root.appending(path: "Fixtures/Others/programs.sh").path

  private func everything(_ inputs: [SanitizerCase], contexts: [OutputContext] = []) -> [CheckRunner.Outcome] {
    OtherRunner(program: OtherProgram(command: "sh '\(Self.programs)' all"), contexts: contexts).run(inputs)
  }

  /// A program that removes nothing shows each fault that is asked for, so that each case can fail.
  @Test func askedFaultsAreInInputs() {
    var asking = Self.suite.cases.filter { !($0.entry?.questions.subtracting([.slow]) ?? []).isEmpty }
    for index in asking.indices { asking[index].entry?.questions.remove(.slow) }
    #expect(asking.count > 250)
    for outcome in everything(asking) {
      let kinds = Set(outcome.faults.map(\.kind.rawValue))
      for question in outcome.each.entry?.questions ?? [] {
        #expect(kinds.contains(question.rawValue), "\(outcome.each.location) \(outcome.each.name): \(kinds)")
      }
    }
  }

  @Test func outputsAreJudgedByQuestions() throws {
    let lines = try String(contentsOf: Fixtures.url("Suite/asked.txt"), encoding: .utf8).split(separator: "\n")
      .dropFirst()
    var text = ""
    for (index, line) in lines.enumerated() {
      let parts = line.split(separator: " | ", maxSplits: 1)
      text += "=== \(line)\nid: asked-\(index)\nasks: \(parts[0].trimmingPrefix("- "))\n--- input\n\(parts[1])\n"
    }
    var findings: [Finding] = []
    let cases = CaseFile(text, file: "asked.txt").cases.compactMap { SanitizerCase($0, into: &findings) }
    #expect(findings.isEmpty && cases.count == lines.count && cases.count > 60)
    for outcome in everything(cases) {
      let asked = try #require(outcome.each.entry?.questions.first?.rawValue)
      let isFound = outcome.faults.contains { $0.kind.rawValue == asked }
      #expect(isFound != outcome.each.name.hasPrefix("- "), "\(outcome.each.name): \(outcome.faults.map(\.message))")
    }
  }

  @Test(arguments: [
    ("<p title=\"</textarea><img src=x onerror=alert(1)>\">a</p>", OutputContext.rawText, true),
    ("<p title=\"&lt;/textarea&gt;&lt;img src=x onerror=alert(1)&gt;\">a</p>", .rawText, false),
    ("<p title=\"</noscript><img src=x onerror=alert(1)>\">a</p>", .noscript, true),
    ("<style><img src=x onerror=alert(1)></style>", .svg, true),
    ("<mglyph><style><img src=x onerror=alert(1)></style></mglyph>", .math, true),
    ("<frameset onload=alert(1)>", .document, true),
    ("<frameset>", .document, false),
    ("<b>a</b>", .td, false), ("<b>a</b>", .select, false),
  ])
  func outputsAreJudgedInContexts(_ output: String, _ context: OutputContext, _ isUnsafe: Bool) {
    let each = SanitizerCase(name: output, location: Finding.Location(file: "f", line: 1), input: Array(output.utf8))
    #expect(everything([each])[0].isSafe)
    #expect(everything([each], contexts: [context])[0].isSafe == !isUnsafe)
  }

  @Test func growingShapeIsRead() {
    let text = "=== grows\nid: grows-1\nasks: slow\n--- before\n<p>\n--- repeated\na\n--- after\n</p>\n"
    var findings: [Finding] = []
    let cases = CaseFile(text, file: "f").cases.compactMap { SanitizerCase($0, into: &findings) }
    #expect(findings.isEmpty && cases.first?.entry?.shape?.repeated == "a")
  }

  // MARK: - Mistakes

  @Test(arguments: [
    ("id: nesting", "not a class and a number"), ("id: a-1\nlevel: P9", "not one of P0, P1, P2, P3"),
    ("id: a-1\ncontext: body, attic", "'attic' is not one of body"), ("id: a-1\nasks: nothing", "not one of loads"),
    ("level: P1", "'level' is for cases of the suite"), ("id: a-1\nasks: slow", "go together"),
    ("id: a-1\nid: a-2", "'id' is given twice"),
  ])
  func mistakesAreReported(_ settings: String, _ message: String) {
    var findings: [Finding] = []
    let file = CaseFile("=== a\n\(settings)\n--- input\nx\n", file: "f")
    #expect(file.cases.compactMap { SanitizerCase($0, into: &findings) }.isEmpty)
    #expect(findings.contains { $0.message.contains(message) }, "\(findings)")
  }

  @Test func repeatedIDsAreReported() throws {
    let folder = try Fixtures.temporaryFolder()
    let file = URL(filePath: folder.path).appending(path: "a.txt")
    try Data("=== a\nid: a-1\n--- input\nx\n\n=== b\nid: a-1\n--- input\ny\n".utf8).write(to: file)
    let suite = CheckSuite(paths: [file.path])
    #expect(suite.findings.map(\.code) == ["check.id"])
  }

  @Test func expectedFailuresLeaveOnlyChanges() {
    let each = { (name: String, kinds: [OtherFault.Kind]) -> CheckRunner.Outcome in
      var outcome = CheckRunner.Outcome(
        each: SanitizerCase(name: name, location: Finding.Location(file: "f", line: 1), input: []))
      outcome.failures = kinds.map { .other(OtherFault(kind: $0, message: "m")) }
      return outcome
    }
    var expected = ExpectedFailures("# known\na: unsafe, rebuilt\nb: lost\nc: loads\n", file: "e")
    #expect(expected.findings.isEmpty)
    #expect(expected.applied(to: each("a", [.unsafe, .rebuilt])).hasPassed)
    #expect(!expected.applied(to: each("a", [.unsafe])).hasPassed)
    #expect(!expected.applied(to: each("a", [.unsafe, .rebuilt, .lost])).hasPassed)
    #expect(!expected.applied(to: each("b", [])).hasPassed)
    #expect(!expected.applied(to: each("d", [.unsafe])).hasPassed)
    expected.check(against: ["a", "b"])
    #expect(expected.findings.map(\.message) == ["there is no case 'c'"])
    // Cases that did not run keep their faults, and the file its comments.
    expected.record([each("b", []), each("a", [.rebuilt, .loads]), each("d", [.lost])])
    #expect(expected.text == "# known\na: loads, rebuilt\nc: loads\nd: lost\n")
    #expect(ExpectedFailures.recorded(each("a", [.unsafe])).hasPassed)
    for wrong in ["a", "a: ugly", "a: unsafe\na: lost", ": unsafe"] {
      #expect(ExpectedFailures(wrong, file: "e").findings.map(\.code) == ["check.expected"], "\(wrong)")
    }
  }
}
