import Tamis
import TestSupport
import Testing

/// Runs while this machine has no network: no feed is to blame.
@Suite struct OfflineTests {
  private let planet: TestPlanet
  private let addresses = ["a", "b", "c", "d", "e"].map { "https://\($0).example/feed" }
  private var feeds: String { "feeds: [\(addresses.joined(separator: ", "))]" }

  init() throws {
    planet = try TestPlanet()
    for address in addresses { planet.web[address] = Self.document(address) }
  }

  private static func document(_ address: String) -> TestWeb.Page {
    .document(TestPlanet.feed(address, ["One at \(address)"]))
  }

  private func lose(_ lost: some Sequence<String>, _ reason: FetchProblem.Reason = .resolve) {
    for address in lost { planet.web[address] = .unreachable(reason) }
  }

  private func codes(_ report: SiteBuild.Report) -> [String]? {
    report.ingest?.findings.filter { $0.severity == .error }.map(\.code)
  }

  @Test(arguments: [FetchProblem.Reason.resolve, .connect, .tls, .timeout])
  func networkOutageIsReportedOnce(_ reason: FetchProblem.Reason) async throws {
    _ = try await planet.build(feeds)
    let before = try planet.pages()
    lose(addresses, reason)
    for _ in 0..<3 {
      let away = try await planet.build(feeds, days: 2)
      #expect(codes(away) == ["fetch.offline"] && away.ingest?.failed == 5)
      #expect(away.ingest?.findings.first?.message.contains("5 feeds") == true)
      planet.now += 60
    }
    #expect(try planet.pages() == before)
    #expect(try planet.status(of: addresses[0])["state"] as? String == "ok")
    for address in addresses { planet.web[address] = Self.document(address) }
    _ = planet.web.takeRequests()
    let back = try await planet.build(feeds)
    #expect(codes(back) == [] && planet.web.takeRequests().count == 5, "all are due at once")
  }

  /// A name server may fail in the middle of a run.
  @Test func failureOfMostWorkingFeedsCountsAsOutage() async throws {
    _ = try await planet.build(feeds)
    lose(addresses.prefix(3))
    #expect(codes(try await planet.build(feeds, days: 2)) == ["fetch.offline"])
  }

  @Test func fewFailingFeedsAreReportedIndividually() async throws {
    _ = try await planet.build(feeds)
    lose(addresses.prefix(2))
    #expect(codes(try await planet.build(feeds, days: 2)) == ["fetch.resolve", "fetch.resolve"])
    // Those that failed before say nothing of the network.
    lose(addresses.prefix(3))
    let third = try await planet.build(feeds, days: 2)
    #expect(codes(third)?.contains("fetch.offline") == false)
  }

  /// A new planet may subscribe to an old list, most of whose feeds no longer exist.
  @Test func deadFeedsOfNewPlanetAreReportedIndividually() async throws {
    lose(addresses.prefix(4))
    #expect(codes(try await planet.build(feeds)) == Array(repeating: "fetch.resolve", count: 4))
    _ = planet.web.takeRequests()
    planet.now += 60
    _ = try await planet.build(feeds)
    #expect(planet.web.takeRequests().isEmpty)
  }

  @Test func singleFailingFeedIsNotAnOutage() async throws {
    lose(addresses)
    #expect(codes(try await planet.build("feeds: [\(addresses[0])]")) == ["fetch.resolve"])
  }

  /// A server that answers, even with an error status, has been reached.
  @Test func httpErrorCountsAsOnline() async throws {
    lose(addresses.dropFirst())
    planet.web[addresses[0]] = .failure(500)
    let report = try await planet.build(feeds)
    #expect(codes(report)?.contains("fetch.offline") == false)
  }

  @Test func newlyAllowlistedAddressIsRequestedAtOnce() async throws {
    let own = "http://127.0.0.1/feed"
    planet.web[own] = Self.document(own)
    #expect(codes(try await planet.build("feeds: [\(own)]")) == ["fetch.forbidden"])
    planet.now += 60
    let again = try await planet.build("feeds: [\(own)]")
    #expect(again.ingest?.fetching == [.notDue: 1])
    let allowed = try await planet.build("fetch: { allow: [127.0.0.1] }\nfeeds: [\(own)]")
    #expect(codes(allowed) == [] && allowed.ingest?.fetching == [.fetched: 1])
  }

  @Test(
    arguments: [
      // What a feed says of itself, where it came from, and what the list of feeds names.
      ("https://a.example/dead", nil, "https://a.example/feed"),
      ("https://a.example/new", "https://a.example/new", "https://a.example/new"),
      ("https://other.example/feed", "https://a.example/new", "https://a.example/feed"),
    ] as [(String, String?, String)])
  func opmlNamesWorkingFeedURL(_ own: String, _ target: String?, _ listed: String) async throws {
    let text = TestPlanet.feed("A", ["One"], head: "<link rel='self' href='\(own)'/>")
    planet.web[target ?? addresses[0]] = .document(text)
    if let target { planet.web[addresses[0]] = .redirect(302, to: target) }
    _ = try await planet.build("feeds: [\(addresses[0])]")
    #expect(try planet.contents()["feeds.opml"]?.contains("xmlUrl=\"\(listed)\"") == true)
  }
}
