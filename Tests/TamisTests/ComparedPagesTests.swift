import Foundation
import Tamis
import TamisCore
import TestSupport
import Testing

/// Builds whose pages are compared with others of their sites.
@Suite struct ComparedPagesTests {
  private static let feed = "https://gull.example/feed"
  private static let boilerplate =
    "The Gull is printed each morning in the old harbour, by friends of the sea, and read by all of them."
  private static let names = ["harbour", "lighthouse", "ferry", "market"]

  private static func address(_ name: String) -> String { "https://gull.example/\(name)" }

  private static func text(_ name: String) -> String {
    "For eleven months the \(name) of the small town had been closed, its doors standing shut to all, while the council argued"
  }

  private static func page(_ name: String) -> String {
    """
    <title>The \(name) wakes</title><main><h1>The \(name) wakes</h1><p>\(text(name)) about the \(name).</p>
    <p>Now the \(name) is open again, said the mayor of the town, who had the key to it, and nobody knows for how long.</p>
    <p>\(boilerplate)</p></main>
    """
  }

  private static func document(_ names: [String]) -> String {
    let items = names.map { name in
      """
      <item><title>The \(name) wakes</title><link>\(address(name))</link><guid>\(address(name))</guid>
      <description>\(text(name)) […]</description></item>
      """
    }
    return "<rss version='2.0'><channel><title>Gull</title>\(items.joined())</channel></rss>"
  }

  private static func configuration(_ setting: String) -> String {
    "feeds:\n  - {address: \"\(feed)\", full-text: yes, site-templates: \(setting)}\n"
  }

  private func planet(_ names: [String] = Self.names) throws -> TestPlanet {
    let planet = try TestPlanet()
    planet.web[Self.feed] = .document(Self.document(names), etag: "1")
    for name in Self.names { planet.web[Self.address(name)] = .document(Self.page(name)) }
    return planet
  }

  private func articles(_ planet: TestPlanet) throws -> [String] {
    try planet.posts().compactMap { $0["content_html"] as? String }.sorted()
  }

