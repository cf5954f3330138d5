import GRDB

/// Compares how many rows the tables of a file have with what they follow from.
///
/// Posts have keys, tags come from posts, and feeds have posts or are fetched. A file in which one table alone has a million rows is
/// damaged or was made to exhaust the machine; it would be read, sorted and published for hours.
enum RowCounts {
  /// Rows that need no explanation; up to here every command is quick.
  private static let unexplained = 10_000

  /// What is counted, for people, its table, and those whose rows explain it.
  private static let rules = [
    (name: "feeds", table: "feed", reasons: ["post", "fetch"]),
    (name: "posts", table: "post", reasons: ["key"]),
    (name: "names of tags", table: "label", reasons: ["tag"]),
  ]

  /// What is out of proportion; empty when nothing is.
  ///
  /// - Parameter schema: the name under which the file is attached.
  static func faults(_ database: Database, in schema: String = "main") throws -> [String] {
    try rules.compactMap { rule in
      let isLarge = "SELECT EXISTS (SELECT 1 FROM \(schema).\(rule.table) LIMIT 1 OFFSET \(unexplained))"
      guard try Bool.fetchOne(database, sql: isLarge) ?? false else { return nil }
      // With a limit the rows are counted one by one, which StepLimit sees.
      func rows(of table: String, most: Int) throws -> Int {
        let some = "SELECT count(*) FROM (SELECT 1 FROM \(schema).\(table) LIMIT ?)"
        return try Int.fetchOne(database, sql: some, arguments: [most]) ?? 0
      }
      let count = try rows(of: rule.table, most: .max)
      var explained = unexplained
      for table in rule.reasons where explained < count { explained += try rows(of: table, most: count) }
      return explained < count ? "it has \(count) \(rule.name), many more than the rest of it explains" : nil
    }
  }
}
