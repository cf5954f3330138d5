import Foundation
import TamisArchive
import TamisCore
import TestSupport
import Testing

/// Feeds that move: all ids and links change at once, and other things with them.
@Suite struct MoveTests {
  /// What changes besides ids and links.
  private enum Change: String, CaseIterable { case footer, teaser, time, titleCase, tags, scheme, host }

  private static let words = """
    anchor barley canyon cinder copper dolphin ember falcon feather garnet glacier harbour hazel island jasper lagoon
    lantern mantle marble meadow nectar onyx orchard parcel pebble pepper quarry raven ribbon saddle sorrel thunder
    timber umber velvet violin walnut willow yarrow
    """.split { $0 == " " || $0 == "\n" }.map(String.init)

  /// Each of the words that `seed` picks, the same in each run.
  private static func text(_ count: Int, _ seed: Int) -> String {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return words[Int(state >> 33) % words.count]
    }.joined(separator: " ")
  }

  private static func posts(length: Int, _ changes: [Change]?) -> [TestPost] {
    (0..<10).map { number in
      let title = text(4, 1000 + number)
      let isMoved = changes != nil
      let changes = changes ?? []
      let scheme = changes.contains(.scheme) ? "http" : "https"
      let host = changes.contains(.host) ? "new.example" : "old.example"
      var post = TestPost(
        id: isMoved ? "\(scheme)://\(host)/posts/p\(number)/" : "\(scheme)://\(host)/?p=\(number)",
        link: isMoved
          ? "\(scheme)://\(host)/posts/p\(number)/" : "\(scheme)://\(host)/2026/\(number + 1)/note-\(number)")
      post.title = changes.contains(.titleCase) ? title.uppercased() : title
      let body = text(length, number)
      post.text = changes.contains(.teaser) ? body.split(separator: " ").prefix(20).joined(separator: " ") : body
      if changes.contains(.footer) { post.text += " The post \(title) appeared first on Harbour log." }
      post.date = 1_775_000_000 / 86_400 * 86_400 + Int64(number) * 86_400 + (changes.contains(.time) ? 0 : 46_800)
      post.tags = changes.contains(.tags) ? ["moved"] : ["fog", "locks"]
      return post
    }
  }

  /// Ids and links, with up to three other changes: 64 combinations, of long and of short posts.
  @Test func movedPostsAreFound() throws {
    let folder = try Fixtures.temporaryFolder()
    var combinations: [[Change]] = [[]]
    for change in Change.allCases { combinations += combinations.filter { $0.count < 3 }.map { $0 + [change] } }
    #expect(combinations.count == 64)
    var doubled: [String] = []
    for (number, changes) in combinations.enumerated() {
      for length in [30, 90] {
        let archive = try Archive(file: "\(folder.path)/\(number)-\(length).archive")
        _ = try archive.ingest([Documents.document(Self.posts(length: length, nil), of: "a")])
        let moved = Documents.document(Self.posts(length: length, changes), of: "a")
        let verdicts = try archive.ingest([moved])[0]
        let new = verdicts.count { $0.decision == .new || $0.decision == .backfill }
        if new > 0 { doubled.append("\(changes.map(\.rawValue)), \(length) words: \(new) new") }
        #expect(try archive.ingest([moved])[0].allSatisfy { $0.decision == .known })
      }
    }
    #expect(doubled.count <= 4, "\(doubled)")
  }

  /// Has an archive take documents of one feed, each of whose posts has to be new.
  private func expectAllNew(
    documents: Int, as decisions: [Archive.Decision] = [.new], _ posts: (Int) -> [TestPost]
  ) throws {
    let folder = try Fixtures.temporaryFolder()
    let archive = try Archive(file: "\(folder.path)/a.archive")
    for number in 0..<documents {
      let verdicts = try archive.ingest([Documents.document(posts(number), of: "a")])[0]
      #expect(verdicts.allSatisfy { decisions.contains($0.decision) }, "document \(number): \(verdicts)")
    }
  }

  /// A window that slides past all it had before has not moved, even when the posts of two days look alike.
  @Test func postsOfAnotherDayAreNew() throws {
    try expectAllNew(documents: 6) { day in
      ["Traffic", "Weather", "Links"].enumerated().map { number, title in
        TestPost(
          id: "\(day)-\(number)", link: "https://a.example/\(day)/\(title.lowercased())", title: title,
          text: Self.text(60, day * 3 + number), date: 1_775_000_000 + Int64(day) * 86_400)
      }
    }
  }

  /// Reports of one title that replace each other within hours are posts of their own.
  @Test func reportsOfOneDayAreNew() throws {
    try expectAllNew(documents: 6) { hour in
      ["Traffic", "Weather"].enumerated().map { number, title in
        TestPost(
          id: "\(hour)-\(number)", link: "https://a.example/\(hour)/\(number)", title: title,
          text: Self.text(hour < 3 ? 60 : 4, 500 + hour * 2 + number), date: 1_775_001_600 + Int64(hour) * 3600)
      }
    }
  }

  /// Bulletins with one text, or none, and another file each hour are posts of their own, with a date or without.
  @Test(arguments: [("The latest five minute bulletin.", true), ("", true), ("Slow on the bridge.", false)])
  func bulletinsAreNew(_ text: String, _ isDated: Bool) throws {
    try expectAllNew(documents: 5, as: [.new, .backfill]) { hour in
      ["News summary", "Sport summary", "Traffic"].enumerated().map { number, title in
        TestPost(
          id: "p0\(hour)\(number)", link: "https://a.example/sounds/play/p0\(hour)x\(number)", title: title,
          text: text.isEmpty ? "" : isDated ? text : "\(text) \(hour)\(number) minutes.",
          date: isDated ? 1_775_001_600 + Int64(hour) * 3600 : nil)
      }
    }
  }

  /// A post whose headline, id and link change while its day and its words stay is one post, in a feed that stays.
  @Test func rewrittenHeadlineIsKnown() throws {
    let folder = try Fixtures.temporaryFolder()
    let archive = try Archive(file: "\(folder.path)/a.archive")
    var posts = (0..<4).map { number in
      TestPost(
        id: "https://a.example/\(number)", link: "https://a.example/\(number)", title: Self.text(4, 70 + number),
        text: Self.text(90, number), date: 1_775_000_000 + Int64(number) * 86_400)
    }
    let before = try archive.ingest([Documents.document(posts, of: "a")])[0]
    (posts[1].id, posts[1].link) = ("https://a.example/another", "https://a.example/another")
    (posts[1].title, posts[1].date) = ("Quite other words", 1_775_000_000 + 86_400 + 600)
    let after = try archive.ingest([Documents.document(posts, of: "a")])[0]
    #expect(after[1].name == before[1].name)
    #expect(after.map(\.decision) == [.known, .updated(.minor), .known, .known])
    // With the old post beside it, it is another.
    posts.append(posts[1])
    (posts[4].id, posts[4].link) = ("https://a.example/third", "https://a.example/third")
    posts[4].title = "A third headline"
    #expect(try archive.ingest([Documents.document(posts, of: "a")])[0][4].decision == .new)
  }

  /// A feed that dates its posts by the moment of the request moves none of them.
  @Test func datesOfKnownPostsStay() throws {
    let folder = try Fixtures.temporaryFolder()
    let archive = try Archive(file: "\(folder.path)/a.archive")
    func posts(_ now: Int64, _ text: String = "") -> [TestPost] {
      (0..<3).map { number in
        TestPost(
          id: "\(number)", link: "https://a.example/\(number)", title: "Post \(number)",
          text: Self.text(60, number) + (number == 0 ? text : ""), date: now)
      }
    }
    func dates() throws -> [Int64?] { try archive.entries(.all).map(\.date).sorted { ($0 ?? 0) < ($1 ?? 0) } }
    _ = try archive.ingest([Documents.document(posts(1_775_000_000), of: "a")])
    for day in 1...3 {
      let verdicts = try archive.ingest([Documents.document(posts(1_775_000_000 + Int64(day) * 86_400), of: "a")])[0]
      #expect(verdicts.allSatisfy { $0.decision == .known })
    }
    #expect(try dates() == [1_775_000_000, 1_775_000_000, 1_775_000_000])
    _ = try archive.ingest([Documents.document(posts(1_775_400_000, " and some more words"), of: "a")])
    #expect(try dates() == [1_775_000_000, 1_775_000_000, 1_775_400_000])
  }
}
