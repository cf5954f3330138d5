import Foundation
import GRDB
import TamisURL

/// The tables, and how those of older versions become those of this one.
enum Schema {
  /// A post costs a row and a few keys: see the benchmark in Tests/Benchmarks for what that comes to.
  private static let tables = """
    CREATE TABLE run (id INTEGER PRIMARY KEY, finished INTEGER NOT NULL);
    CREATE TABLE feed (
      id INTEGER PRIMARY KEY,
      key TEXT NOT NULL UNIQUE,
      level INTEGER NOT NULL DEFAULT 0,
      pending INTEGER NOT NULL DEFAULT 0,
      newest INTEGER,
      first INTEGER NOT NULL,
      isAggregator INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE post (
      id INTEGER PRIMARY KEY,
      feed INTEGER NOT NULL, guid INTEGER, guidForm INTEGER, link INTEGER, file INTEGER, title INTEGER NOT NULL,
      text INTEGER, markup INTEGER, words INTEGER NOT NULL, numbers INTEGER NOT NULL, sketch BLOB, date INTEGER,
      first INTEGER NOT NULL, changed INTEGER NOT NULL, gone INTEGER NOT NULL, flags INTEGER NOT NULL,
      fold INTEGER NOT NULL, name TEXT NOT NULL
    );
    CREATE INDEX post_here ON post (feed) WHERE gone = 0;
    CREATE INDEX post_folded ON post (fold) WHERE fold <> 0;
    -- Read, purged or forgotten: the first three of StoredPost.Flags.
    CREATE INDEX post_hidden ON post (flags) WHERE flags & 7 <> 0;
    CREATE TABLE key (digest INTEGER NOT NULL, post INTEGER NOT NULL, PRIMARY KEY (digest, post)) WITHOUT ROWID;
    """

  static var migrations: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      try database.execute(
        sql: """
          CREATE TABLE feed (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);
          CREATE TABLE post (
            feed INTEGER NOT NULL REFERENCES feed (id),
            identity TEXT NOT NULL,
            fingerprint BLOB NOT NULL,
            path TEXT NOT NULL UNIQUE,
            PRIMARY KEY (feed, identity)
          ) WITHOUT ROWID;
          """)
    }
    migrator.registerMigration("2") { database in
      try database.execute(sql: "ALTER TABLE feed RENAME TO feed1; ALTER TABLE post RENAME TO post1;")
      try database.execute(sql: tables)
      try database.execute(sql: "INSERT INTO feed (id, key, first) SELECT id, key, 1 FROM feed1 ORDER BY id")
      let hasPosts = try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM post1)") ?? false
      if hasPosts { try database.execute(sql: "INSERT INTO run VALUES (1, 1)") }
      let rows = try Row.fetchCursor(database, sql: "SELECT feed, identity, path FROM post1 ORDER BY feed, identity")
      let store = PostStore(database: database)
      while let row = try rows.next() {
        guard let post = migrated(identity: row[1], path: row[2], feed: row[0]) else { continue }
        try store.insert(post, landmarks: [])
      }
      try database.execute(sql: "DROP TABLE post1; DROP TABLE feed1;")
    }
    migrator.registerMigration("3", migrate: rebuildKeys)
    return migrator
  }

  /// Version 2 mixed the number of the feed into keys, which is another in every index.
  private static func rebuildKeys(_ database: Database) throws {
    // What joining was told of folds, where that is not what came of it; (post, 0) where it was told nothing.
    try database.execute(
      sql: "CREATE TABLE claim (post INTEGER NOT NULL, other INTEGER NOT NULL, PRIMARY KEY (post, other)) WITHOUT ROWID"
    )
    try database.execute(sql: "ALTER TABLE feed DROP COLUMN newest")
    let store = PostStore(database: database)
    let has = try database.makeStatement(sql: "SELECT 1 FROM key WHERE digest = ? AND post = ?")
    let remove = try database.makeStatement(sql: "DELETE FROM key WHERE digest = ? AND post = ?")
    for feed in try Row.fetchAll(database, sql: "SELECT id, key FROM feed ORDER BY id") {
      let (old, new) = (feed[0] as Int64, FeedSalts.salt(feed[1]))
      for post in try store.posts(where: "feed = ? ORDER BY id", [old]) {
        func pairs(_ salt: Int64) -> [Int64] {
          var keys = [PostStore.nameKey(post.name, salt: salt)]
          if let form = post.guidForm { keys.append(PostStore.guidKey(form, PostStore.isGlobal(post), salt: salt)) }
          keys.append(PostStore.wordsKey(title: post.title, date: post.date, text: post.text, salt: salt))
          return keys.map(PostStore.short)
        }
        for (before, after) in zip(pairs(old), pairs(new)) where before != after {
          guard try Row.fetchOne(has, arguments: [before, post.id]) != nil else { continue }
          try remove.execute(arguments: [before, post.id])
          try store.addKeys([after], to: post.id)
        }
      }
    }
  }

  /// A post of version 1, which kept the id or the link as text and nothing of what the post said.
  private static func migrated(identity: String, path: String, feed: Int64) -> StoredPost? {
    let parts = identity.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    var post = StoredPost()
    post.feed = feed
    post.first = 1
    post.name = path.split(separator: "/").last.map { String($0.dropLast(".html".count)) } ?? path
    switch parts[0] {
    case "guid":
      post.guid = Digest.of("id", parts[1])
      if parts[1].hasPrefix("tag:") || parts[1].hasPrefix("urn:") { post.flags.insert(.global) }
      if let form = AddressForm(parts[1], tracking: .init([])) {
        post.guidForm = Digest.of("address", form.text)
        post.flags.insert(.global)
      }
    case "link": post.link = AddressForm(parts[1], tracking: .init([])).map { Digest.of("address", $0.text) }
    default: break
    }
    return post
  }
}
