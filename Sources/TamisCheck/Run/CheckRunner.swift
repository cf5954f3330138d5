import Synchronization
import TamisCore
import TamisSystem
import TamisFoundation
package import TamisSanitizer

/// A runner of cases that can be shared by any number of tasks.
package final class CheckRunner: Sendable {
  /// The outcome of a case.
  package struct Outcome: Sendable {
    /// The case.
    package var each: SanitizerCase
    /// The output; empty when there is none.
    package var output = ""
    /// The reasons why the case failed; empty when it passed.
    package var failures: [Failure] = []
    /// The faults that were expected, and count as none.
    package var expected: [OtherFault] = []
    /// Whether the output satisfies the output contract.
    package var isSafe = true
    /// Whether the input is a variant of the one in the case file.
    package var isVariant = false
    /// The number of expectations of the case that were not asked of another sanitizer.
    package var unasked = 0
    /// Whether there is an output; another sanitizer may have failed.
    var hasOutput = true

    /// Creates the outcome of a case that passes.
    package init(each: SanitizerCase) { self.each = each }

    /// Whether the case passed.
    package var hasPassed: Bool { failures.isEmpty }
  }

  /// The reason why a case failed.
  package enum Failure: Sendable {
    /// The output differs from the expected one.
    case output(MarkupDifference)
    /// The output violates the output contract.
    case contract(OutputContract.Breach)
    /// This text is no longer visible to a reader.
    case lost(String)
    /// This text is still in the output.
    case kept(String)
    /// The rules of the case cannot be used.
    case rules(String)
    /// Another sanitizer was expected to have this fault, and has it no longer.
    case gone(OtherFault.Kind)
    /// Another sanitizer has this fault.
    case other(OtherFault)
  }

  private struct Configuration: Hashable {
    var rules: String
    var tidy: Policy.TidyMode?
  }

  private struct Tools: Sendable {
    var sanitizer: Sanitizer
    var contract: OutputContract
  }

  private let sanitizer: Sanitizer
  private let tidy: Policy.TidyMode?
  private let checksContractOnly: Bool
  private let tools = Mutex<[Configuration: Result<Tools, Unusable>]>([:])

  private struct Unusable: Error {
    var message: String
  }

  /// Creates a runner.
  ///
  /// - Parameters:
  ///   - sanitizer: the sanitizer for cases that name no rules.
  ///   - tidy: when libtidy repairs, for cases without the setting; nil for the setting of the rules.
  ///   - checksContractOnly: whether all expectations of cases are ignored.
  package init(sanitizer: Sanitizer, tidy: Policy.TidyMode? = nil, checksContractOnly: Bool = false) {
    self.sanitizer = sanitizer
    self.tidy = tidy
    self.checksContractOnly = checksContractOnly
  }

  /// Runs a case.
  package func run(_ each: SanitizerCase) -> Outcome {
    var outcome = Outcome(each: each)
    let tools: Tools
    switch self.tools(for: each) {
    case .success(let found): tools = found
    case .failure(let unusable):
      outcome.failures = [.rules(unusable.message)]
      return outcome
    }
    let result = tools.sanitizer.sanitize(utf8: each.input.span, base: each.base, page: each.page)
    outcome.output = result.html.string
    if let breach = tools.contract.breach(of: result.html, by: tools.sanitizer, base: each.base, page: each.page) {
      outcome.failures.append(.contract(breach))
      outcome.isSafe = false
    }
    if !checksContractOnly {
      let facts = result.facts
      let shown = [facts.text] + facts.links.map(\.href) + facts.images.map(\.source) + facts.media
      outcome.failures += Self.failures(of: each, outcome.output, shown: shown)
    }
    if let entry = each.entry {
      // The suite asks all sanitizers the same.
      let faults = OtherJudge(policy: nil).faults(of: outcome.output, in: entry.contexts, asking: entry.questions)
      outcome.failures += faults.map { .other($0) }
    }
    return outcome
  }

  /// Returns the breach of the output contract by an input under the rules of a case, or nil when there is none or the
  /// rules cannot be used.
  func breach(by input: [UInt8], under each: SanitizerCase) -> OutputContract.Breach? {
    guard case .success(let tools) = tools(for: each) else { return nil }
    let html = tools.sanitizer.sanitize(utf8: input.span, base: each.base, page: each.page).html
    return tools.contract.breach(of: html, by: tools.sanitizer, base: each.base, page: each.page)
  }

  /// Returns the failures of a case by its exact expectations; what it keeps has to be in one of the texts shown.
  static func failures(of each: SanitizerCase, _ output: String, shown: [String]) -> [Failure] {
    var failures: [Failure] = []
    var expected = each.outputs
    if each.isUnchanged { expected.append(String(decoding: each.input, as: UTF8.self)) }
    if let first = expected.first, !expected.contains(where: { $0.utf8.elementsEqual(output.utf8) }) {
      failures.append(.output(MarkupDifference(expected: first, given: output)))
    }
    for wanted in each.keeps where !shown.contains(where: { SanitizerCase.occurs(wanted, in: $0) }) {
      failures.append(.lost(wanted))
    }
    for unwanted in each.drops where SanitizerCase.occurs(unwanted, in: output) { failures.append(.kept(unwanted)) }
    return failures
  }

  private func tools(for each: SanitizerCase) -> Result<Tools, Unusable> {
    let file = each.rules.map { Self.isNamed($0) ? $0 : Self.path(of: $0, from: each.location.file) } ?? ""
    let configuration = Configuration(rules: file, tidy: each.tidy)
    return tools.withLock { known in
      if let found = known[configuration] { return found }
      let made = Self.sanitizer(file, fallback: sanitizer).map { sanitizer in
        let sanitizer = (each.tidy ?? tidy).map(sanitizer.with(tidy:)) ?? sanitizer
        return Tools(sanitizer: sanitizer, contract: OutputContract(policy: sanitizer.policy))
      }
      known[configuration] = made
      return made
    }
  }

  private static func isNamed(_ rules: String) -> Bool { Policy.shippedNames.contains(rules) }

  private static func path(of file: String, from caseFile: String) -> String {
    file.hasPrefix("/") ? file : URL(filePath: caseFile).deletingLastPathComponent().appending(path: file).path
  }

  private static func sanitizer(_ rules: String, fallback: Sanitizer) -> Result<Sanitizer, Unusable> {
    if rules.isEmpty { return .success(fallback) }
    if let shipped = Sanitizer.shipped(named: rules) { return .success(shipped) }
    guard let data = FilePath(rules).contents(upTo: FilePath.longestConfiguration) else {
      let known = Policy.shippedNames.joined(separator: ", ")
      return .failure(Unusable(message: "no rules '\(rules)': neither a file of up to 16 MiB nor one of \(known)"))
    }
    return Result { () throws(InvalidRules) in
      try Sanitizer(policy: Policy.read(rules: String(decoding: data, as: UTF8.self), file: rules).policy)
    }.mapError { Unusable(message: $0.description) }
  }
}
