import ArgumentParser
import Tamis
import TamisCheck
import TamisSystem
import TamisFoundation

/// `tamis check`: runs regression tests of the sanitizer.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Run sanitizer regression tests.",
    discussion: """
      Cases are text files, or lists of other suites in JSON: docs/checking.md. Every output is checked for the sanitizer's \
      contract. With --feeds the rules' output is compared with a baseline; with --command the cases are run with any program \
      that answers lines of JSON: docs/other-sanitizers.md. Examples:

        tamis check tests/links.txt --record
        tamis check tests/ --mutate 50 --seed 7
        tamis check --feeds feeds/ --baseline feeds.baseline --rules mine.yaml
        tamis check tests/ --command 'node mine.js'
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, junit, json
  }

  @Argument(help: "Case files, and folders of them.")
  var paths: [String] = []

  @Option(parsing: .upToNextOption, help: "Feeds to compare with a baseline.")
  var feeds: [FilePath] = []

  @Option(help: ArgumentHelp("What the rules made of the feeds before.", valueName: "file"))
  var baseline: String?

  @Option(help: "How to report.")
  var format = Format.text

  @Option(help: ArgumentHelp("Only cases whose name, id or advisory has a text.", valueName: "text"))
  var filter: String?

  @Option(help: ArgumentHelp("Of the suite, only cases up to this level.", valueName: "level"))
  var level: SuiteEntry.Level?

  @Flag(help: "Write the cases of the suite as JSON.")
  var export = false

  @Flag(help: "Stop at the first case that fails.")
  var failFast = false

  @Flag(help: "Check the output contract only.")
  var contract = false

  @Flag(help: "Write the current outputs into the case files.")
  var record = false

  @Option(help: ArgumentHelp("Check the contract on variants of each input.", valueName: "count"))
  var mutate: Int?

  @Option(help: "The random seed of --mutate.")
  var seed: UInt64 = 1

  @Option(name: [.customShort("j", allowingJoined: true), .long], help: "Cases that are run at once.")
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  @Flag(name: [.short, .long], help: "Name the cases that passed too.")
  var verbose = false

  @OptionGroup var success: SuccessOptions

  @OptionGroup var policy: PolicyOptions

  @OptionGroup(title: "Other Sanitizers") var others: OtherOptions

  func validate() throws {
    if others.command != nil, !feeds.isEmpty || policy.tidy != nil {
      throw ValidationError("--command goes with neither --feeds nor --tidy")
    }
    if record, others.command != nil, others.expectedFailures == nil {
      throw ValidationError("of another program, --record writes --expected-failures FILE")
    }
    if paths.isEmpty, feeds.isEmpty { throw ValidationError("name at least one file or folder of cases") }
    if feeds.isEmpty != (baseline == nil) { throw ValidationError("--feeds and --baseline go together") }
    if !feeds.isEmpty, !paths.isEmpty { throw ValidationError("--feeds does not go with case files") }
    if !feeds.isEmpty,
      format != .text || filter != nil || mutate != nil || contract || failFast || verbose || success.quiet
    {
      throw ValidationError("--feeds goes with --baseline, --record, --rules and --tidy only")
    }
    try WorkOptions.validate(jobs: jobs)
    if let mutate, mutate < 1 { throw ValidationError("--mutate takes a number from 1") }
    if record, mutate != nil || contract || failFast || (format != .text && others.command == nil) {
      throw ValidationError("--record goes with none of --mutate, --contract, --fail-fast and --format")
    }
  }

  func run() async throws {
    if let baseline { return try FeedsCheck(feeds: feeds, file: baseline, isRecorded: record).run(policy) }
    // These rules are for cases that name none; --tidy applies to those without a setting.
    let rules = try policy.rules.map(PolicyOptions.load)
    let runner = CheckRunner(sanitizer: rules ?? .reading, tidy: policy.tidy, checksContractOnly: contract)
    if record, others.command == nil { return try recordFiles(runner) }
    let suite = CheckSuite(paths: paths, filter: filter, level: level)
    if export { return try write(suite) }
    let other = try others.runner(policy: rules?.policy, checksContractOnly: contract)
    let expected = record ? nil : try others.expectations(of: suite)
    let findings = suite.findings + (expected?.findings ?? [])
    Terminal.report(findings, notes: true)
    var printer = CheckPrinter(
      format: format, namesPassed: verbose, isQuiet: success.quiet,
      programs: [other?.program, other?.against].compactMap { $0?.command })
    findings.forEach { printer.add($0) }
    if suite.cases.isEmpty {
      printer.finish(variants: nil)
      if let filter, findings.isEmpty {
        let above = suite.countAboveLevel
        let rest =
          above > 0 ? " at this level; \(above.counted("case")) of higher levels" + (above == 1 ? " does" : " do") : ""
        Terminal.error("tamis: error: no case's name, id or advisory contains '\(filter)'\(rest) [check.filter]")
      }
      throw ExitCode.badData
    }
    let outcomes = await run(suite, by: runner, or: other, expected, &printer)
    printer.finish(variants: mutate.map { ($0, seed) })
    if record { try writeExpectations(outcomes) }
    if printer.hasFailures || !findings.isEmpty { throw ExitCode.someFailed }
  }

  /// Runs the cases, and returns the outcomes when they are to be recorded.
  private func run(
    _ suite: CheckSuite, by runner: CheckRunner, or other: OtherRunner?, _ expected: ExpectedFailures?,
    _ printer: inout CheckPrinter
  ) async -> [CheckRunner.Outcome] {
    let progress = Progress(leaving: "the results so far were printed")
    let total = suite.cases.count
    var (done, outcomes) = (0, [CheckRunner.Outcome]())
    var printing = printer
    let body = { (outcome: CheckRunner.Outcome) -> Bool in
      var outcome = outcome
      if record {
        outcomes.append(outcome)
        outcome = ExpectedFailures.recorded(outcome)
      } else if !outcome.isVariant, let expected {
        outcome = expected.applied(to: outcome)
      }
      printing.add(outcome)
      if !outcome.isVariant { done += 1 }
      progress.update(done, of: total, noun: "case", done: "checked")
      return outcome.hasPassed || !failFast
    }
    switch (other, mutate) {
    case (let other?, let count?):
      await suite.mutate(count, with: Mutator(seed: seed), runner: other, jobs: jobs, body)
    case (let other?, nil): await suite.run(with: other, jobs: jobs, body)
    case (nil, let count?):
      await suite.mutate(count, with: Mutator(seed: seed), runner: runner, jobs: jobs, body)
    case (nil, nil): await suite.run(with: runner, jobs: jobs, body)
    }
    progress.finish()
    printer = printing
    return outcomes
  }

  private func write(_ suite: CheckSuite) throws {
    Terminal.report(suite.findings, notes: true)
    if suite.cases.allSatisfy({ $0.entry == nil }) {
      throw Terminal.failure(
        "tamis: error: no case has an id; only cases of the suite can be written [check.export]", .badData)
    }
    Terminal.write(SuiteExport.json(suite.cases))
    if !suite.findings.isEmpty { throw ExitCode.someFailed }
  }

  /// Writes the known faults; cases that did not run keep theirs.
  private func writeExpectations(_ outcomes: [CheckRunner.Outcome]) throws {
    guard let file = others.expectedFailures else { return }
    let old = FilePath(file).contents(upTo: FilePath.longestCases).map { String(decoding: $0, as: UTF8.self) }
    var expected = ExpectedFailures(old ?? "", file: file)
    expected.record(outcomes)
    do throws(FileFailure) {
      try FileOutput.replace(FilePath(file), with: Array(expected.text.utf8))
    } catch {
      throw Terminal.failure("\(file): error: this file cannot be written: \(error) [check.write]", .cannotWrite)
    }
    Terminal.error("\(file): known faults of \(expected.count.counted("case"))")
  }

  private func recordFiles(_ runner: CheckRunner) throws {
    var findings: [Finding] = []
    let text = FailureText(hasColours: Terminal.hasColours)
    var refused = 0
    for file in CaseSources.files(paths, into: &findings) {
      guard !CaseSources.isOtherSuite(file) else {
        let message = "only case files can be recorded, not other suites"
        findings.append(Finding(.error, "check.record", message, at: Finding.Location(file: file)))
        continue
      }
      let recording = CaseRecording(file: file, runner: runner) { each in
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
        throw Terminal.failure(
          "\(file): error: this file cannot be written; it is unchanged [check.write]", .cannotWrite)
      }
      Terminal.line("\(file): \(recording.changed.count) recorded, \(recording.refused.count) refused")
    }
    Terminal.report(findings, notes: true)
    if refused > 0 || findings.contains(where: { $0.severity == .error }) { throw ExitCode.someFailed }
  }
}
