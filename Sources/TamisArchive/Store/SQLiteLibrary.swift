import GRDBSQLite

/// The SQLite library.
package enum SQLiteLibrary {
  /// The version that runs, such as `3.40.1`.
  package static var version: String { String(cString: sqlite3_libversion()) }
}
