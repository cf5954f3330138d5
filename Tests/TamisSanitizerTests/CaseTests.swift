import TamisCore
import TamisRules
import TamisSanitizer
import TamisURL
import TestSupport
import Testing

/// `Fixtures/Sanitizer/*.txt`: one case an input and what must come out.
@Suite struct CaseTests {
  static let cases = Case.all(in: "Sanitizer")

  @Test func thereAreCases() {
    #expect(Self.cases.count > 50)
  }

  @Test(arguments: cases)
  func givesTheExpectedOutput(_ each: Case) throws {
    let result = try Self.sanitize(each)
    #expect(result.html.string == each.sections["output"], "\(each)")
  }

  @Test(arguments: cases)
  func isAFixedPoint(_ each: Case) throws {
    let policy = try Self.policy(each)
    let base = each.settings["base"].flatMap { WebURL($0) }
    for mode in Policy.TidyMode.allCases {
      let sanitizer = Sanitizer(policy: policy.with(tidy: mode))
      let once = sanitizer.sanitize(try #require(each.sections["input"]), base: base).html.string
      #expect(sanitizer.sanitize(once, base: base).html.string == once, "\(each), tidy \(mode)")
    }
  }

  static func policy(_ each: Case) throws -> Policy {
    let policy = try #require(Rules.policy(named: each.settings["rules"] ?? "reading"))
    return each.settings["tidy"].flatMap { Policy.TidyMode(rawValue: $0) }.map { policy.with(tidy: $0) } ?? policy
  }

  private static func sanitize(_ each: Case) throws -> Sanitizer.Result {
    let base = each.settings["base"].flatMap { WebURL($0) }
    return Sanitizer(policy: try policy(each)).sanitize(try #require(each.sections["input"]), base: base)
  }
}
