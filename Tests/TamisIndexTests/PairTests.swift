import Foundation
import Tamis
import TestSupport
import Testing

/// `Fixtures/Dedupe/Pairs/*.txt`: two posts of two feeds with other ids and links, and whether they are one post.
@Suite struct PairTests {
  static let pairs = Case.all(in: "Dedupe/Pairs")

  @Test func areToldApartByTitleDateAndText() throws {
    try #require(Self.pairs.count >= 200)
    let folder = try Fixtures.temporaryFolder()
    var counts = (found: 0, missed: 0, wrong: 0, apart: 0)
    for (number, pair) in Self.pairs.enumerated() {
      let isSame = try #require(pair.settings["same"], "\(pair)") == "yes"
      let isFolded = try Self.isFolded(pair, "\(folder.path)/\(number).index")
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

  /// Whether the second post is folded into the first, or the first into the second, in either order of the feeds.
  private static func isFolded(_ pair: Case, _ file: String) throws -> Bool {
    let index = try PostIndex(file: file)
    let run = try index.beginRun()
    var new: [Int64: PostKeys] = [:]
    for section in ["one", "two"] {
      let entry = try post(try #require(pair.sections[section]), section)
      let keys = PostKeys.all(
        of: [entry.post], texts: [entry.text], home: nil, tracking: TrackingParameters([]), name: Site.name)
      for verdict in try index.record(keys, of: FeedKey(section), run: run, ending: .complete) {
        new[verdict.post] = keys[0]
      }
    }
    return try !index.fold(run: run, new: new).isEmpty
  }

  private static func post(_ section: String, _ name: String) throws -> (post: Post, text: String) {
    let parts = section.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    func field(_ name: String) -> String? {
      parts[0].split(separator: "\n").first { $0.hasPrefix(name + ":") }
        .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }
    let text = parts.count > 1 ? parts[1] : ""
    let post = Post(
      title: field("title") ?? "", excerpt: String(text.prefix(100)),
      content: Sanitizer(policy: .text).sanitize(text).html,
      permalink: Permalink(url: "https://\(name).example/1", source: "link"), links: [], thumbnail: nil, enclosures: [],
      authors: [], categories: [], published: field("date").flatMap { FeedDate(reading: $0).seconds }, updated: nil,
      comments: nil, language: nil, direction: .leftToRight, readingMinutes: nil, id: name, fields: [:],
      location: SourceLocation(file: "test"))
    return (post, text)
  }
}
