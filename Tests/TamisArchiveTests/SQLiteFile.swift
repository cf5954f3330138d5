import Foundation
import GRDB
import Testing

/// Databases that the tests write without the archive.
enum SQLiteFile {
  static func make(_ file: String, _ sql: String) throws {
    try DatabaseQueue(path: file).write { try $0.execute(sql: sql) }
  }

  /// Carries out statements without a transaction, of which some are about the file's own tables.
  static func change(_ file: String, _ sql: String) throws {
    try DatabaseQueue(path: file).writeWithoutTransaction { try $0.execute(sql: sql) }
  }

  /// Adds copies of a table's first row, which differ in what has to be unique.
  static func multiply(_ file: String, table: String, count: Int) throws {
    try DatabaseQueue(path: file).write { database in
      let columns = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
      let values = columns.map { column in
        switch column {
        case "id", "pid", "arrival": "100000 + x"
        case "key", "slug": "'k' || x"
        default: column
        }
      }
      try database.execute(
        sql: """
          INSERT INTO \(table) WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT \(count))
          SELECT \(values.joined(separator: ", ")) FROM c, (SELECT * FROM \(table) LIMIT 1)
          """)
    }
  }

  /// Makes an archive such as somebody else may send: its tables have values of any type, and do not say so.
  static func forge(_ file: String, _ change: String) throws {
    try DatabaseQueue(path: file).writeWithoutTransaction { database in
      let tables = try Row.fetchAll(database, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
      try database.execute(
        sql: """
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = replace(replace(sql, 'ROWID, STRICT', 'ROWID'), ') STRICT', ')') WHERE type = 'table';
          PRAGMA writable_schema = RESET; \(change); PRAGMA writable_schema = ON;
          """)
      for table in tables {
        try database.execute(
          sql: "UPDATE sqlite_schema SET sql = ? WHERE name = ?", arguments: [table[1] as String, table[0] as String])
      }
      try database.execute(sql: "PRAGMA writable_schema = RESET")
    }
  }

  /// Makes each inner page of the tree of a table or an index lead to one other only, as often as it has children.
  ///
  /// - Throws: when the tree has fewer than six inner pages.
  static func tangle(_ file: String, tree name: String) throws {
    let root = try DatabaseQueue(path: file).read {
      try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [name])
    }
    var bytes = Array(try Data(contentsOf: URL(filePath: file)))
    // https://www.sqlite.org/fileformat.html, 1.6: 5 is an inner page of a table, 2 one of an index; their cells
    // begin with a child's number.
    func start(_ page: Int) -> Int { (page - 1) * 4096 }
    func number(_ offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    func places(_ page: Int) -> [Int] {
      let begin = start(page)
      let count = Int(bytes[begin + 3]) << 8 | Int(bytes[begin + 4])
      let cells = (0..<count).map { begin + (Int(bytes[begin + 12 + 2 * $0]) << 8 | Int(bytes[begin + 13 + 2 * $0])) }
      return cells + [begin + 8]
    }
    let inner = try [#require(root)] + places(#require(root)).map(number).filter { [2, 5].contains(bytes[start($0)]) }
    try #require(inner.count >= 6)
    for (page, child) in zip(inner, inner.dropFirst()) {
      for place in places(page) {
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: child >> (24 - 8 * index)) }
      }
    }
    try Data(bytes).write(to: URL(filePath: file))
  }
}
