package import TamisCore

/// Cases that are run together.
package struct CheckSuite: Sendable {
  /// The cases in the order of their files.
  package private(set) var cases: [SanitizerCase] = []
  /// The mistakes of unreadable files and cases.
  package private(set) var findings: [Finding] = []
  /// The ids of all cases, or their names, regardless of the filter and the level.
  package let keys: Set<String>
  /// The number of cases that the filter leaves and the level does not.
  package let countAboveLevel: Int
  /// All inputs of each file, regardless of the filter, on which a variant must not depend.
  let inputs: [String: [[UInt8]]]

  /// Reads the cases of files and folders.
  ///
  /// - Parameters:
  ///   - paths: the files and folders.
  ///   - filter: a text that the names, ids, classes or advisories of cases have to contain, ignoring case; nil for all
  ///     cases.
  ///   - level: the highest level of cases of the suite; nil for all levels.
  package init(paths: [String], filter: String? = nil, level: SuiteEntry.Level? = nil) {
    var cases: [SanitizerCase] = []
    for file in CaseSources.files(paths, into: &findings) {
      cases += CaseSources.cases(in: file, into: &findings)
    }
    inputs = Dictionary(grouping: cases, by: \.location.file).mapValues { $0.map(\.input) }
    findings += Self.repeatedIDs(cases)
    keys = Set(cases.map(\.key))
    if let filter { cases.removeAll { !$0.isNamed(like: filter) } }
    let count = cases.count
    if let level { cases.removeAll { $0.entry.map { $0.level > level } ?? false } }
    countAboveLevel = count - cases.count
    self.cases = cases
  }

  private static func repeatedIDs(_ cases: [SanitizerCase]) -> [Finding] {
    var known: [String: Finding.Location] = [:]
    return cases.compactMap { each in
      guard let id = each.entry?.id, let first = known.updateValue(each.location, forKey: id) else { return nil }
      return Finding(.error, "check.id", "the id '\(id)' is that of \(first)", at: each.location, entry: each.name)
    }
  }

  /// Runs all cases concurrently, and passes on the outcomes in order.
  ///
  /// - Parameters:
  ///   - runner: the runner of the cases.
  ///   - jobs: the number of concurrent jobs; the result does not depend on it.
  ///   - body: receives each outcome; returns false to end the run.
  package func run(with runner: CheckRunner, jobs: Int, _ body: (CheckRunner.Outcome) -> Bool) async {
    await inBatches(jobs: jobs, { [runner.run(cases[$0])] }, body)
  }

  /// Runs all cases, and searches for variants of their inputs that break the output contract.
  ///
  /// - Parameters:
  ///   - count: the number of variants of each case.
  ///   - mutator: the source of variants.
  ///   - runner: the runner of the cases.
  ///   - jobs: the number of concurrent jobs.
  ///   - body: receives each case's outcome, followed by that of a failing variant, minimized; returns false to end the
  ///     run.
  package func mutate(
    _ count: Int, with mutator: Mutator, runner: CheckRunner, jobs: Int, _ body: (CheckRunner.Outcome) -> Bool
  ) async {
    await inBatches(
      jobs: jobs,
      { position in
        let each = cases[position]
        let others = inputs[each.location.file] ?? []
        let plain = runner.run(each)
        // Without usable rules there is nothing to vary.
        if plain.failures.contains(where: \.isAboutRules) { return [plain] }
        for number in 0..<count {
          let variant = mutator.variant(number, of: each.input, named: each.name, others: others)
          guard runner.breach(by: variant, under: each) != nil else { continue }
          let smallest = Reducer.smallest(variant) { runner.breach(by: $0, under: each) != nil }
          var outcome = runner.run(each.variant(number, input: smallest))
          outcome.isVariant = true
          return [plain, outcome]
        }
        return [plain]
      }, body)
  }

  private func inBatches(
    jobs: Int, _ work: @escaping @Sendable (Int) -> [CheckRunner.Outcome], _ body: (CheckRunner.Outcome) -> Bool
  ) async {
    await inGroups(of: min(64, max(1, cases.count / (4 * jobs))), jobs: jobs, { $0.flatMap(work) }, body)
  }
}

