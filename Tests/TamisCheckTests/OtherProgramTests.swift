import Foundation
import TamisCheck
import TamisCore
import TamisSanitizer
import TestSupport
import Testing

/// Other people's sanitizers, and what is said of them.
@Suite struct OtherProgramTests {
  private static let programs = Fixtures.root.appending(path: "Fixtures/Others/programs.sh").path

  private func program(_ name: String, seconds: Double = 20) -> OtherProgram {
    OtherProgram(command: "sh '\(Self.programs)' \(name)", timeout: .seconds(seconds))
  }

  private func each(_ input: String, outputs: [String] = []) -> SanitizerCase {
    var each = SanitizerCase(name: input, location: Finding.Location(file: "f", line: 1), input: Array(input.utf8))
    each.outputs = outputs
    return each
  }

  private func kinds(_ runner: OtherRunner, _ inputs: [String]) -> [[String]] {
    runner.run(inputs.map { each($0) }).map { $0.faults.map(\.kind.rawValue) }
  }

  /// `output | kinds`, from the fixture; an output may go over several lines.
  static let faults: [(output: String, kinds: [String])] = {
    let text = (try? String(contentsOf: Fixtures.url("Others/faults.txt"), encoding: .utf8)) ?? ""
    var faults: [(String, [String])] = []
    var lines: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2) {
      guard let bar = line.range(of: " |", options: .backwards) else {
        lines.append(line)
        continue
      }
      let output = (lines + [line[..<bar.lowerBound]]).joined(separator: "\n")
      faults.append(
        (output, line[bar.upperBound...].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }))
      lines = []
    }
    return faults
  }()

  @Test func outputsAreJudgedByBrowserTree() {
    let outcomes = OtherRunner(program: program("all")).run(Self.faults.map { each($0.output) })
    #expect(outcomes.count > 60)
    for (outcome, fault) in zip(outcomes, Self.faults) {
      #expect(outcome.faults.map(\.kind.rawValue) == fault.kinds, "\(fault.output): \(outcome.faults)")
      #expect(outcome.isSafe == !fault.kinds.contains("unsafe"))
    }
  }

  @Test func escapedOutputIsNeverUnsafe() {
    let outcomes = OtherRunner(program: program("none")).run(Self.faults.map { each($0.output) })
    for outcome in outcomes {
      // The same done again shows the references too.
      #expect(outcome.faults.allSatisfy { $0.kind == .unstable }, "\(outcome.each.name): \(outcome.faults)")
    }
  }

  @Test func outputsAreJudgedByAllowlistsOfRules() {
    let runner = OtherRunner(program: program("all"), policy: .strict)
    #expect(
      kinds(
        runner,
        [
          "<p>a</p>", "<a href=\"https://a.example/\" rel=\"nofollow\">a</a>", "<img src=x>", "<p title=a>b</p>",
          "<a href=\"gopher://a\">a</a>",
        ])
        == [[], [], ["not allowed"], ["not allowed"], ["not allowed"]])
  }

  @Test(arguments: [
    ("DIE", "exit code 3; it said: it hurts"), ("KILL", "signal 9"), ("HANG", "said nothing"),
    ("NONSENSE", "no JSON object: hello"), ("NOTHING", "ended with exit code 0"), ("OTHER", "answered another line"),
    ("TWICE", "more than one line"), ("EMPTY", "neither \"html\" nor \"error\""),
  ])
  func programFailureLosesOnlyItsCase(_ word: String, _ reason: String) {
    var inputs = (0..<40).map { "<p>\($0)</p>" }
    for index in [0, 17, 18, 39] { inputs[index] = word }
    // A hang is waited for twice, and that four times.
    let outcomes = OtherRunner(program: program("fails", seconds: word == "HANG" ? 1.5 : 20)).run(
      inputs.map { each($0) })
    for (index, outcome) in outcomes.enumerated() {
      if inputs[index] == word {
        #expect(outcome.faults.map(\.kind) == [.unanswered])
        #expect(outcome.faults.first?.message.contains(reason) == true, "\(outcome.faults)")
      } else {
        #expect(outcome.hasPassed && outcome.output == inputs[index], "\(index): \(outcome.faults)")
      }
    }
  }

  @Test(arguments: ["nameless", "blames"])
  func answersWithoutIDsAreAcceptedInOrder(_ name: String) {
    var inputs = (0..<200).map { "<p>\($0)</p>" }
    if name == "blames" { inputs[130] = "DIE" }
    let outcomes = OtherRunner(program: program(name)).run(inputs.map { each($0) })
    for (index, outcome) in outcomes.enumerated() where inputs[index] != "DIE" {
      #expect(outcome.output == inputs[index])
    }
    #expect(outcomes.filter { !$0.hasPassed }.map(\.each.name) == (name == "blames" ? ["DIE"] : []))
  }

  @Test func unstableRefusedAndLostOutputsAreReported() {
    #expect(kinds(OtherRunner(program: program("again")), ["a"]) == [["not idempotent"]])
    #expect(kinds(OtherRunner(program: program("refuses")), ["a", "bad"]) == [[], ["refused"]])
    let keeps = each("<p>a secret word</p>", outputs: ["<p>a secret word</p>"])
    let lost = OtherRunner(program: program("words")).run([keeps])[0]
    #expect(lost.faults.map(\.kind) == [.lost] && lost.isSafe)
    #expect(lost.faults.first?.message == "'secret'")
    #expect(OtherRunner(program: program("words"), checksContractOnly: true).run([keeps])[0].hasPassed)
    // As with our own sanitizer: whatever its case; and addresses are no text.
    var wanted = each("<p>YOU <a href='https://www.youtube.com/x'>and I</a></p>")
    for words in ["you", "youtube", "secret"] {
      wanted.keeps = [words]
      #expect(OtherRunner(program: program("all")).run([wanted])[0].hasPassed, "\(words)")
    }
    wanted = each("<p>a secret word</p>")
    wanted.keeps = ["SECRET"]
    #expect(OtherRunner(program: program("words")).run([wanted])[0].faults.map(\.kind) == [.lost])
    // What rules write besides is not expected of others.
    #expect(OtherRunner(program: program("all")).run([each("<p>a</p>", outputs: ["<p>a secret</p>"])])[0].hasPassed)
  }

  @Test func exactOutputIsComparedOnlyOnRequest() {
    let written = each("<p>a", outputs: ["<p>a</p>"])
    #expect(OtherRunner(program: program("all")).run([written])[0].hasPassed)
    let exact = OtherRunner(program: program("all"), isExact: true).run([written])[0]
    #expect(!exact.hasPassed && exact.faults.isEmpty)
  }

  @Test func twoProgramsAreComparedByMeaning() {
    let runner = OtherRunner(program: program("all"), against: program("words"))
    let same = each("<p CLASS='x'>a</p>")
    let other = each("<p class=secret>a <a href=\"/secret\">secret b</a></p>")
    let outcomes = runner.run([same, other])
    #expect(outcomes[0].hasPassed)
    #expect(
      outcomes[1].faults.map(\.message) == [
        "only the first keeps /secret, the words 'secret'", "only the second keeps /",
      ])
    // Written otherwise, and the same.
    let quoted = OtherRunner(program: program("all"), against: OtherProgram(command: "sed \"s/'/ /g; s/<P/<p/\""))
    #expect(quoted.run([each("<P title='x'>a")])[0].hasPassed)
  }

  @Test func failingVariantsAreReduced() async throws {
    let folder = try Fixtures.temporaryFolder()
    let text = "=== a\n--- input\n<p title=\"x\">some words <b>more</b> and more <i>words</i></p>\n"
    try Data(text.utf8).write(to: URL(filePath: folder.path + "/a.txt"))
    let suite = CheckSuite(paths: [folder.path])
    var outcomes: [CheckRunner.Outcome] = []
    await suite.mutate(40, with: Mutator(seed: 3), runner: OtherRunner(program: program("all")), jobs: 2) { outcome in
      outcomes.append(outcome)
      return true
    }
    try #require(outcomes.count == 2 && outcomes[0].hasPassed && outcomes[1].faults.count == 1)
    #expect(outcomes[1].isVariant && outcomes[1].each.name.hasPrefix("a, variant "))
    #expect(outcomes[1].each.input.count < 20, "\(outcomes[1].output)")
  }

  @Test(arguments: [("gone", "exit code 127"), ("never", "said nothing")])
  func programThatNeverAnswersFailsProbe(_ name: String, _ reason: String) {
    do throws(OtherProgram.Unusable) {
      try program(name, seconds: 0.3).probe()
      Issue.record("it answers")
    } catch {
      #expect(error.message.contains(reason), "\(error.message)")
    }
  }

  @Test func reportsNameKindOfFault() {
    let outcomes = OtherRunner(program: program("all")).run([each("<p onclick=a()>a</p>")])
    #expect(
      FailureText(hasColours: false).lines(outcomes[0]) == [
        "FAILED f:1: <p onclick=a()>a</p>", "  unsafe: <p onclick> is an event handler",
        "    input:  <p onclick=a()>a</p>",
        "    output: <p onclick=a()>a</p>",
      ])
    var junit = JUnitReport()
    junit.add(outcomes[0])
    #expect(
      junit.document.contains("<failure type=\"unsafe\" message=\"unsafe: &lt;p onclick&gt; is an event handler\">"))
  }
}
