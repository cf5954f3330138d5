import GRDB
import TamisCore

/// Copies the data of an attached archive into the main one, unchanged and table by table, for the feeds that the main
/// archive does not have.
///
/// The numbers of posts and feeds are raised by the greatest existing number, so that rows are appended.
struct Transfer {
  let database: Database
  /// The table to which keys are written: `key`, or an unsorted table while many archives are read.
  let keyTable: String

  /// The schema name of the attached archive.
  static let schema = "theirs"

  /// The maximum number of feeds and posts (2^40): sums of their numbers cannot overflow.
  private static let mostNumbers: Int64 = 1 << 40

  init(_ database: Database, keyTable: String) throws {
    (self.database, self.keyTable) = (database, keyTable)
    try database.execute(
      sql: "CREATE TEMP TABLE taken (their INTEGER PRIMARY KEY, ours INTEGER NOT NULL, isRenamed INTEGER NOT NULL)")
  }

  /// Selects the feeds of an archive that the main archive does not have; returns their number.
  func choose(_ source: Int64) throws -> Int {
    try database.execute(sql: "DELETE FROM temp.taken")
    try database.execute(
      sql: """
        INSERT INTO temp.taken SELECT min(feed), min(feed) + ?, key <> final FROM temp.named
        WHERE source = ? AND NOT EXISTS (SELECT 1 FROM main.feed WHERE feed.key = final) GROUP BY final
        """, arguments: [try greatest("main.feed"), source])
    return database.changesCount
  }

  /// Copies the selected feeds with all their data.
  ///
  /// - Parameters:
  ///   - source: the number of the archive.
  ///   - isAll: whether these are all feeds of the archive.
  /// - Throws: `DatabaseError` when a table cannot be read or written.
  func take(_ source: Int64, isAll: Bool) throws {
    let feedOffset = try greatest("main.feed")
    let postOffset = try greatest("main.post")
    try database.execute(sql: Self.feedCopy, arguments: [source])
    let find = """
      SELECT ours, named.key, final FROM temp.taken JOIN temp.named ON source = ? AND named.feed = their WHERE isRenamed ORDER BY ours
      """
    let renamed = try Row.fetchAll(database, sql: find, arguments: [source])
    try copyPosts(feedOffset: feedOffset, postOffset: postOffset, isAll: isAll, hasRenamed: !renamed.isEmpty)
    try copyFacts(feedOffset)
    for feed in renamed {
      let find = try database.cachedStatement(sql: "SELECT digest FROM theirs.key WHERE post = ?")
      try Renaming(database, from: Feed.Key(feed[1]), to: Feed.Key(feed[2])).rename(feed[0], writingKeysTo: keyTable) {
        try Int64.fetchAll(find, arguments: [$0.rawValue - postOffset])
      }
    }
  }

  private func greatest(_ table: String) throws -> Int64 {
    try Int64.fetchOne(database, sql: "SELECT ifnull(max(id), 0) FROM \(table)") ?? 0
  }

  // MARK: - Posts

  private static let feedColumnNames =
    StoredFeed.exportedColumns.map(\.name).filter { $0 != "key" }
    + ["latest", "pending", "size", "modified", "document", "filterRules"]
  private static let feedColumns = feedColumnNames.joined(separator: ", ")
  private static let theirFeedColumns = feedColumnNames.map { "their.\($0)" }.joined(separator: ", ")
  private static let feedCopy = """
    INSERT INTO main.feed (id, key, \(feedColumns)) SELECT ours, final, \(theirFeedColumns) FROM temp.taken
    JOIN temp.named ON source = ? AND named.feed = their JOIN theirs.feed AS their ON their.id = taken.their
    """
  private static let postColumns = (StoredPost.columnNames.dropFirst() + ["sortDate"]).joined(separator: ", ")
  private static let cardColumns = CardStore.columns.joined(separator: ", ")

