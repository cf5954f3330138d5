import GRDB
import GRDBSQLite
import TamisCore
import TamisFiles

/// How large the values are that the archive keeps compressed.
///
/// What is larger is neither written nor read: a few kilobytes of a foreign archive can decompress to gigabytes.
package enum PackedValue {
  /// The largest body of a post with its details, in bytes: twice what a field of a feed may have.
  package static let largestBody = 2 * Limits.standard.fieldBytes
  /// The most bytes of markup that are kept of a body; a quarter is left for the details.
  package static let largestMarkup = largestBody / 4 * 3
  /// The largest page that is fetched, in bytes.
  package static let largestPage = 4 << 20
  /// The largest article of a page, in bytes: its markup and its text, with room for the escapes of JSON.
  package static let largestArticle = 8 * largestPage

  /// Where they are, and what they are called.
  private static let columns: [(table: String, column: String, id: String, most: Int, name: String)] = [
    ("body", "content", "post", largestBody, "body"),
    ("page", "content", "id", largestArticle, "article of page"),
    ("heldPage", "content", "page", largestPage, "waiting page"),
  ]

  /// The most values that are named.
  private static let mostNamed = 20

  /// The values that cannot be decompressed or are too large, one a line.
  static func faults(_ database: Database) throws -> [String] { try database.withLongRows { try readFaults(database) } }

  private static func readFaults(_ database: Database) throws -> [String] {
    var faults: [String] = []
    for value in columns where try database.hasTable(value.table, in: "main") {
      let rows = try Row.fetchCursor(
        database,
        sql: "SELECT \(value.id), \(value.column) FROM \(value.table) WHERE \(value.column) IS NOT NULL ORDER BY 1")
      var count = 0
      while let row = try rows.next() {
        let isValid = try row.withUnsafeData(atIndex: 1) { data in
          guard let data else { return false }
          if value.table == "body" { return !PackedBody(data).unpacked.isDamaged }
          return Packing.unpack(Array(data), most: value.most) != nil
        }
        if isValid { continue }
        count += 1
        if count <= mostNamed {
          faults.append(
            "the \(value.name) \(row[0] as Int64) cannot be unpacked, or is larger than \(value.most) bytes")
        }
      }
      if count > mostNamed { faults.append("\(count - mostNamed) more of this kind (\(value.name))") }
    }
    return faults
  }
}

extension Database {
  /// Lets rows be as long as those with bodies and pages while `body` works.
  ///
  /// SQLite has one limit for what is read and for arguments. GRDB ends the process when an argument is too long: so all that writes
  /// works with this limit, which is beyond that of a field.
  func withLongRows<Value>(_ body: () throws -> Value) rethrows -> Value {
    try withRows(of: Archive.longestPackedRow, body)
  }

  /// Lets rows be only as long as those without bodies and pages, within a task that writes; no argument may be longer.
  func withShortRows<Value>(_ body: () throws -> Value) rethrows -> Value {
    try withRows(of: Archive.longestRow, body)
  }

  private func withRows<Value>(of length: Int, _ body: () throws -> Value) rethrows -> Value {
    let before = unsafe sqlite3_limit(sqliteConnection, SQLITE_LIMIT_LENGTH, Int32(length))
    defer { unsafe sqlite3_limit(sqliteConnection, SQLITE_LIMIT_LENGTH, before) }
    return try body()
  }
}
