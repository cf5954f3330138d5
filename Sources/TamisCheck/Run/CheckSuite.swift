package import TamisCore

/// Cases that are run together.
package struct CheckSuite: Sendable {
  /// The cases in the order of their files.
  package private(set) var cases: [SanitizerCase] = []
  /// What could not be read.
  package private(set) var findings: [Finding] = []
  /// All inputs of each file, whatever the filter: a variant must not depend on it.
  let inputs: [String: [[UInt8]]]

  /// Reads the cases of files and folders.
  ///
  /// - Parameter filter: only cases in whose name this occurs, whatever its case; nil for all.
  package init(paths: [String], filter: String? = nil) {
    var cases: [SanitizerCase] = []
    for file in CaseSources.files(paths, into: &findings) {
      cases += CaseSources.cases(in: file, into: &findings)
    }
    inputs = Dictionary(grouping: cases, by: \.location.file).mapValues { $0.map(\.input) }
    self.cases = filter.map { filter in cases.filter { $0.isNamed(like: filter) } } ?? cases
  }

  /// Runs all cases, several at once, and hands out what they came to in their order.
  ///
  /// - Parameters:
  ///   - jobs: how many are run at once; the result does not depend on it.
  ///   - body: takes each outcome; false ends the run.
  package func run(with runner: CheckRunner, jobs: Int, _ body: (CheckRunner.Outcome) -> Bool) async {
    await inBatches(jobs: jobs, { [runner.run(cases[$0])] }, body)
  }

  /// Runs all cases, derives variants of each case's input, and looks for a variant that breaks the output contract.
  ///
  /// - Parameters:
  ///   - count: how many variants of each case.
  ///   - body: takes each case's outcome, and behind it that of a variant that breaks the contract, made as small as it can be;
  ///     false ends the run.
  package func mutate(
    _ count: Int, with mutator: Mutator, runner: CheckRunner, jobs: Int, _ body: (CheckRunner.Outcome) -> Bool
  ) async {
    await inBatches(
      jobs: jobs,
      { position in
        let each = cases[position]
        let others = inputs[each.location.file] ?? []
        let plain = runner.run(each)
        // Where the rules cannot be used there is nothing to vary.
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
  /// So many cases, or variants, are given to a program together.
  private static let together = 512

  /// Runs all cases with another sanitizer, and hands out what they came to in their order.
  ///
  /// - Parameters:
  ///   - jobs: how many processes are asked at once; the result does not depend on it.
  ///   - body: takes each outcome; false ends the run.
  package func run(with runner: OtherRunner, jobs: Int, _ body: (CheckRunner.Outcome) -> Bool) async {
    let size = min(Self.together, max(1, (cases.count + jobs - 1) / jobs))
    await inGroups(of: size, jobs: jobs, { runner.run(Array(cases[$0])) }, body)
  }

  /// Runs all cases with another sanitizer, derives variants of each case's input, and looks for one with which it does what no
  /// sanitizer should.
  ///
  /// A case that fails as it is written has no variants. Nothing but safety is expected of variants.
  ///
  /// - Parameters:
  ///   - count: how many variants of each case.
  ///   - body: takes each case's outcome, and behind it that of a variant that fails, made small; false ends the run.
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

  /// Each question costs a process.
  private static let mostQuestions = 150

  /// The outcome of a smaller input with the same fault; of one that was not answered as it is, since each question may take as long.
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
    // What is thrown says only that the run is over.
    try? await inOrder(
      count: starts.count, jobs: jobs, work: { work(starts[$0]..<min(starts[$0] + size, cases.count)) },
      { _, outcomes throws(Enough) in
        for outcome in outcomes where !body(outcome) { throw Enough() }
      })
  }
}

extension CheckRunner.Outcome {
  /// What another sanitizer was found to do wrong.
  package var faults: [OtherFault] { failures.compactMap { if case .other(let fault) = $0 { fault } else { nil } } }
}
