import GRDB
package import TamisCore
import TamisFoundation

/// A stored post with the fields that filter rules test.
package struct FilteredPost: Sendable, Hashable {
  /// The number in the archive.
  package var number: PostNumber
  /// The data that lists show of the post.
  package var card: Post.Card
  /// The stored body; nil when it was not requested or was deleted.
  package var body: PackedBody?
  /// Whether filters presently exclude the post.
  package var isHeldBack: Bool
  /// Whether a program among the filters excludes it, whose answer is not asked for again.
  package var isRejected: Bool
  /// Whether a document of this run had the post with the words that are shown, so that the present filters have judged
  /// it.
  package var isJudged: Bool
}

/// Filters stored posts that no document of this run had: filter rules apply to all posts that a feed ever had.
extension Ingest {
  /// Returns the digests of the rules by which posts of feeds are filtered, by feed path; feeds that never had filters
  /// are left out.
  package func appliedFilters() throws(Archive.Failure) -> [String: (key: Feed.Key, rules: String)] {
    try archive.read { database in
      let rows = try Row.fetchAll(
        database, sql: "SELECT location, key, filterRules FROM feed WHERE location IS NOT NULL")
      return try Dictionary(rows.map { try ($0[0], (Feed.Key($0[1]), $0[2] ?? "")) }) { first, _ in first }
    }
  }

  /// Returns the posts of a feed that are neither deleted nor purged, the newest first.
  ///
  /// - Parameters:
  ///   - key: the key of the feed.
  ///   - skipped: the number of posts to skip, from the newest.
  ///   - count: the maximum number of posts.
  ///   - withBodies: whether the bodies are wanted.
  /// - Returns: the posts; empty when there are no more.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read.
  package func posts(
    of key: Feed.Key, skipping skipped: Int, count: Int, withBodies: Bool
  ) throws(Archive.Failure) -> [FilteredPost] {
    try archive.posts(of: key, skipping: skipped, count: count, withBodies: withBodies, in: moment)
  }

  /// Returns the posts of a feed that are shown and older than a time, in seconds since 1970.
  package func shownPosts(of key: Feed.Key, before time: Int64) throws(Archive.Failure) -> [PostNumber] {
    try archive.read { database in
      // The sort date, by which they are found, can be the day on which a post without a date was first seen.
      try PostNumber.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT post.id FROM post JOIN card ON card.post = post.id WHERE post.feed = (SELECT id FROM feed WHERE key = ?1)
            AND shown > 0 AND sortDate >= 0 AND sortDate < ?2 AND card.published < ?2
            """), arguments: [key.text, time])
    }
  }

  /// Excludes posts, or includes them again.
  package func hold(_ posts: [PostNumber: Bool]) throws(Archive.Failure) {
    try batch(posts: posts.count) { database in
      let changes = try ChangeLog(database)
      let flag = StoredPost.Flags.heldBack.rawValue
      for (post, isHeldBack) in posts.sorted(by: { $0.key < $1.key }) {
        try changes.note(post)
        try database.cachedStatement(sql: "UPDATE post SET flags = (flags & ~?) | ? WHERE id = ?")
          .execute(arguments: [flag, isHeldBack ? flag : 0, post])
        try database.cachedStatement(
          sql: "INSERT OR IGNORE INTO unsettled SELECT ? UNION SELECT other FROM same WHERE post = ?"
        ).execute(arguments: [post, post])
      }
    }
  }

  /// Stores the digest of the rules by which posts of a feed are filtered.
  package func remember(appliedFilters rules: String, _ key: Feed.Key) throws(Archive.Failure) {
    try batch(posts: 0) { database in
      try database.execute(sql: "UPDATE feed SET filterRules = ? WHERE key = ?", arguments: [rules, key.text])
    }
  }
}

extension Archive {
  /// Returns the newest posts of a feed that are neither deleted nor purged, with their bodies.
  ///
  /// - Parameters:
  ///   - key: the key of the feed.
  ///   - count: the maximum number of posts.
  /// - Returns: the posts, the newest first.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read.
  package func newestPosts(of key: Feed.Key, count: Int) throws(Archive.Failure) -> [FilteredPost] {
    try posts(of: key, skipping: 0, count: count, withBodies: true, in: nil)
  }

  /// Returns posts of a feed as ``Ingest/posts(of:skipping:count:withBodies:)`` does.
  ///
  /// - Parameters:
  ///   - key: the key of the feed.
  ///   - skipped: the number of posts to skip, from the newest.
  ///   - count: the maximum number of posts.
  ///   - withBodies: whether the bodies are wanted.
  ///   - moment: the moment of the run in whose documents posts may be; nil for none.
  /// - Returns: the posts; empty when there are no more.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read.
  fileprivate func posts(
    of key: Feed.Key, skipping skipped: Int, count: Int, withBodies: Bool, in moment: Moment?
  ) throws(Archive.Failure) -> [FilteredPost] {
    // A document that was cut off has only some of the posts.
    let isJudged = """
      CASE WHEN EXISTS (SELECT 1 FROM observation AS seen WHERE seen.feed = post.feed AND seen.moment = :moment
        AND seen.isComplete) THEN post.missed = 0 ELSE post.partial = :moment END
      AND post.flags & \(StoredPost.Flags.kept.rawValue) = 0
      """
    let body = withBodies ? "(SELECT content FROM body WHERE body.post = post.id)" : "NULL"
    // A post without an arrival number came in this run.
    let sql = """
      SELECT post.id, post.flags, \(isJudged), \(body), \(CardStore.selection) FROM post JOIN card ON card.post = post.id
      WHERE post.feed = (SELECT id FROM feed WHERE key = :key) AND post.forgotten = 0 AND post.purged = 0
      ORDER BY post.sortDate DESC, post.first DESC, post.position, post.id LIMIT :count OFFSET :skipped
      """
    let arguments: StatementArguments = [
      "moment": moment?.rawValue ?? -1, "key": key.text, "count": count, "skipped": skipped,
    ]
    return try readLongRows { database in
      try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments).map { row in
        try FilteredPost(
          number: PostNumber(rawValue: row[0]), card: CardStore.card(row, from: 4),
          body: (row[3] as Data?).map { PackedBody($0) },
          isHeldBack: StoredPost.Flags(rawValue: row[1]).contains(.heldBack),
          isRejected: StoredPost.Flags(rawValue: row[1]).contains(.rejected), isJudged: row[2])
      }
    }
  }
}
