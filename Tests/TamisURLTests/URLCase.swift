import Foundation
import TamisURL
import TestSupport

/// One case of a fixture file: an input, perhaps a base, and what the standard makes of them.
struct URLCase: Decodable, Sendable, CustomStringConvertible {
  let input: String
  let base: String?
  /// The expected serialization; nil when the standard says failure.
  let href: String?
  let failure: Bool?
  let why: String?

  var description: String { "\(input.debugDescription) against \(base.debugDescription)" }

  /// What the parser makes of the case; an unusable base is a failure.
  func parse() -> WebURL? {
    guard let base else { return WebURL(input) }
    guard let base = WebURL(base) else { return nil }
    return WebURL(input, base: base)
  }
}

enum Fixtures {
  /// The root of the package, three folders above this file.
  static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static let topics = ["schemes", "hosts", "ipv4", "ipv6", "paths", "relative", "opaque", "hostile", "idna", "query"]

  static let deviations = root.appending(path: "Fixtures/URLs/known-deviations.json")

  /// The web-platform-tests cases, or about half of them; not every checkout has them.
  static let publicCases = ["url/urltestdata.json", "url-cases/urltestdata-public.json"]

  static var hasPublicCases: Bool { publicCases.contains(where: TestSupport.Fixtures.hasSuite) }

  /// How many may be refused without being known deviations: the whole suite grows, the half that is known does not.
  static func mostUnknownRefusals(of count: Int) -> Int {
    TestSupport.Fixtures.hasSuite(publicCases[0]) ? count / 50 : 0
  }

  /// Those that can be read: the suite has comments between its cases, and cases that are marked as relative.
  static func loadPublicCases() throws -> [URLCase] {
    struct Entry: Decodable {
      var each: URLCase?

      init(from decoder: any Decoder) throws {
        let isComment = (try? decoder.singleValueContainer().decode(String.self)) != nil
        each = isComment ? nil : try URLCase(from: decoder)
      }
    }
    guard let path = publicCases.first(where: TestSupport.Fixtures.hasSuite) else { return [] }
    return try load([Entry].self, from: TestSupport.Fixtures.suite(path)).compactMap(\.each)
  }

  static func cases(_ topic: String) throws -> [URLCase] {
    try load([URLCase].self, from: root.appending(path: "Fixtures/URLs/\(topic).json"))
  }

  static func load<Value: Decodable>(_ type: Value.Type, from file: URL) throws -> Value {
    try JSONDecoder().decode(type, from: Data(contentsOf: file))
  }

  /// The cases of all topics, and the public ones when they are there.
  static func everyCase() throws -> [URLCase] {
    let own = try topics.flatMap { try cases($0) }
    return try own + loadPublicCases()
  }
}
