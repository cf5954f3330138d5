import Foundation
import Tamis
import TestSupport
import Testing

/// What the index does beyond single decisions, which are in `Fixtures/Dedupe/Scenarios`.
@Suite struct IndexTests {
  private let folder: TemporaryFolder
  private var file: String { folder.path + "/posts.index" }

  init() throws { folder = try Fixtures.temporaryFolder() }

  @Test func remembersFromRunToRun() throws {
    #expect(try run([item("1"), item("2")]) == [.new, .new])
    #expect(try run([item("1"), item("2", body: "another text")]) == [.known, .updated(.major)])
    #expect(try run([item("2", body: "another text")]) == [.known])
  }

  @Test func noFeedCanMakeAnothersPostLookSeen() throws {
    #expect(try run([item("1")], feed: "a") == [.new])
    #expect(try run([item("1")], feed: "b") == [.new])
  }

  @Test func namesStayAndAreUnique() throws {
    let index = try PostIndex(file: file)
    let names = try record([item("3"), item("4", title: "Other")], index, run: try index.beginRun()).map(\.name)
    let again = try record([item("3", title: "Renamed"), item("4")], index, run: try index.beginRun()).map(\.name)
    #expect(again == names && Set(names).count == 2)
    let many = try record((0..<200).map { item("n\($0)") }, index, run: 2, feed: "b").map(\.name)
    #expect(Set(many).count == 200)
  }

  @Test func longKeysAreKept() throws {
    let long = String(repeating: "k", count: 1_000_000)
    #expect(try run([item(long), item(long + "x")]) == [.new, .new])
    #expect(try run([item(long)]) == [.known])
  }

  @Test func aRunThatWasCutShortGoesOn() throws {
    var index: PostIndex? = try PostIndex(file: file)
    let run = try #require(index).beginRun()
    #expect(try record([item("1")], try #require(index), run: run).map(\.decision) == [.new])
    index = nil
    let again = try PostIndex(file: file)
    #expect(try again.beginRun() == run)
    #expect(try record([item("1")], again, run: run).map(\.decision) == [.new])
    try again.endRun(run)
    #expect(try again.beginRun() == run + 1)
  }

  @Test func oneRunAtATimeWrites() throws {
    let index = try PostIndex(file: file)
    let error = #expect(throws: IndexError.self) { try PostIndex(file: file, patience: 0) }
    #expect(error?.description.contains("another run is writing") == true)
    _ = try index.beginRun()
  }

