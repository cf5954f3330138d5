import GRDB
import TamisCore

/// Joins one archive after the other with the main one, feed by feed.
struct Merging {
  private let database: Database
  private var join: Join

  init(_ database: Database) throws { (self.database, join) = (database, try Join(database: database)) }

  /// Adds the feeds of an archive under the keys that they have after merging, and the state of its requests.
  mutating func take(_ other: Archive, _ feeds: [MergedFeedNames.Named]) throws {
    for feed in feeds { try take(feed, of: other) }
    try other.read { try takeRequests(of: $0) }
  }

  /// Marks all decisions for recomputation.
  mutating func finish() throws { try join.finish() }

  private mutating func take(_ named: MergedFeedNames.Named, of other: Archive) throws {
    guard var (feed, record) = try other.read({ try Archive.record(named.key, $0) }) else { return }
    let slug = try other.read { database in
      try database.hasTable("dealt")
        ? String.fetchOne(database, sql: "SELECT twinSlug FROM dealt WHERE feed = ?", arguments: [feed.number]) : nil
    }
    let renaming = named.key == named.final ? nil : Renaming(database, from: named.key, to: named.final)
    record.row.card.key = named.final
    if let slug, renaming != nil { record.row.preferredSlug = slug }
    guard try join.take(record) else {
      throw Archive.Failure(badInput: "\(other.file): the feed '\(named.key)' has an impossible number")
    }
    if let slug {
      try database.execute(
        sql: "INSERT OR REPLACE INTO dealt SELECT id, ? FROM feed WHERE key = ?", arguments: [slug, named.final.text])
    }
    feed.card.key = named.final
    let presence = Presence(record.observations)
    var last: Int64?
    while true {
      let after = last
      let posts = try other.readBatch { database in
        let posts = try Archive.records(feed, presence, after: after, database)
        return try posts.map { ($0, slug == nil ? nil : try Renaming.Origin.find($0.row.number, database)) }
      }
      if posts.isEmpty { break }
      last = posts.last?.0.row.id.rawValue
      for (post, origin) in posts { try take(post, origin, renaming, of: other) }
    }
  }

  private func take(_ record: PostRecord, _ origin: Renaming.Origin?, _ renaming: Renaming?, of other: Archive) throws {
    var post = record
    if let renaming {
      guard let origin else {
        throw Archive.Failure(badInput: "\(other.file): the post '\(record.row.name)' of a shard has no origin")
      }
      (post.row.id, post.row.name, post.keys) = renaming.names(of: record.row, keys: record.keys, origin)
    }
    guard let number = try join.take(post) else {
      throw Archive.Failure(badInput: "\(other.file): the post '\(record.row.name)' has an impossible name or number")
    }
    guard let origin else { return }
    try database.cachedStatement(sql: "INSERT OR IGNORE INTO origin VALUES (?, ?, ?)")
      .execute(arguments: [number, origin.identity, origin.whole])
  }

  // MARK: - Data that belongs to no feed

  /// Takes the fetch states of feeds and the wanted pages: for each, the state of the latest request.
  private func takeRequests(of other: Database) throws {
    let rank = { (table: String) in
      "(ifnull(\(table).asked, -1), ifnull(\(table).etag, ''), ifnull(\(table).next, -1), \(table).address)"
    }
    try copy(
      "SELECT * FROM fetch", of: other, into: "fetch",
      "(subscription) DO UPDATE SET \(Self.excluded(FetchStore.columns)) WHERE \(rank("excluded")) > \(rank("fetch"))")
    let moment = try Int64.fetchOne(other, sql: "SELECT max(moment) FROM run") ?? 0
    if ValidValue.moments.contains(moment) {
      try database.execute(sql: "UPDATE run SET moment = max(moment, ?)", arguments: [moment])
    }
    guard try other.hasTable("page") else { return }
    let columns = ["title", "text", "content", "checksum", "asked", "next", "failures", "problem", "isGivenUp"]
    try copy(
      "SELECT NULL, address, \(columns.joined(separator: ", ")) FROM page", of: other, into: "page",
      """
      (address) DO UPDATE SET \(Self.excluded(columns))
        WHERE (excluded.content IS NOT NULL, ifnull(excluded.asked, -1), ifnull(excluded.checksum, 0))
        > (page.content IS NOT NULL, ifnull(page.asked, -1), ifnull(page.checksum, 0))
      """)
    try copy(
      "SELECT location, address FROM wantedPage JOIN page ON id = page", of: other,
      by: "INSERT OR IGNORE INTO wantedPage SELECT ?, id FROM page WHERE address = ?")
    try copy(
      "SELECT rule, address, checksum FROM pageRule JOIN page ON id = page", of: other,
      by: "INSERT OR REPLACE INTO pageRule SELECT id, ? FROM page WHERE address = ? AND checksum IS ?")
  }

  private static func excluded(_ columns: [String]) -> String {
    columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
  }

  private func copy(_ rows: String, of other: Database, into table: String, _ conflict: String) throws {
    let count = try other.makeStatement(sql: rows).columnCount
    let places = Array(repeating: "?", count: count).joined(separator: ", ")
    try copy(rows, of: other, by: "INSERT INTO \(table) VALUES (\(places)) ON CONFLICT \(conflict)")
  }

  /// Runs a statement with each row of another database.
  private func copy(_ rows: String, of other: Database, by statement: String) throws {
    let write = try database.makeStatement(sql: statement)
    try other.withLongRows {
      let rows = try Row.fetchCursor(other, sql: rows)
      while let row = try rows.next() { try write.execute(arguments: StatementArguments(row.databaseValues)) }
    }
  }
}
