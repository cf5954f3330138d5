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

  private struct Enough: Error {}

  private func inBatches(
    jobs: Int, _ work: @escaping @Sendable (Int) -> [CheckRunner.Outcome], _ body: (CheckRunner.Outcome) -> Bool
  ) async {
    let end = cases.count
    let size = min(64, max(1, end / (4 * jobs)))
    let starts = Array(stride(from: 0, to: end, by: size))
    // The error only ends the run.
    try? await inOrder(
      count: starts.count, jobs: jobs,
      work: { (starts[$0]..<min(starts[$0] + size, end)).flatMap(work) },
      { _, outcomes throws(Enough) in
        for outcome in outcomes where !body(outcome) { throw Enough() }
      })
  }
}
