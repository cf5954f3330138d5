import Foundation
import Tamis
import TestSupport
import Testing

/// Feeds into a folder, for other programs.
@Suite struct FeedFetchTests {
  private let planet: TestPlanet
  private let address = "https://a.example/feed"

  init() throws {
    planet = try TestPlanet()
    planet.web[address] = .document(TestPlanet.feed("A", ["One"]), etag: "1")
  }

  private var into: FilePath { FilePath("\(planet.folder.path)/feeds") }

  private func fetch(_ address: String, days: Int64 = 0) async throws -> FeedFetch.Line {
    planet.now += days * TestPlanet.day
    var options = SiteBuild.FetchOptions()
    (options.otherTransport, options.pacing.delay) = (planet.web, 0)
    let fetch = FeedFetch(
      options, archive: FilePath("\(planet.folder.path)/feeds.archive"), into: into, now: planet.now)
    return try #require(try await fetch.run([Planet.Subscription(try Planet.Address(address))]).first)
  }

  // MARK: - One document

  private func fetcher(maximumBytes: Int = 1 << 20) throws -> DocumentFetcher {
    var options = SiteBuild.FetchOptions()
    (options.otherTransport, options.pacing.delay) = (planet.web, 0)
    return try DocumentFetcher(options, maximumBytes: maximumBytes)
  }

  @Test func documentIsFetchedWithURLAndHeaders() async throws {
    planet.web["https://b.example/old"] = .redirect(301, to: address)
    let document = try await fetcher().document(at: "https://b.example/old")
    #expect(document.url == address && document.header("ETag") == "\"1\"")
    #expect(try Pipeline().process(document).posts.map(\.title) == ["One"])
  }

  @Test(arguments: [
    "https://127.0.0.1/feed", "https://[::1]/", "https://10.0.0.1/", "https://169.254.169.254/", "file:///etc/passwd",
    "not a URL", "https://a.example/missing", "https://c.example/inside", "https://a.example/large",
  ])
  func documentThatMustNotBeFetchedIsRefused(_ address: String) async throws {
    planet.web["https://c.example/inside"] = .redirect(302, to: "https://192.168.0.1/")
    planet.web["https://a.example/large"] = .document(String(repeating: "a", count: 2000))
    let fetcher = try fetcher(maximumBytes: 1000)
    let failure = await #expect(throws: DocumentFetcher.Failure.self) { _ = try await fetcher.document(at: address) }
    #expect(failure?.description.hasPrefix(address + ": ") == true)
  }

  @Test func misspelledNetworkIsRefused() {
    let failure = #expect(throws: DocumentFetcher.Failure.self) {
      _ = try DocumentFetcher(allowing: ["192.168.0.0/99"])
    }
    #expect(failure?.description.hasPrefix("192.168.0.0/99: ") == true)
  }

  private func finding(of line: FeedFetch.Line) -> Finding? {
    FetchedFeed.findings(of: [line.feed], now: planet.now).first
  }

  private func stored(_ ending: String = "") throws -> String {
    try String(contentsOfFile: FetchFolder(into).file(for: address).description + ending, encoding: .utf8)
  }

  @Test func fetchedDocumentIsStoredWithURLAndHeaders() async throws {
    let line = try await fetch("https://ann:secret@a.example/feed")
    #expect(line.feed.word == .fetched && finding(of: line) == nil)
    #expect(try stored() == TestPlanet.feed("A", ["One"]) && stored(".url") == address + "\n")
    #expect(try stored(".headers").hasPrefix("HTTP/1.1 200\r\nETag: \"1\"\r\n"))
    let request = try #require(planet.web.takeRequests().first)
    #expect(request.address == address && request.credentials?.password.revealed == "secret")
    #expect(try await fetch("https://ann:secret@a.example/feed").feed.word == .notDue)
    // The server sees what is asked in its own place only.
    planet.web["https://b.example/"] = planet.web[address]
    planet.web[address] = .redirect(302, to: "https://b.example/")
    _ = try await fetch("https://ann:secret@a.example/feed", days: 2)
    #expect(planet.web.takeRequests().map(\.credentials?.name.revealed) == ["ann", nil])
    #expect(try stored(".url") == "https://b.example/\n")
  }

  @Test func removedDocumentIsFetchedAgain() async throws {
    _ = try await fetch(address)
    #expect(try await fetch(address, days: 2).feed.word == .notModified)
    FetchFolder(into).remove(address)
    #expect(try await fetch(address).feed.word == .fetched)
    #expect(try stored() == TestPlanet.feed("A", ["One"]))
  }

  @Test func failedFetchPreservesStoredDocument() async throws {
    _ = try await fetch(address)
    planet.web[address] = .document("<title>Parked</title>")
    let line = try await fetch(address, days: 2)
    #expect(line.feed.word == .failed && finding(of: line)?.code == "fetch.not-a-feed")
    #expect(try stored() == TestPlanet.feed("A", ["One"]))
    var writer = JSONWriter()
    writer.fetched(line)
    let object = try #require(JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any])
    #expect(object["outcome"] as? String == "failed" && object["reason"] as? String == "not-a-feed")
    #expect(object["status"] as? Int == 200 && object["requests"] as? Int == 1)
    #expect((object["next"] as? Int64 ?? 0) > planet.now)
  }

  /// A document fetched and recorded in the same second is recognized even if its Last-Modified is in the future.
  @Test func recordedDocumentIsNotTakenForLeftover() async throws {
    let fromTheFuture = HeaderField(name: "Last-Modified", value: "Fri, 01 Jan 2100 00:00:00 GMT")
    planet.now = 4_100_000_000
    planet.web[address]?.fields = [fromTheFuture]
    _ = try await fetch(address)
    let time = Date(timeIntervalSince1970: Double(planet.now))
    try FileManager.default.setAttributes(
      [.modificationDate: time], ofItemAtPath: FetchFolder(into).file(for: address).description)
    _ = planet.web.takeRequests()
    #expect(try await fetch(address).feed.word == .notDue)
    #expect(try await fetch(address, days: 100).feed.word == .fetched)
    #expect(planet.web.takeRequests().count == 1)
  }
}
