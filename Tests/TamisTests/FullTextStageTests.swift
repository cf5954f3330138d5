import Foundation
import Tamis
import TamisHTML
import TestSupport
import Testing

/// Builds whose feeds have teasers: which pages are asked for, what is shown, and what is remembered.
@Suite struct FullTextStageTests {
  private let planet: TestPlanet
  private let a = "https://gazette.example/feed"
  private let reef = "https://gazette.example/reef"
  private let bread = "https://gazette.example/bread"
  private static let teaser =
    "The old lighthouse on the northern reef will be lit again next spring, after forty years […]"
  private static let other =
    "Sourdough wants time more than it wants flour, and most of all it wants to be left alone […]"

  init() throws {
    planet = try TestPlanet()
    planet.web[a] = .document(feed([("The reef is lit again", reef, Self.teaser)]), etag: "1")
    planet.web[reef] = try page("reef.html")
  }

  private func page(_ name: String) throws -> TestWeb.Page {
    .document(try String(contentsOf: Fixtures.url("FullText/\(name)"), encoding: .utf8))
  }

  private func feed(_ entries: [(title: String, link: String, text: String)], _ name: String = "Gazette") -> String {
    let items = entries.map {
      """
      <item><title>\($0.title)</title><link>\($0.link)</link><guid>\($0.link)</guid><description>\($0.text)</description></item>
      """
    }
    return "<rss version='2.0'><channel><title>\(name)</title>\(items.joined())</channel></rss>"
  }

  private func configuration(_ setting: String?) -> String {
    "feeds:\n  - {address: \"\(a)\"\(setting.map { ", full-text: \($0)" } ?? "")}\n"
  }

  private func html(_ title: String = "The reef is lit again") throws -> String {
    let post = try planet.posts().first { $0["title"] as? String == title }
    return post?["content_html"] as? String ?? ""
  }

  private func asked() -> [String] { planet.web.takeRequests().map(\.address) }

  @Test func teasersAreReplacedByArticles() async throws {
    let report = try await planet.build(configuration("when-short"))
    #expect(asked() == [a, reef])
    #expect(report.ingest?.pages == 1 && report.ingest?.findings.contains { $0.code == "article.filled" } == true)
    #expect(try html().contains("sailors keep to the buoys"))
    // The feed's own words stay the excerpt.
    #expect(try planet.posts().first?["summary"] as? String == Self.teaser)
    #expect(try await planet.publishedAnew() == planet.contents())
    // What is known is not asked for again, and nothing is read again.
    let again = try await planet.build(configuration("when-short"), days: 1)
    #expect(planet.web.takeRequests().map(\.isOnCondition) == [true])
    #expect(again.ingest?.unchanged == 1 && again.ingest?.pages == 0)
    #expect(try html().contains("sailors keep to the buoys"))
    // A new entry is another page; the known one is not asked for again, and is known as what it was.
    let entries = [("Bread for the patient", bread, Self.other), ("The reef is lit again", reef, Self.teaser)]
    planet.web[a] = .document(feed(entries), etag: "2")
    planet.web[bread] = try page("bread.html")
    let more = try await planet.build(configuration("when-short"), days: 1)
    #expect(asked() == [bread, a])
    #expect(more.ingest?.events.map(\.word) == ["new", "known"])
    #expect(try html("Bread for the patient").contains("on the second day than on the first"))
    #expect(try html().contains("sailors keep to the buoys"))
    // What has left the feed stays as it was recorded.
    planet.web[a] = .document(feed([entries[0]]), etag: "3")
    _ = try await planet.build(configuration("when-short"), days: 1)
    #expect(asked() == [a])
    #expect(try html().contains("sailors keep to the buoys"))
    #expect(try await planet.publishedAnew() == planet.contents())
  }

