import Foundation
import Tamis
import TestSupport
import Testing

/// What a feed cannot make grow, and that it is said.
@Suite struct LimitTests {
  private static let long = "https://a.example/" + String(repeating: "b", count: 4000) + "/"

  private func output(_ xml: String) throws -> Pipeline.Output {
    try Pipeline().process(FeedDocument(name: "feed.xml", bytes: Array(xml.utf8)))
  }

  @Test func overlongLinkIsNotUsedAsBaseURL() throws {
    let links = String(repeating: "&lt;a href=x&gt;y&lt;/a&gt; ", count: 500)
    let output = try output(
      "<rss version='2.0'><channel><item><link>\(Self.long)</link><description>\(links)</description></item></channel></rss>"
    )
    #expect(output.findings.map(\.code).filter { $0 == "sanitize.limit" }.count == 1)
    #expect(output.posts[0].content.string.utf8.count < 50_000)
    #expect(output.texts[0].split(separator: " ").count == 500)
    #expect(output.posts[0].permalink?.url == Self.long)
  }

  /// Names and links that listings repeat are bounded, and the truncation is reported.
  @Test func overlongNamesAreTruncatedAndReported() throws {
    let long = String(repeating: "aé ", count: 10_000)
    let link = "https://a.example/" + String(repeating: "b", count: 70_000)
    let output = try output(
      """
      <rss version='2.0'><channel><title>\(long)</title><description>\(long)</description><item><title>\(long)</title>
      <author>\(long)</author><category>\(long)</category><category>x</category><link>\(link)</link><guid>\(link)</guid>
      <description>\(long)</description></item><item><title>Short</title></item></channel></rss>
      """)
    let post = output.posts[0]
    #expect([post.title, post.authors.joined(), post.tags.joined()].allSatisfy { $0.utf8.count <= 16 << 10 })
    #expect(post.permalink == nil && output.title.utf8.count <= 1024 && output.subtitle.utf8.count <= 16 << 10)
    #expect(post.title.hasPrefix("aé aé") && post.content.string.utf8.count > 30_000)
    #expect(output.findings.filter { $0.code == "extract.too-long" }.count == 2)
    #expect(output.findings.allSatisfy { $0.description.utf8.count < 2000 })
  }

