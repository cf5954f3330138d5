import GRDB
package import TamisCore
package import TamisSystem

/// A run that records documents in an archive: it is begun, given each feed, and ended.
///
/// Documents are committed in batches, each completely or not at all: if a run is killed, each feed is as it was either
/// before or after its document. The next run resumes it and makes the same decisions.
package final class Ingest {
  let archive: Archive
  private let settings: SiteSettings
  private let isShard: Bool
  /// The moment of the run.
  package let moment: Moment
  /// The version of libunistring with which the archive's keys were made before this run; nil when it is the present
  /// version.
  package let earlierUnicode: Int?
  private var choice: FeedChoice
  private let packer = Packer()
  /// The latest time at which a document was seen, by the clock of the machine that saw it.
  private var latest = Moment.never
  /// The number of posts that were recorded since the last commit.
  private var waiting = 0

  /// The number of posts in a batch; each commit waits for the disk.
  private static let postsInBatch = 4000

  /// Begins a run, or resumes the last run if that was interrupted.
  ///
  /// - Parameters:
  ///   - archive: the archive, open for writing.
  ///   - now: the time, in seconds since 1970; nil when the result must not depend on it.
  ///   - settings: how posts are recognized, kept and folded.
  ///   - isShard: whether the archive is one of several among which the feeds are distributed.
  ///   - paths: the paths of all feeds of the run.
  ///   - existing: the paths of stored feeds whose file still exists.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read or written.
  package init(
    _ archive: Archive, now: Int64?, settings: SiteSettings, isShard: Bool = false, paths: Set<String>,
    existing: Set<String>
  ) throws(Archive.Failure) {
    (self.archive, self.settings, self.isShard) = (archive, settings, isShard)
    (moment, choice, earlierUnicode) = try archive.write { database in
      let row = try Row.fetchOne(database, sql: "SELECT moment, isFinished, unicode, folding FROM run")
      let unicode = try (row?[2] as Int?) ?? UnicodeText.version
      let last = try Moment(rawValue: ((row?[0] as Int64?) ?? 0).clamped(to: ValidValue.moments))
      let isFinished = try (row?[1] as Bool?) ?? true
      let clock = Moment(rawValue: (now ?? 0).clamped(to: ValidValue.moments))
      let moment = isFinished ? max(clock, last.next) : last
      try database.execute(sql: "UPDATE run SET moment = ?, isFinished = 0", arguments: [moment])
      // Other rules of folding make other decisions on the same data.
      let folding = settings.folds ? Folding.version : 0
      if let known = try row?[3] as Int?, known != folding {
        try database.execute(sql: "INSERT OR IGNORE INTO unsettled SELECT id FROM post")
      }
      try database.execute(sql: "UPDATE run SET folding = ?, unicode = ?", arguments: [folding, UnicodeText.version])
      // From now on the archive is complete, not a shard.
      if !isShard { try database.execute(sql: "DELETE FROM dealt; DELETE FROM origin") }
      let choice = try FeedChoice(database, paths: paths, existing: existing)
      return (moment, choice, unicode == UnicodeText.version ? nil : unicode)
    }
  }

  // MARK: - Feeds

  /// Records that the file of a feed is unchanged; nothing is read.
  ///
  /// - Parameters:
  ///   - source: the feed.
  ///   - stamp: the stamp of the file, if it is another than the stored one.
  ///   - isSeen: whether the document was seen again: a file that was written since, or a server that says so.
  /// - Throws: ``Archive/Failure`` when the archive cannot be written.
  package func markUnchanged(_ source: KnownSource, stamp: FileStamp? = nil, isSeen: Bool) throws(Archive.Failure) {
    choice.keep(source.key, at: source.path)
    let wantsLook = isSeen && source.wantsLook
    guard wantsLook || source.isRemoved || stamp != nil else { return }
    let (moment, settings) = (moment, settings)
    try batch(posts: 0) { database in
      guard var feed = try StoredFeed.find(source.key, database) else { return }
      if source.isRemoved { try Self.setRemoved(feed, false, at: moment, database) }
      if let stamp {
        try database.cachedStatement(sql: "UPDATE feed SET size = ?, modified = ? WHERE id = ?")
          .execute(arguments: [stamp.size, stamp.modified, feed.number])
      }
      guard wantsLook else { return }
      try Observations(database: database, feed: feed.number).recordUnchanged(at: &feed)
      try feed.write(database)
      try Self.purge(feed, settings, at: moment, database)
    }
  }

  /// Chooses the key of the feed to which a document belongs.
  ///
  /// - Parameters:
  ///   - identity: the properties by which the feed is recognized.
  ///   - isLast: whether this was called for all feeds once.
  /// - Returns: the key; or that it cannot be chosen before other feeds of the run have been read.
  package func choose(_ identity: FeedIdentity, isLast: Bool) -> FeedChoiceResult {
    choice.choose(identity, isLast: isLast)
  }

  /// Decides on the posts of one document and stores them: all of them, or none if that fails.
  ///
  /// - Parameters:
  ///   - recording: the document with its posts.
  ///   - identity: the properties by which the feed is recognized; its key is that of the recording's card.
  /// - Returns: a verdict for each post, in the same order.
  /// - Throws: ``Archive/Failure`` when the archive cannot be written; nothing of the document is stored then.
  package func record(_ recording: RecordedDocument, _ identity: FeedIdentity) throws(Archive.Failure) -> [Verdict] {
    try record(recording, identity, at: moment)
  }

  /// Adds the posts of a document of a feed's history that the archive does not have, as posts that are no longer in
  /// the feed's document.
  ///
  /// - Parameters:
  ///   - recording: the document with its posts, and its ``RecordedDocument/historyNumber``.
  ///   - state: how far the history is read with it.
  ///   - subscription: the subscribed address of the feed.
  /// - Returns: a verdict for each post, in the same order; none when the feed has no complete document.
  /// - Throws: ``Archive/Failure`` when the archive cannot be written; nothing of the document is stored then.
  package func recordHistory(
    _ recording: RecordedDocument, _ state: HistoryState, of subscription: String
  ) throws(Archive.Failure) -> [Verdict] {
    let (moment, settings, packer) = (moment, settings, packer)
    return try batch(posts: recording.posts.count) { database in
      guard let feed = try StoredFeed.find(recording.card.key, database),
        try Observations(database: database, feed: feed.number).firstWhole() != .never
      else { return [] }
      var recorder = try Recorder(recording, database, run: moment, settings: settings, packer: packer)
      let verdicts = try recorder.record()
      try HistoryStore(database: database).write(state, of: subscription)
      return verdicts
    }
  }

  /// Stores how far the history of a feed is read.
  package func remember(_ state: HistoryState, of subscription: String) throws(Archive.Failure) {
    try batch(posts: 1) { try HistoryStore(database: $0).write(state, of: subscription) }
  }

  /// The result of recording a document that was seen at another time, such as that of a WARC record.
  package enum Seen: Sendable, Hashable {
    /// The document was recorded: a verdict for each post, in document order.
    case now([Verdict])
    /// The archive already has this observation.
    case before
    /// A later document of the feed was recorded before: nothing is recorded.
    case tooLate
  }

  /// Records a document that was seen at a given time, by the clock of the machine that saw it.
  ///
  /// - Parameters:
  ///   - recording: the document with its posts.
  ///   - identity: the properties by which the feed is recognized; its key is that of the recording's card.
  ///   - time: seconds since 1970; nil for now.
  /// - Returns: the verdicts; or that the observation is already there, or comes too late.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read or written.
  package func record(
    _ recording: RecordedDocument, _ identity: FeedIdentity, seenAt time: Int64?
  ) throws(Archive.Failure) -> Seen {
    guard let time, time > 0 else { return .now(try record(recording, identity)) }
    let seen = Moment(rawValue: time.clamped(to: ValidValue.moments))
    let known = try archive.read { database -> Seen? in
      guard let feed = try StoredFeed.find(recording.card.key, database), feed.latest != .never else { return nil }
      let find = "SELECT EXISTS (SELECT 1 FROM observation WHERE feed = ? AND moment = ? AND document = ?)"
      let arguments: StatementArguments = [feed.number, seen, recording.source.document]
      if try database.isTrue(find, arguments) { return .before }
      return feed.latest > seen ? .tooLate : nil
    }
    if let known { return known }
    latest = max(latest, seen)
    return .now(try record(recording, identity, at: seen))
  }

  /// Records that the document of a feed was seen unchanged at a time, by the clock of the machine that saw it.
  ///
  /// - Parameters:
  ///   - key: the key of the feed.
  ///   - time: seconds since 1970; a time before that of the document is ignored.
  /// - Throws: ``Archive/Failure`` when the archive cannot be written.
  package func recordUnchanged(at key: Feed.Key, seenAt time: Int64) throws(Archive.Failure) {
    let (moment, settings) = (moment, settings)
    try batch(posts: 0) { database in
      guard var feed = try StoredFeed.find(key, database), feed.latest.rawValue < time else { return }
      try Observations(database: database, feed: feed.number).recordUnchanged(at: &feed)
      try feed.write(database)
      try Self.purge(feed, settings, at: moment, database)
    }
  }

  private func record(
    _ recording: RecordedDocument, _ identity: FeedIdentity, at moment: Moment
  ) throws(Archive.Failure) -> [Verdict] {
    let (settings, packer) = (settings, packer)
    return try batch(posts: recording.posts.count) { database in
      var recorder = try Recorder(recording, database, run: moment, settings: settings, packer: packer)
      let verdicts = try recorder.record()
      guard let feed = try StoredFeed.find(recording.card.key, database) else { return verdicts }
      if feed.isRemoved { try Self.setRemoved(feed, false, at: moment, database) }
      try Self.write(recording, identity, feed, at: moment, database)
      if let state = recording.fetching {
        try FetchStore(database: database).write(state, of: identity.path)
        try ChangeLog(database).noteFetching()
      }
      try Self.purge(feed, settings, at: moment, database)
      return verdicts
    }
  }

  /// Returns the key of the feed previously at a path, otherwise the given one.
  package func keyBefore(at path: String, else other: Feed.Key) -> Feed.Key { choice.keyBefore(at: path) ?? other }

  /// Records that a feed could not be read, and why; its stored data is kept.
  ///
  /// - Parameters:
  ///   - card: its key is that of ``keyBefore(at:else:)``; the rest is used only for a feed that is not stored yet.
  ///   - path: the path of the feed's file.
  ///   - reason: the reason for the failure, in words.
  /// - Throws: ``Archive/Failure`` when the archive cannot be written.
  package func fail(_ card: FeedCard, at path: String, because reason: String) throws(Archive.Failure) {
    choice.keep(card.key, at: path)
    let (moment, new) = (moment, card)
    try batch(posts: 1) { database in
      let feed = try StoredFeed.find(new, database, at: moment)
      try database.execute(
        sql: "UPDATE feed SET location = ?, size = NULL, document = NULL WHERE id = ?", arguments: [path, feed.number])
      if feed.isRemoved { try Self.setRemoved(feed, false, at: moment, database) }
      let select = "SELECT \(FeedStore.selection) FROM feed WHERE id = ?"
      guard let row = try Row.fetchOne(database, sql: select, arguments: [feed.number]) else { return }
      var card = try FeedStore.card(row, from: 0)
      card.status = FeedStatus()
      card.status.failure = reason
      if try FeedStore(database: database).write(card, of: feed.number).any {
        try ChangeLog(database).note(feed: feed.number, ofPosts: false, isRelisted: feed.first == moment)
      }
    }
  }

  /// Stores the fetch state of a feed when there is no document to record.
  ///
  /// - Parameters:
  ///   - state: the fetch state after the last request.
  ///   - subscription: the subscribed address.
  /// - Throws: ``Archive/Failure`` when the archive cannot be written.
  package func remember(_ state: FetchState, of subscription: String) throws(Archive.Failure) {
    try batch(posts: 1) { database in
      try FetchStore(database: database).write(state, of: subscription)
      try ChangeLog(database).noteFetching()
    }
  }

  /// Removes a feed: it is no longer read and its posts are not shown; its stored data is kept.
  package func remove(_ key: Feed.Key) throws(Archive.Failure) {
    let moment = moment
    try batch(posts: 1) { database in
      guard let feed = try StoredFeed.find(key, database), !feed.isRemoved else { return }
      try Self.setRemoved(feed, true, at: moment, database)
    }
  }

  /// Commits the recorded data and recomputes the decisions that depend on it.
  package func settle() throws(Archive.Failure) {
    try archive.commit()
    try archive.settle()
  }

  /// Commits the recorded data, recomputes the decisions that depend on it, and ends the run.
  package func finish() throws(Archive.Failure) {
    // Decisions of a shard are computed when it is merged with the others.
    if isShard { try archive.commit() } else { try settle() }
    let latest = latest
    try archive.write {
      try $0.execute(sql: "UPDATE run SET isFinished = 1, moment = max(moment, ?)", arguments: [latest])
    }
    try archive.commit()
  }

  // MARK: - Parts

  func batch<Value>(posts: Int, _ body: (Database) throws -> Value) throws(Archive.Failure) -> Value {
    try archive.beginBatch()
    let value = try archive.write(body)
    waiting += max(1, posts)
    if waiting >= Self.postsInBatch {
      waiting = 0
      try archive.commit()
    }
    return value
  }

  private static func setRemoved(_ feed: StoredFeed, _ isRemoved: Bool, at moment: Moment, _ database: Database) throws
  {
    try database.execute(
      sql: "UPDATE feed SET isRemoved = ?, stood = ? WHERE id = ?", arguments: [isRemoved, moment, feed.number])
    try database.execute(
      sql: """
        INSERT OR IGNORE INTO unsettled SELECT id FROM post WHERE feed = :feed
        UNION SELECT other FROM same JOIN post ON post.id = same.post WHERE post.feed = :feed
        """, arguments: ["feed": feed.number])
    try ChangeLog(database).note(feed: feed.number, ofPosts: false, isRelisted: true)
  }

  /// Writes the data of a feed without its posts.
  private static func write(
    _ recording: RecordedDocument, _ identity: FeedIdentity, _ feed: StoredFeed, at moment: Moment, _ database: Database
  ) throws {
    let changed = try FeedStore(database: database).write(recording.card, of: feed.number)
    if changed.any || feed.first == moment {
      try ChangeLog(database).note(
        feed: feed.number, ofPosts: changed.ofPosts, isRelisted: changed.isRelisted || feed.first == moment)
    }
    try database.cachedStatement(sql: "UPDATE feed SET location = NULL WHERE location = ? AND id <> ?")
      .execute(arguments: [identity.path, feed.number])
    if let slug = recording.twinSlug {
      try database.cachedStatement(sql: "INSERT OR REPLACE INTO dealt VALUES (?, ?)")
        .execute(arguments: [feed.number, slug])
    }
    let source = recording.source
    try database.cachedStatement(
      sql: """
        UPDATE feed SET address = ifnull(?, address), home = ifnull(?, home), location = ?, size = ?, modified = ?, document = ?,
          reading = ? WHERE id = ?
        """
    ).execute(arguments: [
      identity.address, identity.home, identity.path, source.stamp?.size, source.stamp?.modified, source.document,
      source.reading, feed.number,
    ])
  }

  private static func purge(_ feed: StoredFeed, _ settings: SiteSettings, at moment: Moment, _ database: Database)
    throws
  {
    guard case .after(let looks) = settings.purge else { return }
    try PostDeletion(database).purge(feed, goneFor: looks, at: moment)
  }
}

