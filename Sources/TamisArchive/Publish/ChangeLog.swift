import GRDB

/// Records how the last published site shows the posts that have changed since.
struct ChangeLog {
  private let database: Database
  /// Whether a published site exists; otherwise all pages are made.
  let isKept: Bool

  init(_ database: Database) throws {
    self.database = database
    isKept = try database.isTrue("SELECT EXISTS (SELECT 1 FROM site WHERE isCurrent <> 0)")
  }

  /// Records a post before it changes, and the posts that are folded into it, whose pages may redirect to it.
  ///
  /// Only the first record of a post counts.
  func note(_ post: PostNumber) throws {
    guard isKept else { return }
    let sql = """
      INSERT OR IGNORE INTO change SELECT id, feed, name, shown, sortDate, ifnull(arrival, 0), fold, ifnull(slugs, '')
      FROM post LEFT JOIN card ON card.post = id WHERE id = :post OR (fold = :post AND fold <> 0)
      """
    try database.cachedStatement(sql: sql).execute(arguments: ["post": post])
  }

  /// Records a feed whose card has changed.
  ///
  /// - Parameters:
  ///   - feed: the number of the feed.
  ///   - ofPosts: whether the change shows on the pages of its posts.
  ///   - isRelisted: whether the feed was added, was removed or has moved in the list of feeds.
  /// - Throws: `DatabaseError` when the database cannot be written.
  func note(feed: FeedNumber, ofPosts: Bool, isRelisted: Bool) throws {
    guard isKept else { return }
    let sql = """
      INSERT INTO changedFeed VALUES (?, ?) ON CONFLICT DO UPDATE SET isRelisted = max(isRelisted, excluded.isRelisted)
      """
    try database.cachedStatement(sql: sql).execute(arguments: [feed, isRelisted])
    guard ofPosts else { return }
    let select = """
      INSERT OR IGNORE INTO change SELECT id, feed, name, shown, sortDate, ifnull(arrival, 0), fold, ifnull(slugs, '')
      FROM post LEFT JOIN card ON card.post = id WHERE feed = ?
      """
    try database.cachedStatement(sql: select).execute(arguments: [feed])
  }

  /// Records that feeds were fetched.
  func noteFetching() throws {
    guard isKept else { return }
    try database.execute(sql: "INSERT OR IGNORE INTO changedFetching VALUES (1)")
  }
}
