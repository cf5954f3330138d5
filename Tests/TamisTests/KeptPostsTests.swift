import Foundation
import Tamis
import TestSupport
import Testing

/// What the archive keeps is all that a site is made of.
///
/// This includes what has left its feed, and what somebody has changed in the folder.
@Suite struct KeptPostsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try Fixtures.temporaryFolder() }

  @Test func publishedFeedsKeepPostsGoneFromSource() async throws {
    for ids in [[1, 2], [2, 3]] { _ = try await build("a", write(items(ids), "a.xml")) }
    for name in ["feed.json", "rss.xml", "atom.xml", "feeds/a.atom.xml"] {
      let text = try #require(try contents("a")[name])
      for number in 1...3 {
        #expect(text.contains("<b>\(number)") || text.contains("&lt;b&gt;\(number)"), "\(name) \(number)")
        #expect(text.contains("https://a.example/\(number).mp3"), "\(name) \(number)")
      }
    }
    #expect(try await TestSite.publishedAnew(folder, "a") == contents("a"))
  }

  /// A post that has left its feed is rendered like all others.
  @Test func postsGoneFromFeedUseCurrentTheme() async throws {
    for ids in [[1, 2], [2, 3]] { _ = try await build("a", write(items(ids), "a.xml")) }
    let change: (inout SiteBuild.Configuration) -> Void = {
      $0.theme = Site.Theme.shipped("plain") ?? .standard
      $0.site.title = "Another name"
    }
    let report = try await build("a", write(items([2, 3]), "a.xml"), change)
    #expect(report.ingest.feeds == 0, "nothing is read for that")
    let files = try contents("a")
    let style = try #require(files.keys.first { $0.hasPrefix("style-") })
    #expect(files.keys.count { $0.hasPrefix("style-") } == 1)
    for number in 1...3 {
      let page = try #require(files.first { $0.key.hasPrefix("posts/a/t\(number)-") }?.value)
      #expect(page.contains(style) && page.contains("Another name") && page.contains("<b>\(number)"))
    }
    #expect(try await TestSite.publishedAnew(folder, "a", change) == files)
  }

  /// Posts purged as soon as they leave their feed have no page.
  @Test func purgedPostHasNoPage() async throws {
    let purge: (inout SiteBuild.Configuration) -> Void = { $0.site.purge = .now }
    for ids in [[1, 2], [2, 3]] { _ = try await build("a", write(items(ids), "a.xml"), purge) }
    #expect(try await TestSite.publishedAnew(folder, "a") == contents("a"))
  }

  /// Only documents that are seen count as reads of a feed, and not what suddenly lacks nearly everything.
  @Test func missedPostsArePurgedByReadsOfTheirFeed() async throws {
    func pages(_ ids: [Int], _ purge: PurgePolicy, isWritten: Bool = true) async throws -> Int {
      if isWritten { _ = try write(items(ids), "a.xml") }
      let sources = FeedSources([FilePath("\(folder.path)/a.xml")], home: FilePath(folder.path))
      _ = try await build("a", sources) { $0.site.purge = purge }
      return try contents("a").keys.count { $0.hasPrefix("posts/a/t") }
    }
    #expect(try await pages([1, 2], .after(looks: 1)) == 2)
    #expect(try await pages([2], .after(looks: 1)) == 2)
    for _ in 0..<3 { #expect(try await pages([], .after(looks: 1), isWritten: false) == 2) }
    #expect(try await pages([2, 3], .after(looks: 1)) == 2)
    #expect(try await pages(Array(2..<12), .now) == 10)
    #expect(try await pages([11], .now) == 10)
    #expect(try await pages([11, 12], .now) == 2)
  }

  /// Bodies are sanitized again under stricter rules, even those that have left their feeds.
  @Test func postsGoneFromFeedUseCurrentSanitizer() async throws {
    for ids in [[1, 2], [2, 3]] { _ = try await build("a", write(items(ids), "a.xml")) }
    let sources = try write(items([2, 3]), "a.xml")
    _ = try await build("a", sources) { $0.sanitizer = .text }
    let strict = try contents("a")
    for (path, page) in strict where path.hasPrefix("posts/a/t") || path == "feed.json" {
      #expect(page.contains("Body") && !page.contains("<b>"), "\(path)")
    }
    #expect(try await TestSite.publishedAnew(folder, "a") { $0.sanitizer = .text } == strict)
    _ = try await build("a", sources)
    let loose = try contents("a")
    for number in 1...3 {
      #expect(loose.first { $0.key.hasPrefix("posts/a/t\(number)-") }?.value.contains("<b>\(number)") == true)
    }
  }

  @Test func modifiedSiteFilesAreOverwrittenAndReported() async throws {
    let sources = try write(items([1, 2]), "a.xml")
    _ = try await build("a", sources)
    let before = try contents("a")
    let pages = before.keys.filter { $0 == "feed.json" || $0 == "index.html" || $0.hasPrefix("posts/a/t1") }
    #expect(pages.count == 3)
    for page in pages {
      let text = try #require(before[page]).replacing("<b>1", with: "<script>x</script><b onclick='y'>1")
      try Data((text + "<!-- mine -->").utf8).write(to: URL(filePath: "\(folder.path)/a/\(page)"), options: .atomic)
    }
    // That the folders have changed shows.
    let report = try await build("a", sources)
    #expect(try contents("a") == before)
    #expect(report.pages.written == 3)
    #expect(
      report.pages.notes.filter { $0.contains("this file was changed by somebody else") }.count == 3,
      "\(report.pages.notes)")
  }

  /// A page whose post is gone stays if somebody has changed it.
  @Test func pageChangedByHandIsNotRemoved() async throws {
    let sources = try write(items([1, 2]), "a.xml")
    _ = try await build("a", sources)
    let pages = try contents("a").keys.filter { $0.hasPrefix("posts/a/t") }.sorted()
    let mine = "\(folder.path)/a/\(pages[0])"
    try Data("mine".utf8).write(to: URL(filePath: mine))
    let name = { (page: String) in Archive.Selection.page(page) }
    do {
      let archive = try Archive(file: "\(folder.path)/a.archive")
      for page in pages { #expect(try archive.forget([name(page)]) == 1) }
    }
    let report = try await build("a", sources)
    #expect(try contents("a").keys.filter { $0.hasPrefix("posts/a/t") } == [pages[0]])
    #expect(try String(contentsOfFile: mine, encoding: .utf8) == "mine")
    #expect(report.pages.notes.contains { $0.contains(pages[0]) && $0.contains("it is kept") }, "\(report.pages.notes)")
  }

  @Test func damagedArchiveRemovesNoPages() async throws {
    let many = items(Array(1...150))
    _ = try await build("a", write(many, "a.xml"))
    let sources = try write(items([1]), "a.xml")
    _ = try await build("a", sources)
    let before = try contents("a")
    let file = URL(filePath: "\(folder.path)/a.archive")
    var bytes = try Data(contentsOf: file)
    // The roots of the tables and the schema are in the first half.
    let place = bytes.count / 16384 * 3 * 4096
    bytes.replaceSubrange(place..<place + 8192, with: Data(repeating: 0xA5, count: 8192))
    try bytes.write(to: file)
    let report = try await build("a", sources)
    let rescue = try #require(report.rescue)
    #expect(rescue.posts > 0 && FileManager.default.fileExists(atPath: rescue.aside))
    let after = try contents("a")
    #expect(Set(before.keys).subtracting(after.keys) == [], "nothing is removed")
    #expect(try Archive(file: file.path).verify() == [])
    // The posts that could be read are shown as before.
    let listed = after["feeds/a.html"] ?? ""
    #expect(listed.contains(">T1</a>"))
  }

  /// Posts without ids and links stay when they leave their feed, and no later post replaces them.
  @Test(arguments: ["", "<guid isPermaLink='false'>same</guid>"])
  func postsWithoutKeysStayAfterLeavingFeed(_ id: String) async throws {
    for titles in [["Alpha", "Beta"], ["Gamma", "Delta"], ["Delta", "Epsilon"]] {
      let items = titles.map { "<item>\(id)<title>\($0)</title><description>Text of \($0)</description></item>" }
      _ = try await build("s", write(items.joined(), "k.xml"))
    }
    let files = try contents("s")
    #expect(try await TestSite.publishedAnew(folder, "s") == files)
    for title in ["Alpha", "Beta", "Gamma", "Delta", "Epsilon"] {
      #expect(files["feeds/k.html"]?.contains(">\(title)</a>") == true, "\(title)")
      #expect(
        files.contains { $0.key.hasPrefix("posts/k/") && $0.value.contains("Text of \(title)</div>") }, "\(title)")
    }
  }

  /// A feed that repeats ids may use a known id for another post.
  @Test func postsWithDuplicateIDsStayWhenTheirIDsRecur() async throws {
    let runs = [
      [("x", "One"), ("x", "Two"), ("y", "Three"), ("z", "Four")], [("y", "Five"), ("z", "Six")],
      [("y", "Seven"), ("x", "Eight")],
    ]
    for items in runs {
      let texts = items.map {
        "<item><guid isPermaLink='false'>\($0)</guid><title>\($1)</title><description>Text of \($1)</description></item>"
      }
      _ = try await build("s", write(texts.joined(), "k.xml"))
    }
    let files = try contents("s")
    #expect(try await TestSite.publishedAnew(folder, "s") == files)
    for title in ["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight"] {
      #expect(files["feeds/k.html"]?.contains(">\(title)</a>") == true, "\(title)")
      #expect(
        files.contains { $0.key.hasPrefix("posts/k/") && $0.value.contains("Text of \(title)</div>") }, "\(title)")
    }
  }

  // MARK: - Helpers

  private func build(
    _ name: String, _ sources: FeedSources, _ change: (inout SiteBuild.Configuration) -> Void = { _ in }
  ) async throws -> TestSite.Report {
    try await TestSite.build(folder, name, sources, change)
  }

  private func contents(_ name: String) throws -> [String: String] { try TestSite.contents(folder, name) }

  private func write(_ items: String, _ name: String) throws -> FeedSources { try TestSite.write(items, folder, name) }

  private func items(_ ids: [Int]) -> String {
    ids.map {
      "<item><guid>g\($0)</guid><title>T\($0)</title><description>&lt;p&gt;Body &lt;b&gt;\($0)&lt;/b&gt;&lt;/p&gt;</description>"
        + "<enclosure url='https://a.example/\($0).mp3' type='audio/mpeg' length='1000'/></item>"
    }.joined()
  }
}