/// The file of a feed as it was last read.
package struct KnownSource: Sendable, Hashable {
  /// The feed's key.
  package var key: Feed.Key
  /// The path of the file, relative to the folder of the archive.
  package var path: String
  /// The state of the file when it was read; nil when it could not be read.
  package var source: ReadSource?
  /// Whether seeing the same document again matters: most posts were missing, or some are waiting to be purged.
  package var wantsLook: Bool
  /// Whether the last document was cut off.
  package var isPartial: Bool
  /// Whether the feed was removed.
  package var isRemoved: Bool
  /// Whether a document of the feed was ever read.
  package var wasRead: Bool
}

extension Archive {
  /// Returns the stamps of the files in which feeds were last seen, by path; empty when there is no readable archive.
  package static func knownFiles(in file: String) -> [String: FileStamp] {
    guard let archive = try? Archive(feedsOf: file) else { return [:] }
    let stamps = try? archive.read { database in
      let sql = "SELECT location, size, modified FROM feed WHERE location IS NOT NULL LIMIT ?"
      let rows = try Row.fetchCursor(database, sql: sql, arguments: [try feedCount(database)])
      var stamps: [String: FileStamp] = [:]
      while let row = try rows.next() {
        guard let size = try row[1] as Int64?, let modified = try row[2] as Int64? else { continue }
        let path: String = try row[0]
        if stamps[path] == nil { stamps[path] = FileStamp(size: size, modified: modified) }
      }
      return stamps
    }
    return stamps ?? [:]
  }

