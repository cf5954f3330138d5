import GRDB
import TamisCore

/// Exports the data with which a data engine (Spark and others) finds copies of a post in different feeds: keys to
/// group by, and facts for the decision.
extension Archive {
  /// The maximum number of posts with a key for it to be evidence (64); keys with more posts are to be dropped.
  package static let mostForSharedKey = PostStore.mostForSharedKey

  /// Writes a line of JSON for each post, by feed and id: `{"feed", "post", "keys": […], "facts": {…}}`.
  ///
  /// Posts with a common key are candidates if at most ``mostForSharedKey`` posts have it; ``PairFacts`` decides
  /// whether two are the same.
  ///
  /// - Parameter write: a function that is called with one or more complete lines.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read, and errors of `write`.
  package func exportKeys(_ write: ([UInt8]) throws -> Void) throws {
    for key in try read({ try String.fetchAll($0, sql: "SELECT key FROM feed ORDER BY key") }) {
      guard let feed = try read({ try StoredFeed.find(Feed.Key(key), $0) }) else { continue }
      try read { try PostStore(database: $0).checkIDs(ofFeed: feed.number) }
      var last = Int64.min
      while true {
        let after = last
        let lines = try read { database -> (bytes: [UInt8], last: Int64)? in
          let posts = try PostStore(database: database).posts(
            where: "feed = ? AND pid > ? ORDER BY pid LIMIT 200", [feed.number, after])
          guard let end = posts.last else { return nil }
          var writer = JSONWriter()
          for var post in posts {
            try Wordings(database: database).add(to: &post)
            writer.write(
              PairFacts(post, of: feed), keys: try Self.sharedKeys(of: post, salt: feed.salt, database), post.id,
              feed.key)
          }
          return (writer.bytes, end.id.rawValue)
        }
        guard let lines else { break }
        last = lines.last
        try write(lines.bytes)
      }
    }
  }

  /// Returns the keys by which a post is found from other feeds, including those of earlier versions: all except those
  /// that are meaningful in its own feed only.
  private static func sharedKeys(of post: StoredPost, salt: Int64, _ database: Database) throws -> [Int64] {
    let own = Set(PostStore.keys(of: post, salt: salt).map(PostStore.short))
    let shared = Set(PostStore.sharedKeys(of: post).map(PostStore.short))
    return try keys(of: post.number, database).filter { shared.contains($0) || !own.contains($0) }
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ facts: PairFacts, keys: [Int64], _ post: PostID, _ feed: Feed.Key) {
    object { writer in
      writer.member("feed", feed.text)
      writer.member("post", post.description)
      writer.key("keys")
      writer.array { writer in
        for key in keys { writer.string(PairFacts.digits(UInt64(bitPattern: key), 12)) }
      }
      writer.key("facts")
      writer.object { writer in
        for (name, text) in facts.texts { writer.member(name, text) }
      }
    }
    endLine()
  }
}
