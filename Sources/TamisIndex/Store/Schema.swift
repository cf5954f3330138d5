import GRDB

/// The tables.
enum Schema {
  /// A post costs a row and a few keys: see the benchmark in Tests/Benchmarks for what that comes to.
  private static let tables = """
    CREATE TABLE run (id INTEGER PRIMARY KEY, finished INTEGER NOT NULL);
    CREATE TABLE feed (
      id INTEGER PRIMARY KEY,
      key TEXT NOT NULL UNIQUE,
      -- The forms of its own address and its home page's, and where its file was last, from the folder of the index.
      address TEXT, home TEXT, place TEXT,
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
      fold INTEGER NOT NULL, name TEXT NOT NULL, titleWords TEXT NOT NULL
    );
    CREATE INDEX post_here ON post (feed) WHERE gone = 0;
    CREATE INDEX post_folded ON post (fold) WHERE fold <> 0;
    -- Read, purged or forgotten: the first three of StoredPost.Flags.
    CREATE INDEX post_hidden ON post (flags) WHERE flags & 7 <> 0;
    CREATE TABLE key (digest INTEGER NOT NULL, post INTEGER NOT NULL, PRIMARY KEY (digest, post)) WITHOUT ROWID;
    -- What joining was told of folds, where that is not what came of it; (post, 0) where it was told nothing.
    CREATE TABLE claim (post INTEGER NOT NULL, other INTEGER NOT NULL, PRIMARY KEY (post, other)) WITHOUT ROWID;
    """

  /// The one version that this one reads and writes.
  static var migrations: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("5") { try $0.execute(sql: tables) }
    return migrator
  }
}
