import Foundation
import GRDB
import Tamis
import TamisArchive
import TamisCore
import TestSupport
import Testing

/// What the archive does beyond single decisions, which are in `Fixtures/Dedupe/Scenarios`.
@Suite struct ArchiveTests {
  private let folder: TemporaryFolder
  private var file: String { folder.path + "/posts.archive" }

  init() throws { folder = try Fixtures.temporaryFolder() }

  @Test func postsAreRememberedAcrossRuns() throws {
    #expect(try run([item("1"), item("2")]) == [.new, .new])
    #expect(try run([item("1"), item("2", text: "another text")]) == [.known, .updated(.major)])
    #expect(try run([item("2", text: "another text")]) == [.known])
  }

  @Test func postsOfOneFeedDoNotMarkThoseOfAnotherAsSeen() throws {
    #expect(try run([item("1")], feed: "a") == [.new])
    #expect(try run([item("1")], feed: "b") == [.new])
  }

  @Test func namesStayAndAreUnique() throws {
    let archive = try Archive(file: file)
    let names = try record([item("3"), item("4", title: "Other")], archive).map(\.name)
    let again = try record([item("3", title: "Renamed"), item("4")], archive).map(\.name)
    #expect(again == names && Set(names).count == 2)
    let many = try record((0..<200).map { item("n\($0)") }, archive, feed: "b").map(\.name)
    #expect(Set(many).count == 200)
    let digits = many.compactMap { $0.split(separator: "-").last }
    #expect(digits.allSatisfy { $0.count == 16 && $0.allSatisfy { "0123456789abcdef".contains($0) } })
  }

  @Test func longKeysAreDistinguished() throws {
    let long = String(repeating: "k", count: 1_000_000)
    #expect(try run([item(long), item(long + "x")]) == [.new, .new])
    #expect(try run([item(long)]) == [.known])
  }

