import Foundation
import Tamis
import TestSupport
import Testing

/// Documents in `Fixtures/Parsing/*.txt`, and what `tamis parse` must say about each.
///
/// A case has a document, and paths into the JSON with their values.
@Suite struct ParsingTests {
  static let cases = Case.all(in: "Parsing").filter { $0.file != "dates.txt" }

  @Test func fixtureCasesExist() { #expect(Self.cases.count > 15) }

  @Test(arguments: cases)
  func parsedJSONMatchesFixture(_ each: Case) throws {
    let json = try Self.parse(try #require(each.sections["input"]), url: each.settings["url"])
    let expectations = try #require(each.sections["expect"])
    for line in expectations.split(separator: "\n") {
      let parts = line.split(separator: " = ", maxSplits: 1).map(String.init)
      try #require(parts.count == 2, "'\(line)' is no expectation")
      #expect(Self.value(at: parts[0], in: json) == parts[1], "\(each): \(parts[0])")
    }
  }

  /// Dates in `Fixtures/Parsing/dates.txt` are read as the UTC time beside them, or not at all.
  @Test func datesAreRead() throws {
    let table = try #require(Case.all(in: "Parsing").first { $0.file == "dates.txt" }?.sections["dates"])
    for line in table.split(separator: "\n") {
      let parts = line.components(separatedBy: " = ")
      try #require(parts.count == 2, "'\(line)' is no row")
      let json = try Self.parse("<rss><channel><item><pubDate>\(parts[0])</pubDate></item></channel></rss>")
      let expected = parts[1] == "none" ? "null" : parts[1]
      #expect(Self.value(at: "entries[0].published_parsed", in: json) == expected, "\(parts[0])")
    }
  }

  // MARK: - The JSON

  static func parse(_ text: String, url: String? = nil) throws -> Any {
    var findings: [Finding] = []
    let document = FeedDocument(name: "case.xml", bytes: Array(text.utf8), url: url)
    let parsed = try FeedParser().run(document, into: &findings)
    let bytes = FeedJSON(sanitizer: .universalFeedParser).document(parsed, of: document)
    return try JSONSerialization.jsonObject(with: Data(bytes))
  }

  /// The value at a path such as `entries[0].title`: a text as it is, `null`, `absent`, or JSON.
  static func value(at path: String, in json: Any) -> String {
    var value: Any? = json
    for part in path.split(separator: ".") {
      let pieces = part.split(separator: "[").map { $0.hasSuffix("]") ? String($0.dropLast()) : String($0) }
      for (position, piece) in pieces.enumerated() {
        if position == 0 {
          value = piece == "count" ? (value as? [Any])?.count : (value as? [String: Any])?[piece]
        } else if let list = value as? [Any], let index = Int(piece), list.indices.contains(index) {
          value = list[index]
        } else {
          value = nil
        }
      }
    }
    switch value {
    case nil: return "absent"
    case is NSNull: return "null"
    case let text as String: return text
    case let number as NSNumber:
      return CFBoolean.isBoolean(number) ? (number.boolValue ? "true" : "false") : number.stringValue
    case let list as [Int]: return list.map(String.init).joined(separator: " ")
    case let other?: return "\(other)"
    }
  }
}

/// Tells JSON's `true` from its `1`.
private enum CFBoolean {
  static func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}
