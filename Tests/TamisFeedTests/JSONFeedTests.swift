import Foundation
import Tamis
import TamisFeed
import TestSupport
import Testing

/// JSON Feeds: `Fixtures/JSONFeeds/*.json`, and what must be read from each in the `.txt` beside it.
@Suite struct JSONFeedTests {
  static let feeds = Fixtures.files(in: "JSONFeeds", withExtension: "json").map(\.lastPathComponent)

  @Test func fixtureFeedsExist() { #expect(Self.feeds.count == 5) }

  @Test(arguments: feeds)
  func feedIsReadAsExpected(_ name: String) throws {
    let expected = try String(
      contentsOf: Self.url(name).deletingPathExtension().appendingPathExtension("txt"), encoding: .utf8)
    let lines = Self.read(try Self.bytes(name), name).dump.lines
    for (number, pair) in zip(lines, expected.split(separator: "\n")).enumerated() {
      #expect(pair.0 == pair.1, "line \(number + 1)")
    }
    #expect(lines.count == expected.split(separator: "\n").count)
  }

  @Test(arguments: feeds)
  func resultIsIndependentOfChunks(_ name: String) throws {
    let bytes = try Self.bytes(name)
    let whole = Self.read(bytes, name).dump.text
    for split in 1..<bytes.count {
      #expect(Self.read(bytes, name, chunks: [split, bytes.count]).dump.text == whole, "split at \(split)")
    }
    for size in 1...9 { #expect(Self.read(bytes, name, chunks: [size]).dump.text == whole, "chunks of \(size)") }
  }

  /// Servers send JSON Feeds as anything, and XML as JSON.
  @Test(arguments: ["text/plain", "text/html; charset=utf-8", "application/xml", "application/rss+xml", "x", ""])
  func formatIsRecognizedByContent(_ type: String) throws {
    let json =
      "\n" + #"{"version":"https://jsonfeed.org/version/1.1","title":"é","items":[{"id":"1","content_text":"a"}]}"#
    let xml = "<rss version='2.0'><channel><title>é</title><item><title>a</title></item></channel></rss>"
    for (text, version) in [(json, "json11"), (xml, "rss20")] {
      for type in [type, "application/json", "application/feed+json"] {
        let document = FeedDocument(
          name: "f", bytes: Array(text.utf8), headers: [HeaderField(name: "Content-Type", value: type)])
        let parsed = try FeedParser().parse(document)
        #expect(parsed.feed.version == version && parsed.entries.count == 1, "\(type)")
      }
    }
  }

  /// What people write in place of JSON costs nothing but itself, wherever the document is divided.
  @Test(arguments: [
    (#"{"id":"1","content_text":"a",},"#, "a"), (#"{"id":"1","content_text":"a"},,"#, "a"),
    ("{\"id\":\"1\",\"content_text\":\"a\nb\tc\"},", "a b c"),
    (#"{"id":"1","content_text":"it\'s \d \u12 \"x\""},"#, #"it's \d \u12 "x""#),
    (#"{"id":"1","content_text":"a" /* x " */ }, // y"# + "\n", "a"),
    (#"{"id":"1","x":NaN,"y":[Infinity,-Infinity],"content_text":"a"},"#, "a"),
    (#"{"id":"1","title":nil,"x":-Infinity,"content_text":"a"},"#, "a"),
    (#"{"id":"1","x":True,"y":None,"z":undefined,"content_text":"http://a/*b*/ //c, ]"},"#, "http://a/*b*/ //c, ]"),
  ])
  func faultOfJSONCostsItself(_ item: String, _ expected: String) throws {
    let text =
      #"{"version":"https://jsonfeed.org/version/1.1","title":"t","items":["# + item
      + #"{"id":"2","content_text":"z",},],}"#
    let bytes = Array(text.utf8)
    let whole = try FeedParser().parse(FeedDocument(name: "f.json", bytes: bytes))
    #expect(whole.entries.map { $0.content.first?.value ?? "" } == [expected, "z"])
    #expect(whole.feed.fault?.code == "parse.ill-formed" && whole.ending == .complete)
    #expect(whole.entries.first?.title == nil)
    for size in 1...7 {
      let parts = FeedDocument(name: "f.json", source: ByteArray(bytes, pieceSize: size))
      #expect(try FeedParser().parse(parts).entries == whole.entries)
    }
  }

  /// A feed truncated at any byte yields all items that ended before it, unchanged.
  @Test(arguments: feeds)
  func truncatedDocumentKeepsCompleteItems(_ name: String) throws {
    let bytes = try Self.bytes(name)
    let whole = Self.read(bytes, name).entries
    var most = 0
    for end in 0..<bytes.count {
      let cut = Self.read(Array(bytes[..<end]), name)
      #expect(cut.entries == Array(whole.prefix(cut.entries.count)), "cut at \(end)")
      #expect(cut.entries.count >= most)
      most = cut.entries.count
      if bytes[end...].contains(where: { $0 > 0x20 }) {
        #expect(cut.reading.feed.fault?.code == "parse.ill-formed")
        #expect(cut.reading.feed.fault != nil && cut.reading.ending != .complete)
      }
    }
    #expect(most == whole.count)
  }

  /// Feeds with bytes changed, removed or repeated at random are read the same in chunks of any size.
  @Test(arguments: feeds)
  func corruptedFeedIsIndependentOfChunks(_ name: String) throws {
    let bytes = try Self.bytes(name)
    var random = SeededRandom(seed: 7)
    let noise: [UInt8] = Array("{}[],:\"\\0-e ntu\n".utf8) + [0, 0x80, 0xC3, 0xFF]
    for _ in 0..<400 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: changed.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: changed[index] = noise.randomElement(using: &random) ?? 0
        case 1: changed.remove(at: index)
        default: changed.insert(contentsOf: changed[index...].prefix(40), at: index)
        }
      }
      let size = Int.random(in: 1...200, using: &random)
      #expect(Self.read(changed, name, chunks: [size]).dump.text == Self.read(changed, name).dump.text)
    }
  }

  @Test(arguments: [
    ("[{\"id\":\"a\"}]", "a JSON array"), ("\"items\"", "a string"), ("12", "a number"), ("null", "null"),
    ("{\"version\":1}", "a JSON object without items"), ("{\"items\":{}}", "a JSON object without items"),
    ("{\"a\":{\"items\":[{}]}}", "a JSON object without items"), ("{}", "a JSON object without items"),
    ("<rss/>", "missing"), ("{\"version\":\"https://example.org/1\"}", "a JSON object without items"),
  ])
  func nonFeedJSONYieldsNoEntries(_ text: String, _ description: String) {
    let result = Self.read(Array(text.utf8), "test.json")
    #expect(!result.reading.isFeed && result.entries.isEmpty)
    #expect(result.reading.rootDescription == description)
  }

  @Test(arguments: [
    ("https://jsonfeed.org/version/1", "json1"), ("https://jsonfeed.org/version/1.1", "json11"),
    ("http://jsonfeed.org/version/1.1", "json11"), ("https://jsonfeed.org/version/2", "json"),
  ])
  func versionIsRecognized(_ version: String, _ expected: String) {
    let result = Self.read(Array("{\"version\":\"\(version)\"}".utf8), "test.json")
    #expect(result.reading.isFeed && result.reading.feed.version == expected)
  }

  /// A byte order mark before a JSON Feed is skipped, in UTF-8 and in UTF-16.
  @Test func byteOrderMarkIsSkipped() throws {
    let text =
      #"{"version": "https://jsonfeed.org/version/1.1", "title": "J", "items": [{"id": "1", "content_text": "Zoë"}]}"#
    let wide = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    for bytes in [[0xEF, 0xBB, 0xBF] + Array(text.utf8), [0xFF, 0xFE] + wide] {
      var findings: [Finding] = []
      let feed = try FeedParser().run(FeedDocument(name: "j", bytes: bytes), into: &findings)
      #expect(feed.entries.first?.content.first?.value == "Zoë" && findings.isEmpty, "\(findings)")
    }
  }

  @Test func itemsAloneIdentifyFeed() {
    let result = Self.read(Array("{\"items\":[{\"id\":\"a\"}]}".utf8), "test.json")
    #expect(result.reading.isFeed && result.reading.feed.version == "json")
    #expect(result.entries.map(\.id) == ["a"])
    #expect(result.reading.findings.map(\.code) == ["parse.json-version"])
  }

  @Test func itemsBeforeSyntaxErrorAreKept() {
    let text = "{\"items\":[{\"id\":\"a\"},\n{\"id\":\"b\",\"title\":tru}, {\"id\":\"c\"}]}"
    let result = Self.read(Array(text.utf8), "test.json")
    #expect(result.entries.map(\.id) == ["a"])
    #expect(result.reading.feed.fault?.location == Finding.Location(file: "test.json", line: 2, column: 19))
    #expect(result.reading.feed.fault?.code == "parse.ill-formed")
    #expect(result.reading.findings.map(\.code) == ["parse.cut-off"])
    #expect(result.reading.findings.last?.location == Finding.Location(file: "test.json", line: 2, column: 1))
  }

  @Test func itemsBeforeInvalidByteAreKept() {
    for bad: [UInt8] in [[0xFF], [0xC3]] {
      let bytes = Array("{\"items\":[{\"id\":\"a\"},{\"id\":\"".utf8) + bad + Array("\"},{\"id\":\"c\"}]}".utf8)
      let result = Self.read(bytes, "test.json")
      #expect(result.entries.map(\.id) == ["a"])
      #expect(result.reading.feed.fault?.location.column == 29)
    }
  }

  @Test func readingStopsOnRequest() {
    let text = "{\"items\":[{\"id\":\"a\"},{\"id\":\"b\"},{\"id\":\"c\"}],"
    let result = Self.read(Array(text.utf8), "test.json", chunks: [4], most: 2)
    #expect(result.entries.map(\.id) == ["a", "b"])
    #expect(result.reading.feed.fault == nil && result.reading.findings.isEmpty)
  }

  @Test func itemsBeforeExcessiveNestingAreKept() {
    for opening in ["[", "{\"a\":"] {
      let bomb = String(repeating: opening, count: 200_000)
      let result = Self.read(Array("{\"items\":[{\"id\":\"a\"},{\"_x\":\(bomb)".utf8), "test.json")
      #expect(result.entries.map(\.id) == ["a"])
      #expect(result.reading.feed.fault?.message.contains("nested") == true)
    }
    let deep = String(repeating: "{\"a\":", count: 100) + "1" + String(repeating: "}", count: 100)
    let result = Self.read(Array("{\"items\":[{\"id\":\"a\",\"_x\":\(deep)},{\"id\":\"b\"}]}".utf8), "test.json")
    #expect(result.entries.map(\.id) == ["a", "b"])
    #expect(result.reading.findings.first?.code == "parse.json-extension")
  }

  @Test func findingsAndExtensionsAreBounded() {
    let many = String(repeating: "0,", count: 200_000) + "0"
    let text = "{\"_x\":[\(many)],\"items\":[{\"id\":\"a\",\"tags\":[\(many)]},{\"id\":\"b\"},\(many)]}"
    let result = Self.read(Array(text.utf8), "test.json")
    #expect(result.entries.map(\.id) == ["a", "b"])
    #expect(result.reading.findings.count == 1001)
    // A long name around many members would be repeated in each.
    let name = String(repeating: "n", count: 100_000)
    let members = (0..<1000).map { "\"m\($0)\":1" }.joined(separator: ",")
    let long = Self.read(Array("{\"_\(name)\":{\(members)},\"items\":[]}".utf8), "test.json")
    #expect(long.reading.feed.extensions.isEmpty)
    #expect(long.reading.findings.map(\.code).contains("parse.json-extension"))
  }

  @Test func overlongFieldIsTruncated() {
    var limits = Limits.standard
    limits.fieldBytes = 100
    let text = "{\"items\":[{\"id\":\"a\",\"content_text\":\"\(String(repeating: "é", count: 200))\"},{\"id\":\"b\"}]}"
    let result = Self.read(Array(text.utf8), "test.json", limits: limits)
    #expect(result.entries.map { $0.content.first?.value.count } == [50, nil])
    #expect(result.reading.findings.first?.code == "parse.json-too-long")
  }

  // MARK: - Reading

  private static func url(_ name: String) -> URL { Fixtures.url("JSONFeeds/\(name)") }

  private static func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: url(name))) }

  private struct Result {
    var reading: JSONFeedReading
    var entries: [Feed.Entry]
    var dump: JSONFeedDump { JSONFeedDump(reading, entries) }
  }

  /// Reads in chunks of the given sizes, the last again and again, and stops after some entries.
  private static func read(
    _ bytes: [UInt8], _ name: String, chunks: [Int] = [.max], limits: Limits = .standard, most: Int = .max
  ) -> Result {
    var entries: [Feed.Entry] = []
    let document = FeedDocument(name: name, bytes: [], url: "https://feeds.example/dir/\(name)")
    let reading = JSONFeedReading(document: document, limits: limits) { _, entry in
      entries.append(entry)
      return entries.count < most ? .continue : .stop
    }
    for chunk in bytes.cut(into: chunks) {
      if !reading.read(chunk.span) { break }
    }
    reading.finish()
    return Result(reading: reading, entries: entries)
  }
}
