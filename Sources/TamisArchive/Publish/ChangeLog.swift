import GRDB

/// Remembers how the site that was published last shows posts that are to be shown otherwise now.
struct ChangeLog {
  private let database: Database
  /// Whether there is such a site; any other is made as a whole.
  let isKept: Bool

  init(_ database: Database) throws {
    self.database = database
    isKept = try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM site WHERE isCurrent <> 0)") ?? false
  }

  /// Notes a post before it changes, and those that it stands for, whose pages may lead to it; what was noted before counts.
  func note(_ post: PostNumber) throws {
    guard isKept else { return }
    let sql = """
      INSERT OR IGNORE INTO change SELECT id, feed, name, shown, place, ifnull(arrival, 0), fold, ifnull(slugs, '')
      FROM post LEFT JOIN card ON card.post = id WHERE id = :post OR (fold = :post AND fold <> 0)
      """
    try database.cachedStatement(sql: sql).execute(arguments: ["post": post])
  }

  /// Notes a feed whose card has changed.
  ///
  /// - Parameters:
  ///   - ofPosts: whether its posts show it too.
  ///   - isRelisted: whether it came, went or has another place among the feeds.
  func note(feed: FeedNumber, ofPosts: Bool, isRelisted: Bool) throws {
    guard isKept else { return }
    let sql = """
      INSERT INTO changedFeed VALUES (?, ?) ON CONFLICT DO UPDATE SET isRelisted = max(isRelisted, excluded.isRelisted)
      """
    try database.cachedStatement(sql: sql).execute(arguments: [feed, isRelisted])
    guard ofPosts else { return }
    let select = """
      INSERT OR IGNORE INTO change SELECT id, feed, name, shown, place, ifnull(arrival, 0), fold, ifnull(slugs, '')
      FROM post LEFT JOIN card ON card.post = id WHERE feed = ?
      """
    try database.cachedStatement(sql: select).execute(arguments: [feed])
  }

  /// Notes that feeds were fetched.
  func noteFetching() throws {
    guard isKept else { return }
    try database.execute(sql: "INSERT OR IGNORE INTO changedFetching VALUES (1)")
  }
}
