import GRDB

/// Compares the schema of a file with the tables and indexes that this version makes (``Schema``,
/// ``Archive/searchTables``), object by object.
///
/// An archive may come from an untrusted source. With a view in the place of a table, a trigger, a generated column or
/// another collation, a query could do what the author of the file wants.
struct SchemaCheck {
  private struct Object: Hashable {
    var kind: String
    var name: String
    var table: String
    /// The definition in SQLite's schema, with the words before the name normalized; nil for the indexes that SQLite
    /// makes itself.
    var sql: String?

    init(_ row: Row) throws { (kind, name, table, sql) = try (row[0], row[1], row[2], row[3]) }
  }

  private let needed: [String: Object]
  private let possible: [String: Object]

  /// The maximum number of faults that are named.
  private static let mostFaults = 100

  /// The schema of a new archive, as SQLite describes it.
  private static let own = Result {
    let database = try DatabaseQueue()
    return try database.write { database in
      try database.execute(sql: Schema.needed)
      let needed = try objects(database)
      try database.execute(sql: Schema.additions)
      try database.execute(sql: Archive.searchTables)
      return SchemaCheck(needed: needed, possible: try objects(database))
    }
  }

  private static func objects(_ database: Database) throws -> [String: Object] {
    let rows = try Row.fetchAll(database, sql: "SELECT type, name, tbl_name, sql FROM sqlite_schema")
    return try Dictionary(rows.map { try ($0[1], Object($0)) }) { first, _ in first }
  }

  /// Returns the differences of a file's schema from that of this version in words, at most `mostFaults`.
  static func faults(_ database: Database) throws -> [String] {
    let own = try own.get()
    var missing = Set(own.needed.keys)
    var faults: [String] = []
    var roots: Set<Int64> = []
    let select = """
      SELECT CAST(type AS TEXT), CAST(name AS TEXT), CAST(tbl_name AS TEXT), CAST(sql AS TEXT), CAST(rootpage AS INTEGER)
      FROM sqlite_schema
      """
    let rows = try Row.fetchCursor(database, sql: select)
    while let row = try rows.next(), faults.count < mostFaults {
      guard let kind = try row[0] as String?, let name = try row[1] as String?, try row[2] as String? != nil else {
        faults.append("there is an object without a name; archives have none")
        continue
      }
      missing.remove(name)
      if let expected = own.possible[name] {
        if try Object(row) != expected {
          faults.append(
            kind == expected.kind
              ? "the \(kind) '\(name)' is defined otherwise than in the archives of this version"
              : "'\(name)' is \(kind == "index" ? "an" : "a") \(kind), and not the \(expected.kind) that archives have")
        } else if let root = try row[4] as Int64?, root != 0, !roots.insert(root).inserted {
          faults.append("the \(kind) '\(name)' lies in the pages of another")
        }
      } else {
        faults.append("there is \(kind == "index" ? "an" : "a") \(kind) '\(name)'; archives have none of this name")
      }
    }
    for name in missing.sorted().prefix(mostFaults - faults.count) {
      faults.append("the \(own.needed[name]?.kind ?? "table") '\(name)' is missing")
    }
    return faults
  }
}
