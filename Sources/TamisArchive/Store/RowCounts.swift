import GRDB
import TamisCore

/// Compares the row counts of related tables in a file.
///
/// Posts have keys, tags come from posts, and feeds have posts or are fetched. A file in which one table alone has a
/// million rows is damaged or was made to exhaust the machine; reading, sorting and publishing it would take hours.
enum RowCounts {
  /// The rules: a name for users; the table; the number of rows that need no explanation, with which every command is
  /// fast; and the tables whose rows explain others, each with the number of rows it explains.
  private static let rules: [(name: String, table: String, unexplained: Int, reasons: [(table: String, each: Int)])] = [
    ("feeds", "feed", 10_000, [("post", 1), ("fetch", 1)]), ("posts", "post", 10_000, [("key", 1)]),
    ("names of tags", "label", 10_000, [("tag", 1)]), ("categories of feeds", "category", 1000, [("feed", 100)]),
    ("folders of sites", "folder", 10_000, [("file", 1)]), ("posts to settle", "unsettled", 10_000, [("post", 1)]),
  ]

  /// The tables that are checked.
  enum Scope {
    /// The whole file.
    case everything
    /// Only the number of feeds.
    case feeds
  }

  /// Returns the tables whose row counts are out of proportion; empty when there are none.
  ///
  /// - Parameters:
  ///   - database: a connection to the file.
  ///   - scope: the tables that are checked.
  /// - Returns: the faults in words.
  /// - Throws: `DatabaseError` when the file cannot be read.
  static func faults(_ database: Database, of scope: Scope = .everything) throws -> [String] {
    let counts = try rules.compactMap { rule -> String? in
      guard scope == .everything || rule.table == "feed" else { return nil }
      let isLarge = "SELECT EXISTS (SELECT 1 FROM \(rule.table) LIMIT 1 OFFSET \(rule.unexplained))"
      guard try database.isTrue(isLarge) else { return nil }
      // With a limit the rows are counted one by one, so the step limit applies.
      func rows(of table: String, most: Int) throws -> Int {
        let some = "SELECT count(*) FROM (SELECT 1 FROM \(table) LIMIT ?)"
        return try database.count(some, [most])
      }
      let count = try rows(of: rule.table, most: .max)
      var explained = rule.unexplained
      for reason in rule.reasons where explained < count {
        explained += reason.each * (try rows(of: reason.table, most: count))
      }
      return explained < count ? "it has \(count) \(rule.name), many more than the rest of it explains" : nil
    }
    let checks = scope == .everything ? postChecks + feedChecks : []
    return try counts + checks.compactMap { try Bool.fetchOne(database, sql: $1) ?? false ? $0 : nil }
  }

  /// Returns the checks of the texts by which feeds are found and listed, each with the fault in words.
  private static let feedChecks = [
    ("a feed has texts that are too long", "SELECT EXISTS (SELECT 1 FROM feed WHERE NOT (\(Archive.isFeedRow)))"),
    (
      "a feed has an impossible key",
      "SELECT EXISTS (SELECT 1 FROM feed WHERE instr(CAST(key AS BLOB), x'00') OR length(key) = 0)"
    ),
  ]

  /// Returns the checks of the numbers by which posts are found and listed, each with the fault in words.
  ///
  /// Every command checks this first. The checks therefore search indexes, which in a file that was made to deceive may
  /// differ from the posts; readers bound each date again.
  private static var postChecks: [(String, String)] {
    let first = "(SELECT min(arrival) FROM post)"
    let last = "ifnull((SELECT max(arrival) FROM post), 0)"
    // Each post explains ten numbers beyond the first ten thousand.
    let needed = "(\(last) - 10000 + 9) / 10"
    let areExplained = "EXISTS (SELECT 1 FROM post LIMIT 1 OFFSET \(needed) - 1)"
    // The feeds that have posts, each found behind the one before it.
    let listed = """
      WITH RECURSIVE listed(feed) AS (SELECT min(feed) FROM post WHERE shown > 0 UNION ALL
      SELECT (SELECT min(feed) FROM post WHERE shown > 0 AND feed > listed.feed) FROM listed
      WHERE listed.feed IS NOT NULL)
      """
    let hasImpossibleDate = hasImpossibleDate("shown > 0 AND feed = listed.feed")
    return [
      (
        "the order of arrival goes beyond what its posts explain",
        "SELECT \(last) > 10000 AND NOT \(areExplained) OR \(first) < 0"
      ),
      ("a post has an impossible date", "\(listed) SELECT EXISTS (SELECT 1 FROM listed WHERE \(hasImpossibleDate))"),
    ]
  }

  /// Returns the SQL condition that one of some posts has an impossible sort date: a search of the index of posts by
  /// their sort dates, whose condition is given, for each range of impossible dates.
  private static func hasImpossibleDate(_ posts: String) -> String {
    let (undated, times) = (CardStore.undated, CheckedValue.times)
    let ranges = [
      "sortDate < \(undated)", "sortDate > \(undated) AND sortDate < \(times.lowerBound)",
      "sortDate > \(times.upperBound)",
    ]
    return ranges.map { "EXISTS (SELECT 1 FROM post WHERE \(posts) AND \($0))" }.joined(separator: " OR ")
  }
}