  /// Each write among reads that share a transaction is kept, also when the reader gives up.
  @Test func writesAmongSharedReadsAreKept() async throws {
    struct GivingUp: Error {}
    let archive = try Archive(file: file)
    func filesOnDisk() throws -> Int? {
      try DatabaseQueue(path: file).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM file") }
    }
    func keep(_ path: String, in site: PublishedSite) throws {
      try site.keep([(path: PagePath(path), file: FileMark(size: 1, digest: Checksum(value: 1)))])
    }
    let site = try await archive.withSharedReads {
      let site = try PublishedSite(archive, folder: "/site", fingerprint: "")
      #expect(try site.fileCount() == 0)
      try keep("a.html", in: site)
      #expect(try filesOnDisk() == 1)
      // A call within another leaves its reads together.
      #expect(try await archive.withSharedReads { try site.fileCount() } == 1)
      return site
    }
    await #expect(throws: GivingUp.self) {
      try await archive.withSharedReads {
        #expect(try site.fileCount() == 1)
        throw GivingUp()
      }
    }
    try keep("b.html", in: site)
    #expect(try filesOnDisk() == 2)
    let batch = try await archive.withSharedReads {
      _ = try site.fileCount()
      return try archive.begin()
    }
    _ = try batch.record(Documents.document([item("1")], of: "a"))
    try batch.finish()
    #expect(try archive.entries(.all).count == 1)
  }

  /// Part of an interrupted run may be kept, and the next run decides the same about all of it.
  @Test func interruptedRunIsResumed() throws {
    let many = Documents.document((0..<5000).map { item("\($0)", title: "Title \($0)") }, of: "a")
    let few = Documents.document([item("b")], of: "b")
    let moment: Moment
    do {
      let run = try Archive(file: file).begin()
      moment = run.moment
      for document in [many, few] { #expect(try run.record(document).allSatisfy { $0.decision == .new }) }
    }
    let archive = try Archive(file: file)
    #expect(try archive.entries(.all).count == 5000, "as much as was kept at once")
    let again = try archive.begin()
    #expect(again.moment == moment)
    for document in [many, few] { #expect(try again.record(document).allSatisfy { $0.decision == .new }) }
    try again.finish()
    #expect(try archive.begin().moment > moment)
    let undisturbed = try Archive(file: file + "2")
    _ = try undisturbed.ingest([many, few])
    #expect(try archive.exported() == undisturbed.exported())
  }

  @Test func concurrentWriterIsRejected() throws {
    let archive = try Archive(file: file)
    let error = #expect(throws: Archive.Failure.self) { try Archive(file: file, patience: 0) }
    #expect(error?.description.contains("another run is writing") == true)
    _ = try archive.ingest([])
    #expect(try Archive(file: file, mode: .reading).entries(.all).isEmpty, "it can be read all the same")
  }

  @Test func nonArchiveFileIsReportedAndUnchanged() throws {
    try Data("This is a letter to my sister, not a database.".utf8).write(to: URL(filePath: file))
    try SQLiteFile.make(file + "2", "CREATE TABLE letter (text TEXT); INSERT INTO letter VALUES ('Dear sister');")
    for (file, words) in [(file, "this file is not an archive"), (file + "2", "this file belongs to another program")] {
      let before = try Data(contentsOf: URL(filePath: file))
      let error = #expect(throws: Archive.Failure.self) { try Archive.open(file: file) }
      #expect(error?.description.hasPrefix("\(file): \(words)") == true, "\(error?.description ?? "")")
      #expect(try Data(contentsOf: URL(filePath: file)) == before, "it is left alone")
    }
  }

  @Test func archiveOfAnotherVersionIsLeftUnchanged() throws {
    _ = try run([item("1")])
    try SQLiteFile.make(file, "PRAGMA user_version = 99")
    let before = try Data(contentsOf: URL(filePath: file))
    let error = #expect(throws: Archive.Failure.self) { try Archive.open(file: file) }
    #expect(error?.description.contains("written by another version of tamis") == true)
    #expect(try Data(contentsOf: URL(filePath: file)) == before)
  }

  /// Archives that were begun before pages were kept get the tables for them, and lose nothing.
  @Test func missingTablesAreCreated() throws {
    #expect(try run([item("1")]) == [.new])
    try SQLiteFile.make(file, "DROP TABLE page; DROP TABLE wantedPage")
    #expect(try Archive(file: file, mode: .reading).sources(purge: .keep).count == 1)
    #expect(try Archive(file: file, mode: .rehearsing).pathsWantingPages().isEmpty)
    #expect(try run([item("1")]) == [.known])
    let archive = try Archive(file: file)
    try archive.want([WantedPage(address: "https://a.example/1", title: "", text: "")], at: "a")
    #expect(try archive.pathsWantingPages() == ["a"])
  }

  @Test func exportedArchiveIsImportedUnchanged() throws {
    _ = try run([item("1"), item("2", words: 80), item("3", title: "")])
    let exported = try Archive(file: file).exported()
    let copy = try Archive(file: file + "2")
    #expect(try copy.join(exported) == 3)
    #expect(try copy.exported() == exported)
    #expect(try record([item("1"), item("2", words: 80)], copy).map(\.decision) == [.known, .known])
    #expect(#expect(throws: Archive.Failure.self) { try copy.join("{}\n") }?.isBadInput == true)
  }

  /// Exports list feeds by key, and below each feed its posts by id.
  @Test func exportsAreSorted() throws {
    let archive = try Archive(file: file)
    _ = try archive.ingest(["b", "a", "c"].map { Documents.document((0..<9).map { item("\($0)") }, of: $0) })
    var (feeds, ids): ([String], [Int64]) = ([], [])
    for line in try archive.exported().split(separator: "\n") {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: [String: Any]])
      if let feed = object["feed"] {
        let row = try #require(feed["row"] as? [String: Any])
        feeds.append(try #require(row["key"] as? String))
        ids = []
      } else {
        let post = try #require(object["post"])
        #expect(post["feed"] as? String == feeds.last)
        let row = try #require(post["row"] as? [String: Any])
        ids.append(try #require((row["pid"] as? NSNumber)?.int64Value))
        #expect(ids == ids.sorted())
      }
    }
    #expect(feeds == ["a", "b", "c"] && ids.count == 9)
  }

  @Test func readAndForgottenPostsKeepTheirState() throws {
    _ = try run([item("1"), item("2")])
    let archive = try Archive(file: file)
    #expect(try archive.entries(.all).map(\.state) == [.new, .new])
    #expect(try archive.markRead([.feed("a")]) == 2)
    #expect(try archive.markRead([.all]) == 0, "nothing is left to be marked")
    #expect(try PostReader(archive, showsUnreadOnly: true).count(.all) == 0)
    let name = try #require(try archive.entries(.all).first?.name)
    #expect(try archive.forget([.page("posts/a/\(name).html")]) == 1)
    #expect(try PostReader(archive, showsUnreadOnly: false).count(.all) == 1)
    #expect(try !archive.exported().contains("\"html\":\"\(name)"))
    #expect(try record([item("1"), item("2")], archive).map(\.decision).contains(.buried))
  }

  @Test func damagedArchiveIsSetAsideAndReadablePostsKept() throws {
    let archive = try Archive(file: file)
    let posts = (0..<300).map { item("id \($0)", title: "Title \($0)") }
    let verdicts = try record(posts, archive)
    _ = try archive.markRead([.page(verdicts[0].name)])
    var bytes = try Data(contentsOf: URL(filePath: file))
    let middle = bytes.count / 8192 * 4096
    bytes.replaceSubrange(middle..<middle + 8192, with: Data(repeating: 0xA5, count: 8192))
    let broken = file + "-broken"
    try bytes.write(to: URL(filePath: broken))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: broken)
    let error = #expect(throws: Archive.Failure.self) { try Archive(file: broken) }
    #expect(error?.isDamaged == true)
    let (opened, found) = try Archive.open(file: broken)
    let rescue = try #require(found)
    #expect(rescue.problem.contains(broken) && rescue.aside == broken + ".damaged")
    #expect(try Data(contentsOf: URL(filePath: rescue.aside)) == bytes)
    #expect(rescue.posts > 200 && rescue.posts <= 300, "\(rescue.posts) of 300")
    #expect(try opened.verify() == [])
    let mode = try FileManager.default.attributesOfItem(atPath: broken)[.posixPermissions] as? Int
    #expect(mode == 0o600, "posts of feeds behind logins stay private")
    let again = try record(posts, opened)
    // By what a post was seen first with it is named: also where all else is lost.
    #expect(again.map(\.name) == verdicts.map(\.name))
    #expect(again.count { $0.decision == .known } == rescue.posts)
    #expect(try opened.entries(.page(verdicts[0].name)).first?.state == .read)
  }

  /// All posts are given up only with a page of the schema, of the feeds, or the root of the posts or the cards.
  @Test func damageOfAnyPageCostsWhatItHolds() throws {
    _ = try record((0..<60).map { item("id \($0)", title: "Title \($0)") }, Archive(file: file))
    let whole = try Data(contentsOf: URL(filePath: file))
    var lost: [Int] = []
    for page in 1..<whole.count / 4096 {
      var bytes = whole
      bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(count: 4096))
      let broken = "\(file)-\(page)"
      try bytes.write(to: URL(filePath: broken))
      if try Archive.open(file: broken).rescue?.posts == 0 { lost.append(page) }
    }
    #expect(lost.count <= 6, "\(lost) of \(whole.count / 4096) pages")
  }

  @Test func unreadableArchiveIsReplacedByEmptyOne() throws {
    _ = try run([item("1"), item("2")])
    let bytes = try Data(contentsOf: URL(filePath: file))
    for (number, length) in [4096, 5000, 12_288].enumerated() {
      let broken = "\(file)-\(number)"
      for round in 0..<2 {
        try bytes.prefix(length).write(to: URL(filePath: broken))
        let (archive, rescue) = try Archive.open(file: broken)
        #expect(rescue?.posts == 0 && rescue?.aside == broken + (round == 0 ? ".damaged" : ".damaged-2"))
        #expect(try record([item("1")], archive).map(\.decision) == [.new])
        #expect(try archive.verify() == [])
      }
    }
  }

  @Test func postsAreFoundByFeedAndTitle() throws {
    let archive = try Archive(file: file)
    let feed: Feed.Key = "feeds: mine/a.xml"
    let long = String(repeating: "A very long title ", count: 20)
    let titles = ["???", "C", "C#", long + "one", long + "two", "Part: the end", "Twice", "Twice"]
    let items = titles.enumerated().map { item("\($0)", title: $1, text: "body \($0)") }
    let names = try record(items, archive, feed: feed).map(\.name)
    for (title, name) in zip(titles.dropLast(2), names) {
      let found = try archive.find(["./\(feed): \(title)"])[0]
      #expect(found == [.post(feed: feed, name: name)], "\(title)")
    }
    #expect(try archive.find(["\(feed): Twice"])[0].count == 2)
    for name in ["\(feed): !!!", "\(feed): ", "\(feed): Post", "b.xml: C", "C", "", ": "] {
      #expect(try archive.find([name])[0] == [], "\(name)")
    }
    _ = try record([item("1", title: "D", text: "body 1")], archive, feed: feed)
    #expect(try archive.find(["\(feed): D"])[0] == [.post(feed: feed, name: names[1])])
    #expect(try archive.find(["\(feed): C"])[0] == [])
  }

  /// Samples are of scripts without spaces, and of Korean with its endings.
  @Test(arguments: [
    ("彼の直感は正しかった。", "直感", "感直"), ("我们在北京大学的图书馆里见面", "图书馆", "书图"), ("วันนี้ฉันอ่านหนังสือที่บ้าน", "หนังสือ", "สือหนัง"),
    ("한국어를 배우고 있습니다", "한국어", "어국"), ("新しいiPhone用のケース", "iPhone", "Phone"), ("コーヒーメーカー", "メーカー", "ーメカ"),
  ])
  func searchFindsWordsInsideRuns(_ text: String, _ word: String, _ other: String) throws {
    _ = try run([
      item("1", title: text, text: "other"), item("2", text: text), item("3", title: "Nothing", text: "nothing"),
    ])
    let search = try ArchiveSearch(Archive(file: file))
    #expect(try search.find(word, count: 9).count == 2)
    #expect(try search.find("\"\(word)\"", count: 9).count == 2)
    #expect(try search.find("\(word.prefix(1))*", count: 9).count == 2)
    #expect(try search.find(other, count: 9).isEmpty)
  }

  /// Folds depend only on the last setting and the documents, not on earlier settings.
  @Test func foldingCanBeTurnedOffAndOn() throws {
    let text = (0..<60).map { "word\($0)" }.joined(separator: " ")
    let documents = ["a", "b"].map {
      Documents.document([TestPost(id: $0, title: "One title", text: text)], of: Feed.Key($0))
    }
    func folded(_ folds: [Bool]) throws -> Int {
      let archive = try Archive(file: file + folds.map { $0 ? "y" : "n" }.joined())
      for isOn in folds {
        var options = SiteSettings()
        options.folds = isOn
        _ = try archive.ingest(documents, settings: options)
      }
      try archive.settle()
      return try archive.entries(.all).count { $0.foldedInto != nil }
    }
    #expect(try [folded([true]), folded([false, true]), folded([true, false, true])] == [1, 1, 1])
    #expect(try [folded([false]), folded([true, false]), folded([false, true, false])] == [0, 0, 0])
  }

  // MARK: - Helpers

  private func run(_ posts: [TestPost], feed: Feed.Key = "a") throws -> [Archive.Decision] {
    try record(posts, Archive(file: file), feed: feed).map(\.decision)
  }

  private func record(_ posts: [TestPost], _ archive: Archive, feed: Feed.Key = "a") throws -> [Verdict] {
    try archive.ingest([Documents.document(posts, of: feed)])[0]
  }

  private func item(_ id: String, title: String = "Title", text: String = "body", words: Int = 0) -> TestPost {
    let text = words == 0 ? text : (0..<words).map { "word\(id)\($0)" }.joined(separator: " ")
    return TestPost(id: id, title: title, text: text)
  }
}
