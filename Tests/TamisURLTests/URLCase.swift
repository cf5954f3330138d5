import Foundation
import TamisURL

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

  /// The web-platform-tests cases beside the repository; not every checkout has them.
  static let publicCases = root.deletingLastPathComponent()
    .appending(path: "shared/url-cases/urltestdata-public.json")

  static var hasPublicCases: Bool { FileManager.default.fileExists(atPath: publicCases.path) }

  static func cases(_ topic: String) throws -> [URLCase] {
    try load([URLCase].self, from: root.appending(path: "Fixtures/URLs/\(topic).json"))
  }

  static func load<Value: Decodable>(_ type: Value.Type, from file: URL) throws -> Value {
    try JSONDecoder().decode(type, from: Data(contentsOf: file))
  }

  /// The cases of all topics, and the public ones when they are there.
  static func everyCase() throws -> [URLCase] {
    let own = try topics.flatMap { try cases($0) }
    return hasPublicCases ? try own + load([URLCase].self, from: publicCases) : own
  }
}
