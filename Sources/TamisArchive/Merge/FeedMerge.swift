import GRDB
import TamisCore
import TamisSystem

/// Merges one archive after the other, feed by feed.
///
/// A feed is copied, skipped when its data is already present, or joined with the stored feed.
struct Merging {
  private let database: Database
  private let names: MergedFeedNames
  private let transfer: Transfer
  private var join: Join

  init(_ database: Database, _ names: MergedFeedNames, _ transfer: Transfer) throws {
    (self.database, self.names, self.transfer) = (database, names, transfer)
    join = try Join(database: database)
    try database.execute(
      sql: "CREATE TEMP TABLE doubled (source INTEGER NOT NULL, key TEXT NOT NULL, final TEXT NOT NULL)")
  }

  /// Gives the feeds of the main archive the keys that they have after merging.
  func renameOwn() throws {
    for feed in try names.renamedOwn() {
      let find = try database.cachedStatement(sql: "SELECT digest FROM main.key WHERE post = ?")
      try Renaming(database, from: feed.key, to: feed.final).rename(feed.feed, writingKeysTo: "main.key") { post in
        let keys = try Int64.fetchAll(find, arguments: [post])
        try database.execute(sql: "DELETE FROM main.key WHERE post = ?", arguments: [post])
        return keys
      }
    }
  }

  /// Adds the attached archive; feeds that the main archive already has are left to ``join(_:)``.
  mutating func take(_ source: Int64) throws {
    let faults = try transfer.faults()
    guard faults.isEmpty else {
      let file = try String.fetchOne(database, sql: "SELECT file FROM pragma_database_list WHERE name = 'theirs'") ?? ""
      throw MergeRefusal("\(file): the file has impossible values: \(faults.joined(separator: ", "))")
    }
    let new = try transfer.choose(source)
    let others = try Row.fetchCursor(
      database,
      sql: """
        SELECT named.feed, named.key, final, feed.id FROM temp.named LEFT JOIN main.feed ON feed.key = final
        WHERE source = ? AND named.feed NOT IN (SELECT their FROM temp.taken)
        """, arguments: [source])
    var count = new
    while let feed = try others.next() {
      count += 1
      if let known = try feed[3] as FeedNumber?, try isKnown(feed[0], as: known) { continue }
      try database.execute(
        sql: "INSERT INTO temp.doubled VALUES (?, ?, ?)", arguments: [source, feed[1] as String, feed[2] as String])
    }
    try transfer.take(source, isAll: new == count)
    try transfer.takeMemory()
  }

  /// Whether the main archive has all data that the other has of a feed, as when a shard is merged twice.
  private func isKnown(_ theirs: FeedNumber, as ours: FeedNumber) throws -> Bool {
    let parts = [
      (
        "feed", "id",
        (StoredFeed.exportedColumns.map(\.name).filter { $0 != "key" && $0 != "preferredSlug" }
          + ["latest", "document"]).joined(separator: ", ")
      ),
      ("observation", "feed", "moment, document, isComplete, looks"),
      // The id and name of a post depend on the feed's key.
      (
        "post", "feed",
        (StoredPost.columnNames.filter { !["feed", "pid", "name"].contains($0) } + ["sortDate"]).joined(separator: ", ")
      ),
    ]
    for (table, feed, columns) in parts {
      let sql = """
        SELECT EXISTS (SELECT \(columns) FROM theirs.\(table) WHERE \(feed) = ?
          EXCEPT SELECT \(columns) FROM main.\(table) WHERE \(feed) = ?)
        """
      if try Bool.fetchOne(database.cachedStatement(sql: sql), arguments: [theirs, ours]) ?? true { return false }
    }
    return true
  }

  // MARK: - Feeds in several archives

  /// Joins the feeds that are in several archives, and marks all decisions for recomputation.
  ///
  /// - Parameter files: the files of the archives, by number.
  /// - Throws: ``Archive/Failure`` or `DatabaseError` when an archive cannot be read, or the merged one cannot be
  ///   written.
  mutating func join(_ files: [FilePath]) throws {
    for (number, file) in files.enumerated() {
      let feeds = try Row.fetchAll(
        database, sql: "SELECT key, final FROM temp.doubled WHERE source = ? ORDER BY final", arguments: [number])
      if feeds.isEmpty { continue }
      let other = try Archive(file: file.description, mode: .reading)
      for feed in feeds { try join(Feed.Key(feed[0]), as: Feed.Key(feed[1]), other) }
    }
    try join.finish()
    try database.execute(sql: "DROP TABLE temp.doubled; DROP TABLE temp.taken")
  }

  private mutating func join(_ key: Feed.Key, as final: Feed.Key, _ other: Archive) throws {
    guard let (feed, record) = try other.read({ try Archive.record(key, $0) }) else { return }
    var renamed = record
    renamed.row.card.key = final
    if key != final {
      let find = "SELECT twinSlug FROM dealt WHERE feed = ?"
      renamed.row.preferredSlug =
        try other.read { try String.fetchOne($0, sql: find, arguments: [feed.number]) } ?? record.row.preferredSlug
    }
    guard try join.take(renamed) else {
      throw MergeRefusal("\(other.file): the feed '\(key)' has an impossible number")
    }
    let renaming = Renaming(database, from: key, to: final)
    let presence = Presence(record.observations)
    var last: Int64?
    while true {
      let after = last
      let posts = try other.read { try Archive.records(feed, presence, after: after, $0) }
      if posts.isEmpty { break }
      last = posts.last?.row.id.rawValue
      for post in posts { try join(post, of: feed, renaming, isRenamed: key != final, final, other) }
    }
  }

  private mutating func join(
    _ record: PostRecord, of feed: StoredFeed, _ renaming: Renaming, isRenamed: Bool, _ final: Feed.Key,
    _ other: Archive
  ) throws {
    var post = record
    post.feed = final.text
    let origin = try other.read { database -> Renaming.Origin? in
      guard try database.hasTable("origin", in: "main"),
        let number = try PostStore(database: database).post(record.row.id, inFeed: feed.number)?.number
      else { return nil }
      return try Renaming.Origin.find(number, database)
    }
    if isRenamed {
      guard let origin else {
        throw MergeRefusal("\(other.file): the post '\(record.row.name)' of a shard has no origin")
      }
      let names = renaming.names(of: record.stored(in: feed), keys: record.keys, origin)
      (post.row.id, post.row.name, post.keys) = (names.id, names.name, names.keys)
    }
    guard try join.take(post) else {
      throw MergeRefusal("\(other.file): the post '\(record.row.name)' has an impossible name or number")
    }
    guard let origin else { return }
    let insert = """
      INSERT OR IGNORE INTO main.origin SELECT post.id, ?, ? FROM main.post JOIN main.feed ON feed.id = post.feed
      WHERE feed.key = ? AND post.pid = ?
      """
    try database.cachedStatement(sql: insert).execute(arguments: [
      origin.identity, origin.whole, final.text, post.row.id,
    ])
  }
}