  @Test func boilerplateCommonToPagesIsRemoved() async throws {
    let plain = try planet()
    _ = try await plain.build(Self.configuration("no"))
    #expect(try articles(plain).allSatisfy { $0.contains("who had the key") && $0.contains(Self.boilerplate) })
    let planet = try planet()
    let report = try await planet.build(Self.configuration("yes"))
    #expect(report.ingest?.pages == 4)
    let found = try articles(planet)
    #expect(found.count == 4 && found.allSatisfy { $0.contains("who had the key") && !$0.contains("The Gull is") })
    #expect(try await planet.publishedAnew() == planet.contents())
    // Nothing is asked for twice.
    _ = planet.web.takeRequests()
    _ = try await planet.build(Self.configuration("yes"), days: 1)
    #expect(planet.web.takeRequests().map(\.address) == [Self.feed])
    // Neither what is done at once nor where pages are from makes a difference.
    let other = try self.planet(Self.names.reversed())
    for name in Self.names { other.web[Self.address(name)] = nil }
    let lines = try Self.names.map { name in
      try JSONSerialization.data(withJSONObject: ["url": Self.address(name), "html": Self.page(name)])
    }
    try other.write(lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n"), "pages.jsonl")
    (other.jobs, other.knownPages) = (4, ["pages.jsonl"])
    #expect(try await other.build(Self.configuration("yes")).ingest?.knownPages == 4)
    let same = try articles(other)
    #expect(same == found, "\(same)")
  }

  /// A page is compared with those that came before; those stay as they are.
  @Test func laterPagesAreComparedWithEarlierOnes() async throws {
    let planet = try planet(Array(Self.names[..<2]))
    _ = try await planet.build(Self.configuration("yes"))
    #expect(try articles(planet).allSatisfy { $0.contains(Self.boilerplate) })
    planet.web[Self.feed] = .document(Self.document(Self.names), etag: "2")
    _ = try await planet.build(Self.configuration("yes"), days: 1)
    let articles = try articles(planet)
    #expect(articles.count == 4 && articles.count { $0.contains(Self.boilerplate) } == 2)
    #expect(try await planet.publishedAnew() == planet.contents())
  }

  /// Pages that another feed names, such as lists of the same posts, say nothing of what a site repeats.
  @Test func pagesOfOtherFeedsCutNothing() async throws {
    let planet = try planet(["harbour"])
    let names = ["a", "b", "c"]
    for name in names {
      planet.web[Self.address(name)] = .document("<title>List \(name)</title>" + Self.page("harbour"))
    }
    planet.web["https://evil.example/feed"] = .document(Self.document(names))
    let other = "  - {address: \"https://evil.example/feed\", full-text: yes, site-templates: yes}\n"
    _ = try await planet.build(Self.configuration("yes") + other)
    let found = try articles(planet)
    #expect(found.contains { $0.contains(Self.text("harbour")) && $0.contains("who had the key") }, "\(found)")
  }

  /// Pages left over by an interrupted run are finished by the next one, without being requested again.
  @Test func waitingPagesAreFinishedWithoutNewRequest() async throws {
    let planet = try planet(Array(Self.names[..<1]))
    planet.web[Self.address("harbour")] = .failure(500)
    _ = try await planet.build(Self.configuration("yes"))
    try hold(in: planet)
    _ = planet.web.takeRequests()
    _ = try await planet.build(Self.configuration("yes"))
    #expect(planet.web.takeRequests().allSatisfy { $0.address == Self.feed })
    #expect(try articles(planet).first?.contains("who had the key") == true)
  }

  private func hold(in planet: TestPlanet) throws {
    let archive = try Archive(file: "\(planet.folder.path)/site.archive")
    let paths = Set(try archive.pathsWantingPages())
    let due = try #require(try archive.duePages(of: paths, now: nil).first)
    let input = ArticleExtractor.Input(
      page: Array(Self.page("harbour").utf8), url: WebURL(Self.address("harbour")))
    let outline = try #require(ArticleExtractor().outline(input))
    let waiting = WaitingPage(
      url: Self.address("harbour"), charset: nil, content: Packer().pack(input.page), outline: outline)
    try archive.remember([(due, .came(.waiting(waiting)))], asked: nil)
    let site = try #require(try archive.heldSites().first)
    #expect(site.hasPrefix("gull.example "))
    #expect(try archive.outlines(of: site, most: 1).outlines.map(\.blocks) == [outline.blocks])
  }

  @Test func outlinesPerSiteAreBounded() throws {
    let folder = try Fixtures.temporaryFolder()
    let archive = try Archive(file: "\(folder.path)/a.archive")
    try archive.want((0..<4).map { WantedPage(address: Self.address("\($0)"), title: "", text: "") }, at: "f")
    var site = ""
    for (number, page) in try archive.missingPages(of: ["f"]).enumerated() {
      let outline = PageOutline(site: "s", title: .max, text: UInt64(number), blocks: [1, 1 << 63])
      let waiting = WaitingPage(url: page.page.address, charset: nil, content: [], outline: outline)
      try archive.remember([(page, .came(.waiting(waiting)))], asked: nil)
      site = try #require(try archive.heldSites().first)
      try archive.remember([(page, .came(.article([], checksum: 1, rule: 0)))], asked: nil)
    }
    let (outlines, forgotten) = try archive.outlines(of: site, most: 5)
    #expect(outlines.map(\.text) == [2, 3] && forgotten == 2 && outlines[0].blocks == [1, 1 << 63])
    #expect(outlines[0].title == .max)
    #expect(try archive.outlines(of: site, most: 100).outlines.count == 2)
    try archive.wantNoPages(at: ["f"])
    try archive.tidyPages()
    #expect(try archive.outlines(of: site, most: 100).outlines.isEmpty)
  }
}
