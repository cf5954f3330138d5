import Tamis
import TestSupport
import Testing

/// Where relative URLs lead: against a written base, else the post's page, the feed's home page, the document.
@Suite struct RelativeAddressTests {
  /// The text of an item with a relative picture, and what is around it.
  struct Placed: Sendable, CustomTestStringConvertible {
    var feed: String
    var picture: String
    var testDescription: String { feed }
  }

  private static let text = "<description>&lt;img src='b.png' width='400' height='300'></description>"
  private static let picture = "&lt;img src='b.png' width='400' height='300'>"

  /// Documents that say themselves where their pictures are.
  static let known = [
    Placed(
      feed:
        "<rss><channel><link>https://a.example/home/</link><item><link>/2026/bay/</link>\(text)</item></channel></rss>",
      picture: "https://a.example/2026/bay/b.png"),
    Placed(
      feed:
        "<rss><channel><item><link>2026/bay/</link>\(text)</item><link>https://a.example/home/</link></channel></rss>",
      picture: "https://a.example/home/2026/bay/b.png"),
    Placed(
      feed: "<rss><channel><link>https://a.example/home/</link><item><title>t</title>\(text)</item></channel></rss>",
      picture: "https://a.example/home/b.png"),
    Placed(
      feed: "<rss><channel><link>https://a.example/</link><item><guid>/p/1/</guid>\(text)</item></channel></rss>",
      picture: "https://a.example/p/1/b.png"),
    Placed(
      feed: """
        <feed xmlns='http://www.w3.org/2005/Atom' xml:base='https://cdn.example/'><entry xml:base='x/'><title>t</title>
        <link href='https://a.example/1'/><content type='html' xml:base='y/'>\(picture)</content></entry></feed>
        """,
      picture: "https://cdn.example/x/y/b.png"),
    Placed(
      feed: """
        <feed xmlns='http://www.w3.org/2005/Atom'><entry><title>t</title><link href='https://a.example/1/'/><content
        type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><p xml:base='https://cdn.example/z/'><img src='b.png'
        width='400' height='300'/></p></div></content></entry></feed>
        """,
      picture: "https://cdn.example/z/b.png"),
    Placed(
      feed: """
        {"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "url": "/p/1/",
        "content_html": "<img src='b.png' width='400' height='300'>"}], "home_page_url": "https://a.example/"}
        """,
      picture: "https://a.example/p/1/b.png"),
    Placed(
      feed: """
        <rss><channel><link>https://a.example/</link><item><link>https://a.example/1/</link>
        <enclosure url='b.png' type='image/png' length='9'/></item></channel></rss>
        """,
      picture: "https://a.example/1/b.png"),
  ]

  @Test(arguments: known, [nil, "https://feeds.example/x/feed.xml"])
  func documentAddressComesLast(_ each: Placed, _ address: String?) throws {
    #expect(try Self.picture(of: each.feed, at: address) == each.picture)
  }

  /// What nothing in the document places is relative to it, as the finding advises.
  @Test(arguments: ["", "<link>urn:x</link>"])
  func adviceOfFindingHelps(_ link: String) throws {
    let feed = "<rss><channel>\(link)<item><title>t</title>\(Self.text)</item></channel></rss>"
    let output = try Pipeline().process(FeedDocument(name: "feed", bytes: Array(feed.utf8)))
    #expect(output.findings.contains { $0.code == "extract.no-base" })
    #expect(try Self.picture(of: feed, at: "https://feeds.example/x/feed.xml") == "https://feeds.example/x/b.png")
  }

  @Test func parsedFeedsAreResolvedAlike() throws {
    var findings: [Finding] = []
    let feed =
      "<rss><channel><link>https://a.example/</link><item><link>1/</link><enclosure url='b.mp3'/></item></channel></rss>"
    let document = FeedDocument(name: "feed", bytes: Array(feed.utf8), url: "https://feeds.example/feed.xml")
    let whole = try #require(FeedParser().parse(document).entries.first)
    #expect(whole.enclosures.map(\.url) == ["https://a.example/1/b.mp3"])
    _ = try FeedParser().parse(document, into: &findings) { entry in
      #expect(entry == whole)
      return .continue
    }
  }

  private static func picture(of feed: String, at address: String?) throws -> String? {
    let document = FeedDocument(name: "feed", bytes: Array(feed.utf8), url: address)
    let post = try #require(Pipeline().process(document).posts.first)
    return post.card.thumbnail?.url
  }
}