  @Test func whatIsNoIndexIsSaidToBeNone() throws {
    try Data("This is a letter to my sister, not a database.".utf8).write(to: URL(filePath: file))
    let error = #expect(throws: IndexError.self) { try PostIndex(file: file) }
    #expect(error?.description.contains(file) == true)
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("This is a letter"), "it is left alone")
  }

  @Test func exportsAndTakesInTheSame() throws {
    _ = try run([item("1"), item("2", words: 80), item("3", title: "")])
    let exported = try PostIndex(file: file).export()
    let copy = try PostIndex(file: file + "2")
    #expect(try copy.merge(exported, named: "x") == 3)
    #expect(try copy.export() == exported)
    #expect(
      try record([item("1"), item("2", words: 80)], copy, run: try copy.beginRun()).map(\.decision) == [.known, .known])
    #expect(throws: IndexError.self) { try copy.merge(Array("{}\n".utf8), named: "x") }
  }

  @Test func joiningIsCommutativeAndIdempotent() throws {
    _ = try run([item("1"), item("2"), item("3")])
    _ = try run([item("1"), item("2", body: "changed"), item("4")])
    let one = try PostIndex(file: file).export()
    let other = try PostIndex(file: file + "b")
    let run = try other.beginRun()
    _ = try record([item("2", body: "of another machine"), item("9")], other, run: run)
    _ = try record([item("1")], other, run: run, feed: "z")
    try other.endRun(run)
    _ = try other.markRead(.feed("z"))
    let two = try other.export()
    let joins = try [[one, two], [two, one], [one, two, one, two], [two, two, one]].enumerated().map { number, parts in
      let index = try PostIndex(file: "\(file)-\(number)")
      for part in parts { _ = try index.merge(part, named: "x") }
      #expect(try index.verify() == [])
      return try index.export()
    }
    #expect(Set(joins).count == 1)
  }

  @Test func readAndForgottenPosts() throws {
    _ = try run([item("1"), item("2")])
    let index = try PostIndex(file: file)
    #expect(try index.entries(.all).map(\.state) == [.new, .new])
    #expect(try index.markRead(.feed("a")) == 2)
    #expect(try index.markRead(.all) == 0, "nothing is left to be marked")
    let name = try #require(try index.entries(.all).first?.name)
    #expect(try index.forget(.page("posts/a/\(name).html")) == 1)
    #expect(try index.hiddenPages(includingRead: false).posts.count == 1)
    #expect(try index.hiddenPages(includingRead: true).posts.count == 2)
  }

  @Test func aDamagedIndexIsSetAsideAndMadeAgain() throws {
    let index = try PostIndex(file: file)
    let items = (0..<300).map { item("id \($0)", title: "Title \($0)") }
    let verdicts = try record(items, index, run: try index.beginRun())
    try index.endRun(1)
    let remembered = verdicts.map {
      PostIndex.Remembered(feed: "a", path: Site.path(ofPage: $0.name, inFeed: "a"), memo: $0.memo)
    }
    var bytes = try Data(contentsOf: URL(filePath: file))
    bytes.replaceSubrange(20_000..<40_000, with: Data(repeating: 0xA5, count: 20_000))
    let broken = file + "-broken"
    try bytes.write(to: URL(filePath: broken))
    #expect(throws: IndexError.self) { try PostIndex(file: broken) }
    let opened = try PostIndex.open(file: broken, rescuing: remembered)
    #expect(opened.notice?.contains("set aside as \(broken).damaged, and 300 posts") == true, "\(opened.notice ?? "")")
    #expect(FileManager.default.fileExists(atPath: broken + ".damaged"))
    let again = try record(items, opened.index, run: try opened.index.beginRun())
    #expect(again.allSatisfy { $0.decision == .known } && again.map(\.name) == verdicts.map(\.name))
  }

  @Test func aRescuedIndexHasEachPageOnce() throws {
    let alone = {
      var item = self.item("", title: "Alone"); item.post.id = nil; return item
    }()
    let items = [alone, item("1", title: "One"), item("2", title: "Two")]
    let index = try PostIndex(file: file)
    let names = try record(items, index, run: try index.beginRun()).map { ($0.name, $0.memo) }
    let remembered = (names + [names[1]]).map {
      PostIndex.Remembered(feed: "a", path: Site.path(ofPage: $0.0, inFeed: "a"), memo: $0.1)
    }
    let broken = file + "-broken"
    try Data(contentsOf: URL(filePath: file)).prefix(4096).write(to: URL(filePath: broken))
    let (rescued, notice) = try PostIndex.open(file: broken, rescuing: remembered)
    #expect(notice?.contains("what was read or forgotten") == true)
    let verdicts = try record(items, rescued, run: try rescued.beginRun())
    #expect(verdicts.map(\.name) == names.map(\.0))
    #expect(verdicts.map(\.decision) == [.new, .known, .known])
    #expect(try rescued.verify() == [])
  }

  @Test func whatPeopleCallPosts() throws {
    let index = try PostIndex(file: file)
    let run = try index.beginRun()
    let long = String(repeating: "A very long title ", count: 20)
    let titles = ["???", "C", "C#", long + "one", long + "two", "Part: the end", "Twice", "Twice"]
    let items = titles.enumerated().map { item("\($0)", title: $1, body: "body \($0)") }
    let names = try record(items, index, run: run, feed: "feeds: mine/a.xml").map(\.name)
    for (title, name) in zip(titles.dropLast(2), names) {
      let found = try index.find("./feeds: mine/a.xml: \(title)")
      #expect(found == [.post(feed: "feeds: mine/a.xml", name: name)], "\(title)")
    }
    #expect(try index.find("feeds: mine/a.xml: Twice").count == 2)
    for name in ["feeds: mine/a.xml: !!!", "feeds: mine/a.xml: ", "feeds: mine/a.xml: Post", "b.xml: C", "C", "", ": "]
    {
      #expect(try index.find(name) == [], "\(name)")
    }
    _ = try record([item("1", title: "D", body: "body 1")], index, run: run + 1, feed: "feeds: mine/a.xml")
    #expect(try index.find("feeds: mine/a.xml: D") == [.post(feed: "feeds: mine/a.xml", name: names[1])])
    #expect(try index.find("feeds: mine/a.xml: C") == [])
  }

  @Test func anIndexOfAnotherVersionIsLeftAlone() throws {
    _ = try run([item("1")])
    try SQLiteFile.make(file, "INSERT INTO grdb_migrations VALUES ('99');")
    let before = try Data(contentsOf: URL(filePath: file))
    let error = #expect(throws: IndexError.self) { try PostIndex.open(file: file, rescuing: []) }
    #expect(error?.description.contains("written by another version of tamis") == true)
    #expect(try Data(contentsOf: URL(filePath: file)) == before)
  }

  // MARK: - Helpers

  private struct Item {
    var post: Post
    var text: String
  }

  private func run(_ items: [Item], feed: FeedKey = "a") throws -> [Decision] {
    let index = try PostIndex(file: file)
    let run = try index.beginRun()
    defer { try? index.endRun(run) }
    return try record(items, index, run: run, feed: feed).map(\.decision)
  }

  private func record(_ items: [Item], _ index: PostIndex, run: Int64, feed: FeedKey = "a") throws -> [Verdict] {
    let keys = PostKeys.all(
      of: items.map(\.post), texts: items.map(\.text), home: nil, tracking: TrackingParameters([]), name: Site.name)
    return try index.record(keys, of: feed, run: run, ending: .complete)
  }

  private func item(_ id: String, title: String = "Title", body: String = "body", words: Int = 0) -> Item {
    let text = words == 0 ? body : (0..<words).map { "word\(id)\($0)" }.joined(separator: " ")
    let post = Post(
      title: title, excerpt: "", content: Sanitizer(policy: .reading).sanitize(text).html, permalink: nil, links: [],
      thumbnail: nil, enclosures: [], authors: [], categories: [], published: nil, updated: nil, comments: nil,
      language: nil, direction: .leftToRight, readingMinutes: nil, id: id, fields: [:],
      location: SourceLocation(file: "test"))
    return Item(post: post, text: text)
  }
}
