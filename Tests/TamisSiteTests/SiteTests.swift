import Foundation
import TamisCore
import TamisRules
import TamisSanitizer
import TamisSite
import TestSupport
import Testing

@Suite struct SiteTests {
  private let folder: TemporaryFolder
  private var root: String { folder.path + "/site" }

  init() throws { folder = try Fixtures.temporaryFolder() }

  @Test func everyValueIsEscaped() throws {
    // A quotation mark with a combining accent is one character to Swift and another one to a browser.
    let evil = "\"\u{301} onmouseover=\"alert(1)\" <\u{301}script>&'"
    let post = post(title: evil, authors: [evil], categories: [evil])
    _ = try Site(path: root, options: .init(title: evil)).publish([feed(title: evil, posts: [(post, "posts/a/1.html")])]
    )
    for name in ["index.html", "feeds/a.html", "posts/a/1.html"] {
      let page = try read(name)
      #expect(!page.contains("<\u{301}script"), "\(name)")
      #expect(!page.unicodeScalars.map(String.init).joined(separator: "|").contains("\"|\u{301}| |o|n"), "\(name)")
      #expect(page.contains("&quot;\u{301} onmouseover=&quot;alert(1)&quot;"), "\(name)")
    }
  }

  @Test func sanitizedMarkupIsInserted() throws {
    let post = post(title: "A", body: "<p onclick=x>Hello <em>you</em></p>")
    _ = try Site(path: root, options: .init(title: "T")).publish([feed(posts: [(post, "posts/a/1.html")])])
    #expect(try read("posts/a/1.html").contains("<p>Hello <em>you</em></p>"))
  }

  @Test func pagesAllowNothingButPicturesAndTheirOwnStyle() throws {
    _ = try Site(path: root, options: .init(title: "T")).publish([feed(posts: [(post(title: "A"), "posts/a/1.html")])])
    for name in ["index.html", "feeds/a.html", "posts/a/1.html"] {
      let page = try read(name)
      #expect(page.contains("Content-Security-Policy\" content=\"default-src &#39;none&#39;;"))
      #expect(!page.lowercased().contains("<script"))
    }
  }

  @Test func anUnchangedSiteIsNotWritten() throws {
    let feeds = [feed(posts: [(post(title: "A"), "posts/a/1.html")])]
    let first = try Site(path: root, options: .init(title: "T")).publish(feeds)
    #expect(first.written > 4 && first.unchanged == 0)
    let second = try Site(path: root, options: .init(title: "T")).publish(feeds)
    #expect(second.written == 0 && second.unchanged == first.written)
  }

  @Test func postsThatLeftTheirFeedStayListed() throws {
    _ = try Site(path: root, options: .init(title: "T")).publish([
      feed(posts: [(post(title: "Old one"), "posts/a/1.html")])
    ])
    _ = try Site(path: root, options: .init(title: "T")).publish([
      feed(posts: [(post(title: "New one"), "posts/a/2.html")])
    ])
    for name in ["index.html", "feeds/a.html"] {
      let page = try read(name)
      #expect(page.contains("Old one") && page.contains("New one"))
    }
    #expect(try read("posts/a/1.html").contains("Old one"))
  }

  @Test func feedsOfOneNameHavePagesOfTheirOwn() throws {
    let feeds = ["x/news.xml", "y/news.xml", "news.atom"].map { feed(key: FeedKey($0), title: $0, posts: []) }
    _ = try Site(path: root, options: .init(title: "T")).publish(feeds)
    func pages() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: root + "/feeds").filter { $0.hasSuffix(".html") }.sorted()
    }
    let first = try pages()
    #expect(first.count == 3)
    _ = try Site(path: root, options: .init(title: "T")).publish(feeds.reversed())
    #expect(try pages() == first)
  }

  @Test(arguments: [
    "posts/../../x.html", "/tmp/x.html", "posts/../\u{301}/../../../x.html", "posts/./x.html", "posts//x.html",
  ])
  func noPathLeadsOutOfTheSite(_ path: String) throws {
    let site = try Site(path: root, options: .init(title: "T"))
    #expect(throws: SiteError.self) { try site.publish([feed(posts: [(post(title: "A"), path)])]) }
  }

  @Test func whatCannotBeWrittenIsSaid() throws {
    try Data("x".utf8).write(to: URL(filePath: root))
    let error = #expect(throws: SiteError.self) { try Site(path: root, options: .init(title: "T")) }
    #expect(error?.description.contains(root) == true)
  }

  @Test func aFolderThatIsNoSiteIsLeftAlone() throws {
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(filePath: root + "/index.html"))
    #expect(throws: SiteError.self) { try Site(path: root, options: .init(title: "T")) }
    #expect(try read("index.html") == "mine")
  }

  @Test func aForeignManifestIsLeftAlone() throws {
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    try Data("{}".utf8).write(to: URL(filePath: root + "/tamis.json"))
    #expect(throws: SiteError.self) { try Site(path: root, options: .init(title: "T")) }
    #expect(try read("tamis.json") == "{}")
  }

  @Test(arguments: [
    ("Hello, World!", "hello-world"), ("../../etc/passwd", "etc-passwd"), ("...", "post"),
    ("Grüße aus Köln", "grüße-aus-köln"),
    ("雨の音", "雨の音"), ("😀", "post"), ("a\u{0}b", "a-b"), ("CON", "con"), ("حديقة الدار", "حديقة-الدار"),
    ("\u{301}a -\u{301}b", "a-b"), ("e\u{301}t\u{e9}", "\u{e9}t\u{e9}"),
  ])
  func namesOfPages(_ title: String, _ slug: String) {
    #expect(Slug.of(title, fallback: "post") == slug)
  }

  @Test func longNamesAreCut() {
    #expect(Slug.of(String(repeating: "é", count: 1000), fallback: "post").utf8.count <= 60)
  }

  /// Titles of ASCII and punctuation are read another way than others.
  @Test func punctuationIsTheSameInAllTitles() {
    for code in UInt32(0x2010)...0x2023 {
      guard let scalar = Unicode.Scalar(code) else { continue }
      let title = "Rene\(scalar)s \(scalar) First, Look"
      let plain = Slug.of(title, fallback: "post")
      #expect(Slug.of(title + " é", fallback: "post") == plain + "-é", "U+\(String(code, radix: 16))")
    }
  }

  private func read(_ name: String) throws -> String { try String(contentsOfFile: "\(root)/\(name)", encoding: .utf8) }

  private func feed(key: FeedKey = "a.rss", title: String = "Feed", posts: [(Post, String)]) -> SiteFeed {
    SiteFeed(
      key: key, title: title, subtitle: title, link: nil, image: nil, language: "en",
      posts: posts.map { SitePost(post: $0.0, path: $0.1) })
  }

  private func post(
    title: String, body: String = "body", authors: [String] = [], categories: [String] = []
  ) -> Post {
    Post(
      title: title, excerpt: title, content: Sanitizer(policy: .reading).sanitize(body).html,
      permalink: Permalink(url: "https://a.example/", source: "link"), links: [], thumbnail: nil, enclosures: [],
      authors: authors, categories: categories, published: 1_700_000_000, updated: nil, comments: nil, language: "en",
      direction: .leftToRight, readingMinutes: 1, id: title, fields: [:],
      location: SourceLocation(file: "test"))
  }
}
