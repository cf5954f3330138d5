import GRDB
public import TamisCore

/// What the reader has done with posts, and what follows for what is shown.
extension PostIndex {
  /// Where a post stands with its reader.
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// It was seen first in the last run.
    case new
    /// It changed in the last run, by more than its markup.
    case updated
    /// It was there before.
    case seen
    /// It was marked as read.
    case read
  }

  /// Which posts of the index are meant.
  public enum Selection: Sendable, Hashable {
    /// All.
    case all
    /// Those of a feed, by its key.
    case feed(FeedKey)
    /// One, by the name of its page, with or without folder and ending.
    case page(String)
    /// One, by the key of its feed and the name of its page.
    case post(feed: FeedKey, name: String)
  }

  /// Marks posts as read; answers how many were not before.
  public func markRead(_ selection: Selection) throws(IndexError) -> Int { try set(.read, selection) }

  /// Forgets posts for ever: they are shown no more, whatever their feed does.
  ///
  /// - Returns: how many were not forgotten before.
  public func forget(_ selection: Selection) throws(IndexError) -> Int { try set(.forgotten, selection) }

  private func set(_ flag: StoredPost.Flags, _ selection: Selection) throws(IndexError) -> Int {
    try write { database in
      let (condition, arguments) = Self.condition(selection)
      try database.execute(
        sql: "UPDATE post SET flags = flags | ? WHERE flags & ? = 0 AND \(condition)",
        arguments: [flag.rawValue, flag.rawValue] + arguments)
      let count = database.changesCount
      if flag == .forgotten {
        // It is no copy of anything any more, and others that were folded into it stand for themselves again.
        let buried = "SELECT id FROM post WHERE flags & 7 <> 0 AND flags & ? <> 0"
        try database.execute(
          sql: "UPDATE post SET fold = 0 WHERE fold <> 0 AND (id IN (\(buried)) OR fold IN (\(buried)))",
          arguments: [flag.rawValue, flag.rawValue])
      }
      return count
    }
  }

  static func condition(_ selection: Selection) -> (String, StatementArguments) {
    switch selection {
    case .all: return ("1", [])
    case .feed(let key): return ("feed = (SELECT id FROM feed WHERE key = ?)", [key.text])
    case .post(let feed, let name):
      return ("name = ? AND feed = (SELECT id FROM feed WHERE key = ?)", [name, feed.text])
    case .page(let path):
      var name = path.split(separator: "/").last.map(String.init) ?? path
      if name.hasSuffix(".html") { name.removeLast(".html".count) }
      return ("name = ?", [name])
    }
  }

  /// Posts that are not to be shown, by number and by page.
  public struct Hidden: Sendable {
    /// Their numbers.
    public var posts: Set<Int64> = []
    /// Their pages.
    public var pages: [Page] = []
  }

  /// The posts that are forgotten or purged, and if asked for those that were read.
  public func hiddenPages(includingRead: Bool) throws(IndexError) -> Hidden {
    var flags: StoredPost.Flags = [.forgotten, .purged]
    if includingRead { flags.insert(.read) }
    let mask = flags.rawValue
    return try read { database in
      let sql = """
        SELECT post.id, post.name, feed.key FROM post JOIN feed ON feed.id = post.feed WHERE post.flags & 7 <> 0 AND post.flags & ? <> 0
        """
      var hidden = Hidden()
      let rows = try Row.fetchCursor(database, sql: sql, arguments: [mask])
      while let row = try rows.next() {
        hidden.posts.insert(row[0])
        hidden.pages.append(Page(post: row[0], feed: FeedKey(row[2]), name: row[1]))
      }
      return hidden
    }
  }

  /// What the index knows, in short: changes with whatever a run would decide otherwise.
  ///
  /// - Returns: nil when the same documents once more would change something: a gap that a second run has to confirm.
  public func fingerprint() throws(IndexError) -> String? {
    try read { database in
      let isWaiting = try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM feed WHERE pending <> 0)") ?? false
      if isWaiting { return nil }
      let sql = """
        SELECT count(*) || ' ' || total(first) || ' ' || total(changed) || ' ' || total(gone) || ' ' || total(flags)
          || ' ' || count(nullif(fold, 0)) || ' ' || (SELECT count(*) FROM feed) FROM post
        """
      return try String.fetchOne(database, sql: sql)
    }
  }

  /// The state of a post after the last run.
  static func state(_ post: StoredPost, run: Int64) -> State {
    if post.flags.contains(.read) { return .read }
    if post.first == run { return post.flags.contains(.backfill) ? .seen : .new }
    return post.changed / 4 == run ? .updated : .seen
  }
}
