import Foundation
import GRDB
import Tamis
import TestSupport
import Testing

/// Archives that another program has made or changed are safe to open.
///
/// No statement of theirs is carried out, and what is wrong is named.
@Suite struct HostileArchiveTests {
  private let folder: TemporaryFolder
  private var file: String { folder.path + "/posts.archive" }

  init() throws {
    folder = try Fixtures.temporaryFolder()
    let text = (0..<60).map { "word\($0)" }.joined(separator: " ")
    let posts = (0..<3).map { TestPost(id: "\($0)", link: "https://a.example/\($0)", title: "Title \($0)", text: text) }
    _ = try Archive(file: file).ingest([Documents.document(posts, of: "a")])
  }

  private static let endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"

  /// A change of the file, and the words of the fault that is found.
  static let changes = [
    (
      "DROP TABLE category; CREATE VIEW category AS \(endless) SELECT 's' || x AS slug, 1 AS feed, 'n' AS name FROM c",
      "'category' is a view, and not the table"
    ),
    (
      "ALTER TABLE post RENAME TO p; CREATE VIEW post AS SELECT p.* FROM p, (\(endless) SELECT x FROM c)",
      "'post' is a view, and not the table"
    ),
    ("CREATE VIEW extra AS SELECT 1", "there is a view 'extra'"),
    (
      "CREATE TEMP TABLE t (x); CREATE TRIGGER more AFTER UPDATE ON run BEGIN DELETE FROM post; END",
      "there is a trigger 'more'"
    ),
    ("CREATE VIRTUAL TABLE extra USING fts5 (text)", "there is a table 'extra'"),
    (
      "DROP TABLE label; CREATE VIRTUAL TABLE label USING fts5 (slug, name, count)",
      "the table 'label' is defined otherwise"
    ),
    ("ALTER TABLE label ADD COLUMN extra TEXT AS (hex(zeroblob(count)))", "the table 'label' is defined otherwise"),
    ("CREATE TABLE extra (x)", "there is a table 'extra'"),
    ("CREATE INDEX extra ON post (hex(zeroblob(id)))", "there is an index 'extra'"),
    (
      "DROP INDEX post_arrival; CREATE INDEX post_arrival ON post (arrival) WHERE shown = 1",
      "the index 'post_arrival' is defined otherwise"
    ),
    (
      "DROP INDEX feed_preferredSlug; CREATE INDEX feed_preferredSlug ON feed (preferredSlug COLLATE NOCASE)",
      "the index 'feed_preferredSlug' is defined otherwise"
    ),
    (
      "DROP TABLE label; CREATE TABLE label (slug TEXT PRIMARY KEY COLLATE NOCASE, name TEXT NOT NULL, count INTEGER NOT NULL) WITHOUT ROWID, STRICT",
      "the table 'label' is defined otherwise"
    ),
    ("DROP TABLE label", "the table 'label' is missing"),
    ("DROP INDEX key_post", "the index 'key_post' is missing"),
    ("ANALYZE", "there is a table 'sqlite_stat1'"),
    (
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, ' STRICT', '') WHERE name = 'post'",
      "the table 'post' is defined otherwise"
    ),
    (
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'looked') WHERE name = 'changedFeed'",
      "lies in the pages of another"
    ),
  ]

  @Test(arguments: changes) func changedSchemaIsReportedAndFileUnchanged(_ change: String, _ words: String) throws {
    try SQLiteFile.change(file, change)
    let before = try Data(contentsOf: URL(filePath: file))
    for mode in [Archive.Mode.reading, .writing, .rehearsing] {
      let error = #expect(throws: Archive.Failure.self) { try Archive(file: file, mode: mode) }
      #expect(error?.description.contains("made or changed by another program") == true, "\(error?.description ?? "")")
      #expect(error?.schemaFaults.contains { $0.contains(words) } == true, "\(error?.schemaFaults ?? [])")
      #expect(error?.isDamaged == false)
    }
    #expect(throws: Archive.Failure.self) { try Archive.open(file: file) }
    let existing = file + "-existing"
    _ = try Archive(file: existing)
    for target in [file + "-new", existing] {
      let refusal = #expect(throws: Archive.Failure.self) {
        try Archive.merge(try MergeInputs([FilePath(file)]), into: FilePath(target))
      }
      #expect(refusal?.description.contains("made or changed by another program") == true)
    }
    #expect(try Data(contentsOf: URL(filePath: file)) == before)
  }

  /// Rows are inserted that nothing else in the file explains.
  @Test(arguments: [
    ("feed", "it has 10102 feeds, many more than the rest of it explains"), ("post", "it has 10104 posts"),
    ("label", "it has 10102 names of tags"),
  ]) func disproportionateRowCountIsRejected(_ table: String, _ words: String) throws {
    try SQLiteFile.make(file, "INSERT OR IGNORE INTO label VALUES ('fog', 'Fog', 1)")
    try SQLiteFile.multiply(file, table: table, count: 10_101)
    let error = #expect(throws: Archive.Failure.self) { try Archive(file: file, mode: .reading) }
    #expect(error?.schemaFaults.contains { $0.contains(words) } == true, "\(error?.description ?? "")")
    #expect(throws: Archive.Failure.self) {
      try Archive.merge(try MergeInputs([FilePath(file)]), into: FilePath(file + "-new"))
    }
  }

  /// Numbers and names like these would be listed, counted with or searched for without end.
  @Test(arguments: [
    ("UPDATE post SET arrival = arrival + 1000000", "the order of arrival"),
    ("UPDATE post SET arrival = 9223372036854775807 WHERE id = 1", "the order of arrival"),
    ("UPDATE post SET arrival = -1 WHERE id = 1", "the order of arrival"),
    ("UPDATE post SET sortDate = 9223372036854775807 WHERE id = 1", "an impossible date"),
    ("UPDATE post SET sortDate = -62135596801 WHERE id = 1", "a post has an impossible date"),
    ("UPDATE post SET sortDate = 253402300800, shown = 2 WHERE id = 1", "a post has an impossible date"),
    ("UPDATE post SET sortDate = 253402300800, shown = 2, feed = 999 WHERE id = 1", "a post has an impossible date"),
    ("UPDATE post SET sortDate = -9223372036854775808 WHERE id = 1", "an impossible date"),
    ("UPDATE feed SET key = key || char(0)", "an impossible key"),
    (
      "INSERT INTO category WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 1200) SELECT 'c' || x, 1, 'n' FROM c",
      "it has 1200 categories of feeds"
    ),
  ]) func outOfRangeValuesAreReportedAndRejected(_ change: String, _ words: String) throws {
    try SQLiteFile.make(file, change)
    let error = #expect(throws: Archive.Failure.self) { try Archive(file: file) }
    #expect(error?.schemaFaults.contains { $0.contains(words) } == true, "\(error?.description ?? "")")
  }

  /// Tables that a search adds, or that an older archive lacks, are no faults.
  @Test func ownOptionalTablesAreAccepted() throws {
    _ = try ArchiveSearch(Archive(file: file)).find("word1", count: 1)
    #expect(try Archive(file: file, mode: .reading).verify() == [])
    try SQLiteFile.make(file, "DROP TABLE dealt; DROP TABLE pageRule")
    #expect(try Archive(file: file, mode: .reading).verify() == [])
    try SQLiteFile.make(file, "DROP TABLE indexed; CREATE TABLE indexed (id, post, content)")
    #expect(throws: Archive.Failure.self) { try Archive(file: file) }
  }

  /// A value that is small in the file and large in memory is damage.
  @Test(arguments: [
    "UPDATE body SET content = ?", "INSERT INTO page VALUES (7, 'https://a.example/', '', '', ?, 1, 1, 1, 0, NULL, 0)",
    "INSERT INTO waitingPage VALUES (7, 'https://a.example/', NULL, ?)",
  ])
  func decompressionBombIsReportedAndNotUnpacked(_ change: String) throws {
    let bomb = Packer().pack([UInt8](repeating: 0x61, count: PackedValue.largestBody + 1))
    #expect(bomb.count < 20_000)
    try DatabaseQueue(path: file).write { try $0.execute(sql: change, arguments: [Data(bomb)]) }
    let archive = try Archive(file: file)
    let faults = try archive.verify()
    #expect(!faults.isEmpty && faults.allSatisfy { $0.contains("cannot be read, or is larger than") }, "\(faults)")
    _ = try archive.exported()
    _ = try ArchiveSearch(archive).find("word1", count: 1)
  }

  /// Details that cannot be read are damage, and the markup beside them is kept.
  @Test func unreadableDetailsAreReported() throws {
    let body = Packer().pack([3, 0, 0, 0] + Array("[1]<p>kept</p>".utf8))
    try DatabaseQueue(path: file).write { database in
      try database.execute(sql: "UPDATE body SET content = ?", arguments: [Data(body)])
    }
    let archive = try Archive(file: file)
    #expect(try archive.verify().count { $0.contains("cannot be read, or is larger than") } == 3)
    #expect(try archive.exported().contains("<p>kept</p>"))
  }

  /// A post without a day keeps that state, and so has no sort date in the importing archive either.
  @Test func dayOfPostIsExported() throws {
    let unseen = -62_135_596_800
    try SQLiteFile.make(file, "UPDATE card SET day = \(unseen), published = 2000000000, updated = 1")
    let copy = file + "-copy"
    _ = try Archive(file: copy).join(Archive(file: file).exported())
    let found = try DatabaseQueue(path: copy).read { database in
      try Row.fetchAll(database, sql: "SELECT day, sortDate FROM card JOIN post ON post.id = card.post").map {
        [$0[0] as Int64, $0[1] as Int64]
      }
    }
    #expect(found == Array(repeating: [Int64(unseen), Int64.min / 2], count: 3))
  }

  /// An archive stores the libunistring version of its keys, and the first run with another one reports it.
  @Test func changedUnicodeVersionIsReportedOnce() throws {
    try SQLiteFile.make(file, "UPDATE run SET unicode = 17")
    let archive = try Archive(file: file)
    let versions = try (0..<2).map { _ in
      try Ingest(archive, now: nil, settings: SiteSettings(), paths: [], existing: []).earlierUnicode
    }
    #expect(versions == [17, nil])
  }

  /// A body that is larger than may be read again is truncated when it is written.
  @Test func overlongBodyIsTruncatedAndReadable() throws {
    let text = String(repeating: "word ", count: PackedValue.largestBody / 5 + 1)
    let archive = try Archive(file: file)
    _ = try archive.ingest([Documents.document([TestPost(id: "1", title: "Long", text: text)], of: "b")])
    #expect(try archive.verify() == [])
    #expect(try archive.exported().utf8.count > PackedValue.largestMarkup)
  }

  /// Bodies that cannot be compressed are merged like others, in any order.
  @Test func incompressibleBodiesMergeInAnyOrder() throws {
    var state: UInt64 = 7
    let noise = (0..<400_000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return String(state >> 20, radix: 36) + " "
    }
    let long = TestPost(id: "1", title: "Long", text: noise.joined())
    var exports: Set<String> = []
    for order in [[0, 1], [1, 0]] {
      let files = [file + "-\(order[0])-a", file + "-\(order[0])-b"]
      _ = try Archive(file: files[0]).ingest([Documents.document([long], of: "b")])
      _ = try Archive(file: files[1]).ingest([Documents.document([long, TestPost(id: "2")], of: "b")])
      let target = FilePath(files[0] + "-merged")
      for part in order { _ = try Archive.merge(try MergeInputs([FilePath(files[part])]), into: target) }
      exports.insert(try Archive(file: target.description).exported())
    }
    #expect(exports.count == 1)
  }

  /// Overlong names are rejected in imports and truncated when they are read.
  @Test func overlongNamesAreRejectedOrTruncated() throws {
    let post = TestPost(id: "1", tags: ["t"])
    _ = try Archive(file: file).ingest([Documents.document([post], of: "b")])
    let lines = try Archive(file: file, mode: .reading).exported()
    let long = String(repeating: "a", count: 520 << 10)
    for (old, new) in [
      (#""title":"b""#, #""title":"\#(long)""#), (#""excerpt":"""#, #""excerpt":"\#(long)""#),
      (#""tags":["t"]"#, #""tags":[\#((0...200).map { "\"\($0)\"" }.joined(separator: ","))]"#),
      (#""title":"b""#, #""title":"\u0000""#),
    ] {
      #expect(lines.contains(old))
      #expect(throws: Archive.Failure.self) {
        _ = try Archive(file: file + "-copy").join(lines.replacing(old, with: new))
      }
    }
    let tags = (0..<5000).map { "t\($0)" }.joined(separator: "\u{1F}")
    try SQLiteFile.make(file, "UPDATE card SET tags = '\(tags)', slugs = '\(tags)', title = '\(long.dropLast(90_000))'")
    try SQLiteFile.make(file, "INSERT OR IGNORE INTO unsettled SELECT id FROM post")
    let opened = try Archive(file: file)
    try opened.settle()
    let cards = try Ingest(opened, now: nil, settings: SiteSettings(), paths: [], existing: [])
      .posts(of: "b", skipping: 0, count: 10, withBodies: true).map(\.card)
    #expect(cards.count == 1 && cards.allSatisfy { $0.tags.count <= 200 && $0.title.utf8.count <= 40_000 })
  }

  /// A tree of pages each of which has one child hundreds of times has more rows than any file.
  @Test func tangledPageTreeAbortsMerge() throws {
    try SQLiteFile.make(
      file,
      """
      INSERT INTO card (post, title, isUntitled, excerpt, published, kind, direction, authors, tags, permalink, slugs)
        WITH RECURSIVE c(x) AS (SELECT 1000 UNION ALL SELECT x + 1 FROM c LIMIT 200000)
        SELECT x, 'Title', 0, 'some excerpt of this post that is as long as an excerpt may be', 1, 'article', 'ltr',
        '', '', 'https://a.example/' || x, '' FROM c
      """)
    try SQLiteFile.tangle(file, tree: "card")
    let start = ContinuousClock.now
    let refusal = #expect(throws: Archive.Failure.self) {
      try Archive.merge(try MergeInputs([FilePath(file)]), into: FilePath(file + "-new"))
    }
    #expect(refusal?.description.contains("more steps than its size explains") == true, "\(refusal?.description ?? "")")
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  /// The files of feeds are asked for before the archive is checked as a whole; a large one is never checked so.
  @Test(arguments: [false, true])
  func tangledIndexOfFeedsIsRefused(isLarge: Bool) throws {
    try SQLiteFile.make(
      file,
      """
      INSERT INTO feed (key, location, first, preferredSlug, title, size, modified)
        WITH RECURSIVE c(x) AS (SELECT 1000 UNION ALL SELECT x + 1 FROM c LIMIT 2400)
        SELECT 'k' || x, x || hex(zeroblob(147)), 1, 's' || x, 'Title', 1, 1 FROM c
      """)
    if isLarge {
      try SQLiteFile.make(
        file,
        """
        INSERT INTO body WITH RECURSIVE c(x) AS (SELECT 1000 UNION ALL SELECT x + 1 FROM c LIMIT 20)
        SELECT x, '', zeroblob(1000000) FROM c
        """)
    }
    try SQLiteFile.tangle(file, tree: "feed_location")
    let start = ContinuousClock.now
    #expect(Archive.knownFiles(in: file).count == (isLarge ? 2400 : 0))
    #expect(throws: Archive.Failure.self) { try Archive(file: file, mode: .reading).sources(purge: .keep) }
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  /// The number of a site's files is a sum, which others may have changed.
  @Test(arguments: [Int64.max, -5]) func wrongNumberOfFilesIsMended(_ number: Int64) throws {
    func site(_ fingerprint: String, _ archive: Archive) throws -> PublishedSite {
      try PublishedSite(archive, folder: "/site", fingerprint: fingerprint)
    }
    func keep(_ path: String, in site: PublishedSite) throws {
      try site.keep([(path: PagePath(path), file: FileMark(size: 1, digest: Checksum(value: 1)))])
    }
    func makeFirst() throws {
      let first = try site("a", try Archive(file: file))
      try keep("a.html", in: first)
      try first.finish(folders: [:])
    }
    try makeFirst()
    try SQLiteFile.make(file, "UPDATE site SET files = \(number)")
    let archive = try Archive(file: file)
    #expect(try archive.verify().contains { $0.contains("sites with a wrong number of files") })
    let second = try site("a", archive)
    #expect(second.isCurrent)
    try keep("b.html", in: second)
    try second.finish(folders: [:])
    let third = try site("b", archive)
    try third.finish(folders: [:])
    #expect(try third.fileCount() == 2)
    #expect(try archive.verify() == [])
  }
}
