import GRDB
import TamisCore

/// Chooses the keys of the feeds of several archives in the merged archive.
///
/// A feed of a shard keeps its key, unless a feed at another path would have the same key: then the first by path keeps
/// it, and the keys of the others are made from their paths, as when one process reads all of them (``FeedChoice``).
/// All other feeds are identified by their keys alone.
///
/// The data is in a temporary table, `named`, so that memory does not grow with the number of feeds.
struct MergedFeedNames {
  let database: Database

  /// The number that denotes the main archive.
  static let own: Int64 = -1

  init(_ database: Database) throws {
    self.database = database
    try database.execute(
      sql: """
        CREATE TEMP TABLE named (
          source INTEGER NOT NULL, feed INTEGER NOT NULL, location TEXT, own TEXT NOT NULL, key TEXT NOT NULL, final TEXT NOT NULL,
          isDealt INTEGER NOT NULL, isRead INTEGER NOT NULL, PRIMARY KEY (source, feed)) WITHOUT ROWID;
        CREATE INDEX temp.named_own ON named (own);
        """)
  }

  /// Adds the feeds of an archive under a number.
  func add(_ source: Int64, of archive: Database) throws {
    let dealt = try archive.hasTable("dealt") ? "id IN (SELECT feed FROM dealt)" : "0"
    let select = "SELECT id, key, address, home, location, \(dealt) AND location IS NOT NULL, latest > 0 FROM feed"
    let rows = try Row.fetchCursor(archive, sql: select)
    while let row = try rows.next() {
      let (key, path, isDealt, isRead): (String, String?, Bool, Bool) = try (row[1], row[4], row[5], row[6])
      var own = key
      if isDealt, isRead { own = try FeedIdentity(address: row[2], home: row[3], path: path ?? "").key.text }
      try database.cachedStatement(sql: "INSERT INTO temp.named VALUES (?, ?, ?, ?, ?, ?, ?, ?)").execute(
        arguments: [source, row[0] as Int64, path, own, key, own, isDealt, isRead])
    }
  }

  /// Assigns the keys.
  func decide() throws {
    let shared = """
      SELECT own FROM temp.named WHERE isDealt AND isRead GROUP BY own HAVING count(DISTINCT location) > 1
      UNION SELECT own FROM temp.named WHERE isDealt AND isRead AND own IN (SELECT own FROM temp.named WHERE NOT isRead)
      """
    let select =
      "SELECT DISTINCT location, isRead FROM temp.named WHERE own = ? AND location IS NOT NULL AND (isDealt OR NOT isRead)"
    for own in try String.fetchAll(database, sql: shared) {
      let rows = try Row.fetchAll(database, sql: select, arguments: [own])
      let paths = try Set(rows.filter { try $0[1] }.map { try $0[0] as String })
      // A feed that could not be read had its key before.
      let isHeld = try rows.contains { try !($0[1] as Bool) && !paths.contains($0[0]) }
      let first = isHeld ? nil : paths.min()
      for path in paths where path != first {
        try database.execute(
          sql: "UPDATE temp.named SET final = ? WHERE own = ? AND location = ? AND isDealt AND isRead",
          arguments: [Feed.Key(own).at(path).text, own, path])
      }
    }
  }

  /// A feed of an archive, with its key there and the one after merging.
  struct Named {
    var number: FeedNumber
    var key: Feed.Key
    var final: Feed.Key
  }

  /// Returns the feeds of an archive.
  func feeds(of source: Int64) throws -> [Named] {
    try Row.fetchAll(
      database, sql: "SELECT feed, key, final FROM temp.named WHERE source = ? ORDER BY final, key", arguments: [source]
    ).map { try Named(number: $0[0], key: Feed.Key($0[1]), final: Feed.Key($0[2])) }
  }

  /// Drops the temporary table.
  func finish() throws { try database.execute(sql: "DROP TABLE temp.named") }
}

extension Database {
  /// Whether the file has a table; one that is only read may lack those of ``Schema/additions``.
  func hasTable(_ name: String) throws -> Bool {
    try isTrue("SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ?)", [name])
  }
}