  /// Authors that entries inherit are truncated once for the feed, not for each entry.
  @Test func feedAuthorsAreBounded() throws {
    let authors = (0..<2000).map { "<author><name>n\($0)</name></author>" }.joined()
    let entries = String(repeating: "<entry><title>t</title></entry>", count: 3)
    let output = try output(
      "<feed xmlns='http://www.w3.org/2005/Atom' xml:lang='\(Self.long)'>\(authors)\(entries)</feed>")
    #expect(
      output.posts.map(\.authors.count) == [
        output.feed.authors.count, output.feed.authors.count, output.feed.authors.count,
      ])
    #expect((1..<1024).contains(output.posts[0].authors.joined().utf8.count))
    #expect(output.posts.allSatisfy { $0.language == nil })
    #expect(output.findings.contains { $0.code == "parse.language" })
    #expect(output.findings.filter { $0.code == "extract.too-long" }.count == 1)
  }

  /// Lists of a post are bounded by number and by size together, and what is left out is reported.
  @Test func excessFilesAndPicturesAreLeftOutAndReported() throws {
    func item(_ count: Int, _ element: (Int) -> String) -> String {
      """
      <rss version='2.0' xmlns:media='http://search.yahoo.com/mrss/'><channel><item><title>t</title>
      \((0..<count).map(element).joined())</item></channel></rss>
      """
    }
    let files = try output(item(1500) { "<enclosure url='https://a.example/\($0)' type='a/b'/>" })
    #expect(files.posts[0].enclosures.count == 1000)
    #expect(files.findings.contains { $0.message.contains("500 of 1500 enclosures") })
    let pictures = try output(item(300) { "<media:content url='https://a.example/\($0).jpg' medium='image'/>" })
    #expect(pictures.posts[0].pictures.count == 100)
    #expect(pictures.findings.contains { $0.message.contains("of 299 pictures") })
    let path = String(repeating: "b", count: 3000)
    let large = try output(item(900) { "<enclosure url='https://a.example/\(path)\($0)' type='a/b'/>" })
    #expect((300..<400).contains(large.posts[0].enclosures.count))
    #expect(large.findings.contains { $0.code == "extract.too-long" })
  }

  /// Files whose URL may not be linked are reported for posts as well as for extractions.
  @Test func unsafeEnclosureIsReported() throws {
    let xml = """
      <rss version='2.0' xmlns:media='http://search.yahoo.com/mrss/'><channel><item><title>t</title>
      <enclosure url='ftp://a.example/x.zip' type='a/b'/><media:content url='javascript:1'/></item></channel></rss>
      """
    for details in [true, false] {
      let output = try Pipeline().process(FeedDocument(name: "feed.xml", bytes: Array(xml.utf8)), details: details)
      #expect(output.findings.filter { $0.code == "extract.enclosure" }.count == 2)
    }
  }

  @Test func overlongBaseURLResolvesNothing() throws {
    let entries = String(repeating: "<entry><title>t</title><link href='x'/></entry>", count: 50)
    let output = try output("<feed xmlns='http://www.w3.org/2005/Atom' xml:base='\(Self.long)'>\(entries)</feed>")
    #expect(output.findings.contains { $0.code == "parse.base-too-long" })
    #expect(output.posts.allSatisfy { $0.permalink == nil })
  }

  @Test func everyLimitIsInTheListOfBounds() throws {
    let text = try String(contentsOf: Fixtures.root.appending(path: "SECURITY.md"), encoding: .utf8)
    let names = Mirror(reflecting: Limits()).children.compactMap(\.label)
    #expect(names.count > 20)
    for name in names { #expect(text.contains("`\(name)`"), "SECURITY.md lacks \(name)") }
  }

  /// What a browser would draw too often is left out, and counted as beyond a limit.
  @Test(arguments: [
    (\Limits.clipBytes, "<svg><marker><path d='M0 0'/></marker></svg>", "<svg><marker></marker></svg>"),
    (\Limits.clipBytes, "<svg><clippath><path d='M0 0'/></clippath></svg>", "<svg><clipPath></clipPath></svg>"),
    (\Limits.clipBytes, "<svg><clippath><text>a</text></clippath></svg>", "<svg><clipPath></clipPath></svg>"),
    (\Limits.drawingReferences, "<svg><path clip-path='url(#a)'/></svg>", "<svg><path></path></svg>"),
    (\Limits.drawingCopies, "<svg><path id=a /><use href='#a'/></svg>", "<svg><path id=\"post-a\"></path></svg>"),
    (\Limits.formulaBytes, "\\(x^2\\)", "<code>\\(x^2\\)</code>"),
    (\Limits.sheetBytes, "<style>.a{display:none}</style><p class=a>b", "<p>b</p>"),
    (\Limits.sheetSteps, "<style>.a{display:none}</style><p class=a>b", "<p>b</p>"),
    (\Limits.costlyElements, "<ol><li value=5>a</ol>", "<ol><li>a</li></ol>"),
    (\Limits.costlyElements, "<p><q>a</q></p>", "<p>a</p>"),
    (\Limits.costlyElements, "<p>a<audio src=https://e.example/a controls></audio></p>", "<p>a</p>"),
    (\Limits.tableArea, "<table><tr><td>a</table>", "a <table><tr></tr></table>"),
    (\Limits.tablePlaces, "<table><tr><td colspan=2>a</table>", "<table><tr><td>a</td></tr></table>"),
  ])
  func whatBrowsersWouldDrawTooOftenIsLeftOut(
    _ bound: any WritableKeyPath<Limits, Int> & Sendable, _ html: String, _ expected: String
  ) throws {
    var limits = Limits()
    limits[keyPath: bound] = 0
    let result = Sanitizer.reading.with(limits: limits).sanitize(html)
    #expect(result.html.string == expected)
    #expect(result.removalCounts[.limit] == 1, "\(result.removals)")
    #expect(Sanitizer.reading.sanitize(html).removalCounts[.limit] == nil)
  }

  /// A cell of no rows is in all that follow.
  @Test func cellOfNoRowsCountsAllRows() {
    let result = Sanitizer.reading.sanitize("<table><tr>" + String(repeating: "<td rowspan=0 colspan=1000>", count: 9))
    #expect(!result.html.string.contains("rowspan") && result.removalCounts[.limit] == 18)
  }

  /// Browsers end a page with deeply nested brackets where they expect an expression.
  @Test(arguments: [
    "<img src='https://e.example/a.png' srcset='https://e.example/a.png 1w' sizes='#'>",
    "<picture><source srcset='https://e.example/a.png' media='#'><img src='https://e.example/b.png'></picture>",
    "<svg><text font-size='#'>x</text></svg>", "<svg><path d='M0 0' stroke-width='#' opacity='#'/></svg>",
    "<svg><rect transform='#' width='#'/></svg>", "<svg><path fill='#'/></svg>",
    "<svg><path style='stroke-width: #'/></svg>", "<math><mo lspace='#' minsize='#'>x</mo></math>",
  ])
  func nestedBracketsAreRemoved(_ html: String) {
    for bracket in ["(", "calc(", "[", "min(1px,"] {
      let deep = html.replacing("#", with: String(repeating: bracket, count: 100))
      let output = Sanitizer.reading.sanitize(deep).html.string
      #expect(!output.contains(bracket + bracket), "\(output)")
    }
    #expect(Sanitizer.reading.sanitize(html.replacing("#", with: "10")).html.string.contains("10"))
  }

  /// References to a clip path cost its size each.
  @Test func largeClipPathIsNotAppliedOften() {
    let path = "M0 0" + String(repeating: "L9 99", count: 3000)
    let uses = String(repeating: "<rect clip-path='url(#c)'/>", count: 500)
    let result = Sanitizer.reading.sanitize("<svg><clippath id=c><path d='\(path)'/></clippath>\(uses)</svg>")
    let kept = result.html.string.split(separator: "clip-path=", omittingEmptySubsequences: false).count - 1
    #expect((1..<100).contains(kept) && result.removalCounts[.limit] == 500 - kept)
  }
}
