import Foundation
import Tamis
import TestSupport
import Testing

/// The main job over `Fixtures/Feeds`.
@Suite struct BuildTests {
  private let folder: TemporaryFolder

  init() throws { folder = try Fixtures.temporaryFolder() }

  @Test func secondBuildFindsNothingNew() async throws {
    let first = try await build("a")
    #expect(first.ingest.feeds == 13 && first.ingest.failed == 0)
    #expect(first.ingest.count(.new) == 78 && first.ingest.count(.duplicate) == 1)
    let pictures = try contents("a")["index.html"]?.components(separatedBy: "class=\"pic thumb\"").count ?? 0
    #expect(pictures > 20, "the front page is nice to look at")
    let second = try await build("a") { $0.readsAll = true }
    #expect(second.ingest.count(.new) == 0 && second.ingest.count(.updated) == 0 && second.ingest.count(.known) == 78)
    #expect(second.pages.written == 0 && second.pages.files == first.pages.files)
  }

  @Test func outputIsIndependentOfJobCountAndFileOrder() async throws {
    _ = try await build("one", FeedSources(files: TestSite.fixtures.files)) { $0.jobs = 1 }
    _ = try await build("eight", FeedSources(files: TestSite.fixtures.files.reversed())) { $0.jobs = 8 }
    #expect(try contents("one") == contents("eight"))
  }

  @Test(arguments: [("Feeds", 78), ("Attacks", 5)])
  func pagesAreInertAndRelativeLinksResolve(_ feeds: String, _ posts: Int) async throws {
    _ = try await build("a", FeedSources([FilePath(Fixtures.url(feeds).path)]))
    let files = try contents("a")
    let pages = files.filter { $0.key.hasSuffix(".html") }
    #expect(pages.keys.count { $0.hasPrefix("posts/") } == posts)
    // The page for what is missing may stand anywhere: it begins at the root.
    for (name, page) in pages where name != "404.html" {
      let tags = Self.tags(page)
      #expect(!tags.contains { $0.hasPrefix("script") || $0.hasPrefix("iframe") || $0.hasPrefix("object") }, "\(name)")
      for tag in tags {
        #expect(!Self.attributeNames(tag).contains { $0.hasPrefix("on") }, "\(name): \(tag.prefix(200))")
        for url in Self.links(tag) where !url.contains(":") && !url.hasPrefix("#") {
          let target = URL(filePath: "/" + name).deletingLastPathComponent().appending(
            path: url.components(separatedBy: "#")[0])
          #expect(files[String(target.standardized.path.dropFirst())] != nil, "\(name): \(url)")
        }
      }
    }
  }

