import GRDB
import GRDBSQLite
import TamisCore
import TamisSystem

/// The maximum sizes of compressed values in the archive.
///
/// Larger values are neither written nor read: a few kilobytes of a foreign archive can decompress to gigabytes.
package enum PackedValue {
  /// The maximum size of a post's body with its details, in bytes: twice the limit of a field of a feed.
  package static let largestBody = 2 * Limits.standard.fieldBytes
  /// The maximum size of a body's markup, in bytes; a quarter of the body is left for the details.
  package static let largestMarkup = largestBody / 4 * 3
  /// The maximum size of a fetched page, in bytes.
  package static let largestPage = 4 << 20
  /// The maximum size of an article of a page, in bytes: its markup and its text, with room for the escapes of JSON.
  package static let largestArticle = 8 * largestPage

  /// The columns of compressed values, with their limits and names for users.
  private static let columns: [(table: String, column: String, id: String, most: Int, name: String)] = [
    ("body", "content", "post", largestBody, "body"),
    ("page", "content", "id", largestArticle, "article of page"),
    ("waitingPage", "content", "page", largestPage, "waiting page"),
  ]

  /// The maximum number of values that are named.
  private static let mostNamed = 20

  /// Returns the values that cannot be decompressed or are too large, one a line.
  static func faults(_ database: Database) throws -> [String] { try database.withLongRows { try readFaults(database) } }

  private static func readFaults(_ database: Database) throws -> [String] {
    var faults: [String] = []
    for value in columns where try database.hasTable(value.table) {
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
          try faults.append(
            "the \(value.name) \(row[0] as Int64) cannot be read, or is larger than \(value.most) bytes")
        }
      }
      if count > mostNamed { faults.append("\(count - mostNamed) more of this kind (\(value.name))") }
    }
    return faults
  }
}

extension Database {
  /// Raises the limit of row lengths for bodies and pages while `body` runs.
  ///
  /// SQLite has one limit for rows and for arguments. GRDB terminates the process when an argument is too long, so
  /// everything that writes runs with this limit, which exceeds that of a field.
  func withLongRows<Value>(_ body: () throws -> Value) rethrows -> Value {
    try withRows(of: Archive.longestPackedRow, body)
  }

  /// Lowers the limit of row lengths to rows without bodies and pages within a task that writes; no argument may be
  /// longer.
  func withShortRows<Value>(_ body: () throws -> Value) rethrows -> Value {
    try withRows(of: Archive.longestRow, body)
  }

  private func withRows<Value>(of length: Int, _ body: () throws -> Value) rethrows -> Value {
    let before = unsafe sqlite3_limit(sqliteConnection, SQLITE_LIMIT_LENGTH, Int32(length))
    defer { unsafe sqlite3_limit(sqliteConnection, SQLITE_LIMIT_LENGTH, before) }
    return try body()
  }
}