  private func copyPosts(feedOffset: Int64, postOffset: Int64, isAll: Bool, hasRenamed: Bool) throws {
    func ofTaken(_ post: String, condition: String = "") -> String {
      """
      EXISTS (SELECT 1 FROM theirs.post AS own WHERE own.id = \(post) AND own.feed IN (SELECT their FROM temp.taken\(condition)))
      """
    }
    // If no number is missing, no table has rows of deleted posts.
    let isDense =
      try isAll
      && database.isTrue("SELECT count(*) = ifnull(max(id), 0) FROM theirs.post")
    let most = try greatest("theirs.post")
    func condition(_ post: String) -> String { isDense ? "\(post) BETWEEN 1 AND \(most)" : ofTaken(post) }
    try database.execute(
      sql: """
        INSERT INTO main.post (id, feed, \(Self.postColumns), shown, fold)
          SELECT id + \(postOffset), feed + \(feedOffset), \(Self.postColumns), 0, 0 FROM theirs.post NOT INDEXED
          WHERE feed IN (SELECT their FROM temp.taken) ORDER BY id;
        INSERT INTO main.card (post, \(Self.cardColumns))
          SELECT post + \(postOffset), \(Self.cardColumns) FROM theirs.card WHERE \(condition("post"));
        INSERT INTO main.body SELECT post + \(postOffset), rules, content FROM theirs.body WHERE \(condition("post"));
        INSERT INTO main.wording SELECT post + \(postOffset), digest, since, words, sketch FROM theirs.wording WHERE \(condition("post"));
        INSERT INTO \(keyTable) SELECT digest, post + \(postOffset) FROM theirs.key
          WHERE \(hasRenamed ? ofTaken("post", condition: " WHERE NOT isRenamed") : condition("post"));
        """)
    if try database.hasTable("origin", in: Self.schema) {
      let origins = "INSERT INTO main.origin SELECT post + \(postOffset), identity, whole FROM theirs.origin"
      try database.execute(sql: "\(origins) WHERE \(condition("post"))")
    }
  }

  private func copyFacts(_ feedOffset: Int64) throws {
    let condition = "WHERE feed IN (SELECT their FROM temp.taken)"
    try database.execute(
      sql: """
        INSERT INTO main.observation SELECT feed + \(feedOffset), moment, document, isComplete, looks FROM theirs.observation \(condition);
        INSERT INTO main.category SELECT slug, feed + \(feedOffset), name FROM theirs.category \(condition);
        """)
    if try database.hasTable("dealt", in: Self.schema) {
      try database.execute(
        sql: "INSERT INTO main.dealt SELECT feed + \(feedOffset), twinSlug FROM theirs.dealt \(condition)")
    }
  }

  // MARK: - Data that belongs to no feed

