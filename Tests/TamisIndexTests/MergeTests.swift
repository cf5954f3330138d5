import Foundation
import Tamis
import TestSupport
import Testing

/// Joining indexes: in whatever order and however often, the same comes of it.
@Suite struct MergeTests {
  private let folder: TemporaryFolder
  private var number = 0

  init() throws { folder = try Fixtures.temporaryFolder() }

  @Test(arguments: UInt64(1)...24)
  mutating func anyOrderGivesTheSame(_ seed: UInt64) throws {
    var random = Random(state: seed)
    let shards = try (0..<3).map { _ in try shard(&random) }
    for shard in shards {
      #expect(try merged([shard]) == shard, "an index is taken in as it is")
      #expect(try merged([shard, shard]) == shard, "joined with itself it is the same")
    }
    var results: Set<String> = []
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let parts = order.map { shards[$0] }
      results.insert(try merged(parts))
      results.insert(try merged([parts[0], try merged([parts[1], parts[2]])]))
      results.insert(try merged(parts + parts.reversed()))
    }
    #expect(results.count == 1)
  }

  @Test mutating func theAuthorsOwnCopyStays() throws {
    let both = try index([
      ("a-planet", [copy("p1", at: "https://b.example/1")]), ("b", [copy("1", at: "https://b.example/1")]),
    ])
    #expect(try shown(both) == ["b: copy"])
    #expect(try merged([both, both]) == both)
  }

  @Test mutating func nothingIsFoldedIntoWhatIsForgotten() throws {
    let posts = [("a", [copy("1", at: "https://a.example/1")]), ("b", [copy("1", at: "https://a.example/1")])]
    let (one, other) = (try index(posts), try index(posts))
    let forgetful = try open(one)
    #expect(try forgetful.forget(.page(try #require(try forgetful.entries(.feed("a")).first).name)) == 1)
    let joined = try merged([try export(forgetful), other])
    #expect(try shown(joined) == ["b: copy"])
  }

  @Test mutating func aPostBetweenTwoOthersDoesNotMakeThemOne() throws {
    let a = ("a", [Item(id: "1", link: "https://a.example/1", title: "One", text: "short words of a")])
    let b = ("b", [Item(id: "tag:x,2026:c", link: "https://a.example/1", title: "One", text: "short words of b")])
    let c = ("c", [Item(id: "tag:x,2026:c", link: "https://c.example/9", title: "One", text: "short words of c")])
    let joined = try merged([try index([a, b]), try index([b, c])])
    #expect(try shown(joined).count == 2, "b is one of the others, not both")
    #expect(try merged([joined, joined]) == joined)
  }

  @Test mutating func oneIdUnderTwoNamesIsOnePost() throws {
    let one = try index([("a", [Item(id: "g", link: nil, title: "One", text: "text")])])
    let other = try index([("a", [Item(id: "g", link: nil, title: "Uno", text: "text")])])
    let joined = try merged([one, other])
    #expect(try shown(joined).count == 1)
    let again = try open(joined)
    let run = try again.beginRun()
    let keys = keys([Item(id: "g", link: nil, title: "Uno", text: "text")])
    #expect(try again.record(keys, of: "a", run: run, ending: .complete).map(\.decision.isShown) == [true])
  }

  @Test mutating func keysMeanTheSameInEveryIndex() throws {
    let first = Item(id: "g1", link: "https://h.example/L", title: "One", text: "text one")
    let rotated = Item(id: "g2", link: "https://h.example/L", title: "One", text: "text one")
    let z = try index([("z", [first])], then: [("z", [rotated])])
    let joined = try open(try merged([try index([("a", [Item(id: "x", link: nil, title: "X", text: "x")])]), z]))
    let again = Item(id: "g1", link: "https://h.example/L2", title: "One", text: "brand new words here")
    let verdicts = try joined.record(keys([again, rotated]), of: "z", run: try joined.beginRun(), ending: .complete)
    #expect(verdicts.map(\.decision) == [.new, .known])
    #expect(try joined.verify() == [])
  }

  @Test(arguments: [
    #"{"feed":"a","pending":9223372036854775807}"#, #"{"feed":"a","level":99}"#, #"{"feed":"a","first":-1}"#,
    #"{"feed":""}"#,
  ])
  mutating func linesThatNoIndexWritesAreRefused(_ line: String) throws {
    let index = try PostIndex(file: nextFile())
    #expect(throws: IndexError.self) { try index.merge(Array((line + "\n").utf8), named: "x") }
  }

  @Test(arguments: ["date", "changed", "first", "gone", "words", "numbers", "flags"])
  mutating func postsThatNoIndexWritesAreRefused(_ field: String) throws {
    let line = try #require(try index([("a", [copy("1", at: "https://a.example/1")])]).split(separator: "\n").last)
    var object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    var post = try #require(object["post"] as? [String: Any])
    post[field] = Int64.min
    object["post"] = post
    let bytes = Array(try JSONSerialization.data(withJSONObject: object))
    let index = try PostIndex(file: nextFile())
    #expect(throws: IndexError.self) { try index.merge(bytes, named: "x") }
  }

  @Test mutating func verifyFindsNumbersThatCannotBe() throws {
    let file = nextFile()
    _ = try PostIndex(file: file).merge(
      Array(try index([("a", [copy("1", at: "https://a.example/1")])]).utf8), named: "x")
    try SQLiteFile.make(
      file, "UPDATE post SET date = -9223372036854775808; UPDATE feed SET pending = 9223372036854775807;")
    #expect(try PostIndex(reading: file).verify().count == 2)
    try SQLiteFile.make(file, "INSERT INTO run VALUES (9223372036854775807, 1);")
    #expect(throws: IndexError.self) { try PostIndex(file: file).beginRun() }
  }

  // MARK: - Indexes

  private struct Item {
    var id: String?
    var link: String?
    var title: String
    var text: String
    var date: Int64?
  }

  private func copy(_ id: String, at link: String) -> Item {
    Item(id: id, link: link, title: "Copy", text: (0..<60).map { "word\($0)" }.joined(separator: " "))
  }

  private mutating func nextFile() -> String {
    number += 1
    return "\(folder.path)/\(number).index"
  }

  /// An index of random documents of two or three feeds, as a machine may have seen them; as it is exported.
  private mutating func shard(_ random: inout Random) throws -> String {
    let index = try PostIndex(file: nextFile())
    for _ in 0...random.below(3) {
      var documents: [(String, [Item])] = []
      for feed in ["a", "b", "c"] where random.below(3) > 0 {
        documents.append((feed, (0..<6).filter { _ in random.below(2) == 0 }.map { item($0, feed, &random) }))
      }
      try build(documents, index)
    }
    for entry in try index.entries(.all) {
      if random.below(8) == 0 { _ = try index.markRead(.page(entry.name)) }
      if random.below(12) == 0 { _ = try index.forget(.page(entry.name)) }
    }
    return try export(index)
  }

  private func item(_ number: Int, _ feed: String, _ random: inout Random) -> Item {
    let version = random.below(3)
    let text = (0..<(random.below(2) == 0 ? 60 : 8)).map { "post\(number)word\($0 + ($0 < 4 ? version * 100 : 0))" }
    return Item(
      id: random.below(4) == 0
        ? nil : ["\(random.below(2) == 0 ? "g" : "h")\(number)", "tag:x,2026:\(number)"][random.below(2)],
      link: random.below(5) == 0 ? nil : "https://\(random.below(2) == 0 ? feed : "a").example/\(number)",
      title: "Title \(number)\(random.below(5) == 0 ? " again" : "")", text: text.joined(separator: " "),
      date: random.below(4) == 0 ? nil : 1_700_000_000 + Int64(number) * 86_400)
  }

  private mutating func index(
    _ documents: [(String, [Item])], then others: [(String, [Item])] = []
  ) throws -> String {
    let index = try PostIndex(file: nextFile())
    try build(documents, index)
    if !others.isEmpty { try build(others, index) }
    return try export(index)
  }

  private func build(_ documents: [(String, [Item])], _ index: PostIndex) throws {
    let run = try index.beginRun()
    var (new, known): ([Int64: PostKeys], [Int64: PostKeys]) = ([:], [:])
    for (feed, items) in documents {
      let keys = keys(items, home: "https://\(feed).example/")
      for (verdict, keys) in zip(try index.record(keys, of: FeedKey(feed), run: run, ending: .complete), keys)
      where verdict.decision.isShown {
        if verdict.isNew { new[verdict.post] = keys } else { known[verdict.post] = keys }
      }
    }
    _ = try index.fold(run: run, new: new, known: known)
    try index.endRun(run)
  }

  private func keys(_ items: [Item], home: String? = nil) -> [PostKeys] {
    let posts = items.map { item in
      Post(
        title: item.title, excerpt: "", content: Sanitizer(policy: .reading).sanitize(item.text).html,
        permalink: item.link.map { Permalink(url: $0, source: "link") }, links: [], thumbnail: nil, enclosures: [],
        authors: [], categories: [], published: item.date, updated: nil, comments: nil, language: nil,
        direction: .leftToRight, readingMinutes: nil, id: item.id, fields: [:], location: SourceLocation(file: "test"))
    }
    return PostKeys.all(
      of: posts, texts: items.map(\.text), home: home, tracking: TrackingParameters([]), name: Site.name)
  }

  private func export(_ index: PostIndex) throws -> String { String(decoding: try index.export(), as: UTF8.self) }

  private mutating func open(_ export: String) throws -> PostIndex {
    let index = try PostIndex(file: nextFile())
    _ = try index.merge(Array(export.utf8), named: "x")
    return index
  }

  private mutating func merged(_ parts: [String]) throws -> String {
    let index = try PostIndex(file: nextFile())
    for part in parts { _ = try index.merge(Array(part.utf8), named: "x") }
    #expect(try index.verify() == [])
    return try export(index)
  }

  /// The feeds and names' first words of posts that have pages of their own.
  private mutating func shown(_ export: String) throws -> [String] {
    try open(export).entries(.all).filter { !$0.isBuried && $0.foldedInto == nil }
      .map { "\($0.feed): \($0.name.prefix { $0 != "-" })" }
  }

  private struct Random {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }
  }
}
