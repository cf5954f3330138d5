import GRDB

/// Databases that the tests write without the archive.
enum SQLiteFile {
  static func make(_ file: String, _ sql: String) throws {
    try DatabaseQueue(path: file).write { try $0.execute(sql: sql) }
  }
}
