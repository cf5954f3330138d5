import Tamis
import Testing

/// What a feed cannot make grow, and that it is said.
@Suite struct LimitTests {
  private static let long = "https://a.example/" + String(repeating: "b", count: 4000) + "/"

  private func output(_ xml: String) throws -> Pipeline.Output {
    try Pipeline().process(FeedDocument(name: "feed.xml", bytes: Array(xml.utf8)))
  }

  @Test func aLongLinkIsNoBase() throws {
    let links = String(repeating: "&lt;a href=x&gt;y&lt;/a&gt; ", count: 500)
    let output = try output(
      "<rss version='2.0'><channel><item><link>\(Self.long)</link><description>\(links)</description></item></channel></rss>"
    )
    #expect(output.findings.map(\.code).filter { $0 == "sanitize.limit" }.count == 1)
    #expect(output.posts[0].content.string.utf8.count < 50_000)
    #expect(output.texts[0].split(separator: " ").count == 500)
    #expect(output.posts[0].permalink?.url == Self.long)
  }

  @Test func aLongBaseResolvesNothing() throws {
    let entries = String(repeating: "<entry><title>t</title><link href='x'/></entry>", count: 50)
    let output = try output("<feed xmlns='http://www.w3.org/2005/Atom' xml:base='\(Self.long)'>\(entries)</feed>")
    #expect(output.findings.contains { $0.code == "parse.base-too-long" })
    #expect(output.posts.allSatisfy { $0.permalink == nil })
  }
}
