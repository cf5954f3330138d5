import Foundation
import Tamis
import TestSupport
import Testing

/// Builds of planets one after the other, while feeds change, fail, move and go.
@Suite struct PlanetTests {
  private let planet: TestPlanet
  private let a = "https://a.example/feed"
  private let b = "https://b.example/feed"
  private var both: String { "feeds: [\(a), \(b)]" }

  init() throws {
    planet = try TestPlanet()
    planet.web[a] = .document(TestPlanet.feed("A", ["One", "Two"]), etag: "1")
    planet.web[b] = .document(TestPlanet.feed("B", ["Three"]), etag: "1")
  }

  @Test func feedsAreFetchedOnceAndThenConditionally() async throws {
    let first = try await planet.build(both)
    #expect(first.ingest?.fetching == [.fetched: 2] && first.ingest?.count(.new) == 3)
    #expect(planet.web.takeRequests().allSatisfy { !$0.isOnCondition })
    #expect(try planet.titles() == ["One", "Two", "Three"])
    let (before, all) = (try planet.pages(), try planet.contents())
    #expect(before.count < all.count)
    // Nobody is asked before it is time.
    planet.now += 60
    let soon = try await planet.build(both)
    #expect(soon.ingest?.fetching == [.notDue: 2] && soon.pages?.written == 0)
    #expect(planet.web.takeRequests().isEmpty)
    #expect(try planet.contents() == all)
    let second = try await planet.build(both, days: 2)
    #expect(second.ingest?.fetching == [.notModified: 2] && second.ingest?.unchanged == 2)
    let requests = planet.web.takeRequests()
    #expect(requests.map(\.address) == [a, b] && requests.allSatisfy(\.isOnCondition))
    #expect(try planet.pages() == before, "only what says how fetching went is another")
    #expect(try planet.status(of: "A")["state"] as? String == "ok")
    #expect(planet.hasNothingLeft)
  }

  @Test func newEntriesAreAddedAndUnchangedDocumentsSkipped() async throws {
    planet.web[b] = .document(TestPlanet.feed("B", ["Three"]))
    _ = try await planet.build(both)
    let before = try planet.pages()
    let same = try await planet.build(both, days: 2)
    #expect(same.ingest?.fetching == [.fetched: 1, .notModified: 1])
    #expect(same.ingest?.feeds == 0 && same.ingest?.unchanged == 2, "the same bytes are not read again")
    #expect(try planet.pages() == before)
    planet.web[a] = .document(TestPlanet.feed("A", ["Four", "One", "Two"]), etag: "2")
    let changed = try await planet.build(both, days: 2)
    #expect(changed.ingest?.feeds == 1 && changed.ingest?.count(.new) == 1 && changed.ingest?.count(.known) == 2)
    #expect(try planet.titles() == ["One", "Two", "Three", "Four"])
    #expect(try await planet.publishedAnew() == planet.contents(), "the site is a function of its archive")
  }

  /// A feed is the author's when it is fetched from its home page's host, not when it only names that page.
  @Test func feedCannotClaimPostsOfAnotherFeed() async throws {
    let text = (0..<80).map { "word\($0)" }.joined(separator: " ")
    func feed(_ title: String, _ more: String) -> String {
      """
      <rss version="2.0"><channel><title>\(title)</title><link>https://b.example/</link><item><title>Harbour lamps</title>
      <guid>https://b.example/p1</guid><link>https://b.example/p1</link><description>\(text) \(more)</description></item>
      </channel></rss>
      """
    }
    planet.web[a] = .document(feed("A", "and six words more of mine"))
    planet.web[b] = .document(feed("B", ""))
    let report = try await planet.build(both)
    #expect(report.ingest?.folded == 1)
    let bodies = try planet.posts().map { $0["content_html"] as? String ?? "" }
    #expect(bodies.count == 1 && bodies.allSatisfy { !$0.contains("six words more") })
  }

  @Test func failingFeedKeepsItsPosts() async throws {
    _ = try await planet.build(both)
    let before = try planet.pages()
    planet.web[a] = .failure(500)
    let failed = try await planet.build(both, days: 2)
    #expect(failed.ingest?.failed == 1 && failed.ingest?.findings.map(\.code) == ["fetch.http"])
    #expect(try planet.pages().filter { $0.key.hasPrefix("posts/") } == before.filter { $0.key.hasPrefix("posts/") })
    let since = try planet.status(of: "A")["failing_since"] as? String
    #expect(since == "2100-01-03T00:00:00Z")
    #expect(try planet.contents()["status.html"]?.contains("3 January 2100") == true)
    _ = try await planet.build(both, days: 2)
    let status = try planet.status(of: "A")
    #expect(status["state"] as? String == "failed" && status["status"] as? Int == 500)
    #expect(status["failures"] as? Int == 2 && status["failing_since"] as? String == since)
    #expect(try await planet.publishedAnew() == planet.contents())
    planet.web[a] = .document(TestPlanet.feed("A", ["One", "Two"]), etag: "1")
    _ = try await planet.build(both, days: 8)
    #expect(try planet.status(of: "A")["state"] as? String == "ok")
    #expect(try planet.pages() == before)
  }

