import Foundation
import Tamis
import TestSupport
import Testing

/// What settings and filters make of posts, and what happens when they change.
@Suite struct PlanetSettingTests {
  private let planet: TestPlanet
  private let a = "https://a.example/feed"

  init() throws {
    planet = try TestPlanet()
    planet.web[a] = .document(TestPlanet.feed("A", ["One", "Two"]), etag: "1")
  }

  private func configuration(_ settings: String) -> String { "feeds:\n  - {address: \"\(a)\", \(settings)}\n" }

  @Test(arguments: [
    ("title: Another name", "feeds/a-example.html", "Another name"), ("tags: [weather]", "tags/weather.html", "One"),
    ("category: News", "index.html", "News"), ("filters: [{drop: {words: [two]}}]", "status.html", "1 post"),
    ("filters: [{rename: {replace: One, with: First}}]", "index.html", ">First</a>"),
  ])
  func whatChangesIsReadAgain(_ settings: String, _ page: String, _ words: String) async throws {
    _ = try await planet.build(configuration("title: A"))
    let before = try planet.contents()
    #expect(before[page]?.contains(words) != true)
    _ = planet.web.takeRequests()
    planet.now += 60
    // It is not due, and would be answered with "not modified".
    _ = try await planet.build(configuration(settings))
    let requests = planet.web.takeRequests()
    #expect(requests.count == 1 && requests.allSatisfy { !$0.isOnCondition })
    let after = try planet.contents()
    #expect(after[page]?.contains(words) == true, "\(after.keys.sorted())")
    #expect(try await planet.publishedAnew() == after)
    // The same again is no reason to ask.
    planet.now += 60
    _ = try await planet.build(configuration(settings))
    #expect(planet.web.takeRequests().isEmpty)
    planet.now += 60
    _ = try await planet.build(configuration("title: A"))
    #expect(try planet.pages().keys.sorted() == before.keys.filter { !$0.hasPrefix("status") }.sorted())
    #expect(try planet.pages()["index.html"] == before["index.html"])
  }

  @Test func whatWasHeldBackComesBackWithoutTheRule() async throws {
    let held = try await planet.build(configuration("filters: [{drop: {words: [two]}}]"))
    #expect(held.ingest?.count(.heldBack) == 1 && held.ingest?.events.map(\.word) == ["new", "held-back"])
    #expect(try planet.titles() == ["One"])
    #expect(try planet.contents().keys.count { $0.hasPrefix("posts/") && $0.hasSuffix(".html") } == 1)
    planet.now += 60
    _ = try await planet.build(configuration("title: A"))
    #expect(try planet.titles() == ["One", "Two"])
    planet.now += 60
    _ = try await planet.build(configuration("max-posts: 1"))
    #expect(try planet.titles() == ["One"])
    #expect(try await planet.publishedAnew() == planet.contents())
  }

  @Test func aDateWithoutAZoneIsReadInThatOfItsFeed() async throws {
    let item = "<item><guid>1</guid><title>Noon</title><pubDate>2026-03-01 12:00:00</pubDate></item>"
    planet.web[a] = .document("<rss version='2.0'><channel><title>A</title>\(item)</channel></rss>")
    _ = try await planet.build(configuration("time-zone: UTC"))
    #expect(try planet.posts().first?["date_published"] as? String == "2026-03-01T12:00:00Z")
    planet.now += 60
    _ = try await planet.build(configuration("time-zone: Europe/Vienna"))
    #expect(try planet.posts().first?["date_published"] as? String == "2026-03-01T11:00:00Z")
  }

  // MARK: - Programs

  private func program(seconds: Int) -> String {
    "filters: [{program: {command: [./filter, --strictly], time: \(seconds)s}}]"
  }

  /// Two feeds with a program each: in one it has time enough on any machine, in the other it hangs for longer than it may.
  private var programs: String {
    let hanging = "  - {address: \"https://b.example/feed\", \(program(seconds: 1))}\n"
    return configuration(program(seconds: 600)) + hanging
  }

