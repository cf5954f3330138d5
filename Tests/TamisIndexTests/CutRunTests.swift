import Foundation
import Tamis
import TestSupport
import Testing

/// Runs that are cut short at whatever point, and go on.
@Suite struct CutRunTests {
  private let folder: TemporaryFolder

  init() throws { folder = try Fixtures.temporaryFolder() }

  /// Feeds have posts of each other, some with a word or two changed, and posts become others from run to run.
  @Test(arguments: UInt64(1)...16)
  func theSameComesOfARunThatGoesOn(_ seed: UInt64) throws {
    let index = try PostIndex(file: "\(folder.path)/\(seed).index")
    var random = Random(state: seed)
    for _ in 0..<4 {
      let documents = ["a", "b", "c"].map { ($0, document($0, &random)) }
      let run = try index.beginRun()
      let folds = try build(documents, index, run)
      let export = try index.export()
      #expect(try index.beginRun() == run)
      #expect(try build(documents, index, run) == folds)
      #expect(try index.export() == export)
      try index.endRun(run)
    }
  }

  private func build(
    _ documents: [(String, [PostKeys])], _ index: PostIndex, _ run: Int64
  ) throws -> [Int64: PostIndex.Page] {
    var (new, known): ([Int64: PostKeys], [Int64: PostKeys]) = ([:], [:])
    for (feed, keys) in documents {
      for (verdict, keys) in zip(try index.record(keys, of: feed, run: run), keys) where verdict.decision.isShown {
        if verdict.isNew { new[verdict.post] = keys } else { known[verdict.post] = keys }
      }
    }
    return try index.fold(run: run, new: new, known: known)
  }

  private func document(_ feed: String, _ random: inout Random) -> [PostKeys] {
    let texts = (0..<10).map { _ -> String in
      let text = Int.random(in: 0..<6, using: &random)
      var words = (0..<60).map { "word\(text)x\($0)" }
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        words[Int.random(in: 0..<60, using: &random)] = "w\(Int.random(in: 0..<9, using: &random))"
      }
      return words.joined(separator: " ")
    }
    let posts = texts.map { text in
      Post(
        title: "Title", excerpt: "", content: Sanitizer(policy: .reading).sanitize(text).html,
        permalink: nil, links: [], thumbnail: nil, enclosures: [], authors: [], categories: [],
        published: Int64.random(in: 0..<3, using: &random) * 86_400, updated: nil, comments: nil, language: nil,
        direction: .leftToRight, readingMinutes: nil, id: "\(Int.random(in: 0..<30, using: &random))", fields: [:],
        location: SourceLocation(file: "test"))
    }
    return PostKeys.all(
      of: posts, texts: texts, home: nil, tracking: TrackingParameters([]), name: Site.name)
  }
}

/// SplitMix64: the same noise in each run.
private struct Random: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