  /// An unchanged feed is read again when one of its pages has been fetched.
  @Test func pageFetchedLaterReplacesTeaser() async throws {
    planet.web[reef] = .failure(500)
    let report = try await planet.build(configuration("yes"))
    #expect(asked() == [a, reef])
    let codes = Set((report.ingest?.findings ?? []).map(\.code).filter { $0.hasPrefix("pages.") })
    #expect(codes == ["pages.http", "pages.missing"])
    #expect(try html().contains("forty years") && !html().contains("buoys"))
    planet.web[reef] = try page("reef.html")
    planet.now += 60
    _ = try await planet.build(configuration("yes"))
    #expect(asked().isEmpty)
    planet.now += 3600
    _ = try await planet.build(configuration("yes"))
    #expect(Set(asked()) == [a, reef])
    #expect(try html().contains("buoys"))
    #expect(try await planet.publishedAnew() == planet.contents())
    planet.now += 60
    let again = try await planet.build(configuration("yes"))
    #expect(asked().isEmpty && again.pages?.written == 0)
  }

  @Test func pageThatFailsIsRequestedOnceInARun() async throws {
    planet.web[reef] = .failure(404)
    _ = try await planet.build(configuration("yes"))
    planet.extent = .all
    for _ in 0..<3 {
      _ = asked()
      _ = try await planet.build(configuration("yes"))
      #expect(asked().count { $0 == reef } == 1)
    }
  }

  @Test func failingPageIsRequestedAtMostTenTimes() async throws {
    planet.web[reef] = .failure(404)
    for _ in 0..<16 { _ = try await planet.build(configuration("yes"), days: 9) }
    #expect(asked().count { $0 == reef } == 10)
    planet.web[bread] = .failure(410)
    planet.web[a] = .document(feed([("Bread for the patient", bread, Self.other)]), etag: "2")
    for _ in 0..<3 { _ = try await planet.build(configuration("yes"), days: 9) }
    #expect(asked().count { $0 == bread } == 1)
  }

  @Test func pagesAreNotRequestedWithoutFullTextSetting() async throws {
    _ = try await planet.build(configuration(nil))
    _ = try await planet.build(configuration("no"), days: 1)
    #expect(asked() == [a, a])
    planet.now += 60
    _ = try await planet.build(configuration("when-short"))
    #expect(asked() == [a, reef])
    #expect(try html().contains("buoys"))
    // Without it the feed's own words are back, and with it again what is known of the page.
    planet.now += 60
    _ = try await planet.build(configuration("no"))
    #expect(try !html().contains("buoys"))
    planet.now += 60
    _ = try await planet.build(configuration("when-short"))
    #expect(asked() == [a, a])
    #expect(try html().contains("buoys"))
  }

  @Test func pagesAtForbiddenAddressesAreNotRequested() async throws {
    let links = [
      "http://127.0.0.1/secret", "http://[::1]/", "http://10.0.0.1/x", "file:///etc/passwd", "ftp://a.example/",
    ]
    planet.web[a] = .document(feed(links.map { ($0, $0, Self.teaser) }), etag: "1")
    let report = try await planet.build(configuration("yes"))
    #expect(asked() == [a])
    #expect(report.ingest?.findings.count { $0.code == "pages.forbidden" } == 3)
    // Pages are wanted without being asked for, and are when that is allowed.
    planet.web[a] = .document(feed([("The reef is lit again", reef, Self.teaser)]), etag: "2")
    _ = try await planet.build(configuration("yes"), days: 1)
    #expect(asked().contains(reef))
    planet.web[a] = .document(feed([("Bread for the patient", bread, Self.other)]), etag: "3")
    planet.web[bread] = try page("bread.html")
    planet.extent = .none
    _ = try await planet.build(configuration("yes"), days: 1)
    #expect(asked().isEmpty)
  }

