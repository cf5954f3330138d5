import GRDB
import TamisCore

/// When which document of a feed was seen.
struct Observations {
  let database: Database
  let feed: FeedNumber

  /// Of a sudden gap of more than this share a second look has to know too.
  private static let largestDrop = 0.8
  /// Of fewer posts a gap says nothing.
  private static let fewestForDrop = 5

  /// Whether so many posts are missing all at once that a second look has to say so too.
  static func isSudden(missing: Int, of here: Int) -> Bool {
    here >= fewestForDrop && Double(missing) > largestDrop * Double(here)
  }

  /// Notes that a document was seen; answers the moment at which it was.
  ///
  /// That of the run; another document of the feed that was seen in the same, or later by another clock, was seen before.
  func add(_ recording: RecordedDocument, at run: Moment, to feed: inout StoredFeed) throws -> Moment {
    let document = recording.source.document
    if try isLatest(document, feed.latest) {
      // A run that goes on looks no second time.
      if feed.latest != run { try lookAgain(at: &feed) }
      return run
    }
    let moment = max(run, feed.latest == .never ? run : feed.latest.next)
    let isComplete = recording.ending.isComplete && !recording.posts.isEmpty
    try database.cachedStatement(sql: "INSERT INTO observation VALUES (?, ?, ?, ?, 1)")
      .execute(arguments: [self.feed, moment, document, isComplete])
    feed.latest = moment
    return moment
  }

  /// Notes that the document is as it was.
  func lookAgain(at feed: inout StoredFeed) throws {
    try database.cachedStatement(sql: "UPDATE observation SET looks = looks + 1 WHERE feed = ? AND moment = ?")
      .execute(arguments: [self.feed, feed.latest])
    // Twice the same is no slip; what was cut off says nothing.
    if feed.pending == feed.latest { feed.pending = .never }
  }

  /// The moment of the last whole document, as long as it alone says that most of the feed's posts are gone; never when it does not.
  func doubtful() throws -> Moment {
    let find =
      "SELECT moment, looks FROM observation WHERE feed = ? AND isComplete <> 0 ORDER BY moment DESC, document DESC LIMIT 1"
    guard let row = try Row.fetchOne(database.cachedStatement(sql: find), arguments: [feed]), row[1] < 2 else {
      return .never
    }
    let moment: Moment = row[0]
    let count = "SELECT count(*) FROM post WHERE feed = ? AND missed = ?"
    let (missing, here) = (
      try Int.fetchOne(database.cachedStatement(sql: count), arguments: [feed, moment]) ?? 0,
      try Int.fetchOne(database.cachedStatement(sql: count), arguments: [feed, Moment.never]) ?? 0
    )
    return Self.isSudden(missing: missing, of: missing + here) ? moment : .never
  }

  private func isLatest(_ document: String, _ latest: Moment) throws -> Bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM observation WHERE feed = ? AND moment = ? AND document = ?)"
    return try Bool.fetchOne(database.cachedStatement(sql: sql), arguments: [feed, latest, document]) ?? false
  }

  /// How often the feed was looked at whole since a moment.
  func looks(since moment: Moment) throws -> Int {
    let sql = "SELECT ifnull(sum(looks), 0) FROM observation WHERE feed = ? AND moment >= ? AND isComplete <> 0"
    return try Int.fetchOne(database.cachedStatement(sql: sql), arguments: [feed, moment]) ?? 0
  }
}

/// Since when a post says what it says.
struct Wordings {
  let database: Database

  /// Notes what a post said before, and answers since when it says what it says now: what it has said once it says since then.
  func change(_ post: StoredPost, from before: StoredPost, at moment: Moment) throws -> Moment {
    let insert = try database.cachedStatement(sql: "INSERT OR IGNORE INTO wording VALUES (?, ?, ?)")
    try insert.execute(arguments: [post.number, before.wording, before.since])
    try insert.execute(arguments: [post.number, post.wording, moment])
    let find = try database.cachedStatement(sql: "SELECT since FROM wording WHERE post = ? AND words = ?")
    return try Moment.fetchOne(find, arguments: [post.number, post.wording]) ?? moment
  }
}
