import TamisURL
import Testing

@Suite("Fast path")
struct FastPathTests {
  private static let plain = [
    "https://example.org", "https://example.org/", "http://example.org/a/b.html?x=1&y=2#top", "http://a.b#x",
    "https://example.org/a%20b//c/", "https://xn--a/", "https://1.2.3.4/", "https://a.1", "https://a.1.", "https://",
    "https:///a", "https://a?b", "https://a..b/", "https://a/..", "https://a/.b", "https://a/%2e%2e", "https://a/b\\c",
    "a", "a/b?c#d", "?c", "#d", "/", "//", "/a", "//b/c", "/\\b", "a:b", "a/b:c", ".", "..", "./a", "%2e%2e/a",
    "a/../b",
    "?", "a?b?c#d#e", "#d?e", "a b", "a'b", "?a'b", "é", "a|b", "a^b", "a\tb", " a", "a ", "/a//b", "a\\b", "@", "a@b",
  ]
  private static let bases = [
    "https://example.org", "http://u:p@example.org:81/a/b/c?d#e", "https://example.org/?q", "https://example.org/#f",
    "file:///a", "web:/.//a", "web://h", "mailto:a",
  ]

  @Test("agrees with the full parser")
  func fastPathAgreesWithFullParser() throws {
    let cases = try Fixtures.everyCase()
    let inputs = Self.plain + cases.map(\.input) + cases.compactMap { WebURL($0.input)?.href }
    for base in [nil] + Self.bases.map({ WebURL($0) }) {
      for input in inputs {
        let span = input.utf8.span
        guard let fast = WebURL(canonical: span, base: base) else { continue }
        guard let full = WebURL(parsing: span, base: base) else {
          Issue.record("\(input) is a failure, not \(fast)")
          continue
        }
        #expect(fast == full)
        #expect(components(fast) == components(full), "\(input)")
      }
    }
  }

  private func components(_ url: WebURL) -> [String?] {
    let port = url.port.map(String.init)
    return [url.scheme, url.username, url.password, url.hostname, port, url.path, url.query, url.fragment, url.origin]
  }

  @Test("is taken for ordinary URLs")
  func fastPathIsTakenForOrdinaryURLs() throws {
    let base = try #require(WebURL("https://example.org/a/b?c#d"))
    for input in ["https://example.org/a-b/c.html?x=%20#y", "http://www.example.org", "x.png", "/a/b/", "?x", "#y"] {
      #expect(WebURL(canonical: input.utf8.span, base: base) != nil, "\(input)")
    }
  }
}
