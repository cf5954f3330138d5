import Foundation
import Tamis
import TestSupport
import Testing

/// Posts, feeds and articles as `Encodable`, with the names of their properties.
@Suite struct EncodingTests {
  private let feed = """
    <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>A</title><item><title>One</title>
    <guid>g</guid><link>https://a.example/1</link><pubDate>Mon, 06 Sep 2024 17:30:00 GMT</pubDate>
    <description>&lt;p onclick=x&gt;&lt;a href="/2"&gt;two&lt;/a&gt;&lt;/p&gt;</description></item></channel></rss>
    """

  private func object(_ value: some Encodable) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as? [String: Any])
  }

  @Test func postIsEncodedByTheNamesOfItsMembers() throws {
    let document = FeedDocument(name: "a.xml", bytes: Array(feed.utf8), url: "https://a.example/feed")
    let post = try #require(Pipeline().process(document).posts.first)
    let encoded = try object(post)
    let members = Set(Post.Card.columns.map(\.name) + Post.Details.allFields.map(\.name))
    #expect(Set(encoded.keys).subtracting(["id", "content", "links"]).subtracting(members).isEmpty)
    #expect(encoded.count > 5)
    #expect(encoded["title"] as? String == "One" && encoded["published"] as? Int == 1_725_643_800)
    #expect((encoded["content"] as? String)?.hasPrefix("<p><a href=\"https://a.example/2\"") == true)
    #expect(post.publishedDate == Date(timeIntervalSince1970: 1_725_643_800) && post.updatedDate == nil)
  }

  @Test func feedAndEntriesAreEncoded() throws {
    let parsed = try FeedParser().parse(FeedDocument(name: "a.xml", bytes: Array(feed.utf8)))
    #expect((try object(parsed.feed)["title"] as? [String: Any])?["value"] as? String == "A")
    let entry = try object(#require(parsed.entries.first))
    #expect(entry["link"] as? String == "https://a.example/1")
    #expect((entry["published"] as? [String: Any])?["seconds"] as? Int == 1_725_643_800)
    #expect(parsed.entries.first?.published?.date == Date(timeIntervalSince1970: 1_725_643_800))
    // Members that are stored aside are left out like others when there are none.
    #expect(entry["rights"] == nil && entry["source"] == nil)
  }

  @Test func articleIsEncodedWithoutItsMarkup() throws {
    let words = String(repeating: "The harbour opens its gates at seven, and boats leave with the tide. ", count: 9)
    let page =
      "<html><head><title>Harbour</title></head><body><article><h1>Harbour</h1><p>\(words)</p></article></body>"
    let output = ArticlePipeline().process(page: Array(page.utf8), url: WebURL("https://a.example/"))
    let encoded = try object(output.article)
    #expect(Set(encoded.keys) == ["facts", "text", "confidence", "kind", "hidden"], "\(encoded.keys)")
    #expect(output.content?.string.contains("boats leave") == true)
  }
}
