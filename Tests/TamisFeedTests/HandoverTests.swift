import Foundation
import Tamis
import TestSupport
import Testing

/// A document is read the same, wherever the reader of what is behind a fault takes over from libxml2.
///
/// A comment with a `<` in it changes nothing in a document, and hands it over.
@Suite struct HandoverTests {
  private static let comment = Array("<!--<-->".utf8)

  /// Cases with all that libxml2 knows, and with what only looks as if it were in order.
  static let documents =
    (try? FileManager.default.contentsOfDirectory(atPath: Fixtures.url("Parsing/WellFormed").path)) ?? []

  @Test(arguments: (RobustnessTests.feeds ?? []).map { "Feeds/\($0)" } + documents.map { "Parsing/WellFormed/\($0)" })
  func handoverPositionDoesNotChangeResult(_ path: String) throws {
    guard !path.hasSuffix(".md") else { return }
    let bytes = Array(try Data(contentsOf: Fixtures.url(path)))
    let whole = try Reading.everything(about: ByteArray(bytes))
    let places = Self.lineEndsBehindTags(bytes)
    for place in places.enumerated().filter({ $0.offset % (1 + places.count / 30) == 0 }).map(\.element) {
      let handedOver = bytes[..<place] + Self.comment + bytes[place...]
      #expect(
        try Reading.everything(about: ByteArray(Array(handedOver))) == whole, "\(path) handed over at byte \(place)")
    }
  }

  @Test func wellFormedDocumentsExist() { #expect(!Self.documents.isEmpty) }

  /// Where a comment between elements changes no column of what follows; the first is before the root element.
  private static func lineEndsBehindTags(_ bytes: [UInt8]) -> [Int] {
    var places: [Int] = []
    var index = 0
    while index < bytes.count {
      let rest = bytes[index...]
      var closing = rest.starts(with: "<![CDATA[".utf8) ? "]]>" : rest.starts(with: "<!--".utf8) ? "-->" : ""
      if rest.starts(with: "<?".utf8) { closing = "?>" }
      guard bytes[index] == UInt8(ascii: "<") else {
        index += 1
        continue
      }
      if closing.isEmpty { closing = ">" }
      while index < bytes.count, !bytes[index...].starts(with: closing.utf8) { index += 1 }
      index += closing.utf8.count
      if closing == ">" || closing == "?>", index < bytes.count, bytes[index] == UInt8(ascii: "\n") {
        places.append(index)
      }
    }
    return places
  }
}

/// All that can be said about a document.
enum Reading {
  static func everything(about source: some ByteSource) throws -> String {
    var findings: [Finding] = []
    let document = FeedDocument(name: "x", source: source)
    let parsed = try FeedParser().run(document, into: &findings)
    let json = FeedJSON(sanitizer: .universalFeedParser).document(parsed, of: document)
    return String(decoding: json, as: UTF8.self) + findings.map { "\n\($0)" }.joined()
  }
}
