import TamisURL
import Testing

/// A case in which the parser does not do what the standard says, and why.
struct KnownDeviation: Decodable, Sendable {
  let input: String
  let base: String?
  /// The standard's result; nil when it is failure.
  let href: String?
  let reason: String

  var asCase: URLCase { URLCase(input: input, base: base, href: href, failure: href == nil, why: reason) }
}

@Suite("Conformance to the URL Standard")
struct ConformanceTests {
  @Test(
    "web-platform-tests cases, except for the known deviations",
    .enabled(if: Fixtures.hasPublicCases, "needs ../shared/url-cases/urltestdata-public.json, which is not there"))
  func publicCases() throws {
    let cases = try Fixtures.load([URLCase].self, from: Fixtures.publicCases)
    let known = try Fixtures.load([KnownDeviation].self, from: Fixtures.deviations)
    #expect(cases.count > 100)
    for test in cases {
      let isKnown = known.contains { $0.input == test.input && $0.base == test.base }
      let expected = test.failure == true ? nil : test.href
      #expect((test.parse()?.href == expected) != isKnown, "\(test), known deviation: \(isKnown)")
    }
  }

  @Test("every known deviation is still one, and fails closed")
  func deviations() throws {
    for deviation in try Fixtures.load([KnownDeviation].self, from: Fixtures.deviations) {
      #expect(deviation.asCase.parse() == nil, "\(deviation.input): \(deviation.reason)")
      #expect(deviation.href != nil, "no longer a deviation: \(deviation.input)")
    }
  }
}
