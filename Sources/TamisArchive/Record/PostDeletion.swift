import GRDB

/// Deletes posts or their content.
struct PostDeletion {
  private let store: PostStore
  private let changes: ChangeLog

  init(_ database: Database) throws {
    store = PostStore(database: database)
    changes = try ChangeLog(database)
  }

  /// Deletes a post as if it had never been seen.
  func remove(_ number: PostNumber) throws {
    try changes.note(number)
    try unsettle(number)
    try store.delete(number)
  }

  /// Deletes the posts that are not in a feed's last document as if they had never been seen.
  func removeMissed(of feed: FeedNumber) throws {
    for post in try store.posts(where: "feed = ? AND missed > 0 AND purged = 0 AND forgotten = 0", [feed]) {
      try remove(post.number)
    }
  }

  /// Reduces posts that left their feed long ago to the data that keeps them from returning as new.
  ///
  /// - Parameters:
  ///   - feed: the feed of the posts.
  ///   - looks: the number of times that the feed was read without them.
  ///   - moment: the moment that is recorded for the deletion.
  /// - Throws: `DatabaseError` when the database cannot be read or written.
  func purge(_ feed: StoredFeed, goneFor looks: Int, at moment: Moment) throws {
    let observations = Observations(database: store.database, feed: feed.number)
    let gone = try store.posts(where: "feed = ? AND missed > 0 AND purged = 0", [feed.number])
    for post in gone where post.missed != feed.pending {
      guard try observations.looks(since: post.missed) > looks else { continue }
      try bury(post.number, "purged", at: moment)
    }
  }

  /// Marks a post as never to be shown again, and deletes its content.
  ///
  /// - Parameters:
  ///   - number: the number of the post.
  ///   - column: the reason: `forgotten` or `purged`.
  ///   - moment: the moment that is recorded for the deletion.
  /// - Throws: `DatabaseError` when the database cannot be read or written.
  func bury(_ number: PostNumber, _ column: String, at moment: Moment) throws {
    try changes.note(number)
    try unsettle(number)
    try store.database.execute(sql: "UPDATE post SET \(column) = ? WHERE id = ?", arguments: [moment, number])
    try store.database.execute(sql: "DELETE FROM body WHERE post = ?", arguments: [number])
  }

  /// Marks the copies of a post to be compared again.
  private func unsettle(_ number: PostNumber) throws {
    try store.database.execute(
      sql: "INSERT OR IGNORE INTO unsettled SELECT ? UNION SELECT other FROM same WHERE post = ?",
      arguments: [number, number])
  }
}
