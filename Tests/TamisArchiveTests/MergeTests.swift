import Foundation
import Tamis
import TestSupport
import Testing

/// Joining archives: in whatever order and however often, the same comes of it.
@Suite struct MergeTests {
  private let folder: TemporaryFolder
  private var number = 0

  init() throws { folder = try Fixtures.temporaryFolder() }

  @Test(arguments: UInt64(1)...5)
  mutating func mergeIsCommutativeAssociativeAndIdempotent(_ seed: UInt64) throws {
    var random = Random(state: seed)
    let shards = try (0..<3).map { _ in try shard(&random) }
    for shard in shards {
      #expect(try merged([shard]) == shard, "an archive is taken in as it is")
      #expect(try merged([shard, shard]) == shard, "joined with itself it is the same")
    }
    var (results, folds): (Set<String>, Set<[String]>) = ([], [])
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let parts = order.map { shards[$0] }
      let whole = try merged(parts)
      results.insert(whole)
      results.insert(try merged([parts[0], try merged([parts[1], parts[2]])]))
      results.insert(try merged(parts + parts.reversed()))
      // What is worked out step by step is what is worked out at once.
      folds.insert(try listings(joined(parts)))
      folds.insert(try listings(open(whole)))
    }
    #expect(results.count == 1)
    #expect(folds.count == 1)
  }

  @Test(arguments: UInt64(1)...3)
  mutating func fileMergeEqualsJoinOfExports(_ seed: UInt64) throws {
    var random = Random(state: seed &* 77)
    let shards = try (0..<2).map { _ in try shard(&random) }
    let files = try shards.map { try open($0) }
    let paths = (files + files.reversed()).map { FilePath($0.file) }
    let (first, second) = (nextFile(), nextFile())
    for file in [first, second] { _ = try Archive.merge(try MergeInputs(paths), into: FilePath(file)) }
    // One after the other into one that is there.
    for path in paths { _ = try Archive.merge(try MergeInputs([path]), into: FilePath(second)) }
    for file in [first, second] {
      let joined = try Archive(file: file)
      #expect(try joined.exported() == merged(shards))
      #expect(try joined.verify() == [])
    }
  }

  /// What a killed merge has left goes with the next merge, and with the next run on the archive; other files stay.
  @Test mutating func abandonedDraftsAreRemoved() throws {
    let source = FilePath(try Archive(file: nextFile()).file)
    let target = nextFile()
    let (left, others) = (["tmp-0badc0de", "tmp-0badc0de-journal", "tmp-1234567f"], ["tmp-nonsense", "tmp-1234567"])
    for isMerged in [true, false] {
      for name in left + others { try Data("half".utf8).write(to: URL(filePath: "\(target).\(name)")) }
      if isMerged { _ = try Archive.merge(try MergeInputs([source]), into: FilePath(target)) }
      _ = try Archive(file: target)
      for name in left { #expect(!FileManager.default.fileExists(atPath: "\(target).\(name)"), "\(name)") }
      for name in others { #expect(FileManager.default.fileExists(atPath: "\(target).\(name)"), "\(name)") }
    }
  }

  /// Posts that a later document lacks count as gone, whether its archive is merged with others or after them; one that
  /// comes back was there before, whichever archives have been joined.
  @Test(arguments: [[["1", "2"], ["1", "3"], ["4", "5"]], [["1", "2"], ["2"], ["1", "2"]]])
  mutating func mergeOfThreeEqualsStepwiseMerge(_ documents: [[String]]) throws {
    let parts = try documents.enumerated().map { index, ids in
      let archive = try Archive(file: nextFile())
      let run = try Ingest(
        archive, now: 1_700_000_000 + Int64(index) * 1000, settings: SiteSettings(), paths: [], existing: [])
      _ = try run.record(Documents.document(ids.map { TestPost(id: $0, title: "Post \($0)") }, of: "b"))
      try run.finish()
      return FilePath(archive.file)
    }
    let once = FilePath(nextFile())
    _ = try Archive.merge(try MergeInputs(parts), into: once)
    let expected = try Archive(file: once.description, mode: .reading).exported()
    for order in [[0, 1, 2], [0, 2, 1], [1, 2, 0], [2, 1, 0]] {
      let stepwise = FilePath(nextFile())
      for index in order { _ = try Archive.merge(try MergeInputs([parts[index]]), into: stepwise) }
      #expect(try Archive(file: stepwise.description, mode: .reading).exported() == expected, "\(order)")
    }
    // An archive has what it would take from itself.
    _ = try Archive.merge(try MergeInputs([once]), into: once)
    #expect(try Archive(file: once.description, mode: .reading).exported() == expected)
  }

  /// A site that begins again with 1, read by three machines: each post stays, under the names that one machine gives.
  @Test mutating func postsWhoseIDsWereGivenAnewAreKept() throws {
    let themes = [["spring", "lambs"], ["harvest", "apples"], ["frost", "lanterns"]]
    let documents = themes.enumerated().map { year, words in
      ["1", "2"].map { (id: String) in
        TestPost(
          id: id, link: "https://b.example/?p=\(id)", title: "\(words[0]) \(words[1])",
          text: (0..<30).map { "\(words[$0 % 2])\(id)\($0)" }.joined(separator: " "),
          date: 1_700_000_000 + Int64(year) * 40_000_000)
      }
    }
    func read(_ archive: Archive, _ years: [Int]) throws -> String {
      for year in years {
        let run = try Ingest(
          archive, now: 1_700_000_000 + Int64(year) * 40_000_000, settings: SiteSettings(), paths: [], existing: [])
        _ = try run.record(Documents.document(documents[year], of: "b"))
        try run.finish()
      }
      return try archive.exported()
    }
    let (parts, whole) = (
      try [0, 1, 2].map { try read(Archive(file: nextFile()), [$0]) }, try read(Archive(file: nextFile()), [0, 1, 2])
    )
    let names = try open(whole).entries(.all).map(\.name)
    #expect(Set(names).count == 6)
    var results: Set<String> = []
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let parts = order.map { parts[$0] }
      results.insert(try merged(parts))
      results.insert(try merged([parts[0], try merged([parts[1], parts[2]])]))
      results.insert(try merged([try merged(parts), parts[1], whole]))
    }
    #expect(results.count == 1)
    #expect(try results.map { try open($0).entries(.all).map(\.name) } == [names])
    // Two that know the first one by its name, and another one after it each.
    let (one, other) = (try read(Archive(file: nextFile()), [0, 1]), try read(Archive(file: nextFile()), [0, 2]))
    #expect(
      try [merged([one, other]), merged([other, one]), merged([other, parts[1]])]
        == Array(repeating: results.first, count: 3))
  }

  /// A feed of one post a day, always with the same id: rows of posts that two archives have in part.
  @Test mutating func longRowsUnderOneIDAreJoined() throws {
    func read(_ archive: Archive, _ days: ClosedRange<Int64>) throws -> String {
      for day in days {
        let now = 1_700_000_000 + day * 86_400
        let run = try Ingest(archive, now: now, settings: SiteSettings(), paths: [], existing: [])
        let words = (0..<20).map { "word\(day)of\($0)" }.joined(separator: " ")
        let post = TestPost(
          id: "verse", link: "https://b.example/", title: "Verse\(day) song\(day)", text: words, date: now)
        _ = try run.record(Documents.document([post], of: "b"))
        try run.finish()
      }
      return try archive.exported()
    }
    let whole = try read(Archive(file: nextFile()), 1...24)
    let parts = try [1...20, 11...24, 3...5].map { try read(Archive(file: nextFile()), $0) }
    let names = try Set(open(whole).entries(.all).map(\.name))
    #expect(names.count == 24)
    let results = try [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]].map { try merged($0.map { parts[$0] }) }
    #expect(Set(results).count == 1)
    #expect(try Set(open(results[0]).entries(.all).map(\.name)) == names)
  }

  @Test mutating func originalIsPreferredToCopy() throws {
    let both = try archive([
      ("a-planet", [copy("p1", at: "https://b.example/1")]), ("b", [copy("1", at: "https://b.example/1")]),
    ])
    #expect(try shown(both) == ["b: copy"])
    #expect(try merged([both, both]) == both)
  }

  @Test mutating func forgottenPostAbsorbsNoCopies() throws {
    let posts = [("a", [copy("1", at: "https://a.example/1")]), ("b", [copy("1", at: "https://a.example/1")])]
    let (one, other) = (try archive(posts), try archive(posts))
    let forgetful = try open(one)
    #expect(try forgetful.forget([.page(try #require(try forgetful.entries(.feed("a")).first).name)]) == 1)
    let joined = try merged([try forgetful.exported(), other])
    #expect(try shown(joined) == ["b: copy"])
  }

  @Test mutating func postMatchingTwoOthersDoesNotMergeThem() throws {
    let a = ("a", [TestPost(id: "1", link: "https://a.example/1", title: "One", text: "short words")])
    let b = ("b", [TestPost(id: "tag:x,2026:c", link: "https://a.example/1", title: "One", text: "short words")])
    let c = ("c", [TestPost(id: "tag:x,2026:c", link: "https://c.example/9", title: "One", text: "short words")])
    let joined = try merged([try archive([a, b]), try archive([b, c])])
    #expect(try shown(joined).count == 2, "b is one of the others, not both")
    #expect(try merged([joined, joined]) == joined)
  }

  @Test mutating func sameIDUnderTwoNamesIsOnePost() throws {
    let one = try archive([("a", [TestPost(id: "g", title: "One", text: "text")])])
    let other = try archive([("a", [TestPost(id: "g", title: "Uno", text: "text")])])
    let joined = try merged([one, other])
    #expect(try shown(joined).count == 1)
    let again = try open(joined).ingest([Documents.document([TestPost(id: "g", title: "Uno", text: "text")], of: "a")])
    #expect(again[0].map(\.decision.isShown) == [true])
  }

  @Test mutating func keysSurviveMergeIntoAnotherArchive() throws {
    let first = TestPost(id: "g1", link: "https://h.example/L", title: "One", text: "text one")
    let rotated = TestPost(id: "g2", link: "https://h.example/L", title: "One", text: "text one")
    let z = try archive([("z", [first])], then: [("z", [rotated])])
    let joined = try open(try merged([try archive([("a", [TestPost(id: "x", title: "X", text: "x")])]), z]))
    let again = TestPost(id: "g1", link: "https://h.example/L2", title: "One", text: "brand new words here")
    let verdicts = try joined.ingest([Documents.document([again, rotated], of: "z")])[0]
    #expect(verdicts.map(\.decision) == [.new, .known])
    #expect(try joined.verify() == [])
  }

  // MARK: - What no archive writes

  @Test(arguments: [
    ("row.level", "99"), ("row.level", "-1"), ("row.first", "-1"), ("row.first", "9223372036854775807"),
    ("row.key", "\"\""),
    ("row.title", "\"\""), ("row.subtitle", "null"), ("row.preferredSlug", "\"../x\""), ("row.preferredSlug", "\"\""),
    ("row.stood", "-1"),
    ("observations", #"[{"moment":-1,"document":"d","isComplete":true,"looks":1}]"#),
    ("observations", #"[{"moment":1,"document":"d","isComplete":true,"looks":9223372036854775807}]"#),
  ])
  mutating func invalidFeedFieldsAreRejected(_ field: String, _ value: String) throws {
    try expectRefusal(
      of: "feed", field, try JSONSerialization.jsonObject(with: Data(value.utf8), options: .allowFragments))
  }

  @Test(arguments: [
    "row.date", "row.changed", "row.first", "last", "row.words", "row.numbers", "row.flags", "row.position",
    "card.published", "day", "row.read", "row.forgotten", "row.purged",
  ])
  mutating func outOfRangePostNumbersAreRejected(_ field: String) throws {
    try expectRefusal(of: "post", field, Int64.min)
  }

  @Test(arguments: [("row.name", "../x"), ("row.name", ""), ("row.name", "a/b"), ("feed", "other")])
  mutating func invalidPostTextsAreRejected(_ field: String, _ value: String) throws {
    try expectRefusal(of: "post", field, value)
  }

  /// A foreign archive is copied without further inspection, but for the constraints of each row.
  @Test(arguments: [
    "UPDATE post SET name = '../x'", "UPDATE post SET name = ''", "UPDATE post SET name = '.x'",
    "UPDATE post SET name = 'a' || char(31) || 'b'", "UPDATE post SET name = 'a\\b'", "UPDATE post SET first = -1",
    "UPDATE post SET words = 'many'", "UPDATE post SET link = 'x'", "UPDATE post SET feed = 77", "DELETE FROM card",
    "UPDATE card SET slugs = 'good' || char(31) || '.x'", "UPDATE card SET slugs = 'a/b'",
    "UPDATE card SET slugs = replace(hex(zeroblob(150)), '00', 'ab')", "UPDATE feed SET preferredSlug = 'a/b'",
    "UPDATE feed SET key = ''", "UPDATE body SET content = 1.5", "UPDATE card SET tags = x'00'",
    "UPDATE post SET sketch = 'x'", "UPDATE feed SET level = 99",
    "UPDATE post SET id = 9223372036854775800",
  ])
  mutating func forgedArchivesAreNotMerged(_ change: String) throws {
    let (file, out) = (nextFile(), nextFile())
    _ = try Archive(file: file).join(try archive([("a", [copy("1", at: "https://a.example/1")])]))
    _ = try Archive.merge(try MergeInputs([FilePath(file)]), into: FilePath(out))
    let before = try Archive(file: out).exported()
    try SQLiteFile.forge(file, change)
    for target in [nextFile(), out] {
      #expect(throws: Archive.Failure.self) {
        try Archive.merge(try MergeInputs([FilePath(file)]), into: FilePath(target))
      }
    }
    #expect(try Archive(file: out).exported() == before)
  }

  private mutating func expectRefusal(of kind: String, _ field: String, _ value: Any) throws {
    let lines = try archive([("a", [copy("1", at: "https://a.example/1")])]).split(separator: "\n").map(String.init)
    let changed = try lines.map { line in
      var object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: [String: Any]])
      guard object[kind] != nil else { return line }
      let path = field.split(separator: ".").map(String.init)
      if path.count == 2 {
        var part = try #require(object[kind]?[path[0]] as? [String: Any])
        part[path[1]] = value
        object[kind]?[path[0]] = part
      } else {
        object[kind]?[field] = value
      }
      return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    }
    let archive = try Archive(file: nextFile())
    #expect(throws: Archive.Failure.self) { try archive.join(changed.joined(separator: "\n")) }
    #expect(try archive.exported() == "", "nothing is taken in then")
    #expect(try archive.join(lines.joined(separator: "\n")) == 1)
  }

  /// Lines that lack a body, or the rules of one, give an archive without faults, and their export gives it again.
  @Test(arguments: [#""html":"#, #""rules":"#]) mutating func lineWithoutBodyOrRulesGivesSoundArchive(_ key: String)
    throws
  {
    let lines = try archive([("a", [copy("1", at: "https://a.example/1")])])
    #expect(lines.contains(key))
    let archive = try Archive(file: nextFile())
    #expect(try archive.join(lines.replacing(key, with: key.replacing("\":", with: "-\":"))) == 1)
    #expect(try archive.verify() == [])
    let exported = try archive.exported()
    let again = try Archive(file: nextFile())
    #expect(try again.join(exported) == 1)
    #expect(try again.exported() == exported)
  }

  @Test mutating func verifyReportsOutOfRangeValues() throws {
    let file = nextFile()
    _ = try Archive(file: file).join(try archive([("a", [copy("1", at: "https://a.example/1")])]))
    try SQLiteFile.make(
      file, "UPDATE post SET date = -9223372036854775808; UPDATE feed SET pending = 9223372036854775807;")
    #expect(try Archive(file: file, mode: .reading).verify().count == 2)
    try SQLiteFile.make(
      file, "UPDATE post SET name = '../../x'; UPDATE feed SET slug = '.x'; UPDATE card SET slugs = 'a/b'")
    #expect(try Archive(file: file, mode: .reading).verify().count == 5)
    // Whatever is in there, it can be worked with.
    try SQLiteFile.make(file, "UPDATE run SET moment = 9223372036854775807")
    let archive = try Archive(file: file)
    _ = try archive.ingest([Documents.document([copy("1", at: "https://a.example/1")], of: "a")])
    _ = try archive.exported()
  }

  // MARK: - Archives

  private func copy(_ id: String, at link: String) -> TestPost {
    TestPost(id: id, link: link, title: "Copy", text: (0..<60).map { "word\($0)" }.joined(separator: " "))
  }

  private mutating func nextFile() -> String {
    number += 1
    return "\(folder.path)/\(number).archive"
  }

  /// An archive of random documents of two or three feeds, as a machine may have seen them; as it is exported.
  private mutating func shard(_ random: inout Random) throws -> String {
    let archive = try Archive(file: nextFile())
    for _ in 0...random.below(3) {
      var documents: [(String, [TestPost])] = []
      for feed in ["a", "b", "c"] where random.below(3) > 0 {
        documents.append((feed, (0..<6).filter { _ in random.below(2) == 0 }.map { item($0, feed, &random) }))
      }
      try build(documents, archive, ending: random.below(5) == 0 ? .betweenEntries : .complete)
    }
    for entry in try archive.entries(.all) {
      if random.below(8) == 0 { _ = try archive.markRead([.page(entry.name)]) }
      if random.below(12) == 0 { _ = try archive.forget([.page(entry.name)]) }
    }
    return try archive.exported()
  }

  private func item(_ number: Int, _ feed: String, _ random: inout Random) -> TestPost {
    let version = random.below(3)
    let text = (0..<(random.below(2) == 0 ? 60 : 8)).map { "post\(number)word\($0 + ($0 < 4 ? version * 100 : 0))" }
    return TestPost(
      id: random.below(4) == 0
        ? nil : ["\(random.below(2) == 0 ? "g" : "h")\(number)", "tag:x,2026:\(number)"][random.below(2)],
      link: random.below(5) == 0 ? nil : "https://\(random.below(2) == 0 ? feed : "a").example/\(number)",
      title: "Title \(number)\(random.below(5) == 0 ? " again" : "")", text: text.joined(separator: " "),
      date: random.below(4) == 0 ? nil : 1_700_000_000 + Int64(number) * 86_400,
      tags: (0..<3).filter { _ in random.below(3) == 0 }.map { "Tag \($0)" })
  }

  private mutating func archive(
    _ documents: [(String, [TestPost])], then others: [(String, [TestPost])] = []
  ) throws -> String {
    let archive = try Archive(file: nextFile())
    try build(documents, archive)
    if !others.isEmpty { try build(others, archive) }
    return try archive.exported()
  }

  private func build(_ documents: [(String, [TestPost])], _ archive: Archive, ending: Feed.Ending = .complete) throws {
    _ = try archive.ingest(
      documents.map { feed, posts in
        Documents.document(posts, of: Feed.Key(feed), home: "https://\(feed).example/", ending: ending)
      })
  }

  private mutating func open(_ export: String) throws -> Archive {
    let archive = try Archive(file: nextFile())
    _ = try archive.join(export)
    return archive
  }

  private mutating func merged(_ parts: [String]) throws -> String { try joined(parts).exported() }

  private mutating func joined(_ parts: [String]) throws -> Archive {
    let archive = try Archive(file: nextFile())
    for part in parts { _ = try archive.join(part) }
    #expect(try archive.verify() == [])
    return archive
  }

  /// The feeds and names' first words of posts that have pages of their own.
  private mutating func shown(_ export: String) throws -> [String] {
    try open(export).entries(.all).filter { !$0.isBuried && $0.foldedInto == nil }
      .map { "\($0.feed): \($0.name.prefix { $0 != "-" })" }
  }

  /// How all posts stand, in the order of the site, the newest first.
  private func listings(_ archive: Archive) throws -> [String] {
    let postReader = PostReader(archive, showsUnreadOnly: false)
    return try postReader.newest(1000, of: .all).map { "\($0.position) \($0.feed.slug) \($0.name) \($0.slugs)" }
      + archive.entries(.all).map { "\($0)" }
  }

  private struct Random {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }
  }
}