  @Test func nonArticlePageIsReportedAndNotShown() async throws {
    let pictures = [HeaderField(name: "Content-Type", value: "image/png")]
    planet.web[reef] = TestWeb.Page(fields: pictures, body: "PNG")
    planet.web[bread] = .redirect(302, to: "https://gazette.example/consent")
    planet.web["https://gazette.example/consent"] = try page("cookies.html")
    planet.web[a] = .document(
      feed([("The reef is lit again", reef, Self.teaser), ("Bread for the patient", bread, Self.other)]))
    let findings = try await planet.build(configuration("yes")).ingest?.findings ?? []
    #expect(findings.contains { $0.code == "pages.no-page" } && findings.contains { $0.code == "article.doubtful" })
    #expect(try html().contains("forty years") && html("Bread for the patient").contains("left alone"))
    #expect(try planet.contents().values.allSatisfy { !$0.contains("partners store cookies") })
  }

  @Test func entryBeyondMaxAgeRequestsNoPage() async throws {
    let old = "<pubDate>Mon, 02 Mar 2026 09:00:00 GMT</pubDate></item>"
    let document = feed([("The reef is lit again", reef, Self.teaser)]).replacingOccurrences(of: "</item>", with: old)
    planet.web[a] = .document(document)
    _ = try await planet.build(configuration("yes, max-age: 30d"))
    #expect(asked() == [a])
  }

  /// A page that was named before it was published is asked for again when the feed names it.
  @Test func pageNamedTooEarlyIsAskedAgain() async throws {
    let evil = "https://evil.example/feed"
    let both = configuration("yes") + "  - {address: \"\(evil)\", full-text: yes}\n"
    for early in [TestWeb.Page.document("<p>Log in, please.</p>"), .failure(410)] {
      let planet = try TestPlanet()
      planet.web[evil] = .document(feed([("Soon", reef, "Soon")], "Evil"))
      planet.web[a] = .document(feed([("Bread for the patient", bread, Self.other)]))
      (planet.web[reef], planet.web[bread]) = (early, try page("bread.html"))
      _ = try await planet.build(both)
      planet.web[reef] = try page("reef.html")
      planet.web[a] = .document(feed([("The reef is lit again", reef, Self.teaser)]))
      _ = try await planet.build(both, days: 1)
      let post = try planet.posts().first { $0["title"] as? String == "The reef is lit again" }
      #expect((post?["content_html"] as? String)?.contains("sailors keep to the buoys") == true)
    }
  }

