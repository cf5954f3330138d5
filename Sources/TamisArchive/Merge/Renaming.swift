import GRDB
import TamisCore

/// Gives the posts of a feed whose key has changed the ids, names and keys that they would have if the feed had always
/// had the new key.
struct Renaming {
  private let database: Database
  private let old: Feed.Key
  private let new: Feed.Key

  init(_ database: Database, from old: Feed.Key, to new: Feed.Key) {
    (self.database, self.old, self.new) = (database, old, new)
  }

  /// The parts of a post's id and keys that do not depend on its feed's key.
  struct Origin {
    var identity: String
    var whole: Int64?

    /// Returns the origin of a post; nil when it was not recorded.
    static func find(_ post: PostNumber, _ database: Database) throws -> Origin? {
      let find = try database.cachedStatement(sql: "SELECT identity, whole FROM origin WHERE post = ?")
      return try Row.fetchOne(find, arguments: [post]).map { try Origin(identity: $0[0], whole: $0[1]) }
    }
  }

  /// Returns the id, the name and the keys of a post under the new feed key; keys are shortened as they are stored.
  func names(of post: StoredPost, keys: [Int64], _ origin: Origin) -> (id: PostID, name: String, keys: [Int64]) {
    func digests(_ key: Feed.Key) -> Set<Int64> {
      let salt = PostStore.salt(ofFeed: key.text)
      let whole = origin.whole.map { PostStore.wholeKey($0, salt: salt) }
      return Set((PostStore.keys(of: post.keys, salt: salt) + [whole].compactMap { $0 }).map(PostStore.short))
    }
    // The new id is as far from that of the identity as the old one is.
    let (made, before) = (PostID(origin.identity, inFeed: new), PostID(origin.identity, inFeed: old))
    let id = PostID(rawValue: made.rawValue &+ post.id.rawValue &- before.rawValue)
    let words = post.name.dropLast("-\(post.id)".count)
    return (id, "\(words)-\(id)", Set(keys).subtracting(digests(old)).union(digests(new)).sorted())
  }

  /// Renames the feed and all its posts in the database.
  func rename(_ feed: FeedNumber) throws {
    try database.execute(
      sql: """
        UPDATE feed SET key = ?, slug = '', preferredSlug = ifnull((SELECT twinSlug FROM dealt WHERE feed = id), preferredSlug) WHERE id = ?
        """, arguments: [new.text, feed])
    let store = PostStore(database: database)
    var last: Int64 = 0
    while true {
      let posts = try store.posts(where: "feed = ? AND id > ? ORDER BY id LIMIT 200", [feed, last])
      guard let end = posts.last else { return }
      last = end.number.rawValue
      for post in posts {
        guard let origin = try Origin.find(post.number, database) else {
          throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a post of a shard has no origin")
        }
        let names = names(of: post, keys: try Archive.keys(of: post.number, database), origin)
        try database.cachedStatement(sql: "UPDATE post SET pid = ?, name = ? WHERE id = ?")
          .execute(arguments: [names.id, names.name, post.number])
        try database.cachedStatement(sql: "DELETE FROM key WHERE post = ?").execute(arguments: [post.number])
        try store.addKeys(names.keys, to: post.number)
      }
    }
  }
}
