import Foundation
import TamisCore
import TestSupport
import Testing

/// `Fixtures/SourceSets/*.json`: values of `srcset`, and the candidates that a browser reads out of them.
///
/// That a browser does is checked by Tests/Browser/compare_parsing.py.
@Suite struct SourceSetTests {
  struct Example: Decodable, Sendable, CustomStringConvertible {
    var srcset: String
    var candidates: [String]
    var why: String
    var description: String { why }
  }

  static let examples: [Example] = Fixtures.files(in: "SourceSets", withExtension: "json").flatMap { file in
    (try? JSONDecoder().decode([Example].self, from: Data(contentsOf: file))) ?? []
  }

  @Test func fixtureExamplesExist() { #expect(Self.examples.count >= 60) }

  @Test(arguments: examples)
  func candidatesMatchBrowsers(_ example: Example) {
    let found = SourceSet.parse(Array(example.srcset.utf8).span)
    #expect(found.map(Self.comparable) == example.candidates.map(Self.comparable), "\(example.srcset)")
    // What is written means the same.
    #expect(SourceSet.parse(SourceSet.serialize(found).span) == found)
  }

  /// The file's name and the descriptor, letters and the page's address aside: the examples name what is fetched.
  private static func comparable(_ candidate: SourceSet.Candidate) -> [String] {
    [String(decoding: candidate.url, as: UTF8.self), String(decoding: candidate.descriptor, as: UTF8.self)]
      .map { $0.hasPrefix("//") ? "https:" + $0 : $0 }
      .map { $0.addingPercentEncoding(withAllowedCharacters: .ascii) ?? $0 }
  }

  private static func comparable(_ text: String) -> [String] {
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    return parts.count == 2 ? parts : parts + [""]
  }
}

extension CharacterSet {
  fileprivate static let ascii = CharacterSet(charactersIn: "\u{1}"..."\u{7E}")
}
