import ArgumentParser
import Tamis
import TamisCheck

/// Prints outcomes as they arrive, in the requested format.
struct CheckPrinter {
  private let format: CheckCommand.Format
  private let namesPassed: Bool
  /// Whether a text about cases that have all passed is left out.
  private let isQuiet: Bool
  private let text = FailureText(hasColours: Terminal.hasColours)
  private var junit = JUnitReport()
  private var json = JSONReport()
  private var passed = 0
  /// The number of cases with a failing variant.
  private var broken = 0
  private var failed = 0
  private var unreadable = 0
  /// The number of cases with expected faults.
  private var expected = 0
  /// The number of expectations that were not asked of another sanitizer.
  private var unasked = 0
  /// The other sanitizers that are checked, with the number of cases that show each of their faults.
  private let programs: [String]
  private var faults: [String: [OtherFault.Kind: Int]] = [:]

  /// Whether a case or a variant of a case failed.
  var hasFailures: Bool { failed + broken > 0 }

  init(format: CheckCommand.Format, namesPassed: Bool, isQuiet: Bool, programs: [String]) {
    self.format = format
    (self.namesPassed, self.isQuiet) = (namesPassed, isQuiet)
    self.programs = programs
  }

  /// Reports a case or a file that could not be read; in the formats for text and JSON it was reported already.
  mutating func add(_ finding: Finding) {
    unreadable += 1
    switch format {
    case .text, .json: break
    case .junit: junit.add(finding)
    }
  }

  mutating func add(_ outcome: CheckRunner.Outcome) {
    switch (outcome.isVariant, outcome.hasPassed) {
    case (true, _): broken += 1
    case (false, true): passed += 1
    case (false, false): failed += 1
    }
    if !outcome.expected.isEmpty { expected += 1 }
    unasked += outcome.unasked
    count(outcome)
    switch format {
    case .text:
      if !outcome.hasPassed {
        text.lines(outcome).forEach(Terminal.line)
      } else if namesPassed {
        Terminal.line("passed \(outcome.each.location): \(outcome.each.name)")
      }
    case .junit: junit.add(outcome)
    case .json: Terminal.line(json.line(outcome))
    }
  }

  func finish(variants: (count: Int, seed: UInt64)?) {
    let count = passed + failed
    let summary =
      "\(count.counted("case")): \(passed) passed, \(failed) failed"
      + (expected > 0 ? ", \(expected) with known faults" : "")
      + (unreadable > 0 ? ", \(unreadable.counted("mistake")) in files" : "")
      + (variants.map { "; \($0.count) variants of each with the seed \($0.seed): \(broken.counted("case")) failed" }
        ?? "")
    switch format {
    case .text where isQuiet && programs.isEmpty && !hasFailures && unreadable == 0 && count > 0: break
    case .text:
      Terminal.line(summary)
      faultLines.forEach(Terminal.line)
    case .junit: Terminal.line(junit.document)
    case .json:
      let failures = failed + broken
      let line = json.summary([
        ("cases", passed + failures), ("passed", passed), ("failed", failures), ("known", expected),
        ("mistakes", unreadable), ("unasked", unasked),
      ])
      Terminal.line(line)
    }
  }

  // MARK: - Other sanitizers

  private mutating func count(_ outcome: CheckRunner.Outcome) {
    for program in programs {
      let kinds = outcome.faults.filter { ($0.program ?? programs[0]) == program }.map(\.kind)
      for kind in Set(kinds) where kind != .different { faults[program, default: [:]][kind, default: 0] += 1 }
    }
    if outcome.faults.contains(where: { $0.kind == .different }) {
      faults["", default: [:]][.different, default: 0] += 1
    }
  }

  /// The number of cases for each fault, one line for each program, and what was not asked.
  private var faultLines: [String] {
    let counts = programs.map { program in
      let counts = OtherFault.Kind.allCases.filter { $0 != .different }
        .map { "\($0.rawValue) \(faults[program]?[$0] ?? 0)" }
      return "\(program): \(counts.joined(separator: ", "))"
    }
    return counts + (programs.count > 1 ? ["they differ in \((faults[""]?[.different] ?? 0).counted("case"))"] : [])
      + (unasked > 0 ? ["\(unasked.counted("expectation")) not asked (--exact)"] : [])
  }
}
