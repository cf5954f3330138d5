import TamisCore
package import TamisSanitizer

/// A runner of cases with another sanitizer, or with two to compare them.
///
/// The expectations of cases were written for the rules of Tamis. Only text that a reader has to see counts, unless
/// exact outputs are requested, since another program has other allowlists and another way of writing.
package struct OtherRunner: Sendable {
  /// The program.
  package let program: OtherProgram
  /// Another program to compare it with.
  package let against: OtherProgram?
  private let judge: OtherJudge
  private let isExact: Bool
  private let checksContractOnly: Bool
  private let contexts: [OutputContext]

  /// Creates a runner.
  ///
  /// - Parameters:
  ///   - program: the program.
  ///   - against: another program to compare it with.
  ///   - policy: the rules whose lists all outputs must satisfy.
  ///   - isExact: whether outputs must match the expected ones byte for byte, and satisfy all other expectations.
  ///   - checksContractOnly: whether all expectations of cases are ignored.
  ///   - contexts: the places into which all outputs are put, besides those of their cases.
  package init(
    program: OtherProgram, against: OtherProgram? = nil, policy: Policy? = nil, isExact: Bool = false,
    checksContractOnly: Bool = false, contexts: [OutputContext] = []
  ) {
    (self.program, self.against, judge) = (program, against, OtherJudge(policy: policy))
    (self.isExact, self.checksContractOnly, self.contexts) = (isExact, checksContractOnly, contexts)
  }

  /// Runs cases together and returns their outcomes.
  package func run(_ cases: [SanitizerCase]) -> [CheckRunner.Outcome] {
    var outcomes = run(cases, by: program, named: against == nil ? nil : program.command)
    guard let against else { return outcomes }
    for (index, other) in run(cases, by: against, named: against.command).enumerated() {
      outcomes[index].failures += other.failures
      outcomes[index].isSafe = outcomes[index].isSafe && other.isSafe
      // Without both answers there is nothing to compare.
      guard outcomes[index].hasOutput, other.hasOutput else { continue }
      outcomes[index].failures += differences(outcomes[index].output, other.output).map { .other($0) }
    }
    return outcomes
  }

  private func run(_ cases: [SanitizerCase], by program: OtherProgram, named name: String?) -> [CheckRunner.Outcome] {
    let answers = program.answers(
      to: cases.map { .init(html: String(decoding: $0.input, as: UTF8.self), base: $0.base) })
    let answered = cases.indices.filter { answers[$0].html != nil }
    let again = program.answers(to: answered.map { .init(html: answers[$0].html ?? "", base: cases[$0].base) })
    let second = Dictionary(uniqueKeysWithValues: zip(answered, again))
    return cases.indices.map { index in
      var outcome = CheckRunner.Outcome(each: cases[index])
      outcome.output = answers[index].html ?? ""
      outcome.hasOutput = answers[index].html != nil
      if !checksContractOnly, !isExact { outcome.unasked = OtherJudge.unasked(cases[index]) }
      var faults = faults(of: answers[index], again: second[index], cases[index].entry)
      if !checksContractOnly, !isExact, let html = answers[index].html, let lost = OtherJudge.lost(cases[index], html) {
        faults.append(OtherFault(kind: .lost, message: "'\(lost)'", output: html))
      }
      for index in faults.indices { faults[index].program = name }
      outcome.failures = faults.map { .other($0) }
      if isExact, !checksContractOnly, let html = answers[index].html {
        let decoded = html.asciiLowercased().decodingCharacterReferences()
        outcome.failures += CheckRunner.failures(of: cases[index], html, shown: [decoded])
      }
      outcome.isSafe = !faults.contains { $0.kind == .unsafe }
      return outcome
    }
  }

  private func faults(
    of answer: OtherProgram.Answer, again: OtherProgram.Answer?, _ entry: SuiteEntry?
  ) -> [OtherFault] {
    switch answer {
    case .unanswered(let reason): return [OtherFault(kind: .unanswered, message: reason)]
    case .refused(let reason): return [OtherFault(kind: .refused, message: reason)]
    case .html(let html):
      let faults = judge.faults(of: html, in: (entry?.contexts ?? []) + contexts, asking: entry?.questions ?? [])
      switch again {
      case .html(let second) where second.utf8.elementsEqual(html.utf8): return faults
      case .html(let second):
        return faults + [
          OtherFault(
            kind: .unstable, message: "sanitizing it again gives \(TerminalText.beginning(of: second))", output: html)
        ]
      case .refused(let reason): return faults + [OtherFault(kind: .refused, message: "its own output: \(reason)")]
      case .unanswered(let reason):
        return faults + [OtherFault(kind: .unanswered, message: "to its own output: \(reason)")]
      case nil: return faults
      }
    }
  }

  private func differences(_ one: String, _ other: String) -> [OtherFault] {
    let (first, second) = (OtherInventory(one), OtherInventory(other))
    let (kept, added) = (first.surplus(over: second), second.surplus(over: first))
    var faults: [OtherFault] = []
    if !kept.isEmpty {
      faults.append(OtherFault(kind: .different, message: "only the first keeps \(kept.joined(separator: ", "))"))
    }
    if !added.isEmpty {
      faults.append(OtherFault(kind: .different, message: "only the second keeps \(added.joined(separator: ", "))"))
    }
    if faults.isEmpty, let difference = first.difference(from: second) {
      faults.append(OtherFault(kind: .different, message: difference))
    }
    return faults
  }
}
