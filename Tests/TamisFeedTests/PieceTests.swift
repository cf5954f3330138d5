import Foundation
import Tamis
import TestSupport
import Testing

/// A document that is read in two pieces.
private struct SplitBytes: ByteSource {
  let bytes: [UInt8]
  let split: Int

  func makeReader() -> any ByteReader { Reader(pieces: [Array(bytes[..<split]), Array(bytes[split...])]) }

  private struct Reader: ByteReader {
    var pieces: [[UInt8]]

    mutating func next() -> [UInt8] {
      while !pieces.isEmpty {
        let piece = pieces.removeFirst()
        if !piece.isEmpty { return piece }
      }
      return []
    }
  }
}

/// How a document is cut into pieces makes no difference.
@Suite struct PieceTests {
  /// In each something that takes several bytes: characters, references, sections, a declaration, faults.
  static let documents: [(name: String, bytes: [UInt8])] = [
    ("utf-8", Array(utf8.utf8)),
    (
      "utf-16",
      [0xFF, 0xFE] + utf8.replacing("utf-8", with: "utf-16").utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    ),
    (
      "shift_jis",
      Array("<?xml version='1.0' encoding='shift_jis'?><rss><channel><title>".utf8)
        + [0x89, 0x4A, 0x41, 0xFF, 0x89, 0xB9] + Array("</title></channel></rss>".utf8)
    ),
    (
      "strays",
      Array("<rss><channel><title>caf".utf8) + [0xE9, 0x20, 0xE2, 0x80, 0x20]
        + Array("– é</title></channel></rss>".utf8)
    ),
    ("json", Array(json.utf8)),
  ]

  private static let utf8 = """
    <?xml version="1.0" encoding="utf-8"?>
    <!DOCTYPE rss [<!ENTITY hello "Grüße">]>
    <!-- a & b --><?pi & ?>
    <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>a &amp; b & c &#X41; &hello; 雨😀</title>
    <item><title><![CDATA[x & y ]] > ]]></title><link>http://a.example/?b=1&c=2</link><dc:creator>Zoë &lt;z@a.example&gt;</dc:creator>
    <description>&lt;p&gt;caf&eacute; &lt;b&gt;é&lt;/b&gt;</description></item></channel></rss>
    """

  private static let json = """
    {"version":"https://jsonfeed.org/version/1.1","title":"Grüße 😀","items":[{"id":"1","content_html":"<p>a\\u00e9 \\"b\\"","tags":["x"]}]}
    """

  @Test(arguments: documents.map(\.name))
  func resultIsIndependentOfSplitPosition(_ name: String) throws {
    let bytes = try #require(Self.documents.first { $0.name == name }?.bytes)
    let whole = try Reading.everything(about: ByteArray(bytes))
    for split in 0...bytes.count {
      #expect(
        try Reading.everything(about: SplitBytes(bytes: bytes, split: split)) == whole, "\(name) split at \(split)")
    }
    for size in 1...9 {
      #expect(try Reading.everything(about: ByteArray(bytes, pieceSize: size)) == whole, "\(name) in pieces of \(size)")
    }
  }

  @Test(arguments: RobustnessTests.feeds ?? [])
  func resultIsIndependentOfPieceSize(_ name: String) throws {
    guard !name.hasSuffix(".md") else { return }
    let bytes = Array(try Data(contentsOf: Fixtures.url("Feeds/\(name)")))
    let whole = try Reading.everything(about: ByteArray(bytes, pieceSize: bytes.count))
    for size in [1, 7, 64, 1000, 4096] {
      #expect(try Reading.everything(about: ByteArray(bytes, pieceSize: size)) == whole, "\(name) in pieces of \(size)")
    }
  }

  /// A feed truncated at any byte around its second entry keeps the entries before it.
  @Test(arguments: RobustnessTests.feeds ?? [])
  func truncationAtAnyByteKeepsCompleteEntries(_ name: String) throws {
    let bytes = Array(try Data(contentsOf: Fixtures.url("Feeds/\(name)")))
    var findings: [Finding] = []
    let whole = try FeedParser().run(FeedDocument(name: name, bytes: bytes), into: &findings).entries
    let starts = Self.positions(of: ["<item>", "<item ", "<entry>", "<entry "], in: bytes)
    guard starts.count > 2 else { return }
    for end in starts[1]..<min(starts[1] + 600, bytes.count) {
      var cutFindings: [Finding] = []
      let entries =
        try FeedParser().run(FeedDocument(name: name, bytes: Array(bytes[..<end])), into: &cutFindings).entries
      #expect(!entries.isEmpty && entries.count <= whole.count, "\(name) cut at \(end)")
      #expect(
        entries.first?.title == whole[0].title && entries.first?.content == whole[0].content, "\(name) cut at \(end)")
      #expect(!cutFindings.isEmpty, "\(name) cut at \(end)")
    }
  }

  private static func positions(of tags: [String], in bytes: [UInt8]) -> [Int] {
    bytes.indices.filter { index in
      bytes[index] == UInt8(ascii: "<") && tags.contains { bytes[index...].starts(with: $0.utf8) }
    }
  }
}