  @Test func feedThatWasNeverReadIsReported() async throws {
    planet.web[b] = .document("<html><body>Nothing here", etag: "1")
    let report = try await planet.build(both)
    #expect(report.ingest?.findings.filter { $0.severity == .error }.map(\.code) == ["fetch.not-a-feed"])
    #expect(try planet.contents()["status.html"]?.contains("b.example") == true)
    _ = planet.web.takeRequests()
    planet.web[b] = .document(TestPlanet.feed("B", ["Three"]), etag: "1")
    _ = try await planet.build(both, days: 2)
    #expect(planet.web.takeRequests().last?.isOnCondition == false, "what was no feed is not what we have")
    #expect(try planet.titles() == ["One", "Two", "Three"])
  }

  @Test func goneFeedIsNotRequestedAgain() async throws {
    _ = try await planet.build(both)
    planet.web[a] = .failure(410)
    _ = try await planet.build(both, days: 2)
    #expect(try planet.status(of: "A")["state"] as? String == "gone")
    _ = planet.web.takeRequests()
    planet.extent = .all
    let later = try await planet.build(both, days: 100)
    #expect(
      later.ingest?.fetching == [.gone: 1, .fetched: 1], "what is named by the same for long is asked for as a whole")
    #expect(planet.web.takeRequests().map(\.address) == [b])
    #expect(try planet.titles() == ["One", "Two", "Three"])
  }

  /// Only subscribing anew, by whatever address, makes a feed that is gone be requested again.
  @Test func goneFeedIsRequestedAgainAfterResubscribing() async throws {
    _ = try await planet.build(both)
    let page = planet.web[a]
    planet.web[a] = .failure(410)
    let gone = try await planet.build(both, days: 2)
    #expect(gone.ingest?.findings.contains { $0.message.contains("tamis add") } == true)
    _ = try await planet.build("feeds: [\(b)]", days: 2)
    planet.web[a] = page
    let again = try await planet.build(both, days: 2)
    #expect(again.ingest?.fetching == [.fetched: 1, .notModified: 1])
    #expect(try planet.titles() == ["One", "Two", "Three"])
    #expect(try planet.status(of: "A")["state"] as? String == "ok")
    // By an address that it had moved to.
    let new = "https://new.example/a"
    (planet.web[new], planet.web[a]) = (page, .redirect(301, to: new))
    for _ in 1...2 { _ = try await planet.build(both, days: 2) }
    planet.web[new] = .failure(410)
    _ = try await planet.build(both, days: 2)
    #expect(try planet.status(of: "A")["state"] as? String == "gone")
    planet.web[new] = page
    _ = try await planet.build("feeds: [\(new), \(b)]", days: 2)
    #expect(try planet.status(of: "A")["state"] as? String == "ok")
    #expect(try planet.titles() == ["One", "Two", "Three"])
    #expect(try await planet.publishedAnew() == planet.contents())
  }

  @Test func credentialsFollowMovesWithinSameServerOnly() async throws {
    let configuration = "feeds: ['https://me:secret@a.example/old']"
    planet.web["https://a.example/old"] = .redirect(301, to: a)
    for _ in 1...4 { _ = try await planet.build(configuration, days: 2) }
    #expect(planet.web.takeRequests().allSatisfy { $0.credentials?.password.revealed == "secret" })
    planet.web[a] = .redirect(301, to: b)
    for _ in 1...4 { _ = try await planet.build(configuration, days: 2) }
    let asked = planet.web.takeRequests()
    #expect(asked.contains { $0.address == b } && asked.contains { $0.address == a })
    #expect(asked.allSatisfy { ($0.credentials != nil) == $0.address.hasPrefix("https://a.example/") })
    for (path, text) in try planet.contents() { #expect(!text.contains("secret"), "\(path)") }
  }

  @Test func explicitEmptyFeedListRemovesAllPosts() async throws {
    _ = try await planet.build(both)
    // What does not say that there are none takes nothing away.
    for text in ["", "site: {title: x}", "feeds:", "feeds: [nonsense]", "feeds: []\nlists: [none.opml]", "[", "<html>"]
    {
      let kept = try await planet.build(text, days: 2)
      #expect(!kept.hasNone && kept.pages == nil, "\(text)")
      #expect(try planet.titles() == ["One", "Two", "Three"], "\(text)")
    }
    for _ in 1...2 {
      let emptied = try await planet.build("feeds: []", days: 2)
      #expect(emptied.hasNone && emptied.pages != nil)
      #expect(try planet.titles().isEmpty)
    }
    #expect(try await planet.publishedAnew() == planet.contents())
    _ = try await planet.build(both, days: 2)
    #expect(try planet.titles() == ["One", "Two", "Three"])
  }

  @Test func passwordsOfListsAndFeedsAreNotPublished() async throws {
    let list = "https://lists.example/blogs.opml"
    planet.web[list] = .document(
      """
      <opml version='2.0'><head><ownerId>https://me:secret@own.example/</ownerId></head><body>
      <outline text='https://me:secret@a.example/FEED' xmlUrl='https://me:secret@a.example/feed'
        htmlUrl='https://me:secret@a.example/'/>
      <outline text='B' xmlUrl='\(b)'/></body></opml>
      """)
    planet.web[b] = .document(
      TestPlanet.feed(
        "B", ["Three"],
        head: "<link>https://me:secret@b.example/</link><image><url>https://me:secret@b.example/i.png</url></image>"))
    _ = try await planet.build("lists: ['\(list)']")
    #expect(try planet.titles() == ["One", "Two", "Three"])
    for (path, text) in try planet.contents() { #expect(!text.contains("secret"), "\(path)") }
  }

  @Test func unreadableListIsReportedWithReason() async throws {
    let list = "https://lists.example/blogs.opml"
    planet.web[list] = .document("<html><body>Nothing here")
    for days in [0, 0] as [Int64] {
      let report = try await planet.build("feeds: [\(a)]\nlists: ['\(list)']", days: days)
      let said = report.ingest?.findings.filter { $0.location.file == list } ?? []
      #expect(said.contains { $0.message.contains("this is not OPML: the root element is <html>") }, "\(said)")
    }
  }

  @Test func movedFeedKeepsItsIdentity() async throws {
    _ = try await planet.build(both)
    let before = try planet.pages()
    let new = "https://new.example/a"
    planet.web[new] = planet.web[a]
    planet.web[a] = .redirect(301, to: new)
    _ = try await planet.build(both, days: 2)
    #expect(try planet.status(of: "A")["moved_to"] as? String == new, "once may be a mistake")
    _ = try await planet.build(both, days: 2)
    _ = planet.web.takeRequests()
    _ = try await planet.build(both, days: 2)
    #expect(planet.web.takeRequests().map(\.address) == [b, new])
    #expect(try planet.pages() == before)
    // Now the configuration says it, too.
    let edited = try await planet.build("feeds: [\(new), \(b)]", days: 2)
    #expect(edited.ingest?.count(.new) == 0)
    #expect(try planet.status(of: "A")["moved_to"] as? String == nil)
    let after = try planet.pages()
    #expect(Set(after.keys) == Set(before.keys))
    #expect(planet.web.takeRequests().map(\.address) == [b, new])
    #expect(try await planet.publishedAnew() == planet.contents())
  }

  @Test func removedFeedDisappearsAndReturnsWhenAddedAgain() async throws {
    _ = try await planet.build(both)
    let before = try planet.pages()
    _ = try await planet.build("feeds: [\(b)]", days: 2)
    #expect(try planet.titles() == ["Three"])
    #expect(try planet.contents().keys.contains { $0.hasPrefix("posts/a") } == false)
    _ = try await planet.build(both, days: 2)
    #expect(try planet.titles() == ["One", "Two", "Three"])
    #expect(try Set(planet.pages().keys) == Set(before.keys))
    // A configuration with a mistake may say less than was meant.
    _ = try await planet.build("feeds: [\(b), 'nonsense']", days: 2)
    #expect(try planet.titles() == ["One", "Two", "Three"])
    // What is switched off is not asked, and stays.
    _ = planet.web.takeRequests()
    let off = try await planet.build("feeds: [{address: \"\(a)\", off: yes}, \(b)]", days: 2)
    #expect(off.ingest?.fetching[.off] == 1 && planet.web.takeRequests().map(\.address) == [b])
    #expect(try planet.titles() == ["One", "Two", "Three"])
  }

  @Test func documentOfKilledRunIsRecorded() async throws {
    let download = try FetchFolder(FilePath("\(planet.folder.path)/site.archive.fetched")).begin(a)
    try download.add(Array(TestPlanet.feed("A", ["Kept"]).utf8))
    try download.finish(FetchAnswer(.document, address: a))
    let report = try await planet.build(both)
    #expect(planet.web.takeRequests().map(\.address) == [b])
    #expect(report.ingest?.fetching == [.fetched: 2])
    #expect(try planet.titles() == ["Kept", "Three"])
    #expect(planet.hasNothingLeft)
  }

  @Test func buildWithoutFetchingSendsNoRequests() async throws {
    planet.extent = .none
    let report = try await planet.build(both)
    #expect(report.ingest?.fetching == [.notDue: 2] && planet.web.takeRequests().isEmpty)
  }

  /// A site is published only after a feed has been read once, however often the build runs.
  @Test func planetWithoutReadFeedsPublishesNoSite() async throws {
    for address in [a, b] { planet.web[address] = .failure(500) }
    for days: Int64 in [0, 0, 2] {
      let report = try await planet.build(both, days: days)
      #expect(report.ingest?.isEmpty == true && report.pages == nil && !report.hasNone, "\(report)")
    }
    planet.web[a] = .document(TestPlanet.feed("A", ["One"]))
    #expect(try await planet.build(both, days: 8).pages != nil)
    planet.web[a] = .failure(500)
    #expect(try await planet.build(both, days: 2).pages != nil, "what was read is shown")
  }

  /// The server would say that a document has not changed of which only a part has come.
  @Test func cutOffDocumentIsNotConfirmed() async throws {
    let whole = TestPlanet.feed("A", ["One", "Two"])
    let end = try #require(whole.range(of: "Two")).lowerBound
    planet.web[a] = .document(String(whole[..<end]), etag: "7")
    for _ in 1...2 { _ = try await planet.build("feeds: [\(a)]", days: 2) }
    planet.web[a] = .document(whole, etag: "7")
    _ = try await planet.build("feeds: [\(a)]", days: 2)
    #expect(try planet.titles() == ["One", "Two"])
    _ = planet.web.takeRequests()
    _ = try await planet.build("feeds: [\(a)]", days: 2)
    #expect(planet.web.takeRequests().map(\.isOnCondition) == [true])
  }

  // MARK: - Lists on the web

  @Test func unreadableListRemovesNoFeeds() async throws {
    let list = "https://lists.example/blogs.opml"
    let configuration = "lists: [\"\(list)\"]"
    func opml(_ addresses: [String]) -> String {
      "<opml version='2.0'><body>" + addresses.map { "<outline text='x' xmlUrl='\($0)'/>" }.joined() + "</body></opml>"
    }
    planet.web[list] = .document(opml([a, b]))
    _ = try await planet.build(configuration)
    #expect(try planet.titles() == ["One", "Two", "Three"])
    let program = "touch \(planet.folder.path)/was-run"
    let filters = "filters: [{program: {command: [sh, -c, '\(program)']}}]"
    let hostile = "feeds: [{address: '\(b)', \(filters)}]\n\(filters)\n"
    let isCut = String(opml([a, b]).prefix(90))
    for page in [TestWeb.Page.failure(500), .failure(410), .document(hostile), .document(""), .document(isCut)] {
      planet.web[list] = page
      _ = planet.web.takeRequests()
      let report = try await planet.build(configuration, days: 8)
      #expect(report.ingest?.findings.first?.location.file == list)
      #expect(try planet.titles() == ["One", "Two", "Three"], "\(page.body)")
      #expect(Set(planet.web.takeRequests().map(\.address)) == [list, a, b], "\(page.body)")
    }
    #expect(!FileManager.default.fileExists(atPath: "\(planet.folder.path)/was-run"), "nobody else says what is run")
    // A list with a slip has all of its feeds, and is taken.
    planet.web[list] = .document(opml([a, b]).replacing("text='x'", with: "text='x & y'"))
    let slipped = try await planet.build(configuration, days: 8)
    #expect(slipped.ingest?.findings.contains { $0.message.contains("the one before is kept") } == false)
    planet.web[list] = .document(opml([a, b]))
    _ = try await planet.build(configuration, days: 8)
    // An address that is none costs only itself.
    planet.web[list] = .document(opml([b, "gopher://c.example/feed"]))
    _ = try await planet.build(configuration, days: 8)
    #expect(try planet.titles() == ["Three"])
  }
}

extension TestPlanet {
  /// Whether no document lies beside the archive any more.
  fileprivate var hasNothingLeft: Bool {
    !FileManager.default.fileExists(atPath: "\(folder.path)/site.archive.fetched")
  }
}