  @Test func programsDecideAndChangeWithinTheirLimits() async throws {
    let titles = ["Plain", "Dropped", "Changed", "Failing", "Flooding", "Babbling"]
    planet.web[a] = .document(TestPlanet.feed("A", titles), etag: "1")
    planet.web["https://b.example/feed"] = .document(TestPlanet.feed("B", ["Hanging", "Lingering"]), etag: "1")
    let changed =
      #"{"title":"Other","tags":["by-program"],"html":"<p onclick=\"x()\">Seen</p><script>alert(1)</script>"}"#
    try planet.write(
      program: """
        test "$1" = --strictly || exit 9
        read -r line
        case "$line" in
        *'"title":"Dropped"'*) ;;
        *'"title":"Changed"'*) printf '%s' '\(changed)' ;;
        *'"title":"Failing"'*) echo 'no luck' >&2; exit 3 ;;
        *'"title":"Hanging"'*) sleep 3600 ;;
        *'"title":"Lingering"'*) exec >&- 2>&-; sleep 3600 ;;
        *'"title":"Flooding"'*) yes ;;
        *'"title":"Babbling"'*) echo hello ;;
        *) printf '%s\\n' "$line" ;;
        esac
        """, "filter")
    let report = try #require(try await planet.build(programs).ingest)
    #expect(try planet.titles() == ["Plain", "Other"])
    let failures = report.findings.filter { $0.code == "filter.failed" }
    #expect(failures.count == 5)
    for words in ["no luck", "longer than", "said more than", "no JSON object"] {
      #expect(failures.contains { $0.message.contains(words) }, "\(words): \(failures)")
    }
    let other = try #require(try planet.posts().first { $0["title"] as? String == "Other" })
    #expect(other["content_html"] as? String == "<p>Seen</p>" && other["tags"] as? [String] == ["by-program"])
    #expect(try planet.contents().values.allSatisfy { !$0.contains("alert(1)") && !$0.contains("onclick") })
  }

  /// What nobody could decide about is decided when somebody can: that is asked for again, when it is due.
  @Test func whatNobodyCouldDecideIsDecidedLater() async throws {
    try planet.write(program: "test -e ready || exit 3; cat", "filter")
    _ = try await planet.build(configuration(program(seconds: 600)))
    #expect(try planet.titles().isEmpty)
    try planet.write("", "ready")
    _ = planet.web.takeRequests()
    planet.now += 60
    _ = try await planet.build(configuration(program(seconds: 600)))
    #expect(planet.web.takeRequests().isEmpty)
    _ = try await planet.build(configuration(program(seconds: 600)), days: 2)
    #expect(planet.web.takeRequests().map(\.isOnCondition) == [false])
    #expect(try planet.titles() == ["One", "Two"])
    #expect(try await planet.publishedAnew() == planet.contents())
  }

  @Test func aProgramThatIsAnotherIsAskedAtOnce() async throws {
    try planet.write(program: "true", "filter")
    _ = try await planet.build(configuration(program(seconds: 600)))
    #expect(try planet.titles().isEmpty)
    try planet.write(program: "cat", "filter")
    planet.now += 60
    _ = try await planet.build(configuration(program(seconds: 600)))
    #expect(try planet.titles() == ["One", "Two"])
  }

  @Test func aProgramThatIsNotThereHoldsBackAndSaysSo() async throws {
    let report = try #require(try await planet.build(configuration(program(seconds: 600))).ingest)
    #expect(report.findings.count { $0.code == "filter.failed" && $0.message.contains("./filter") } == 2)
    #expect(report.count(.heldBack) == 2)
    // With another rule there is no reason to wait.
    planet.now += 60
    _ = try await planet.build(configuration("filters: [{program: {command: [cat]}}]"))
    #expect(try planet.titles() == ["One", "Two"])
  }
}
