import TamisURL
import Testing

@Suite("Cases by topic")
struct FixtureTests {
  @Test("gives the expected serialization or failure", arguments: Fixtures.topics)
  func fixtureCasesParseAsExpected(topic: String) throws {
    let cases = try Fixtures.cases(topic)
    #expect(!cases.isEmpty)
    for test in cases {
      #expect((test.href == nil) == (test.failure == true), "a case has either href or failure: \(test)")
      #expect(test.parse()?.href == test.href, "\(test): \(test.why ?? "")")
    }
  }
}
