import Foundation
import Tamis
import TestSupport
import Testing

/// What is said of feeds, and mended in them as a whole.
@Suite struct FeedFaultTests {
  private static func output(_ feed: String, _ pipeline: Pipeline = Pipeline()) throws -> Pipeline.Output {
    try pipeline.process(FeedDocument(name: "feed", bytes: Array(feed.utf8)))
  }

  private static func rss(_ texts: [String]) -> String {
    let items = texts.map { "<item><title>t</title><description>\($0)</description></item>" }.joined()
    return "<rss><channel>\(items)</channel></rss>"
  }

  @Test func feedEscapedTwiceIsDecodedOnceMore() throws {
    let texts = [
      "&amp;lt;p&amp;gt;One&amp;lt;/p&amp;gt;", "Words alone",
      "Two&amp;lt;br/&amp;gt;&amp;lt;i&amp;gt;x&amp;lt;/i&amp;gt;",
      "&amp;lt;div class='a'&amp;gt;Three&amp;lt;/div&amp;gt;&amp;lt;img src='https://a.example/b.png'&amp;gt;",
    ]
    let posts = try Self.output(Self.rss(texts)).posts
    #expect(
      posts.prefix(3).map(\.content.string) == ["<p>One</p>", "Words alone", "Two<br /><i>x</i>"]
        && posts[3].content.string.hasPrefix("<div>Three</div><img"))
  }

  /// Posts about markup, as correctly escaped feeds have them, keep their words.
  @Test func postsAboutMarkupStay() throws {
    let texts = [
      "&amp;lt;br&amp;gt; makes a line break.", "&amp;lt;hr&amp;gt; makes a rule.", "Fix &amp;lt;br&amp;gt;",
      "&amp;lt;blockquote&amp;gt; is for quotations, &amp;lt;q&amp;gt; for words",
      "&amp;lt;p&amp;gt; begins a paragraph and ends it by &amp;lt;/p&amp;gt; or not",
      "Snippet: &amp;lt;a&amp;gt;Button&amp;lt;/a&amp;gt;",
    ]
    let posts = try Self.output(Self.rss(texts)).posts
    #expect(posts.allSatisfy { !$0.content.string.contains("<") && $0.content.string.contains("&lt;") }, "\(posts)")
  }

  /// A post about markup stays as it is: alone, beside real markup, and with code.
  @Test(arguments: [
    ["&amp;lt;p&amp;gt;One&amp;lt;/p&amp;gt;"],
    ["&amp;lt;p&amp;gt;One&amp;lt;/p&amp;gt;", "&amp;lt;p&amp;gt;Two&amp;lt;/p&amp;gt;", "&lt;p&gt;real&lt;/p&gt;"],
    ["&amp;lt;p&amp;gt;One&amp;lt;/p&amp;gt;", "&amp;lt;code&amp;gt;x&amp;lt;/code&amp;gt;"],
    ["Use &amp;lt;b&amp;gt; and &amp;lt;/b&amp;gt; for bold", "Use &amp;lt;i&amp;gt; and &amp;lt;/i&amp;gt; too"],
  ])
  func postsAboutMarkupStay(_ texts: [String]) throws {
    let text = try Self.output(Self.rss(texts)).posts[0].content.string
    #expect(text.contains("&lt;"))
  }

  @Test(arguments: [
    ("a&lt;script src='https://x.example/a.js'/&gt; lost words", true),
    ("&lt;STYLE /&gt;&lt;p&gt;lost&lt;/p&gt;", true),
    ("&lt;title/&gt;lost&lt;/title&gt; kept", true), ("a&lt;script src='x'/&gt;&lt;/script&gt; kept", false),
    ("&lt;!-- &lt;script/&gt; --&gt; kept", false), ("a&lt;script/&gt;&lt;br&gt; ", false),
    ("&lt;script&gt;'&lt;style/&gt;x'&lt;/script&gt; kept", false),
  ])
  func textBehindSelfClosedElementIsReported(_ text: String, _ isLost: Bool) throws {
    let findings = try Self.output(Self.rss([text])).findings
    #expect(findings.contains { $0.code == "sanitize.self-closed" } == isLost)
  }

  /// New posts without a date at the end of a document stay behind the dated ones before them.
  @Test func undatedPostsStandWhereTheDocumentHasThem() async throws {
    let folder = try Fixtures.temporaryFolder()
    func build(_ titles: String) async throws {
      let items = titles.split(separator: " ").map { word in
        let date =
          word.count == 1 ? "<pubDate>Mon, 0\(9 - (word.utf8.first ?? 0) % 8) Mar 2026 10:00:00 GMT</pubDate>" : ""
        return "<item><title>\(word)</title><guid isPermaLink='false'>\(word)</guid>\(date)</item>"
      }
      let feed = "<rss><channel><title>Feed</title>\(items.joined())</channel></rss>"
      try Data(feed.utf8).write(to: URL(filePath: "\(folder.path)/feed.xml"))
      _ = try await TestSite.build(folder, "site", FeedSources([FilePath("\(folder.path)/feed.xml")])) { _ in }
    }
    try await build("A B C")
    try await build("A B C D XX YY")
    let page = try #require(try TestSite.contents(folder, "site")["index.html"])
    let places = ["C", "D", "XX", "YY"].map { page.range(of: ">\($0)</a>")?.lowerBound }
    #expect(!places.contains(nil) && places.compactMap(\.self) == places.compactMap(\.self).sorted())
  }

  @Test func feedWithoutEntrySaysSo() throws {
    #expect(
      try Self.output("<rss><channel><title>t</title></channel></rss>").findings.map(\.code) == ["parse.no-entries"])
  }

  @Test func placesAreKnownAndUnknownZonesAreReported() throws {
    func feed(_ zone: String) -> String {
      "<rss><channel><item><title>t</title><pubDate>Thu, 05 Mar 2026 10:00:00 \(zone)</pubDate></item></channel></rss>"
    }
    #expect(try Self.output(feed("Asia/Kolkata")).posts[0].card.published == 1_772_685_000)
    let unknown = try Self.output(feed("QQQ"))
    #expect(unknown.posts[0].card.published == 1_772_704_800)
    #expect(unknown.findings.map(\.code) == ["parse.time-zone"])
  }

  /// Names that nobody uses twice do not cost the square.
  @Test func distinctNamesAreBounded() throws {
    var limits = Limits()
    limits.names = 100
    let elements = (0..<400).map { "<x\($0) y\($0)='1'>z</x\($0)>" }.joined()
    let feed = "<rss><channel><item><title>t</title>\(elements)<link>https://a.example/</link></item></channel></rss>"
    let output = try Self.output(feed, Pipeline(limits: limits))
    #expect(output.findings.contains { $0.code == "parse.many-names" })
  }

  @Test func elementsOfAnEntryAreBounded() throws {
    var limits = Limits()
    limits.elements = 5
    let links = String(repeating: "<link>https://a.example/</link>", count: 9)
    let feed = "<rss><channel><item>\(links)</item><item><title>t</title></item></channel></rss>"
    let result = try FeedParser(limits: limits).parse(FeedDocument(name: "feed", bytes: Array(feed.utf8)))
    #expect(result.entries[0].links.count == 5 && result.entries[1].title != nil)
    #expect(result.findings.map(\.code) == ["parse.many-elements"])
  }

  /// Markdown that costs libcmark-gfm the square, or becomes it, is shown as it is.
  @Test(arguments: [
    String(repeating: "![[]()", count: 10_000),
    "|" + String(repeating: "x|", count: 9000) + "\n|" + String(repeating: "-|", count: 9000),
    "[a]: " + String(repeating: "u", count: 30_000) + "\n\n" + String(repeating: "[a]", count: 1900),
  ])
  func hostileMarkdownTakesLittleTime(_ text: String) throws {
    let feed =
      "<rss xmlns:source='http://source.scripting.com/'><channel><item><source:markdown>\(text)</source:markdown></item></channel></rss>"
    var length = 0
    let time = try processorTime { length = try Self.output(feed).posts[0].content.string.utf8.count }
    #expect(time < .seconds(2) && (1000..<200_000).contains(length))
  }

  @Test func manyNamesTakeLinearTime() throws {
    func feed(_ count: Int) -> FeedDocument {
      let elements = (0..<count).map { "<x:y\($0)>z</x:y\($0)>" }.joined()
      return FeedDocument(name: "feed", bytes: Array("<rss><channel><item>\(elements)</item></channel></rss>".utf8))
    }
    let (small, large) = (feed(50_000), feed(400_000))
    let few = try processorTime { _ = try FeedParser().parse(small) }
    let many = try processorTime { _ = try FeedParser().parse(large) }
    #expect(many < few * 24)
  }
}
