import Foundation
import Tamis
import TamisCheck
import TestSupport
import Testing

/// Leaves out what is advertised, and marks the rest.
private struct Marking: EntryStage {
  var version = "1"
  var mark = "<b onclick=x>mark</b><script>x</script>"

  func run(_ entry: Feed.Entry, of feed: Feed, into findings: inout [Finding]) -> Feed.Entry? {
    if entry.title?.value.hasPrefix("[Ad]") == true { return nil }
    var entry = entry
    entry.summary?.value += mark
    return entry
  }
}

/// Writes the worst into each post, and leaves one out.
private struct Signing: PostStage {
  var version = "1"

  func run(_ post: Post, of feed: Feed, into findings: inout [Finding]) -> StagedPost? {
    if post.title == "Silent" { return nil }
    var post = post
    post.title += " <i>signed</i>"
    post.tags.append("<script>tag</script>")
    post.comments = "javascript:alert(1)"
    post.thumbnail = Post.Thumbnail(
      url: "https://proxy.example/a.png", alternative: "\"><script>x</script>", width: 40, height: 30)
    return StagedPost(
      post, body: "\(post.content)<p onclick=x>By hand.</p><a href=javascript:x>y</a><script>x</script>")
  }
}

/// What stages change, and what they cannot.
@Suite struct StageTests {
  private static let items = """
    <item><title>[Ad] Buy</title><link>https://e.example/ad</link><description>Now</description></item>
    <item><title>First</title><link>https://e.example/1</link><description>One &lt;iframe src=https://www.youtube.com/embed/abcdefghijk>&lt;/iframe></description></item>
    <item><title>Silent</title><link>https://e.example/2</link><description>Two</description></item>
    <item><title>Last</title><link>https://e.example/3</link><description>Three &lt;img src=https://img.example/3.png alt=x></description></item>
    """
  private static let stages = Stages(beforeSanitizing: [Marking()], afterExtracting: [Signing()])

  private func document(closed: Bool = true) -> FeedDocument {
    let end = closed ? "</channel></rss>" : "<item><title>Cut"
    return FeedDocument(name: "feed.xml", bytes: Array("<rss><channel><title>Feed</title>\(Self.items)\(end)".utf8))
  }

  @Test func stageOutputIsSanitized() throws {
    let output = try Pipeline(stages: Self.stages).process(document())
    #expect(output.posts.map(\.title) == ["First <i>signed</i>", "Last <i>signed</i>"])
    let contract = OutputContract(policy: .reading)
    for post in output.posts {
      #expect(contract.breach(of: post.content) == nil)
      #expect(post.content.string.contains("<b>mark</b>") && post.content.string.contains("<p>By hand.</p>"))
      #expect(!post.content.string.contains("script"))
    }
    #expect(output.extractions.map(\.post) == output.posts)
    let left = output.findings.filter { $0.code == "stage.left-out" }
    #expect(left.map(\.message) == ["left out by the stage Marking", "left out by the stage Signing"])
    #expect(left.map(\.location.line) == [1, 3])
  }

  /// The index of a truncated last entry counts only the entries that stages have left.
  @Test(arguments: [true, false]) func truncatedEntryIndexCountsRemainingEntries(_ isClosed: Bool) throws {
    let plain = try Pipeline().process(document(closed: isClosed))
    let staged = try Pipeline(stages: Self.stages).process(document(closed: isClosed))
    #expect(plain.posts.count - staged.posts.count == 2)
    if case .insideEntry(let index) = plain.ending {
      #expect(!isClosed && staged.ending == .insideEntry(index - 2))
    } else {
      #expect(isClosed && staged.ending == plain.ending)
    }
  }

  @Test func identityStagesChangeNothing() throws {
    struct Nothing: EntryStage, PostStage {
      var version: String { "1" }
      func run(_ entry: Feed.Entry, of feed: Feed, into findings: inout [Finding]) -> Feed.Entry? { entry }
      func run(_ post: Post, of feed: Feed, into findings: inout [Finding]) -> StagedPost? { StagedPost(post) }
    }
    let stages = Stages(beforeSanitizing: [Nothing()], afterExtracting: [Nothing()])
    let (with, without) = (try Pipeline(stages: stages).process(document()), try Pipeline().process(document()))
    #expect(with.posts == without.posts && with.texts == without.texts && with.ending == without.ending)
  }

  @Test func buildAppliesStages() async throws {
    let folder = try Fixtures.temporaryFolder()
    let sources = try TestSite.write(Self.items, folder, "feed.xml")
    func build(_ stages: Stages) async throws -> TestSite.Report {
      try await TestSite.build(folder, "site", sources) { $0.stages = stages }
    }
    let report = try await build(Self.stages)
    #expect(report.words == ["new", "new"])
    let pages = try TestSite.contents(folder, "site")
    let posts = pages.filter { $0.key.hasPrefix("posts/") }.map(\.value)
    #expect(posts.count(where: { $0.contains("<p>By hand.</p>") && $0.contains("https://proxy.example/a.png") }) == 2)
    for (path, page) in pages where !path.hasSuffix(".json") {
      #expect(!page.contains("<script>") && !page.contains("javascript:"), "\(path)")
    }
    #expect(try await TestSite.publishedAnew(folder, "site") { $0.stages = Self.stages } == pages)
    // The same stages again: nothing is read. Another version: all is.
    #expect(try await build(Self.stages).ingest.unchanged == 1)
    let changed = Stages(beforeSanitizing: [Marking(version: "2", mark: "<b>other</b>")], afterExtracting: [Signing()])
    #expect(try await build(changed).ingest.unchanged == 0)
    #expect(try TestSite.contents(folder, "site").values.contains { $0.contains("<b>other</b>") })
  }

  /// Hooks see elements when feeds are read, and URLs when pages are made.
  @Test func buildAppliesSanitizerHooks() async throws {
    let folder = try Fixtures.temporaryFolder()
    let sources = try TestSite.write(Self.items, folder, "feed.xml")
    func hooks(_ proxy: String) throws -> Sanitizer {
      var hooks = Sanitizer.Hooks(version: proxy)
      hooks.rewriteURL = { url, use in use.element == "img" ? WebURL("https://\(proxy)\(url.path)") : url }
      hooks.handleElement = { $0.name == "iframe" ? .replace(html: "<p onclick=x>A film</p>") : .followPolicy }
      return try Sanitizer(policy: .reading, hooks: hooks)
    }
    func page(of sanitizer: Sanitizer) async throws -> (report: TestSite.Report, pages: String) {
      let report = try await TestSite.build(folder, "site", sources) { $0.sanitizer = sanitizer }
      let pages = try TestSite.contents(folder, "site")
      #expect(try await TestSite.publishedAnew(folder, "site") { $0.sanitizer = sanitizer } == pages)
      return (report, pages.filter { $0.key.hasPrefix("posts/") }.map(\.value).joined())
    }
    let first = try await page(of: hooks("one.example"))
    #expect(
      first.pages.contains("<p>A film</p>") && first.pages.contains("src=\"https://one.example/3.png\""),
      "\(first.pages.suffix(6000))")
    let second = try await page(of: hooks("two.example"))
    #expect(second.pages.contains("src=\"https://two.example/3.png\"") && !second.pages.contains("one.example"))
    let third = try await page(of: hooks("two.example"))
    #expect(third.report.ingest.unchanged == 1 && third.report.pages.written == 0)
  }
}
