import Foundation
import GRDB
import TamisCore

/// Joins records with what is there, within one transaction.
///
/// A feed and the name of a page are one post in all indexes. Of each number of a record there is an order in which the
/// greater counts, and keys and claims are gathered; what follows from several posts, which stands for which, is worked out
/// anew from that when all are there (``JoinedFolds``). So neither order nor number of joins makes a difference.
struct Merge {
  private let store: PostStore
  private var feeds: [String: Int64] = [:]
  /// What posts are said to be folded into, by feed and name.
  private var claims: [(post: Int64, into: [String])] = []
  private var latestRun: Int64 = 0

  init(_ database: Database) throws {
    store = PostStore(database: database)
    try database.execute(sql: "CREATE INDEX IF NOT EXISTS post_name ON post (feed, name)")
  }

  mutating func take(_ record: PostIndex.Record) throws {
    let feed = try feed(record)
    guard let post = record.post else { return }
    latestRun = max(latestRun, post.first, post.changed / 4, post.gone)
    let theirs = post.stored(feed: feed)
    let id: Int64
    if let ours = try store.post(named: post.name, inFeed: feed) {
      id = ours.id
      // What either was found by leads to it, whichever counts.
      try store.addKeys(store.ownKeys(of: ours) + store.ownKeys(of: theirs), to: id)
      // Where keys differ the name does not follow from them any more.
      if ours.guid != theirs.guid || ours.link != theirs.link { try store.keepName(of: ours) }
      let joined = Self.joined(ours, theirs)
      if joined != ours { try store.update(joined, landmarks: []) }
    } else {
      id = try store.insert(theirs, landmarks: [])
    }
    try store.addKeys(post.keys, to: id)
    claims += post.allClaims.map { (id, $0) }
  }

  private static let lasting: StoredPost.Flags = [.forgotten, .purged]

  private static func joined(_ ours: StoredPost, _ theirs: StoredPost) -> StoredPost {
    var joined = rank(ours).lexicographicallyPrecedes(rank(theirs)) ? theirs : ours
    (joined.id, joined.fold) = (ours.id, ours.fold)
    joined.first = min(ours.first, theirs.first)
    // What one of them still saw is there.
    joined.gone = ours.gone == 0 || theirs.gone == 0 ? 0 : max(ours.gone, theirs.gone)
    joined.flags.formUnion(ours.flags.union(theirs.flags).intersection(lasting))
    // Who has read an earlier version has not read this one.
    if ours.changed == theirs.changed {
      joined.flags.formUnion(ours.flags.union(theirs.flags).intersection(.read))
    }
    return joined
  }

  /// Which of two records says what a post is now: the one that was changed last; of two that were changed in one run the
  /// greater in all else that records say.
  private static func rank(_ post: StoredPost) -> [Int64] {
    let keys = [post.markup, post.text, post.guid, post.link, post.date, post.guidForm, post.file]
    let sketch = post.sketch.map { $0.map { Int64($0) } } ?? []
    return [post.changed] + keys.flatMap { [$0 == nil ? 0 : 1, $0 ?? 0] }
      + [post.title, Int64(post.words), post.numbers, post.flags.subtracting(lasting.union(.read)).rawValue] + sketch
  }

  private mutating func feed(_ record: PostIndex.Record) throws -> Int64 {
    let database = store.database
    let id = try feeds[record.feed] ?? StoredFeed.find(FeedKey(record.feed), database, run: record.first ?? 1).id
    feeds[record.feed] = id
    guard record.post == nil else { return id }
    latestRun = max(latestRun, record.pending ?? 0)
    try database.execute(
      sql: """
        UPDATE feed SET level = max(level, ?), pending = max(pending, ?), isAggregator = max(isAggregator, ?),
          first = min(first, ?), \(["address", "home", "place"].map(Self.greater).joined(separator: ", "))
        WHERE id = ?
        """,
      arguments: [
        record.level ?? 0, record.pending ?? 0, record.isAggregator ?? false, record.first ?? 1,
        record.address, record.home, record.place, id,
      ])
    return id
  }

  /// Of two texts the greater, of one and none the one.
  private static func greater(_ column: String) -> String {
    "\(column) = nullif(max(ifnull(\(column), ''), ifnull(?, '')), '')"
  }

  func finish() throws {
    let database = store.database
    var told = try Claims(database)
    for (post, into) in claims {
      guard let feed = feeds[into[0]], let other = try store.post(named: into[1], inFeed: feed) else { continue }
      told.add(post, other.id)
    }
    try JoinedFolds(store, told).write()
    try database.execute(sql: "DROP INDEX post_name")
    let known = try Int64.fetchOne(database, sql: "SELECT max(id) FROM run") ?? 0
    if latestRun > known { try database.execute(sql: "INSERT INTO run VALUES (?, 1)", arguments: [latestRun]) }
  }
}
