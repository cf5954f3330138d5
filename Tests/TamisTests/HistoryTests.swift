import Tamis
import TestSupport
import Testing

/// The posts before those of a feed's document.
@Suite struct HistoryTests {
  private static let address = "https://blog.example/feed"
  private static let configuration = "defaults: {history: true}\nfeeds: [\(address)]\n"

  private static func page(_ posts: [String], next: String? = nil, generator: String? = nil) -> TestWeb.Page {
    let link = next.map { "<atom:link xmlns:atom=\"http://www.w3.org/2005/Atom\" rel=\"next\" href=\"\($0)\"/>" } ?? ""
    let program = generator.map { "<generator>\($0)</generator>" } ?? ""
    return .document(TestPlanet.feed("Blog", posts, head: link + program))
  }

  /// A planet with a blog of three pages.
  private static func planet() throws -> TestPlanet {
    let planet = try TestPlanet()
    planet.web[address] = page(["Fog", "Mill"], next: "/feed/2")
    planet.web["https://blog.example/feed/2"] = page(["Mill", "Harbour"], next: "https://blog.example/feed/3")
    planet.web["https://blog.example/feed/3"] = page(["Lantern"])
    return planet
  }

  @Test func allPagesAreReadOnce() async throws {
    let planet = try Self.planet()
    let report = try await planet.build(Self.configuration)
    #expect(try planet.titles() == ["Fog", "Mill", "Harbour", "Lantern"])
    #expect(report.ingest?.earlierDocuments == 2)
    #expect(report.ingest?.count(.backfill) == 2)
    #expect(planet.web.takeRequests().count == 3)
    // They are not in the feed's document, and stay.
    _ = try await planet.build(Self.configuration, days: 1)
    #expect(planet.web.takeRequests().map(\.address) == [Self.address])
    #expect(try planet.titles().count == 4)
    #expect(try await planet.publishedAnew() == planet.contents())
  }

  @Test func nothingIsAskedUnlessItIsWanted() async throws {
    let planet = try Self.planet()
    _ = try await planet.build("feeds: [\(Self.address)]\n")
    #expect(try planet.titles() == ["Fog", "Mill"])
    // It may be wanted later, when the feed is not due and has not changed.
    _ = try await planet.build(Self.configuration)
    #expect(try planet.titles().count == 4)
  }

  @Test func knownPostsStayAsTheyAre() async throws {
    let planet = try Self.planet()
    planet.web["https://blog.example/feed/2"] = .document(
      TestPlanet.feed("Blog", ["Mill"]).replacing("Words of Mill in Blog", with: "Other words that are quite long"))
    let report = try await planet.build(Self.configuration)
    #expect(report.ingest?.count(.known) == 1)
    #expect(report.ingest?.count(.updated) == 0)
    #expect(try planet.posts().allSatisfy { ($0["content_html"] as? String)?.contains("Other words") != true })
  }

  @Test func numberedPagesOfWordPressAreTried() async throws {
    let planet = try TestPlanet()
    let program = "https://wordpress.org/?v=6.6"
    planet.web[Self.address] = Self.page(["Fog"], generator: program)
    planet.web["\(Self.address)?paged=2"] = Self.page(["Mill"], generator: program)
    let report = try await planet.build(Self.configuration)
    #expect(try planet.titles() == ["Fog", "Mill"])
    // The page behind the last is missing, which is no fault.
    #expect(planet.web.takeRequests().map(\.address).last == "\(Self.address)?paged=3")
    #expect(report.ingest?.findings.isEmpty == true)
  }

  @Test(arguments: [address, "/feed/2", "/feed/3", "https://other.example/feed"])
  func aWayThatDoesNotEndEnds(next: String) async throws {
    let planet = try Self.planet()
    planet.web["https://blog.example/feed/3"] = Self.page(["Lantern"], next: next)
    planet.web["https://other.example/feed"] = Self.page(["Stranger"])
    let report = try await planet.build(Self.configuration)
    #expect(try planet.titles().count == 4)
    #expect(planet.web.takeRequests().count == 3)
    let isElsewhere = next.contains("other")
    #expect(report.ingest?.findings.map(\.code) == (isElsewhere ? ["history.elsewhere"] : []))
  }