  /// Copies the fetch states of feeds and the wanted pages: for each, the state of the latest request.
  func takeMemory() throws {
    let rank = { (table: String) in
      "ifnull(\(table).asked, -1), ifnull(\(table).etag, ''), ifnull(\(table).next, -1), \(table).address"
    }
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO main.fetch SELECT new.* FROM theirs.fetch AS new LEFT JOIN main.fetch AS old USING (subscription)
          WHERE old.subscription IS NULL OR (\(rank("new"))) > (\(rank("old")));
        UPDATE main.run SET moment = max(moment, (SELECT ifnull(max(moment), 0) FROM theirs.run
          WHERE moment BETWEEN 0 AND \(ValidValue.moments.upperBound)));
        """)
    guard try database.hasTable("page", in: Self.schema) else { return }
    let columns = ["title", "text", "content", "checksum", "asked", "next", "failures", "problem", "isGivenUp"]
    let names = columns.joined(separator: ", ")
    let sets = columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    try database.execute(
      sql: """
        INSERT INTO main.page (address, \(names)) SELECT address, \(names) FROM theirs.page WHERE true
          ON CONFLICT (address) DO UPDATE SET \(sets)
          WHERE (excluded.content IS NOT NULL, ifnull(excluded.asked, -1), ifnull(excluded.checksum, 0))
            > (page.content IS NOT NULL, ifnull(page.asked, -1), ifnull(page.checksum, 0));
        INSERT OR IGNORE INTO main.wantedPage SELECT location, ours.id FROM theirs.wantedPage AS old JOIN theirs.page AS their ON their.id = old.page
          JOIN main.page AS ours ON ours.address = their.address;
        INSERT OR REPLACE INTO main.pageRule SELECT ours.id, rule FROM theirs.pageRule AS old JOIN theirs.page AS their
          ON their.id = old.page JOIN main.page AS ours ON ours.address = their.address AND ours.checksum IS their.checksum;
        """)
  }

  // MARK: - Impossible values

  /// Returns the impossible values, one line each.
  func faults() throws -> [String] {
    var faults: [String] = []
    for (table, checks) in Self.checks {
      let sums = checks.map { "ifnull(sum(NOT (\($0.isValid))), 0)" }.joined(separator: ", ")
      guard let row = try Row.fetchOne(database, sql: "SELECT \(sums) FROM theirs.\(table)") else { continue }
      for (column, check) in checks.enumerated() {
        let count: Int = try row[column]
        if count > 0 { faults.append("\(count) \(check.name)") }
      }
    }
    let lists = try String.fetchCursor(database, sql: Self.longLists)
    while let list = try lists.next() {
      if StoredList.parts(list).allSatisfy(PostRecord.isFileName) { continue }
      faults.append("tags with impossible names")
      break
    }
    return faults
  }

  private static let longLists = "SELECT slugs FROM theirs.card WHERE length(CAST(slugs AS BLOB)) > 200"

  /// Conditions that each row must satisfy, by table: each table is read once.
  private static let checks: [(table: String, checks: [(name: String, isValid: String)])] = [
    (
      "feed",
      [
        ("feeds with impossible numbers", "\(Archive.soundFeed) AND id BETWEEN 1 AND \(mostNumbers)"),
        ("feeds with impossible names", "\(isFileName("preferredSlug")) AND key <> '' AND title <> ''"),
        ("feeds with texts that are too long", isFeedRow),
      ]
    ),
    (
      "post",
      [
        (
          "posts with impossible numbers",
          "\(Archive.soundPost) AND typeof(sortDate) = 'integer' AND id BETWEEN 1 AND \(mostNumbers)"
        ),
        ("posts with impossible names", isFileName("name")),
        ("posts without a feed", "EXISTS (SELECT 1 FROM theirs.feed WHERE feed.id = post.feed)"),
        ("posts without a card", "EXISTS (SELECT 1 FROM theirs.card WHERE card.post = post.id)"),
      ]
    ),
    (
      "card",
      [
        ("posts with impossible tags", "slugs = '' OR \(areFileNames("slugs"))"),
        ("posts with texts that are too long", isCardRow),
      ]
    ),
    (
      "wording",
      [
        ("wordings with impossible numbers", Archive.soundWording),
        ("wordings of posts that do not exist", "EXISTS (SELECT 1 FROM theirs.post WHERE post.id = wording.post)"),
      ]
    ),
    ("body", [("bodies with impossible rules", "length(CAST(rules AS BLOB)) <= 200")]),
  ]

  /// An SQL condition: the texts of a feed are no longer than a row may be.
  static let isCardRow = isRow(CardStore.columns)
  static let isFeedRow = isRow(feedColumnNames + ["key", "slug"])

  /// ``ValidValue/isRow(_:)`` in SQL.
  private static func isRow(_ columns: [String]) -> String {
    let sum = columns.map { "ifnull(length(CAST(\($0) AS BLOB)), 0)" }.joined(separator: " + ")
    return "\(sum) <= \(Archive.longestTexts)"
  }

  /// ``PostRecord/isFileName(_:)`` in SQL.
  static func isFileName(_ column: String) -> String {
    "\(isVisible(column, without: 31)) AND length(CAST(\(column) AS BLOB)) BETWEEN 1 AND 200"
  }

  /// An SQL condition like ``isFileName(_:)`` for each part of a list, without the check of lengths.
  static func areFileNames(_ column: String) -> String {
    "\(isVisible(column, without: 30)) AND instr(\(column), char(31) || '.') = 0"
  }

  /// An SQL condition: a text does not begin with a dot and contains no slashes and no control characters up to the
  /// given one.
  private static func isVisible(_ column: String, without last: Int) -> String {
    """
    typeof(\(column)) = 'text' AND substr(\(column), 1, 1) <> '.'
      AND \(column) NOT GLOB '*[/\\' || char(1) || '-' || char(\(last)) || ']*'
    """
  }
}