  /// Returns the number of feeds, which bounds the rows that are read.
  ///
  /// In a file that was made to deceive, a table or an index leads from page to page without end; the number comes from
  /// the smallest index.
  private static func feedCount(_ database: Database) throws -> Int {
    try database.count("SELECT count(*) FROM (SELECT 1 FROM feed LIMIT ?)", [Int.max])
  }

  /// Returns the files in which feeds were last seen.
  ///
  /// - Parameter purge: the policy for posts that have left their feed.
  /// - Returns: the files in the order of their paths, each with the feed that was last read from it.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read.
  package func sources(purge: PurgePolicy) throws(Archive.Failure) -> [KnownSource] {
    var countsLooks = false
    if case .after = purge { countsLooks = true }
    let waits =
      countsLooks
      ? "pending > 0 OR EXISTS (SELECT 1 FROM post WHERE post.feed = feed.id AND missed > 0 AND purged = 0)"
      : "pending > 0"
    return try read { database in
      let sql = """
        SELECT key, location, size, modified, document, reading, \(waits), isRemoved, latest, instr(status, '"isPartial":true') FROM feed WHERE location IS NOT NULL ORDER BY location
        """
      let most = try Self.feedCount(database)
      let rows = try Row.fetchCursor(database, sql: sql)
      var sources: [KnownSource] = []
      while let row = try rows.next() {
        guard sources.count < most else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        var source: ReadSource?
        if let document = try row[4] as String?, let reading = try row[5] as String? {
          source = ReadSource(stamp: nil, document: document, reading: reading)
          if let size = try row[2] as Int64?, let modified = try row[3] as Int64? {
            source?.stamp = FileStamp(size: size, modified: modified)
          }
        }
        sources.append(
          try KnownSource(
            key: Feed.Key(row[0]), path: row[1], source: source, wantsLook: row[6],
            isPartial: (row[9] as Int64) > 0, isRemoved: row[7], wasRead: (row[8] as Int64) > 0))
      }
      return sources
    }
  }
}