  @Test func aPageThatRepeatsEndsTheWay() async throws {
    let planet = try Self.planet()
    for number in 3...20 {
      planet.web["https://blog.example/feed/\(number)"] = Self.page(["Lantern"], next: "/feed/\(number + 1)")
    }
    _ = try await planet.build(Self.configuration)
    #expect(planet.web.takeRequests().count == 4)
  }

  @Test func aPageThatFailsIsAskedForAgain() async throws {
    let planet = try Self.planet()
    let third = planet.web["https://blog.example/feed/3"]
    planet.web["https://blog.example/feed/3"] = .failure(503)
    var report = try await planet.build(Self.configuration)
    #expect(try planet.titles() == ["Fog", "Mill", "Harbour"])
    #expect(report.ingest?.findings.map(\.code) == ["history.broken"])
    planet.web["https://blog.example/feed/3"] = third
    _ = try await planet.build(Self.configuration)
    #expect(try planet.titles().count == 3)
    report = try await planet.build(Self.configuration, days: 1)
    #expect(try planet.titles().count == 4)
    #expect(report.ingest?.findings.isEmpty == true)
  }

  @Test func aPageThatKeepsFailingIsGivenUp() async throws {
    let planet = try Self.planet()
    planet.web["https://blog.example/feed/2"] = .failure(404)
    var severities: [Finding.Severity] = []
    for _ in 1...8 {
      let report = try await planet.build(Self.configuration, days: 4)
      severities += report.ingest?.findings.map(\.severity) ?? []
    }
    #expect(severities == [.note, .note, .note, .note, .note, .warning])
  }

  @Test func whatCameAndWentMeanwhileIsRead() async throws {
    let planet = try Self.planet()
    _ = try await planet.build(Self.configuration)
    planet.web[Self.address] = Self.page(["Tide", "Rope"], next: "/feed/2")
    planet.web["https://blog.example/feed/2"] = Self.page(["Kelp", "Fog"], next: "/feed/3")
    planet.web["https://blog.example/feed/3"] = Self.page(["Mill", "Harbour"], next: "/feed/4")
    _ = try await planet.build(Self.configuration, days: 1)
    _ = planet.web.takeRequests()
    _ = try await planet.build(Self.configuration, days: 1)
    #expect(try planet.titles() == ["Tide", "Rope", "Kelp", "Fog", "Mill", "Harbour", "Lantern"])
    _ = planet.web.takeRequests()
    _ = try await planet.build(Self.configuration, days: 1)
    #expect(planet.web.takeRequests().map(\.address) == [Self.address])
  }

  @Test func theFeedsOfTheSiteLeadToItsFirstPost() async throws {
    let planet = try TestPlanet()
    planet.publishesHistory = true
    let posts = (1...230).map { "Post\($0)" }
    planet.web[Self.address] = Self.page(Array(posts[80...]))
    _ = try await planet.build("feeds: [\(Self.address)]\n")
    var files = try planet.contents()
    let first = try #require(files["history/1.xml"])
    #expect(first.contains("<fh:archive/>") && !first.contains("prev-archive"))
    #expect(files["atom.xml"]?.contains("\"prev-archive\" href=\"https://planet.example/history/2.xml\"") == true)
    #expect(files["rss.xml"]?.contains("\"prev-archive\" href=\"https://planet.example/history/2.xml\"") == true)
    #expect(files["feed.json"]?.contains("\"next_url\":\"https://planet.example/history/2.json\"") == true)
    #expect(try await planet.publishedAnew() == files)
    // Documents that are full stay as they are.
    planet.web[Self.address] = Self.page(posts)
    _ = try await planet.build("feeds: [\(Self.address)]\n", days: 1)
    files = try planet.contents()
    #expect(files["history/1.xml"] == first)
    #expect(files["history/3.xml"]?.contains("history/2.xml") == true)
    #expect(try await planet.publishedAnew() == files)
    planet.publishesHistory = false
    _ = try await planet.build("feeds: [\(Self.address)]\n", days: 1)
    #expect(try !planet.contents().keys.contains { $0.hasPrefix("history/") })
  }
}
