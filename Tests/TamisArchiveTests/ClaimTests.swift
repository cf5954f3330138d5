import TamisArchive
import TamisCore
import TestSupport
import Testing

/// Feeds that copy the links of another site: nobody's page is taken by a claim.
@Suite struct ClaimTests {
  private let folder: TemporaryFolder

  init() throws { folder = try Fixtures.temporaryFolder() }

  private static let honest = [
    "honest text", "", String(repeating: "honest words about the harbour and its gates ", count: 9),
  ]
  private static let wrong = [
    "FALSE text", "FALSE", String(repeating: "FALSE words of somebody else altogether ", count: 9),
  ]

  private static func posts(_ text: String) -> [TestPost] {
    (0..<3).map {
      TestPost(
        id: "https://victim.example/\($0)", link: "https://victim.example/\($0)", title: "News \($0)", text: text)
    }
  }

  /// The feeds whose posts stand for themselves, after two runs with a feed each.
  private func shown(
    _ first: (name: String, text: String, home: String?, address: String?),
    _ second: (name: String, text: String, home: String?, address: String?), file: String
  ) throws -> Set<String> {
    let archive = try Archive(file: "\(folder.path)/\(file).archive")
    for feed in [first, second] {
      let document = Documents.document(
        Self.posts(feed.text), of: Feed.Key(feed.name), home: feed.home, address: feed.address)
      _ = try archive.ingest([document])
    }
    return Set(try archive.entries(.all).filter { $0.foldedInto == nil }.map(\.feed.text))
  }

  /// Whoever comes first, and whatever both say of their home pages: the owner's posts have pages of their own, unless
  /// somebody else's are the same.
  @Test func ownersPostsStand() throws {
    let (home, address) = ("https://victim.example/", "https://victim.example/feed")
    var number = 0
    for ownAddress in [address, nil] {
      for claim in [home, "https://evil.example/", nil] {
        for evilAddress in ["https://evil.example/feed", nil] {
          for (text, other) in zip(Self.honest, Self.wrong) + zip(Self.honest, Self.honest) {
            let victim = ("victim", text, Optional(home), ownAddress)
            let evil = ("evil", other, claim, evilAddress)
            for (first, second) in [(victim, evil), (evil, victim)] {
              number += 1
              let found = try shown(first, second, file: "\(number)")
              // Equal posts that two feeds claim with the same right may stand for each other.
              let isUndecided = text == other && claim == home && ownAddress == nil
              #expect(found.contains("victim") || isUndecided, "\(first) \(second): \(found)")
              if text != other, claim == home, ownAddress == nil { #expect(found.contains("evil")) }
            }
          }
        }
      }
    }
  }
}

private func + <A, B>(one: Zip2Sequence<[A], [B]>, other: Zip2Sequence<[A], [B]>) -> [(A, B)] {
  Array(one) + Array(other)
}
