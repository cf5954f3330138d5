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

  /// The id, the name and the keys of a post.
  struct Names {
    var id: PostID
    var name: String
    /// The keys, shortened as they are stored.
    var keys: [Int64]
  }

  /// The parts of a post's id and keys that do not depend on its feed's key.
  struct Origin {
    var identity: String
    var whole: Int64?

    /// Returns the origin of a post; nil when it was not recorded.
    static func find(_ post: PostNumber, _ database: Database) throws -> Origin? {
      let find = try database.cachedStatement(sql: "SELECT identity, whole FROM main.origin WHERE post = ?")
      return try Row.fetchOne(find, arguments: [post]).map { try Origin(identity: $0[0], whole: $0[1]) }
    }
  }

  /// Returns the id, the name and the keys of a post under the new feed key.
  func names(of post: StoredPost, keys: [Int64], _ origin: Origin) -> Names {
    func made(_ key: Feed.Key) -> Set<Int64> {
      let salt = PostStore.salt(ofFeed: key.text)
      let whole = origin.whole.map { PostStore.wholeKey($0, salt: salt) }
      return Set((PostStore.keys(of: post.keys, salt: salt) + [whole].compactMap { $0 }).map(PostStore.short))
    }
    let id = PostID(origin.identity, inFeed: new)
    let words = post.name.dropLast("-\(post.id)".count)
    return Names(
      id: id, name: "\(words)-\(id)", keys: Set(keys).subtracting(made(old)).union(made(new)).sorted())
  }

  /// Renames the feed and all its posts in the database.
  ///
  /// - Parameters:
  ///   - feed: the number of the feed.
  ///   - table: the table to which keys are written.
  ///   - keys: a function that returns the present keys of a post, which are no longer in the table.
  /// - Throws: the error that `keys` throws, or `DatabaseError` when the database cannot be read or written.
  func rename(_ feed: FeedNumber, writingKeysTo table: String, keys: (PostNumber) throws -> [Int64]) throws {
    try database.execute(
      sql: """
        UPDATE main.feed SET key = ?, slug = '', preferredSlug = ifnull((SELECT twinSlug FROM main.dealt WHERE feed = id), preferredSlug) WHERE id = ?
        """, arguments: [new.text, feed])
    var last: Int64 = 0
    while true {
      let posts = try PostStore(database: database).posts(
        where: "feed = ? AND id > ? ORDER BY id LIMIT 200", [feed, last])
      guard let end = posts.last else { return }
      last = end.number.rawValue
      for post in posts {
        let before = try keys(post.number)
        guard let origin = try Origin.find(post.number, database) else {
          throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a post of a shard has no origin")
        }
        let names = names(of: post, keys: before, origin)
        try database.cachedStatement(sql: "UPDATE main.post SET pid = ?, name = ? WHERE id = ?")
          .execute(arguments: [names.id, names.name, post.number])
        let insert = try database.cachedStatement(sql: "INSERT INTO \(table) VALUES (?, ?)")
        for key in names.keys { try insert.execute(arguments: [key, post.number]) }
      }
    }
  }
}
