import ArgumentParser
import Tamis
import TamisCheck
import TamisFoundation

/// `tamis check --feeds`: shows the effect of a change of the rules on the user's own feeds.
struct FeedsCheck {
  let feeds: [FilePath]
  let file: String
  /// Whether an existing baseline is replaced.
  let isRecorded: Bool

  func run(_ options: PolicyOptions) throws {
    var findings: [Finding] = []
    let bodies = bodies(into: &findings)
    Terminal.report(findings, notes: true)
    let hasFailed = findings.contains { $0.severity == .error }
    if bodies.isEmpty { throw ExitCode.badData }
    let sanitizer = try options.sanitizer(fallback: .reading)
    guard !isRecorded, FileManager.default.fileExists(atPath: file) else {
      try write(Baseline(bodies, sanitizer: sanitizer), count: bodies.count)
      if hasFailed { throw ExitCode.someFailed }
      return
    }
    guard let known = FilePath(file).contents(upTo: FilePath.longestCases) else {
      throw Terminal.failure(
        "\(file): error: this file cannot be read, or has more than 256 MiB [read.failed]", .badData)
    }
    let baseline: Baseline
    do {
      baseline = try Baseline(contentsOf: Data(known), file: file)
    } catch {
      Terminal.report([error.finding], notes: true)
      throw ExitCode.badData
    }
    let check = BaselineCheck(bodies, with: baseline, sanitizer: sanitizer)
    report(check)
    if check.compared == 0 {
      throw Terminal.failure(
        "\(file): error: none of its bodies is in these feeds; --record replaces it [check.baseline]", .someFailed)
    }
    if hasFailed || check.count(.riskier) + check.count(.lossier) > 0 { throw ExitCode.someFailed }
  }

  private func bodies(into findings: inout [Finding]) -> [Baseline.Body] {
    let pipeline = Pipeline()
    let progress = Progress(leaving: "the baseline is unchanged")
    defer { progress.finish() }
    var bodies: [Baseline.Body] = []
    for argument in feeds {
      let sources = FeedSources([argument])
      findings += sources.findings
      for (position, source) in sources.files.enumerated() {
        progress.update(position, of: sources.files.count, noun: "feed", done: "read")
        let result = Result { () throws(FeedParser.Failure) in
          let name = Self.name(of: source.path, in: argument)
          return try pipeline.bodies(of: try source.document()).map { body in
            Baseline.Body(feed: name, entry: body.entry, html: body.html, base: body.base)
          }
        }
        switch result {
        case .success(let found): bodies += found
        case .failure(let failure): findings.append(failure.finding)
        }
      }
    }
    return bodies
  }

  /// The name of a feed in the baseline: its path inside the named folder, independent of how the folder was named.
  private static func name(of path: FilePath, in argument: FilePath) -> String {
    path == argument ? path.name.description : path.path(from: argument).description
  }

  private func write(_ baseline: Baseline, count: Int) throws {
    do {
      try FileOutput.write(Array(baseline.data()), to: FilePath(file))
    } catch {
      throw Terminal.failure("\(file): error: this file cannot be written: \(error) [check.write]", .cannotWrite)
    }
    Terminal.line("\(file): \(count.counted("body", plural: "bodies")) recorded")
  }

  // MARK: - The report

  private static let mostNamed = 5

  private func report(_ check: BaselineCheck) {
    let text = FailureText(hasColours: Terminal.hasColours, labels: ("before", "now"))
    for group in check.groups {
      Terminal.line("\(group.comparison.meaning.rawValue): \(group.bodies.count.counted("body", plural: "bodies"))")
      for body in group.bodies.prefix(Self.mostNamed) { Terminal.line("  \(body)") }
      if group.bodies.count > Self.mostNamed { Terminal.line("  and \(group.bodies.count - Self.mostNamed) more") }
      for evidence in group.comparison.evidence.prefix(Self.mostNamed) { Terminal.line("  \(evidence)") }
      if let (input, before, now) = group.smallest {
        Terminal.line("  smallest input that shows it: \(TerminalText.beginning(of: input))")
        text.lines(MarkupDifference(expected: before, given: now)).forEach { Terminal.line("  " + $0) }
      } else {
        Terminal.line("  the baseline was made by another version of tamis, so no smaller input can be searched for")
        text.lines(group.difference).forEach { Terminal.line("  " + $0) }
      }
    }
    for (name, change) in check.changes.sorted(by: { ($1.value.bodies, $0.key) < ($0.value.bodies, $1.key) }) {
      var parts: [String] = []
      if change.more > 0 { parts.append("\(change.more) more removed") }
      if change.fewer > 0 { parts.append("\(change.fewer) fewer") }
      let bodies = change.bodies.counted("body", plural: "bodies")
      Terminal.line("rule \(name): \(parts.joined(separator: ", ")) in \(bodies)")
    }
    Terminal.line(summary(check))
  }

  private func summary(_ check: BaselineCheck) -> String {
    var parts = ["\(check.same) the same"]
    for meaning in BaselineComparison.Class.allCases where check.count(meaning) > 0 {
      parts.append("\(check.count(meaning)) \(meaning.rawValue)")
    }
    if check.edited > 0 { parts.append("\(check.edited) not compared: the feed has changed them") }
    if check.unknown > 0 { parts.append("\(check.unknown) not in the baseline") }
    if check.gone > 0 { parts.append("\(check.gone) no longer in the feeds") }
    return parts.joined(separator: ", ")
  }
}
