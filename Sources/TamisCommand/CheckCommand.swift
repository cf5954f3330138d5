import ArgumentParser
import Foundation
import Tamis

/// `tamis check`: regression tests of the sanitizer.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Run sanitizer regression tests.",
    discussion: """
      Cases are written in text files (see the README), or come from other suites: lines of JSON {"id", "html", "base"?, \
      "expected"?} in .jsonl, lists of {"payload", "expected"} in .json. Every output is checked for the sanitizer's \
      promise, whatever else a case expects. Examples:

        tamis check tests/                                   # files and folders
        tamis check tests/links.txt --record                 # what comes out now is expected from now on
        tamis check attacks.jsonl --promise --rules strict   # other suites' inputs, our promise
        tamis check tests/ --mutate 50 --seed 7              # variants of the inputs

      With --feeds it compares what the rules make of one's own feeds with what they made of them before: the baseline, \
      which is written where there is none. Each difference is riskier, lossier, safer, fuller or cosmetic; the exit code is \
      1 when one is riskier or lossier.

        tamis check --feeds feeds/ --baseline feeds.baseline --rules mine.yaml
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, tap, junit
  }

  @Argument(help: "Case files, and folders of them.")
  var paths: [String] = []

  @Option(parsing: .upToNextOption, help: "Feeds, files and folders, to compare with a baseline.")
  var feeds: [FilePath] = []

  @Option(help: ArgumentHelp("What the rules made of the feeds before.", valueName: "file"))
  var baseline: String?

  @Option(help: "How to report: text, tap or junit.")
  var format = Format.text

  @Option(help: ArgumentHelp("Only cases in whose name this occurs.", valueName: "text"))
  var filter: String?

  @Flag(help: "Stop at the first case that fails.")
  var failFast = false

  @Flag(help: "Check the promise only, whatever outputs the cases expect.")
  var promise = false

  @Flag(help: "Write what comes out now into the case files as what is expected.")
  var record = false

  @Option(
    help: ArgumentHelp("Derive this many variants of each input and check the promise on them.", valueName: "count"))
  var mutate: Int?

  @Option(help: "Which variants --mutate derives: the same seed gives the same.")
  var seed: UInt64 = 1

  @Option(name: [.short, .long], help: "How many cases are run at once.")
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  @Flag(name: [.short, .long], help: "Name the cases that passed too.")
  var verbose = false

  @OptionGroup var policy: PolicyOptions

  func validate() throws {
    if paths.isEmpty, feeds.isEmpty { throw ValidationError("name at least one file or folder of cases") }
    if feeds.isEmpty != (baseline == nil) { throw ValidationError("--feeds and --baseline go together") }
    if !feeds.isEmpty, !paths.isEmpty { throw ValidationError("--feeds does not go with case files") }
    if !feeds.isEmpty, format != .text || filter != nil || mutate != nil || promise || failFast || verbose {
      throw ValidationError("--feeds goes with --baseline, --record, --rules and --tidy only")
    }
    if jobs < 1 { throw ValidationError("--jobs takes a number from 1") }
    if let mutate, mutate < 1 { throw ValidationError("--mutate takes a number from 1") }
    if record, mutate != nil || promise || failFast || format != .text {
      throw ValidationError("--record goes with none of --mutate, --promise, --fail-fast and --format")
    }
  }

  func run() async throws {
    if let baseline { return try FeedsCheck(feeds: feeds, file: baseline, isRecorded: record).run(policy) }
    // Rules for cases that name none; --tidy goes for those that do not say.
    let runner = CheckRunner(
      policy: try policy.rules.map(PolicyOptions.load) ?? .reading, tidy: policy.tidy, checksPromiseOnly: promise)
    if record { return try recordFiles(runner) }
    let suite = CheckSuite(paths: paths, filter: filter)
    Terminal.report(suite.findings, notes: true)
    var printer = CheckPrinter(format: format, namesPassed: verbose)
    suite.findings.forEach { printer.add($0) }
    if suite.cases.isEmpty {
      printer.finish(variants: nil)
      if let filter, suite.findings.isEmpty {
        Terminal.error("tamis: error: no case's name holds '\(filter)' [check.filter]")
      }
      throw ExitCode.badData
    }
    let progress = Progress(leaving: "what they came to was printed")
    let total = suite.cases.count
    var done = 0
    let body = { (outcome: CheckRunner.Outcome) -> Bool in
      printer.add(outcome)
      done += 1
      progress.update(done, of: total, "case", "checked")
      return outcome.hasPassed || !failFast
    }
    if let mutate {
      await suite.mutate(mutate, with: Mutator(seed: seed), runner: runner, jobs: jobs, body)
    } else {
      await suite.run(with: runner, jobs: jobs, body)
    }
    progress.finish()
    printer.finish(variants: mutate.map { ($0, seed) })
    if printer.failed > 0 || !suite.findings.isEmpty { throw ExitCode.someFailed }
  }

  private func recordFiles(_ runner: CheckRunner) throws {
    var findings: [Finding] = []
    let text = FailureText(hasColours: Terminal.hasColours)
    var refused = 0
    for file in CaseSources.files(paths, into: &findings) {
      guard !CaseSources.isOtherSuite(file) else {
        let message = "other suites are not written, only case files"
        findings.append(Finding(.error, "check.record", message, at: SourceLocation(file: file)))
        continue
      }
      let recording = Recording(file: file, runner: runner) { each in
        filter.map { each.isNamed(like: $0) } ?? true
      }
      findings += recording.findings
      for outcome in recording.changed {
        Terminal.line("recorded \(outcome.each.location): \(outcome.each.name)")
        let difference = outcome.each.outputs.first.map { MarkupDifference(expected: $0, given: outcome.output) }
        for line in difference.map(text.lines) ?? [] { Terminal.line("  " + line) }
      }
      for outcome in recording.refused { text.lines(outcome).forEach(Terminal.line) }
      refused += recording.refused.count
      do {
        try recording.write()
      } catch {
        Terminal.error("\(file): error: this file cannot be written; it is as it was [check.write]")
        throw ExitCode.cannotWrite
      }
      Terminal.line("\(file): \(recording.changed.count) recorded, \(recording.refused.count) refused")
    }
    Terminal.report(findings, notes: true)
    if refused > 0 || findings.contains(where: { $0.severity == .error }) { throw ExitCode.someFailed }
  }
}

/// Prints outcomes as they come, in the format that was asked for.
private struct CheckPrinter {
  private let format: CheckCommand.Format
  private let namesPassed: Bool
  private let text: FailureText
  private var tap = TAPReport()
  private var junit = JUnitReport()
  private var passed = 0
  private(set) var failed = 0
  private var unreadable = 0

  init(format: CheckCommand.Format, namesPassed: Bool) {
    self.format = format
    self.namesPassed = namesPassed
    text = FailureText(hasColours: Terminal.hasColours)
    if format == .tap { Terminal.line(TAPReport.start) }
  }

  /// Reports a case or a file that could not be read; in words it was already.
  mutating func add(_ finding: Finding) {
    unreadable += 1
    switch format {
    case .text: break
    case .tap: Terminal.line(tap.line(finding))
    case .junit: junit.add(finding)
    }
  }

  mutating func add(_ outcome: CheckRunner.Outcome) {
    if outcome.hasPassed { passed += 1 } else { failed += 1 }
    switch format {
    case .text:
      if !outcome.hasPassed {
        text.lines(outcome).forEach(Terminal.line)
      } else if namesPassed {
        Terminal.line("passed \(outcome.each.location): \(outcome.each.name)")
      }
    case .tap: tap.lines(outcome).forEach(Terminal.line)
    case .junit: junit.add(outcome)
    }
  }

  func finish(variants: (count: Int, seed: UInt64)?) {
    let count = passed + failed
    let variants = variants.map { ", \($0.count) variants each with the seed \($0.seed)" } ?? ""
    let summary =
      "\(count.counted("case"))\(variants): \(passed) passed, \(failed) failed"
      + (unreadable > 0 ? ", \(unreadable) unreadable" : "")
    switch format {
    case .text: Terminal.line(summary)
    case .tap: Terminal.line(tap.plan)
    case .junit: Terminal.line(junit.document)
    }
  }
}
