import GRDB

/// Databases that the tests write without the archive.
enum SQLiteFile {
  static func make(_ file: String, _ sql: String) throws {
    try DatabaseQueue(path: file).write { try $0.execute(sql: sql) }
  }

  /// Makes an archive such as somebody else may send: its tables take what is of any type.
  static func loosen(_ file: String) throws {
    let types = "replace(replace(sql, 'ROWID, STRICT', 'ROWID'), ') STRICT', ')')"
    try DatabaseQueue(path: file).writeWithoutTransaction {
      try $0.execute(
        sql:
          "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = \(types) WHERE type = 'table'; PRAGMA writable_schema = RESET"
      )
    }
  }
}
