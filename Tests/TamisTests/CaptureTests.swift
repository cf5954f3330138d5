import Foundation
import Tamis
import TamisRecords
import TestSupport
import Testing

/// Feeds in WARC files: what a crawler has found, at the times at which it did.
@Suite struct CaptureTests {
  private let folder: TemporaryFolder

  init() throws { folder = try Fixtures.temporaryFolder() }

  private static let address = "https://a.example/feed.xml"

  @Test func warcDocumentsAreRecordedAtCaptureTime() async throws {
    let file = try write(
      "crawl.warc",
      [
        Self.record("warcinfo", nil, "2026-01-01T00:00:00Z", "software: test\r\n"),
        Self.response(Self.address, "2026-01-02T00:00:00Z", Self.feed(["one": "first words", "two": "second words"])),
        Self.response(
          "https://a.example/page.html", "2026-01-02T00:00:01Z", "<html><body>no feed</body></html>", "text/html"),
        Self.response("https://a.example/gone.xml", "2026-01-02T00:00:02Z", Self.feed([:]), status: "404 Not Found"),
        // It says that it is longer than the file.
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://b.example/broken\r\nContent-Length: 99999\r\n\r\nHTTP/1.1 200 OK\r\n\r\nx",
        Self.response(
          Self.address, "2026-01-03T00:00:00Z",
          Self.feed(["one": "other words", "two": "second words", "three": "third"])),
        Self.record("revisit", Self.address, "2026-01-04T00:00:00Z", ""),
        Self.response("http://c.example/rss", "2026-01-03T00:00:00Z", Self.feed(["c": "words of c"])),
      ])
    let report = try await ingest([file], "first")
    #expect(report.feeds == 2 && report.failed == 0)
    #expect(report.findings.map(\.code).contains("warc.length"), "\(report.findings)")
    #expect(report.count(.new) == 4 && report.count(.updated) == 1)
    let lines = try export("first")
    let feed = try #require(lines.first { $0.hasPrefix("{\"feed\"") && $0.contains("a.example") })
    #expect(feed.contains("\"first\":1767312000") && feed.contains("\"moment\":1767398400"), "\(feed)")
    #expect(feed.contains("\"looks\":2"), "the revisit says that the second document was still there: \(feed)")
    #expect(lines.contains { $0.contains("other words") } && !lines.contains { $0.contains("first words") })
    #expect(try Archive(file: "\(folder.path)/first.archive", mode: .reading).verify() == [])
    // The same file again says nothing new.
    let again = try await ingest([file], "first")
    #expect(again.count(.new) == 0 && again.count(.updated) == 0)
    #expect(again.findings.allSatisfy { $0.code != "warc.order" || $0.location.file == Self.address })
    #expect(try export("first") == lines)
  }

  @Test func captureOlderThanKnownIsReportedAndSkipped() async throws {
    let old = try write(
      "1.warc", [Self.response(Self.address, "2026-01-02T00:00:00Z", Self.feed(["one": "first words"]))])
    let new = try write(
      "2.warc", [Self.response(Self.address, "2026-01-03T00:00:00Z", Self.feed(["two": "second words"]))])
    let inOrder = try await ingest([old, new], "in-order")
    #expect(inOrder.count(.new) == 2 && inOrder.findings.isEmpty)
    let backward = try await ingest([new, old], "backward")
    #expect(backward.count(.new) == 1 && backward.findings.map(\.code) == ["warc.order"])
    // Each in an archive of its own, and merged, the order makes no difference.
    _ = try await ingest([old], "old")
    _ = try await ingest([new], "new")
    for (name, parts) in [("merged", ["old", "new"]), ("merged-back", ["new", "old"])] {
      for part in parts {
        _ = try Archive.merge(
          try MergeInputs([FilePath("\(folder.path)/\(part).archive")]),
          into: FilePath("\(folder.path)/\(name).archive"))
      }
      #expect(try export(name) == export("in-order"))
    }
  }

  @Test(arguments: [1, 3])
  func mergedCrawlShardsEqualSingleProcessArchive(_ count: Int) async throws {
    var records: [String] = []
    for number in 0..<12 {
      let address = "https://feed\(number % 9).example/rss"
      let date = "2026-01-\(10 + number)T00:00:00Z"
      records.append(
        Self.response(address, date, Self.feed(["p\(number)": "words \(number)", "same": "of \(number % 9)"])))
    }
    let file = try write("crawl.warc", records)
    _ = try await ingest([file], "whole")
    let shards = FilePath("\(folder.path)/shards")
    for index in 0..<count {
      let shard = try #require(Archive.Shard(index: index, of: count))
      let configuration = TestSite.configuration(
        folder, "none", FeedSources([file], home: FilePath(folder.path), shard: shard))
      let build = ShardBuild(configuration, shard, into: shards, isClocked: false)
      guard case .done(let receipt, _) = try await build.run() else { throw TestSite.NothingPublished() }
      #expect(count > 1 || receipt.feeds == 9)
      guard case .wasDone = try await build.run() else { throw TestSite.NothingPublished() }
    }
    _ = try Archive.merge(try MergeInputs([shards]), into: FilePath("\(folder.path)/merged.archive"))
    #expect(try export("merged") == export("whole"))
  }

  // MARK: - Helpers

  private func ingest(_ files: [FilePath], _ name: String) async throws -> SiteBuild.IngestReport {
    let sources = FeedSources(files, home: FilePath(folder.path))
    #expect(sources.crawls == files && sources.files.isEmpty)
    let report = try await SiteBuild(TestSite.configuration(folder, name, sources)).ingest()
    return try #require(report.ingest)
  }

  private func export(_ name: String) throws -> [String] {
    var export: [UInt8] = []
    try Archive(file: "\(folder.path)/\(name).archive", mode: .reading).export { export += $0 }
    return String(decoding: export, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func write(_ name: String, _ records: [String]) throws -> FilePath {
    let file = "\(folder.path)/\(name)"
    try Data(records.joined().utf8).write(to: URL(filePath: file))
    return FilePath(file)
  }

  private static func feed(_ items: [String: String]) -> String {
    let all = items.sorted { $0.key < $1.key }.map {
      "<item><guid isPermaLink='false'>\($0.key)</guid><title>\($0.key)</title><description>\($0.value)</description></item>"
    }
    return "<rss version='2.0'><channel><title>A feed</title>\(all.joined())</channel></rss>"
  }

  private static func response(
    _ address: String, _ date: String, _ body: String, _ type: String = "application/rss+xml", status: String = "200 OK"
  ) -> String {
    record("response", address, date, "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\n\r\n\(body)")
  }

  private static func record(_ type: String, _ address: String?, _ date: String, _ block: String) -> String {
    let target = address.map { "WARC-Target-URI: \($0)\r\n" } ?? ""
    return
      "WARC/1.0\r\nWARC-Type: \(type)\r\nWARC-Date: \(date)\r\n\(target)Content-Length: \(block.utf8.count)\r\n\r\n\(block)\r\n\r\n"
  }
}
