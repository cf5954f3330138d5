import Foundation
import Tamis
import TestSupport
import Testing

/// Files that are large, broken or something else.
@Suite struct HostilePlanetTests {
  private func read(_ text: String, as format: PlanetFile.Format? = nil) -> PlanetFile {
    read(Array(text.utf8), as: format)
  }

  private func read(_ bytes: [UInt8], as format: PlanetFile.Format? = nil) -> PlanetFile {
    format.map { PlanetFile(reading: bytes, name: "x", as: $0) } ?? PlanetFile(reading: bytes, name: "x")
  }

  @Test func manyFeedsAreReadInLinearTime() {
    let feeds = (0..<100_000).map {
      "  - address: https://example.org/\($0)/feed.xml\n    title: Number \($0)\n    tags: [a, b]\n"
    }
    let time = processorTime {
      let file = read("feeds:\n" + feeds.joined())
      #expect(file.planet.feeds.count == 100_000 && file.isValid)
      #expect(file.planet.feeds.last?.location.line == 299_999)
    }
    #expect(time < .seconds(120), "\(time)")
  }

  @Test func feedCountIsBounded() {
    let lines = (0...Planet.maximumFeeds + 5).map { "http://a.b/\($0)\n" }.joined()
    let list = read(lines)
    #expect(list.planet.feeds.count == Planet.maximumFeeds && !list.isValid)
    #expect(list.findings.count == 1)
  }

  @Test func findingsAreBounded() {
    let file = read(String(repeating: "http://example.org:x/\n", count: 5000))
    #expect(file.findings.count == 1001)
    #expect(file.findings.last?.message == "there are 4000 more like these")
  }

  @Test func deepUnclosedOutlinesAreTolerated() {
    for depth in [100, 5000] {
      let open = String(repeating: "<outline text='a'>", count: depth)
      let file = read("<opml version='2.0'><body>\(open)<outline xmlUrl='https://example.org/f'/>")
      #expect(file.planet.feeds.count == (depth == 100 ? 1 : 0))
      #expect((file.planet.feeds.first?.settings.categories.first?.utf8.count ?? 0) < 100)
    }
  }

  @Test func overlongFolderNamesAreTruncated() {
    let name = String(repeating: "n", count: 100_000)
    let feeds = (0..<20_000).map { "<outline xmlUrl='https://example.org/\($0)'/>" }.joined()
    let file = read("<opml><body><outline text='\(name)'>\(feeds)</outline></body></opml>")
    #expect(file.planet.feeds.count == 20_000)
    #expect(file.planet.feeds.first?.settings.categories.first?.utf8.count == Planet.longestName)
  }

  @Test func referenceExpansionIsBounded() {
    let many = String(repeating: "%(b)s", count: 200)
    let chain = (0..<9).map { "v\($0) = " + String(repeating: "%(v\($0 + 1))s", count: 200) }.joined(separator: "\n")
    let text = "[Planet]\nname = %(v0)s\n[DEFAULT]\na = \(many)\nb = %(a)s\n\(chain)\nv9 =\n"
    let feeds = (0..<5000).map { "[http://example.org/\($0)]\nname = %(v0)s %(a)s\n" }.joined()
    let file = read(text + feeds)
    #expect(file.format == .venus && file.planet.feeds.count == 5000)
    #expect(file.planet.feeds.allSatisfy { ($0.settings.title ?? "").utf8.count < 10_000 })
  }

  @Test func continuationLinesAreReadInLinearTime() {
    let file = read("[Planet]\nname = x\n" + String(repeating: " y\n", count: 200_000))
    #expect(file.planet.site.title.utf8.count == 400_001)
  }

  /// Random bytes yield values and findings, and the configuration written from them reads back unchanged.
  @Test(arguments: PlanetFile.Format.allCases)
  func randomBytesYieldReadableConfiguration(_ format: PlanetFile.Format) throws {
    var state: UInt64 = 7
    let pieces = Fixtures.files(in: "Planet", withExtension: "txt").flatMap {
      (try? Data(contentsOf: $0)).map(Array.init) ?? []
    }
    for _ in 0..<60 {
      var bytes: [UInt8] = []
      for _ in 0..<20 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let start = Int(state >> 33) % max(1, pieces.count)
        bytes += pieces[start..<min(pieces.count, start + 40)]
        if state >> 60 == 3 { bytes.append(UInt8(truncatingIfNeeded: state >> 20)) }
      }
      let file = read(bytes, as: format)
      let again = read(file.planet.text, as: .tamis)
      #expect(again.planet == file.planet)
    }
  }

  @Test(arguments: [
    ("<!DOCTYPE html><html><body><p>Hello</p></body></html>", "this is not OPML: the root element is <html>"),
    (
      "<rss version='2.0'><channel/></rss>",
      "this is a feed, not a list of feeds; subscribe to it with: tamis add ADDRESS"
    ),
    ("\u{1}\u{2}ELF", "this is not text: it has a control character"),
    ("hello world", "'hello' does not begin with https:// or http://; it is left out"),
    ("- a\n- b\n", "the configuration must be a list of 'key: value' lines"),
  ])
  func otherFileKindsAreReported(_ text: String, _ message: String) {
    let file = read(text)
    #expect(file.findings.contains { $0.severity == .error && $0.message == message }, "\(file.findings)")
  }

  @Test func oversizedFileIsReported() {
    let file = read([UInt8](repeating: 0x20, count: PlanetFile.maximumBytes + 1))
    #expect(file.findings.count == 1 && !file.isValid)
  }

  @Test func otherEncodingsAreRead() {
    let list = read(Array("\u{FEFF}https://example.org/f Caf".utf8) + [0xE9, 0x0D])
    #expect(list.planet.feeds.first?.settings.title == "Café")
    #expect(list.findings.map(\.message) == ["this is not UTF-8; it is read as windows-1252"])
    let opml =
      "<?xml version='1.0' encoding='utf-16'?><opml><body><outline text='é' xmlUrl='https://example.org/f'/></body></opml>"
    let units = opml.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    let bytes: [UInt8] = [0xFF, 0xFE] + units
    #expect(read(bytes).planet.feeds.first?.settings.title == "é")
  }
}
