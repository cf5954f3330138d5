import Foundation
import TamisCore
import TamisSanitizer
import TamisSite
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Chapters of books, in the cases of `Fixtures/Book`.
@Suite struct BookTests {
  private static let site = Site(SiteSettings(title: "Planet"))

  private static func chapter(_ markup: String, title: String = "Title", feed: String = "Feed") -> String {
    let body = PageBody(Sanitizer.reading.sanitize(markup).html, isOffline: true)
    var card = Post.Card()
    (card.title, card.permalink) = (title, Post.Permalink(url: "https://a.example/post?a=1&b=<x>"))
    let item = CardItem(
      card: card, sortDate: 1_763_000_000, page: PagePath("posts/feed/post.html"),
      feed: FeedCard(key: Feed.Key("f"), slug: "feed", title: feed))
    let view = PostView(item: item, details: Post.Details(), body: body)
    return String(decoding: site.bookChapter(view, number: 1).file.bytes, as: UTF8.self)
  }

  /// The text between the title and the links.
  private static func body(_ chapter: String) -> String {
    guard let start = chapter.range(of: "</h1>\n"), let end = chapter.range(of: "\n</article>") else { return "" }
    return String(chapter[start.upperBound..<end.lowerBound])
  }

  private static func isWellFormed(_ text: String) -> Bool { XMLParser(data: Data(text.utf8)).parse() }

  @Test(arguments: Case.all(in: "Book"))
  func bodyIsWrittenAsXHTML(_ each: Case) throws {
    let chapter = Self.chapter(try #require(each.sections["input"]))
    #expect(Self.body(chapter) == each.sections["output"])
    #expect(Self.isWellFormed(chapter))
  }

  /// A name with a colon has a namespace in XML, which is not declared.
  @Test func elementsWithColonAreLeftOut() throws {
    var policy = Policy.reading
    policy.allow("a:b")
    let html = try Sanitizer(policy: policy).sanitize("<p>one <a:b>two</a:b> three</p>").html
    #expect(html.string.contains("<a:b>"))
    let item = CardItem(
      card: Post.Card(), sortDate: nil, page: PagePath("posts/feed/post.html"),
      feed: FeedCard(key: Feed.Key("f"), slug: "f", title: "F"))
    let view = PostView(item: item, details: Post.Details(), body: PageBody(html, isOffline: false))
    let chapter = String(decoding: Self.site.bookChapter(view, number: 1).file.bytes, as: UTF8.self)
    #expect(chapter.contains("<p>one two three</p>") && Self.isWellFormed(chapter))
  }

  /// A chapter is well-formed XML, whatever its feed holds.
  @Test(arguments: Case.all(in: "Sanitizer") + Case.all(in: "Pages"))
  func everyChapterIsWellFormedXML(_ each: Case) throws {
    #expect(Self.isWellFormed(Self.chapter(each.sections["input"] ?? "")))
  }

  @Test(arguments: ["]]>", "a & b &nbsp; <b>", "\u{0}\u{1}\u{C}\u{FFFE}\u{FFFF}\u{7F}", "../../etc/passwd", "\"'", ""])
  func hostileTitlesAreEscaped(_ title: String) {
    let chapter = Self.chapter("<p>Text</p>", title: title, feed: title)
    #expect(Self.isWellFormed(chapter))
    var book = Book(Self.site, name: title, identity: "", modified: nil)
    var card = Post.Card()
    card.title = title
    let item = CardItem(
      card: card, sortDate: nil, page: PagePath("posts/feed/post.html"),
      feed: FeedCard(key: Feed.Key("f"), slug: "f", title: title))
    let body = PageBody(Sanitizer.reading.sanitize("<p>Text</p>").html, isOffline: true)
    let view = PostView(item: item, details: Post.Details(), body: body)
    book.add(Self.site.bookChapter(view, number: 1), item)
    for file in book.files() where !file.path.text.hasSuffix(".css") {
      #expect(Self.isWellFormed(String(decoding: file.bytes, as: UTF8.self)), "\(file.path.text)")
      #expect(!file.path.text.contains(".."))
    }
  }

  /// Each of many nested inline elements around a block is visited once.
  @Test func deeplyNestedMarkupTakesLinearTime() {
    let depth = 20_000
    let body = String(repeating: "<b>", count: depth) + "<ul><li>x</li></ul>" + String(repeating: "</b>", count: depth)
    let anchors = String(repeating: "<p id=a><a href='#a'>x</a></p>", count: depth)
    #expect(Self.isWellFormed(Self.chapter(body + anchors)))
  }
}