  @Test func unreadableInputDoesNotAffectOtherFeeds() async throws {
    let bad = folder.path + "/bad"
    try FileManager.default.createDirectory(atPath: bad + "/empty", withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: bad + "/empty.rss"))
    try Data("<html></html>".utf8).write(to: URL(filePath: bad + "/page.xml"))
    let sources = FeedSources(
      [
        Fixtures.url("Feeds/old-radio.rss").path, bad + "/empty.rss", bad + "/page.xml", bad + "/empty",
        bad + "/missing.rss",
      ]
      .map { FilePath($0) })
    #expect(sources.findings.map(\.code) == ["read.no-feeds", "read.missing"])
    let report = try await build("a", sources)
    #expect(report.ingest.feeds == 1 && report.ingest.failed == 2 && report.ingest.count(.new) == 9)
    #expect(report.ingest.findings.filter { $0.severity == .error }.map(\.code) == ["parse.empty", "parse.not-a-feed"])
  }

  /// A file counts once, whether it is named itself, by a link, through a linked folder, or by its folder.
  @Test func fileNamedInSeveralWaysIsReadOnce() throws {
    let (manager, feeds) = (FileManager.default, folder.path + "/feeds")
    try manager.createDirectory(atPath: feeds + "/more", withIntermediateDirectories: true)
    try Data("<rss version='2.0'><channel/></rss>".utf8).write(to: URL(filePath: feeds + "/more/a.xml"))
    try manager.createSymbolicLink(atPath: feeds + "/b.xml", withDestinationPath: "more/a.xml")
    try manager.createSymbolicLink(atPath: folder.path + "/also", withDestinationPath: "feeds")
    let ways = ["feeds", "feeds/more", "also", "feeds/../feeds/more/a.xml", "also/b.xml", "feeds/more/a.xml"]
    for paths in [ways, ways.reversed()] {
      let sources = FeedSources(paths.map { FilePath("\(folder.path)/\($0)") })
      #expect(sources.files.count == 1 && sources.findings.isEmpty, "\(sources.files.map(\.name)) \(sources.findings)")
    }
  }

  /// The rules of the site apply to a body that the rules of its feed have let pass.
  @Test func bodiesAreSanitizedByRulesOfSite() async throws {
    var sources = try write(
      "<item><title>a</title><description>&lt;form>&lt;p>x&lt;/p>&lt;/form>y</description></item>", "f.rss")
    for (name, rules) in [("other", "ufp"), ("own", nil)] {
      var settings = Planet.FeedSettings()
      settings.rules = rules
      sources.setSettings(settings)
      _ = try await build(name, sources) { $0.sanitizers = ["ufp": .universalFeedParser] }
      let page = try #require(try contents(name).first { $0.key.hasPrefix("posts/") }?.value)
      #expect(page.contains("<p>x</p>y") && !page.contains("method="), "\(name): \(page)")
    }
  }

  @Test func absurdNumbersDoNotFailFeed() async throws {
    let file = folder.path + "/feed.rss"
    let huge = "width=\"4000000000\" height=\"4000000000\""
    let text = """
      <rss xmlns:media="http://search.yahoo.com/mrss/"><channel><item><guid>1</guid><media:content medium="image" \(huge)
      url="http://a.example/x.jpg"/><description>&lt;img src="http://a.example/y.jpg" \(huge)&gt;</description>
      <pubDate>9999-19-39</pubDate></item></channel></rss>
      """
    try Data(text.utf8).write(to: URL(filePath: file))
    let report = try await build("a", FeedSources(files: [FeedSources.File(path: FilePath(file), name: "feed.rss")]))
    #expect(report.ingest.count(.new) == 1 && report.ingest.failed == 0)
  }

  @Test func feedFailingLaterKeepsItsPosts() async throws {
    let sources = try write("<item><guid>1</guid><title>Kept</title></item>", "feed.rss")
    _ = try await build("a", sources)
    let before = try contents("a")
    try Data("<html>gone</html>".utf8).write(to: URL(filePath: folder.path + "/feed.rss"))
    let failed = try await SiteBuild(TestSite.configuration(folder, "a", sources)).run()
    #expect(failed.ingest?.failed == 1 && failed.pages == nil)
    #expect(try contents("a") == before)
    // With another feed that can be read it is said.
    let report = try await build("a", FeedSources(files: sources.files + TestSite.fixtures.files.prefix(1)))
    #expect(report.ingest.failed == 1 && report.ingest.feeds == 1)
    let after = try contents("a")
    let kept = before.keys.filter { $0.hasPrefix("posts/") }
    #expect(kept.count == 1 && kept.allSatisfy { after[$0] != nil })
    let problem = try #require(report.ingest.findings.first { $0.severity == .error })
    #expect(after["status.html"]?.contains(problem.message.prefix(15)) == true, "\(problem)")
  }

  @Test func filesWithSameNameGetDistinctFeedNames() throws {
    for name in ["x", "y"] {
      try FileManager.default.createDirectory(atPath: folder.path + "/\(name)", withIntermediateDirectories: true)
      try Data("<rss/>".utf8).write(to: URL(filePath: folder.path + "/\(name)/feed.rss"))
    }
    func names(_ paths: [String]) -> [String] {
      FeedSources(paths.map { FilePath(folder.path + "/" + $0) }, home: FilePath(folder.path + "/y")).files.map(\.name)
    }
    #expect(names(["x", "y/feed.rss"]) == ["../x/feed.rss", "feed.rss"])
    #expect(names(["./x//feed.rss", "y/../x"]) == ["../x/feed.rss"], "how it is written makes no difference")
  }

  @Test func postSharedByTwoFeedsIsListedOnceWithBothSources() async throws {
    let sources = try ["blog", "planet"].map { name in
      let file = "\(folder.path)/\(name).xml"
      let home = "https://\(name).example/"
      let own = name == "planet" ? "<item><guid>p</guid><title>Own</title></item>" : ""
      let text = """
        <rss version="2.0"><channel><title>The \(name)</title><link>\(home)</link>\(own)<item><guid isPermaLink="false">\(name)</guid>\
        <title>Shared</title><link>https://blog.example/shared</link><description>Words.</description></item></channel></rss>
        """
      try Data(text.utf8).write(to: URL(filePath: file))
      return FeedSources.File(path: FilePath(file), name: "\(name).xml")
    }
    let report = try await build("a", FeedSources(files: sources.reversed()))
    #expect(report.words == ["new", "new", "folded"])
    let pages = try contents("a")
    let shared = pages.keys.filter { $0.contains("/shared-") }
    #expect(shared.count == 1 && shared[0].hasPrefix("posts/blog-example/"))
    #expect(
      pages[shared[0]]?.contains(#"<li><a href="../../feeds/planet-example.html" dir="auto">The planet</a>"#) == true)
    #expect(pages["feeds/planet-example.html"]?.contains(#"href="../\#(shared[0])""#) == true)
    #expect(pages["index.html"]?.components(separatedBy: ">Shared</a>").count == 2, "listed once")
    _ = try await build("b", FeedSources(files: sources))
    #expect(try contents("b") == pages)
  }

  @Test func forgottenPostsAreHiddenAndReadPostsOnRequest() async throws {
    let source = [FeedSources.File(path: FilePath(Fixtures.url("Feeds/old-radio.rss").path), name: "old-radio.rss")]
    _ = try await build("a", FeedSources(files: source))
    let names = try mark { archive in
      let names = try archive.entries(.all).map(\.name)
      _ = try archive.markRead([.page(names[0])])
      _ = try archive.forget([.page(names[1])])
      return names
    }
    func shown() throws -> Set<Int> {
      let page = try contents("a")["feeds/oldradio-example-bench.html"] ?? ""
      return Set(names.indices.filter { page.contains("/\(names[$0]).html\"") })
    }
    func pages() throws -> Int { try contents("a").keys.count { $0.hasPrefix("posts/") } }
    let all = Set(names.indices)
    _ = try await build("a", FeedSources(files: source))
    #expect(try shown() == all.subtracting([1]), "what is forgotten has no page any more")
    _ = try await build("a", FeedSources(files: source)) { $0.site.showsUnreadOnly = true }
    #expect(try shown() == all.subtracting([0, 1]))
    #expect(try pages() == all.count - 1, "who has the address of what is read can read it again")
    _ = try await build("a", FeedSources(files: source))
    #expect(try shown() == all.subtracting([1]), "what is read is only left out when that is asked for")
  }

  @Test func repeatedBuildWritesOnlyMissingFiles() async throws {
    #expect(try await build("a").ingest.feeds == 13)
    let before = try contents("a")
    let again = try await build("a")
    #expect(again.ingest.feeds == 0 && again.ingest.unchanged == 13)
    #expect(again.pages.written == 0 && again.pages.files == before.count)
    // What is missing is made again.
    let page = try #require(before.keys.first { $0.hasPrefix("posts/") && $0.hasSuffix(".html") })
    try FileManager.default.removeItem(atPath: "\(folder.path)/a/\(page)")
    #expect(try await build("a").pages.written == 1)
    #expect(try contents("a") == before)
    // So is everything when there is another archive, or no site.
    try FileManager.default.removeItem(atPath: "\(folder.path)/a.archive")
    let anew = try await build("a")
    #expect(anew.ingest.count(.new) == 78 && anew.pages.written == 0)
    #expect(try contents("a") == before)
    try FileManager.default.removeItem(atPath: "\(folder.path)/a")
    #expect(try await build("a").ingest.feeds == 0)
    #expect(try contents("a") == before)
  }

  @Test func futureDatedPostDoesNotStayOnTop() async throws {
    let file = folder.path + "/future.xml"
    func write(_ items: String) throws {
      let text = """
        <rss version="2.0"><channel><title>F</title><lastBuildDate>Sun, 01 Mar 2026 12:00:00 GMT</lastBuildDate>
        <item><guid>f</guid><title>Future</title><pubDate>Thu, 01 Jan 2099 00:00:00 GMT</pubDate></item>\(items)
        <item><guid>o</guid><title>Old</title><pubDate>Sun, 01 Feb 2026 00:00:00 GMT</pubDate></item></channel></rss>
        """
      try Data(text.utf8).write(to: URL(filePath: file))
    }
    let sources = [FeedSources.File(path: FilePath(file), name: "future.xml")]
    try write("")
    _ = try await build("a", FeedSources(files: sources))
    try write("<item><guid>n</guid><title>Next</title><pubDate>Mon, 02 Mar 2026 00:00:00 GMT</pubDate></item>")
    _ = try await build("a", FeedSources(files: sources))
    let page = try #require(try contents("a")["index.html"])
    let next = try #require(page.range(of: ">Next</a>"))
    let future = try #require(page.range(of: ">Future</a>"))
    #expect(next.lowerBound < future.lowerBound)
    #expect(page.contains("1 January 2099"), "what it says is shown")
    // A day that nobody keeps up says nothing of posts that are later.
    try Data(
      String(decoding: Data(contentsOf: URL(filePath: file)), as: UTF8.self).replacing("2026 12:00", with: "2009 12:00")
        .replacing("<guid>", with: "<guid>x").utf8
    ).write(to: URL(filePath: file))
    _ = try await build("b", FeedSources(files: sources))
    let other = try #require(try contents("b")["index.html"])
    #expect(!other.contains("2009"))
  }

  @Test func unnamedFeedIsKeptAndFeedDeletedFromFolderIsRemoved() async throws {
    let feeds = folder.path + "/feeds"
    try FileManager.default.copyItem(at: Fixtures.url("Feeds"), to: URL(filePath: feeds))
    let all = FeedSources([FilePath(feeds)])
    _ = try await build("a", all)
    func posts() throws -> Set<String> { Set(try contents("a").keys.filter { $0.hasPrefix("posts/") }) }
    let before = try posts()
    let rest = FeedSources(files: Array(all.files.dropFirst()))
    _ = try await build("a", rest)
    #expect(try posts() == before, "a feed that is not named this time")
    let first = try #require(all.files.first?.path.utf8Text)
    try Data("<html>Come back later".utf8).write(to: URL(filePath: first))
    let report = try await build("a", FeedSources([FilePath(feeds)]))
    #expect(report.ingest.failed == 1 && report.ingest.findings.contains { $0.code == "parse.not-a-feed" })
    #expect(try posts() == before, "a feed whose file holds something else")
    try FileManager.default.removeItem(atPath: first)
    _ = try await build("a", FeedSources([FilePath(feeds)]))
    let folder = try #require(before.sorted().first).split(separator: "/")[1]
    #expect(try posts() == before.filter { !$0.hasPrefix("posts/\(folder)/") })
    #expect(try contents("a")["feeds/\(folder).html"] == nil)
  }

  // MARK: - Helpers

  private func build(
    _ name: String, _ sources: FeedSources = TestSite.fixtures,
    _ change: (inout SiteBuild.Configuration) -> Void = { _ in }
  ) async throws -> TestSite.Report {
    try await TestSite.build(folder, name, sources, change)
  }

  private func contents(_ name: String) throws -> [String: String] { try TestSite.contents(folder, name) }

  /// A feed of RSS with these items.
  private func write(_ items: String, _ name: String) throws -> FeedSources { try TestSite.write(items, folder, name) }

  /// Does something with the archive of the site `a`.
  private func mark<Value>(_ body: (Archive) throws -> Value) throws -> Value {
    try body(Archive(file: "\(folder.path)/a.archive"))
  }

  private static func tags(_ page: String) -> [Substring] {
    page.split(separator: "<").dropFirst().map { $0.prefix { $0 != ">" } }
  }

  /// The parts of a tag that stand outside of quotes and before an equals sign.
  private static func attributeNames(_ tag: Substring) -> [String] {
    tag.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 0 }
      .map { $0.element.trimmingCharacters(in: .whitespaces) }.filter { $0.hasSuffix("=") }
      .map { $0.split(separator: " ").last.map(String.init)?.lowercased() ?? "" }
  }

  private static func links(_ tag: Substring) -> [String] {
    guard let start = tag.range(of: " href=\"") else { return [] }
    return [String(tag[start.upperBound...].prefix { $0 != "\"" })]
  }
}
