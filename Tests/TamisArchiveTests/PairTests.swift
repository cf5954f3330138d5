import Foundation
import Tamis
import TestSupport
import Testing

/// `Fixtures/Dedupe/Pairs/*.txt`: two posts of two feeds, and whether they are one post.
///
/// Their ids differ, and so do their links unless a pair says where its posts lead to (`link:`).
@Suite struct PairTests {
  static let pairs = Case.all(in: "Dedupe/Pairs")

  @Test func pairsAreClassifiedByTitleDateAndText() throws {
    try #require(Self.pairs.count >= 440)
    let folder = try Fixtures.temporaryFolder()
    var counts = (found: 0, missed: 0, wrong: 0, apart: 0)
    for (number, pair) in Self.pairs.enumerated() {
      let isSame = try #require(pair.settings["same"], "\(pair)") == "yes"
      let isFolded = try Self.isFolded(pair, "\(folder.path)/\(number).archive")
      switch (isSame, isFolded) {
      case (true, true): counts.found += 1
      case (true, false): counts.missed += 1
      case (false, true): counts.wrong += 1
      case (false, false): counts.apart += 1
      }
      if isSame != isFolded { print("\(isSame ? "missed" : "WRONG ")  \(pair.name): \(pair.sections["why"] ?? "")") }
    }
    let precision = Double(counts.found) / Double(counts.found + counts.wrong)
    let recall = Double(counts.found) / Double(counts.found + counts.missed)
    print("\(Self.pairs.count) pairs: precision \(precision), recall \((recall * 1000).rounded() / 1000) (\(counts))")
    #expect(precision == 1)
    #expect(recall >= 0.9)
  }

  /// Whether the second post is folded into the first, or the first into the second.
  private static func isFolded(_ pair: Case, _ file: String) throws -> Bool {
    let archive = try Archive(file: file)
    _ = try archive.ingest(
      try ["one", "two"].map { section in
        Documents.document([try post(try #require(pair.sections[section]), section)], of: Feed.Key(section))
      })
    return try archive.entries(.all).contains { $0.foldedInto != nil }
  }

  private static func post(_ section: String, _ name: String) throws -> TestPost {
    let parts = section.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    func field(_ name: String) -> String? {
      parts[0].split(separator: "\n").first { $0.hasPrefix(name + ":") }
        .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }
    return TestPost(
      id: name, link: field("link") ?? "https://\(name).example/1", title: field("title") ?? "",
      text: parts.count > 1 ? parts[1] : "",
      date: field("date").flatMap { Feed.Timestamp(reading: $0).seconds })
  }
}
