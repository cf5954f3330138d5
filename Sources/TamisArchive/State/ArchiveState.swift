import GRDB
package import TamisCore
import TamisFoundation

/// Records the read state and deletion of posts.
extension Archive {
  /// The read state of a post.
  package enum State: String, Sendable, Hashable, CaseIterable {
    /// The post was first seen in the last run.
    case new
    /// The post changed in the last run, by more than its markup.
    case updated
    /// The post was there before the last run.
    case seen
    /// The post was marked as read.
    case read
  }

  /// A selection of posts of the archive.
  package enum Selection: Sendable, Hashable {
    /// All posts.
    case all
    /// The posts of a feed, by its key.
    case feed(Feed.Key)
    /// A post, by the name of its page, with or without folder and extension.
    case page(String)
    /// A post, by the key of its feed and the name of its page.
    case post(feed: Feed.Key, name: String)
  }

  /// Marks posts as read; returns the number of posts that were not read before.
  package func markRead(_ selections: [Selection]) throws(Archive.Failure) -> Int {
    try write { database in
      let moment = try Self.lastRun(database)
      let changes = try ChangeLog(database)
      let posts = try Self.posts(selections, "read = 0 OR read < changed", database)
      for post in posts {
        try changes.note(post)
        try database.cachedStatement(sql: "UPDATE post SET read = ? WHERE id = ?").execute(arguments: [moment, post])
      }
      return posts.count
    }
  }

  /// Deletes posts permanently: they are never shown again, even if their feed still has them, and their bodies are
  /// deleted.
  ///
  /// - Returns: the number of posts that were not deleted before.
  package func forget(_ selections: [Selection]) throws(Archive.Failure) -> Int {
    let count = try write { database in
      let moment = try Self.lastRun(database)
      let burial = try PostDeletion(database)
      let posts = try Self.posts(selections, "forgotten = 0", database)
      for post in posts { try burial.bury(post, "forgotten", at: moment) }
      return posts.count
    }
    try settle()
    return count
  }

  /// Returns the moment of the last run; the first moment when there was none.
  static func lastRun(_ database: Database) throws -> Moment {
    max(try Moment.fetchOne(database, sql: "SELECT moment FROM run") ?? .never, Moment.never.next)
  }

  /// Returns the selected posts without duplicates, in the order of their numbers.
  ///
  /// Page names have no index and are found in one pass.
  private static func posts(
    _ selections: [Selection], _ condition: String, _ database: Database
  ) throws -> [PostNumber] {
    var found: Set<PostNumber> = []
    func select(_ selected: String, _ arguments: StatementArguments) throws {
      let sql = "SELECT id FROM post WHERE (\(condition)) AND \(selected)"
      found.formUnion(try PostNumber.fetchAll(database, sql: sql, arguments: arguments))
    }
    var pages: [String] = []
    for selection in selections {
      if case .page(let path) = selection {
        pages.append(name(ofPage: path))
      } else {
        let (selected, arguments) = Self.condition(selection)
        try select(selected, arguments)
      }
    }
    if !pages.isEmpty { try select("name IN (SELECT value FROM json_each(?))", [try list(pages)]) }
    return found.sorted()
  }

  /// Returns texts as one argument for `json_each`.
  static func list(_ texts: [String]) throws -> String {
    String(decoding: try JSONEncoder().encode(texts), as: UTF8.self)
  }

  static func condition(_ selection: Selection) -> (String, StatementArguments) {
    switch selection {
    case .all: return ("1", [])
    case .feed(let key): return ("feed = (SELECT id FROM feed WHERE key = ?)", [key.text])
    case .post(let feed, let name):
      return ("name = ? AND feed = (SELECT id FROM feed WHERE key = ?)", [name, feed.text])
    case .page(let path): return ("name = ?", [Self.name(ofPage: path)])
    }
  }

  /// Returns the state of a post after the last run.
  static func state(_ post: StoredPost, run: Moment) -> State {
    if post.isRead { return .read }
    if post.first == run { return post.keys.flags.contains(.backfill) ? .seen : .new }
    return post.since == run ? .updated : .seen
  }
}
