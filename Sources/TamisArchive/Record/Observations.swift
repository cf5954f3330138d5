import GRDB
import TamisCore
import TamisSystem

/// The observations of a feed: the moments at which its documents were seen.
struct Observations {
  let database: Database
  let feed: FeedNumber

  /// The share of a feed's posts above which a sudden disappearance has to be confirmed by a second document.
  private static let largestDrop = 0.8
  /// The minimum number of posts for the feed's drop to count as sudden.
  private static let fewestForDrop = 5

  /// Whether the number of posts that are missing at once has to be confirmed by a second document.
  static func isSudden(missing: Int, of here: Int) -> Bool {
    here >= fewestForDrop && Double(missing) > largestDrop * Double(here)
  }

  /// Records that a document was seen; returns the moment.
  ///
  /// The moment is that of the run. If another document of the feed was seen at that moment, or later by another clock,
  /// the new moment is the next one after that.
  func add(_ recording: RecordedDocument, at run: Moment, to feed: inout StoredFeed) throws -> Moment {
    let document = recording.source.document
    if try isLatest(document, feed.latest) {
      // Neither a resumed run nor the same file that is read in another way counts as a second observation.
      let isSameFile = try hasStamp(recording.source.stamp)
      if feed.latest != run, !isSameFile { try recordUnchanged(at: &feed) }
      return run
    }
    let moment = max(run, feed.latest == .never ? run : feed.latest.next)
    let isComplete = recording.ending.isComplete && !recording.posts.isEmpty
    try database.cachedStatement(sql: "INSERT INTO observation VALUES (?, ?, ?, ?, 1)")
      .execute(arguments: [self.feed, moment, document, isComplete])
    feed.latest = moment
    return moment
  }

  /// Whether the feed may have been read from a file of this stamp.
  private func hasStamp(_ stamp: FileStamp?) throws -> Bool {
    guard let stamp else { return false }
    let find = "SELECT EXISTS (SELECT 1 FROM feed WHERE id = ? AND (size IS NULL OR size = ? AND modified = ?))"
    return try database.isTrue(find, [feed, stamp.size, stamp.modified])
  }

  /// Records that the document was seen again unchanged.
  func recordUnchanged(at feed: inout StoredFeed) throws {
    try database.cachedStatement(sql: "UPDATE observation SET looks = looks + 1 WHERE feed = ? AND moment = ?")
      .execute(arguments: [self.feed, feed.latest])
    // The same document seen twice confirms the gap.
    if feed.pending == feed.latest { feed.pending = .never }
  }

  /// Returns the moment of the first complete document; `.never` when there is none.
  func firstWhole() throws -> Moment {
    let find = "SELECT min(moment) FROM observation WHERE feed = ? AND isComplete <> 0"
    return try Moment.fetchOne(database.cachedStatement(sql: find), arguments: [feed]) ?? .never
  }

  /// Returns the moment of the last complete document while it is the only one without most of the feed's posts;
  /// otherwise `.never`.
  func doubtful() throws -> Moment {
    let find =
      "SELECT moment, looks FROM observation WHERE feed = ? AND isComplete <> 0 ORDER BY moment DESC, document DESC LIMIT 1"
    guard let row = try Row.fetchOne(database.cachedStatement(sql: find), arguments: [feed]), try row[1] < 2 else {
      return .never
    }
    let moment: Moment = try row[0]
    // Those of the feed's history were missed before they were first seen.
    let count = "SELECT count(*) FROM post WHERE feed = ? AND missed = ? AND (missed = 0 OR first < missed)"
    let (missing, here) = (try database.count(count, [feed, moment]), try database.count(count, [feed, Moment.never]))
    return Self.isSudden(missing: missing, of: missing + here) ? moment : .never
  }

  /// Whether a document is the one that was seen at the feed's last moment.
  func isLatest(_ document: String, _ latest: Moment) throws -> Bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM observation WHERE feed = ? AND moment = ? AND document = ?)"
    return try database.isTrue(sql, [feed, latest, document])
  }

  /// Returns the number of times that complete documents of the feed were seen since a moment.
  func looks(since moment: Moment) throws -> Int {
    let sql = "SELECT ifnull(sum(looks), 0) FROM observation WHERE feed = ? AND moment >= ? AND isComplete <> 0"
    return try database.count(sql, [feed, moment])
  }
}
