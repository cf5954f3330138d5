import Foundation
import Tamis
import TestSupport
import Testing

/// Builds that take pages from files: `Fixtures/FullText/known.txt`.
@Suite struct KnownFilesTests {
  private static let feed = "https://gazette.example/feed"
  private static let reef = "https://gazette.example/reef"
  private static let cases = Case.all(in: "FullText").filter { $0.file == "known.txt" }

  /// A planet whose feed has a teaser; its page is nowhere on the web.
  private func planet() throws -> TestPlanet {
    let planet = try TestPlanet()
    planet.web[Self.feed] = .document(
      """
      <rss version='2.0'><channel><title>Gazette</title><item><title>The reef is lit again</title><link>\(Self.reef)</link>
      <description>The old lighthouse on the northern reef will be lit again next spring, after forty years […]</description>
      </item></channel></rss>
      """, etag: "1")
    return planet
  }

  private static func configuration(_ setting: String = "yes") -> String {
    "feeds:\n  - {address: \"\(feed)\", full-text: \(setting)}\n"
  }

  // MARK: - Files

  private static func page(_ name: Substring, _ change: Substring?) throws -> [UInt8] {
    let page = try String(contentsOf: Fixtures.url("FullText/\(name)"), encoding: .utf8)
    guard let sides = change?.split(separator: "="), sides.count == 2 else { return Array(page.utf8) }
    let parts = page.components(separatedBy: String(sides[0])).map { Array($0.utf8) }
    return Array(parts.joined(separator: WebURL.percentDecoded(Array(sides[1].utf8))))
  }

  private static func line(_ text: Substring) throws -> [UInt8] {
    if text.hasPrefix("{") { return Array(text.utf8) + [0x0A] }
    let parts = text.split(separator: " ")
    let page = String(decoding: try page(parts[1], parts.dropFirst(2).first), as: UTF8.self)
    return Array(try JSONSerialization.data(withJSONObject: ["url": "\(parts[0])", "html": page])) + [0x0A]
  }

  private static func record(_ text: Substring) throws -> [UInt8] {
    let parts = text.split(separator: " ")
    let head = "HTTP/1.1 \(parts[1]) Said\r\nContent-Type: \(parts[2])\r\n\r\n"
    let block = Array(head.utf8) + (try page(parts[4], parts.dropFirst(5).first))
    let fields = """
      WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: \(parts[3])\r\nWARC-Date: \(parts[0])\r\nWARC-Record-ID: <urn:x:1>\r
      Content-Type: application/http; msgtype=response\r\nContent-Length: \(block.count)\r\n\r\n
      """
    return Array(fields.utf8) + block + Array("\r\n\r\n".utf8)
  }

  /// Writes the files of a case; answers their names.
  private static func write(_ each: Case, in folder: String) throws -> [String] {
    try each.sections.keys.filter { $0.first?.isNumber == true }.sorted().map { section in
      let lines = (each.sections[section] ?? "").split(separator: "\n")
      let bytes = try lines.flatMap { section.hasSuffix("lines") ? try line($0) : try record($0) }
      let name = "known-\(section.prefix(1))"
      try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
      return name
    }
  }

  @Test(arguments: cases)
  func pagesAreTakenFromFiles(_ each: Case) async throws {
    var sites: Set<[String: String]> = []
    for (jobs, isReversed) in [(1, false), (4, true)] {
      let planet = try planet()
      let files = try Self.write(each, in: planet.folder.path)
      (planet.jobs, planet.knownPages) = (jobs, isReversed ? files.reversed() : files)
      let report = try await planet.build(Self.configuration())
      let html = try planet.posts().first?["content_html"] as? String ?? ""
      let said = (report.ingest?.findings ?? []).map {
        $0.description.replacingOccurrences(of: planet.folder.path + "/", with: "")
      }
      for line in try #require(each.sections["expect"]).split(separator: "\n") {
        let parts = line.split(separator: " = ", maxSplits: 1).map(String.init)
        switch parts[0] {
        case "shows": #expect(html.contains(parts[1]), "\(each): \(html)")
        case "lacks": #expect(!html.contains(parts[1]), "\(each): \(html)")
        case "taken": #expect(report.ingest?.knownPages == Int(parts[1]), "\(each)")
        case "finding": #expect(said.contains(parts[1]), "\(each): \(said)")
        default: Issue.record("'\(line)' is no expectation")
        }
      }
      // What is known is not asked for.
      let asked = planet.web.takeRequests().contains { $0.address == Self.reef }
      #expect(asked == (report.ingest?.knownPages == 0), "\(each)")
      sites.insert(try planet.pages())
    }
    #expect(sites.count == 1, "\(each)")
  }

  /// A page that could not be fetched is taken from a file added later, although its feed is unchanged.
  @Test func pageFileAddedLaterIsUsed() async throws {
    let planet = try planet()
    planet.web[Self.reef] = TestWeb.Page.failure(410)
    _ = try await planet.build(Self.configuration())
    #expect(try planet.posts().first?["content_html"] as? String != nil)
    let each = try #require(Self.cases.first)
    planet.knownPages = try Self.write(each, in: planet.folder.path)
    planet.extent = .due
    let report = try await planet.build(Self.configuration(), days: 1)
    #expect(report.ingest?.knownPages == 1 && report.ingest?.pages == 0)
    #expect((try planet.posts().first?["content_html"] as? String)?.contains("buoys") == true)
    #expect(try await planet.publishedAnew() == planet.contents())
    // What is known once stays, also without the file.
    planet.knownPages = []
    let again = try await planet.build(Self.configuration(), days: 1)
    #expect(again.ingest?.unchanged == 1 && again.pages?.written ?? 0 < 3)
    #expect((try planet.posts().first?["content_html"] as? String)?.contains("buoys") == true)
  }

  @Test func unreadablePageFilesAreReportedAndSkipped() async throws {
    let planet = try planet()
    planet.knownPages = ["missing", "empty"]
    try planet.write("", "empty")
    let report = try await planet.build(Self.configuration())
    #expect(report.ingest?.findings.count { $0.code == "known.read" } == 1 && report.ingest?.feeds == 1)
    try planet.write(String(repeating: "no page\n", count: 250), "empty")
    let more = try await planet.build(Self.configuration(), days: 1)
    let lines = more.ingest?.findings.filter { $0.code == "known.line" } ?? []
    #expect(lines.count == 101 && lines.contains { $0.message == "150 more lines of this file are left out" })
  }

  /// Files of pages are not opened when no feed wants full text.
  @Test func pageFilesAreNotOpenedWithoutFullTextSetting() async throws {
    let planet = try planet()
    planet.knownPages = ["missing"]
    let report = try await planet.build(Self.configuration("no"))
    #expect(report.ingest?.findings.contains { $0.code == "known.read" } == false)
  }
}
