import Foundation
import GRDB
public import TamisCore

/// A post of the archive with what rules ask for: whether it may be shown is for them to say.
public struct KeptPost: Sendable, Hashable {
  /// Its number in the archive.
  public var number: PostNumber
  /// What lists show of it.
  public var card: PostCard
  /// Its body as it was kept; nil when it was not asked for or is gone.
  public var body: PackedBody?
  /// Whether it is held back now.
  public var isHeldBack: Bool
}

/// What is held back of posts that no document of this run had: rules hold for all that a feed has ever had.
extension Ingest {
  /// By which rules posts of feeds are held back, by the places of the feeds; those are left out of which nothing ever was.
  public func heldBy() throws(ArchiveError) -> [String: (key: FeedKey, rules: String)] {
    try archive.read { database in
      let rows = try Row.fetchAll(database, sql: "SELECT place, key, held FROM feed WHERE place IS NOT NULL")
      return Dictionary(rows.map { ($0[0], (FeedKey($0[1]), $0[2] ?? "")) }) { first, _ in first }
    }
  }

  /// The posts of a feed that are neither forgotten nor purged, the newest first.
  ///
  /// - Parameter withBodies: whether their bodies are wanted.
  public func posts(
    of key: FeedKey, skipping skipped: Int, count: Int, withBodies: Bool
  ) throws(ArchiveError) -> [KeptPost] {
    let body = withBodies ? "(SELECT content FROM body WHERE body.post = post.id)" : "NULL"
    // One that stands in no order yet came in this run.
    let sql = """
      SELECT post.id, post.flags, post.place, \(body), \(CardStore.selection) FROM post JOIN card ON card.post = post.id
      WHERE post.feed = (SELECT id FROM feed WHERE key = ?) AND post.forgotten = 0 AND post.purged = 0
      ORDER BY post.place DESC, post.first DESC, post.position, post.id LIMIT ? OFFSET ?
      """
    return try archive.read { database in
      try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [key.text, count, skipped]).map { row in
        KeptPost(
          number: PostNumber(rawValue: row[0]), card: CardStore.card(row, from: 4, place: row[2]),
          body: (row[3] as Data?).map(PackedBody.init),
          isHeldBack: StoredPost.Flags(rawValue: row[1]).contains(.heldBack))
      }
    }
  }

  /// The posts of a feed that are shown and older than a time, seconds since 1970.
  public func shownPosts(of key: FeedKey, before time: Int64) throws(ArchiveError) -> [PostNumber] {
    try archive.read { database in
      // What has no date stands far below zero.
      try PostNumber.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT id FROM post WHERE feed = (SELECT id FROM feed WHERE key = ?) AND shown > 0 AND place >= 0 AND place < ?
            """), arguments: [key.text, time])
    }
  }

  /// Holds posts back, or lets them be shown again.
  public func hold(_ posts: [PostNumber: Bool]) throws(ArchiveError) {
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

  /// Remembers by which rules posts of a feed are held back.
  public func remember(heldBy rules: String, _ key: FeedKey) throws(ArchiveError) {
    try batch(posts: 0) { database in
      try database.execute(sql: "UPDATE feed SET held = ? WHERE key = ?", arguments: [rules, key.text])
    }
  }
}
