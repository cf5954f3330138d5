import Foundation
import TamisCheck
import TamisSanitizer
import TestSupport
import Testing

/// `Fixtures/Sanitizer/*.txt`, run as `tamis check` runs them.
@Suite struct CaseTests {
  static let suite = CheckSuite(paths: [Fixtures.url("Sanitizer").path])
  static let runner = CheckRunner(sanitizer: .reading)

  @Test func fixtureCasesExist() {
    #expect(Self.suite.findings.isEmpty)
    #expect(Self.suite.cases.count >= 300)
  }

  @Test(arguments: suite.cases.indices)
  func fixtureCasePasses(_ index: Int) {
    let outcome = Self.runner.run(Self.suite.cases[index])
    #expect(outcome.hasPassed, "\(FailureText(hasColours: false).lines(outcome).joined(separator: "\n"))")
  }

  /// Output keeps the contract whenever libtidy repairs, including that sanitizing it again changes nothing.
  @Test(arguments: Policy.TidyMode.allCases)
  func tidyModesKeepOutputContract(_ mode: Policy.TidyMode) {
    let runner = CheckRunner(sanitizer: .reading, checksContractOnly: true)
    for each in Self.suite.cases {
      var each = each
      each.tidy = mode
      #expect(runner.run(each).isSafe, "\(each.location) \(each.name)")
    }
  }

  /// Variants of the inputs are the same in every run.
  @Test func mutatedInputsKeepOutputContract() async {
    await Self.suite.mutate(20, with: Mutator(seed: 1), runner: Self.runner, jobs: 2) { outcome in
      #expect(outcome.hasPassed, "\(FailureText(hasColours: false).lines(outcome).joined(separator: "\n"))")
      return true
    }
  }
}