  /// Pages left by one run are requested by the next; the site is the same for any number of jobs.
  @Test func pagesPerRunLimitDoesNotChangeResult() async throws {
    let entries = (0..<5).map { ("The reef is lit again \($0)", "\(reef)\($0)", Self.teaser) }
    func set(_ planet: TestPlanet) throws {
      planet.web[a] = .document(feed(entries), etag: "1")
      for entry in entries { planet.web[entry.1] = try page("reef.html") }
    }
    try set(planet)
    planet.pagesPerRun = 2
    let report = try await planet.build(configuration("yes"))
    #expect(asked().count == 3)
    #expect(report.ingest?.findings.contains { $0.code == "pages.more" && $0.message.hasPrefix("3 pages") } == true)
    for _ in 0..<2 { _ = try await planet.build(configuration("yes"), days: 1) }
    #expect(asked().count { $0 != a } == 3)
    let other = try TestPlanet()
    try set(other)
    (other.jobs, other.now) = (4, planet.now - 2 * TestPlanet.day)
    for _ in 0..<3 { _ = try await other.build(configuration("yes"), days: 1) }
    #expect(try planet.posts().map { "\($0)" }.sorted().count == 5)
    #expect(try planet.posts().allSatisfy { ($0["content_html"] as? String)?.contains("buoys") == true })
    #expect(
      try planet.posts().compactMap { $0["content_html"] as? String }
        == other.posts().compactMap { $0["content_html"] as? String })
  }

  /// Pages are requested again when the rule for their site changes, and no others are.
  @Test func siteRuleChangeRefetchesPagesOfThatSiteOnly() async throws {
    planet.web[bread] = try page("bread.html")
    planet.web[a] = .document(
      feed([("The reef is lit again", reef, Self.teaser), ("Bread for the patient", bread, Self.other)]), etag: "1")
    _ = try await planet.build(configuration("yes"))
    #expect(asked() == [bread, a, reef])
    func rules(_ host: String, _ keep: String) throws -> SiteRules {
      SiteRules([SiteRule(host: host, keep: [try CSSSelector(keep)])])
    }
    // A rule for another site.
    planet.siteRules = try rules("other.example", "p")
    _ = try await planet.build(configuration("yes"), days: 1)
    #expect(asked() == [a])
    planet.siteRules = try rules("gazette.example", "figure")
    _ = try await planet.build(configuration("yes"), days: 1)
    #expect(asked() == [bread, a, reef])
    // What it finds is too little to take the place of the feed's words.
    #expect(try !html().contains("buoys") && html().contains("forty years"))
    // Where nothing is meant, the article is found as without a rule, and that is said.
    planet.siteRules = try rules("gazette.example", ".nowhere")
    planet.web[bread] = .failure(500)
    let unmet = try await planet.build(configuration("yes"), days: 1)
    #expect(asked() == [bread, a, reef])
    #expect(unmet.ingest?.findings.count { $0.code == "article.site-rule" } == 1)
    #expect(try html().contains("buoys"))
    // A page that cannot be had stays as it was, and is asked for later.
    planet.web[bread] = try page("bread.html")
    _ = try await planet.build(configuration("yes"), days: 1)
    #expect(asked() == [bread, a])
    #expect(try html("Bread for the patient").contains("on the second day than on the first"))
    planet.siteRules = SiteRules()
    _ = try await planet.build(configuration("yes"), days: 1)
    #expect(asked() == [bread, a, reef])
    _ = try await planet.build(configuration("yes"), days: 1)
    #expect(asked() == [a])
    #expect(try await planet.publishedAnew() == planet.contents())
  }

  /// A page keeps its article when its URL is written otherwise.
  @Test func articleStaysUnderAnotherFormOfTheURL() throws {
    let folder = try Fixtures.temporaryFolder()
    let archive = try Archive(file: "\(folder.path)/a.archive")
    for address in [reef, reef + "/", reef] {
      try archive.want([WantedPage(address: address, title: "", text: "")], at: "f")
      let due = try archive.duePages(of: ["f"], now: nil, withStale: true)
      #expect(due.map(\.address) == [address])
      if address == reef, try archive.pages(at: "f").isEmpty {
        try archive.remember([(due[0], .came(.article([1, 2], checksum: 3, rule: 0)))], asked: nil)
      } else {
        try archive.remember([(due[0], .failed("500", next: nil))], asked: nil)
      }
      try archive.tidyPages()
      #expect(try archive.pages(at: "f") == [address: [1, 2]])
    }
  }

  @Test func unreferencedPagesAreRemoved() throws {
    let folder = try Fixtures.temporaryFolder()
    let archive = try Archive(file: "\(folder.path)/a.archive")
    let page = WantedPage(address: reef, title: "", text: "")
    func due() throws -> [DuePage] { try archive.duePages(of: ["f"], now: nil) }
    try archive.want([page], at: "f")
    #expect(try due().map(\.page) == [page] && archive.duePages(of: ["g"], now: nil).isEmpty)
    try archive.remember([(try #require(due().first), .came(.article([1, 2], checksum: 3, rule: 0)))], asked: nil)
    #expect(try archive.pages(at: "f") == [reef: [1, 2]] && due().isEmpty)
    #expect(try archive.marksOfPages(at: "f") == ["\(reef) 3"])
    try archive.tidyPages()
    #expect(try archive.pages(at: "f").count == 1)
    try archive.wantNoPages(at: ["f"])
    #expect(try archive.pages(at: "f").isEmpty && archive.pathsWantingPages().isEmpty)
    try archive.tidyPages()
    try archive.want([page], at: "f")
    #expect(try archive.pages(at: "f").isEmpty && due().count == 1)
  }
}
