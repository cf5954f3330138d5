import Tamis
import TamisCore
import TestSupport
import Testing

/// What is named to be read, and what it is taken for.
@Suite struct GatheringTests {
  private let planet: TestPlanet

  init() throws { planet = try TestPlanet() }

  /// What came of naming something, in words.
  private func words(_ source: String) -> String {
    var gathering = CommandInputs()
    gathering.add(source: FilePath(source))
    let addresses = gathering.subscriptions.feeds.map(\.address.url.href)
    let lists = gathering.readingLists.map { list in
      if case .address(let address) = list.source { "list \(address.url.href)" } else { "list in a file" }
    }
    let files = gathering.files.map { "file \($0.description.replacing(planet.folder.path + "/", with: ""))" }
    return (addresses + lists + files + gathering.findings.map(\.code)).joined(separator: " ")
  }

  @Test(arguments: [
    ("https://a.example/feed", "https://a.example/feed"), ("http://a.example", "http://a.example/"),
    ("feed:https://a.example/feed", "https://a.example/feed"), ("feed://a.example/x", "http://a.example/x"),
    ("https://", "fetch.address"), ("https://a b/", "fetch.address"),
    ("ftp://a.example/feed", "file ftp://a.example/feed"),
    ("file:///tmp/a%20b", "file /tmp/a b"), ("nowhere", "file nowhere"),
  ])
  func sourceArgumentIsClassified(_ source: String, _ expected: String) { #expect(words(source) == expected) }

  @Test(arguments: [
    ("https://a.example/feed\n# a comment\nhttps://b.example/feed\n", "https://a.example/feed https://b.example/feed"),
    (
      "<opml version='2.0'><body><outline text='A' xmlUrl='https://a.example/'/></body></opml>", "https://a.example/"
    ),
    ("https://a.example/feed\ndata:,<rss/>\n", "https://a.example/feed config.address"),
    ("<rss version='2.0'><channel><title>A</title></channel></rss>", "file named"), ("Dear diary", "file named"),
    // Only what is named as the configuration is followed as one: it says which programs are run.
    ("feeds:\n  - https://a.example/feed\nfilters:\n  - program: {command: [rm]}\n", "file named"), ("", "file named"),
  ])
  func sourceFileIsClassifiedByContent(_ text: String, _ expected: String) throws {
    try planet.write(text, "named")
    #expect(words("\(planet.folder.path)/named") == expected)
  }

  @Test func folderArgumentIsReadAsFolder() { #expect(words(planet.folder.path) == "file \(planet.folder.path)") }

  @Test func duplicateFeedKeepsFirstSettings() throws {
    try planet.write("https://A.example/feed\nhttps://b.example/feed#top\n", "list.txt")
    var gathering = try planet.gather(
      """
      defaults: {tags: [all]}
      feeds: [{address: "https://a.example/feed", title: First}]
      lists: [{file: list.txt, tags: [listed]}]
      """)
    gathering.add(source: "https://b.example/feed")
    gathering.add(source: "https://c.example/feed")
    let feeds = gathering.subscriptions.feeds
    #expect(feeds.map(\.address.url.href) == ["a", "b", "c"].map { "https://\($0).example/feed" })
    #expect(feeds.map(\.settings.title) == ["First", nil, nil])
    #expect(feeds.map(\.settings.tags) == [["all"], ["all", "listed"], ["all"]])
    #expect(gathering.subscriptions.isWhole)
    // With a list that is not there nobody knows what all is.
    #expect(try !planet.gather("lists: [nowhere.opml]").subscriptions.isWhole)
    // Nor with one in which there are none any more.
    try planet.write("<opml version='2.0'><body></body></opml>", "empty.opml")
    #expect(try !planet.gather("feeds: [https://a.example/]\nlists: [empty.opml]").subscriptions.isWhole)
    // Nor with one that is cut off behind some.
    try planet.write("<opml version='2.0'><body><outline type='rss' xmlUrl='https://b.example/'/>", "cut.opml")
    #expect(try !planet.gather("lists: [cut.opml]").subscriptions.isWhole)
  }
}

/// Which feeds an address leads to.
@Suite struct FeedDiscoveryTests {
  private let web = TestWeb()
  private let page = "https://a.example/blog/"
  private let feed = TestWeb.Page.document(TestPlanet.feed("A", ["One"]))

  private func find(_ address: String, number: Int? = nil) async throws -> FeedDiscovery.Result {
    var options = SiteBuild.FetchOptions()
    (options.otherTransport, options.pacing.delay) = (web, 0)
    return try await FeedDiscovery(options).find(at: address, number: number)
  }

  @Test func findingFeedsAtFeedURLReturnsThatURL() async throws {
    web[page] = feed
    #expect(try await find(page) == .feed(page))
    web["https://a.example/old"] = .redirect(308, to: page)
    #expect(try await find("https://a.example/old") == .feed(page), "it has moved for good")
    web["https://a.example/now"] = .redirect(302, to: page)
    #expect(try await find("https://a.example/now") == .feed("https://a.example/now"))
  }

  @Test func pageWithFeedLinksReturnsThem() async throws {
    web[page] = .document(
      """
      <title>A</title><link rel="alternate" type="application/rss+xml" href="comments" title="A: comments">
      <link rel=alternate type=application/atom+xml href="/atom" title="A">
      """)
    web["https://a.example/atom"] = feed
    let found = try await self.found(page)
    #expect(found.feeds.map(\.address) == ["https://a.example/atom", "https://a.example/blog/comments"])
    #expect(found.index == 0 && web.takeRequests().map(\.address) == ["https://a.example/atom", page])
  }

  private func found(_ address: String, number: Int? = nil) async throws -> FeedDiscovery.Page {
    guard case .page(let page) = try await find(address, number: number) else {
      throw FetchProblem(.notAFeed, "\(address) is no page with feeds")
    }
    return page
  }

  /// A link that leads nowhere, or to a page, is not taken while there is another feed.
  @Test func deadLinkIsNotTaken() async throws {
    web[page] = .document(
      """
      <link rel=alternate type=application/rss+xml href=/dead><link rel=alternate type=application/rss+xml href=/page>
      <link rel=alternate type=application/rss+xml href=/comments/feed>
      """)
    web["https://a.example/page"] = .document("<p>Words")
    web["https://a.example/comments/feed"] = feed
    var found = try await self.found(page)
    #expect(found.index == 2 && found.problems[0]?.reason == .notFound && found.problems[1]?.reason == .notAFeed)
    web["https://a.example/rss.xml"] = feed
    found = try await self.found(page)
    #expect(found.index == 3 && found.feeds[3].source == .usualPath && found.feeds.count == 4)
    web["https://a.example/page"] = feed
    #expect(try await self.found(page).index == 1)
    #expect(try await self.found(page, number: 3).index == 2)
    guard case .failure(let problem) = try await find(page, number: 1) else {
      Issue.record("there is nothing")
      return
    }
    #expect(problem.reason == .notFound)
    for dead in ["page", "comments/feed", "rss.xml"] { web["https://a.example/\(dead)"] = nil }
    guard case .failure(let whole) = try await find(page) else {
      Issue.record("there is nothing")
      return
    }
    #expect(whole.message.contains("https://a.example/dead: there is nothing at this address (404)"), "\(whole)")
  }

  /// A page may lead to another by itself, and name its feed in its header fields.
  @Test func refreshAndHeaderFieldsLeadToFeed() async throws {
    web["https://a.example/"] = .document("<meta http-equiv=refresh content='0; url=blog/'>")
    web[page] = TestWeb.Page(
      fields: [HeaderField(name: "link", value: "<feed?x>; rel=alternate; type=\"application/atom+xml\"")],
      body: "<p>Words")
    web["https://a.example/blog/feed?x"] = feed
    #expect(try await found("https://a.example/").feeds.map(\.address) == ["https://a.example/blog/feed?x"])
    web[page] = feed
    #expect(try await find("https://a.example/") == .feed(page))
    web[page] = .document("<meta http-equiv=refresh content='0; url=/'>")
    web["https://a.example/feed"] = feed
    #expect(try await found("https://a.example/").feeds.map(\.source) == [.usualPath], "it leads round in a circle")
  }

  @Test func pageWithoutFeedLinksIsProbedAtUsualPaths() async throws {
    web[page] = .document("<title>A</title><p>Words")
    web["https://a.example/blog/index.xml"] = feed
    let found = try await self.found(page)
    #expect(found.feeds.map(\.address) == ["https://a.example/blog/index.xml"] && found.feeds[0].source == .usualPath)
  }

  @Test func pageWithoutFeedsFails() async throws {
    guard case .failure(let missing) = try await find(page) else {
      Issue.record("there is nothing")
      return
    }
    #expect(missing.reason == .notFound)
    web[page] = .document("<title>A</title><p>Words")
    guard case .failure(let problem) = try await find(page) else {
      Issue.record("there is no feed")
      return
    }
    #expect(problem.reason == .notAFeed)
    #expect(web.takeRequests().count < 20)
  }
}