extension CheckSuite {
  /// The number of cases, or variants, given to a program together.
  private static let together = 512

  /// Runs all cases with another sanitizer, and passes on the outcomes in order.
  ///
  /// - Parameters:
  ///   - runner: the runner of the cases.
  ///   - jobs: the number of concurrent processes; the result does not depend on it.
  ///   - body: receives each outcome; returns false to end the run.
  package func run(with runner: OtherRunner, jobs: Int, _ body: (CheckRunner.Outcome) -> Bool) async {
    let size = min(Self.together, max(1, (cases.count + jobs - 1) / jobs))
    await inGroups(of: size, jobs: jobs, { runner.run(Array(cases[$0])) }, body)
  }

  /// Runs all cases with another sanitizer, and searches for variants of their inputs that fail.
  ///
  /// Variants are only derived from cases that pass. The expectations of a case do not apply to its variants.
  ///
  /// - Parameters:
  ///   - count: the number of variants of each case.
  ///   - mutator: the source of variants.
  ///   - runner: the runner of the cases.
  ///   - jobs: the number of concurrent processes.
  ///   - body: receives each case's outcome, followed by that of a failing variant, minimized; returns false to end the
  ///     run.
  package func mutate(
    _ count: Int, with mutator: Mutator, runner: OtherRunner, jobs: Int, _ body: (CheckRunner.Outcome) -> Bool
  ) async {
    await inGroups(
      of: max(1, Self.together / count), jobs: jobs,
      { range in
        let outcomes = runner.run(Array(cases[range]))
        var variants: [(position: Int, number: Int)] = []
        for (position, outcome) in outcomes.enumerated() where outcome.hasPassed {
          variants += (0..<count).map { (position, $0) }
        }
        let found = runner.run(
          variants.map { position, number in
            let each = outcomes[position].each
            let others = inputs[each.location.file] ?? []
            return each.variant(
              number, input: mutator.variant(number, of: each.input, named: each.name, others: others))
          })
        var broken: [Int: CheckRunner.Outcome] = [:]
        for (variant, outcome) in zip(variants, found) where !outcome.hasPassed && broken[variant.position] == nil {
          broken[variant.position] = Self.smallest(outcome, runner)
          broken[variant.position]?.isVariant = true
        }
        return outcomes.enumerated().flatMap { position, outcome in [outcome] + (broken[position].map { [$0] } ?? []) }
      }, body)
  }

  /// The maximum number of tries to minimize an input; each starts a process.
  private static let mostQuestions = 150

  /// Returns the outcome of a smaller input with the same fault.
  ///
  /// An input without an answer is not minimized, since each try may take as long.
  private static func smallest(_ outcome: CheckRunner.Outcome, _ runner: OtherRunner) -> CheckRunner.Outcome {
    guard let kind = outcome.faults.first?.kind, kind != .unanswered else { return outcome }
    var smallest = outcome
    _ = Reducer.smallest(outcome.each.input, questions: mostQuestions) { input in
      var each = outcome.each
      each.input = input
      let shorter = runner.run([each])[0]
      guard shorter.faults.first?.kind == kind else { return false }
      smallest = shorter
      return true
    }
    return smallest
  }

  private struct Enough: Error {}

  private func inGroups(
    of size: Int, jobs: Int, _ work: @escaping @Sendable (Range<Int>) -> [CheckRunner.Outcome],
    _ body: (CheckRunner.Outcome) -> Bool
  ) async {
    let starts = Array(stride(from: 0, to: cases.count, by: size))
    // The error only ends the run.
    try? await inOrder(
      count: starts.count, jobs: jobs, work: { work(starts[$0]..<min(starts[$0] + size, cases.count)) },
      { _, outcomes throws(Enough) in
        for outcome in outcomes where !body(outcome) { throw Enough() }
      })
  }
}

extension CheckRunner.Outcome {
  /// The faults of another sanitizer, expected ones last.
  package var faults: [OtherFault] {
    failures.compactMap { if case .other(let fault) = $0 { fault } else { nil } } + expected
  }
}
