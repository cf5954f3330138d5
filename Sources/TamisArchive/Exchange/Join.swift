import GRDB
import TamisCore
import TamisSystem
import TamisFoundation

/// Joins archives: adds the observations of one to those of another.
///
/// Joining is commutative, associative and idempotent. Each value either has an order, and the greater one wins, or all
/// values are kept. Decisions are recomputed by ``Archive/settle()``.
extension Archive {
  /// Adds the export of another archive.
  ///
  /// - Parameters:
  ///   - name: the name of the export in errors.
  ///   - next: a function that returns the lines one after the other, nil after the last.
  ///   - progress: a function that is called from time to time with the number of processed lines.
  /// - Returns: the number of posts in the export.
  /// - Throws: ``Archive/Failure`` when a line is not a line of an export; nothing is added then.
  package func join(
    linesOf name: String, _ next: () throws -> [UInt8]?, progress: (Int) -> Void = { _ in }
  ) throws -> Int {
    let decoder = JSONDecoder()
    var (number, count) = (0, 0)
    try write { database in
      var join = try Join(database: database)
      while let line = try next() {
        number += 1
        if number % 1000 == 0 { progress(number) }
        if line.allSatisfy(\.isHTMLSpace) { continue }
        let record: ExchangeRecord?
        do {
          record = try decoder.decode(ExchangeRecord.self, from: Data(line))
        } catch {
          record = error is UnreadableValue ? nil : ExchangeRecord()
        }
        if let record, record.feed == nil, record.post == nil {
          throw Archive.Failure(badInput: "\(name):\(number): this is not a line of an exported archive")
        }
        guard let record, try join.take(record) else {
          throw Archive.Failure(
            badInput:
              "\(name):\(number): this line has an impossible name or number, or comes before the line of its feed")
        }
        if record.post != nil { count += 1 }
      }
      try join.finish()
    }
    try settle()
    return count
  }
}

/// Adds records to the archive, within one transaction.
struct Join {
  let database: Database
  private var store: PostStore { PostStore(database: database) }
  private var cards: CardStore { CardStore(database: database) }
  private var feed: StoredFeed?
  /// The feed's record before joining, and its present record.
  private var before: FeedRecord?
  private var now: FeedRecord?
  private var presence = (before: Presence([]), now: Presence([]))
  private var latest = Moment.never
  private let packer = Packer()

  init(database: Database) throws {
    self.database = database
    try database.execute(sql: "CREATE TEMP TABLE joined (post INTEGER PRIMARY KEY)")
  }

  /// Adds a record; returns false when the record is invalid.
  mutating func take(_ record: ExchangeRecord) throws -> Bool {
    if let theirs = record.feed { return try take(theirs) }
    return try record.post.flatMap { try take($0) } != nil
  }

  // MARK: - Feeds

  mutating func take(_ theirs: FeedRecord) throws -> Bool {
    guard theirs.isValid else { return false }
    try endFeed()
    // Posts that the other source has of this feed are missed when this one lacks them.
    try database.execute(sql: "DELETE FROM joined")
    before = try Archive.record(theirs.row.key, database)?.record
    let joined = before.map { Self.joined($0, with: theirs) } ?? theirs
    now = joined
    presence = (Presence(before?.observations ?? []), Presence(joined.observations))
    var feed = joined.row
    feed.card.slug = feed.preferredSlug
    let found = try StoredFeed.find(feed.card, database, at: feed.first)
    (feed.number, feed.pending, feed.latest) = (found.number, found.pending, Moment(rawValue: joined.latest))
    try feed.writeAll(database)
    try database.execute(
      sql: "UPDATE feed SET document = ?, size = NULL, slug = '' WHERE id = ?",
      arguments: [joined.observations.last?.document, feed.number])
    try FeedStore(database: database).write(
      joined.categories.map { CategoryCard(slug: $0.key, name: $0.value) }.sorted { $0.slug < $1.slug }, of: feed.number
    )
    for seen in joined.observations {
      try database.cachedStatement(sql: "INSERT OR REPLACE INTO observation VALUES (?, ?, ?, ?, ?)").execute(
        arguments: [feed.number, seen.moment, seen.document, seen.isComplete, seen.looks])
    }
    latest = max(latest, feed.latest, feed.first)
    self.feed = feed
    return true
  }

  /// Most fields are taken from the archive that saw the feed last; at the same moment the greater value wins.
  private static func joined(_ ours: FeedRecord, with theirs: FeedRecord) -> FeedRecord {
    let isOurs =
      ours.latest != theirs.latest
      ? ours.latest > theirs.latest : !ours.texts.lexicographicallyPrecedes(theirs.texts)
    var joined = isOurs ? ours : theirs
    let (one, other) = (ours.row, theirs.row)
    joined.row.first = min(one.first, other.first)
    joined.row.level = one.level == .guid ? other.level : one.level
    joined.row.isAggregator =
      ours.latest == theirs.latest ? one.isAggregator || other.isAggregator : joined.row.isAggregator
    // Removed in one archive and not in the other at the same moment: not removed.
    joined.row.isRemoved =
      one.stood == other.stood
      ? one.isRemoved && other.isRemoved : one.stood > other.stood ? one.isRemoved : other.isRemoved
    joined.row.stood = max(one.stood, other.stood)
    joined.categories = ours.categories.merging(theirs.categories, uniquingKeysWith: max)
    var seen: [String: FeedRecord.Seen] = [:]
    for observation in ours.observations + theirs.observations {
      let name = "\(observation.moment) \(observation.document)"
      var known = seen[name] ?? observation
      known.looks = max(known.looks, observation.looks)
      known.isComplete = known.isComplete && observation.isComplete
      seen[name] = known
    }
    joined.observations = seen.values.sorted { ($0.moment, $0.document) < ($1.moment, $1.document) }
    return joined
  }

  /// Determines which posts of a feed are missing, from all observations of the feed.
  private mutating func endFeed() throws {
    guard var feed, now != nil else { return }
    if before != nil {
      // Posts that only this archive has; the others were processed when they were added.
      for post in try store.posts(where: "feed = ? AND id NOT IN (SELECT post FROM joined)", [feed.number]) {
        try store.setMissed(post.number, presence.now.missed(after: presence.before.last(of: post)))
      }
    }
    feed.pending = try Observations(database: database, feed: feed.number).doubtful()
    try feed.write(database)
    self.feed = nil
  }

  // MARK: - Posts

  /// Adds a post; returns its number, nil when the record is invalid.
  func take(_ theirs: PostRecord) throws -> PostNumber? {
    guard theirs.isValid, let feed, theirs.feed == feed.key.text else { return nil }
    let near = try store.posts(near: theirs.row.id, inFeed: feed.number)
    let known = try stored(theirs, near.map(\.post))
    var joined = theirs
    if let known, before != nil {
      joined = try JoinedPost(Archive.record(known, feed, presence.before, database), joinedWith: theirs).record
    }
    let isBuried = joined.row.isBuried
    // This makes the feed's next document store the body that the line lacks.
    if joined.html == nil, !isBuried { joined.row.content = 0 }
    var post = joined.stored(in: feed)
    let last = Moment(rawValue: joined.last)
    post.missed = presence.now.missed(after: last)
    if !presence.now.isWhole(last) { post.partial = last }
    let sortDate = SortDate(joined.card.published, day: joined.day).seconds ?? CardStore.undated
    try place(&post, known, near, at: theirs.row.id)
    if let known {
      post.number = known.number
      // The keys of both posts are kept, whichever of the two wins.
      try store.update(post, addingKeysWith: feed.salt)
      try database.cachedStatement(sql: "UPDATE post SET sortDate = ? WHERE id = ?").execute(arguments: [
        sortDate, post.number,
      ])
    } else {
      post.number = try store.insert(post, sortDate: sortDate, salt: feed.salt)
    }
    try store.addKeys(joined.keys, to: post.number)
    try cards.write(joined.card, of: post.number, slugs: joined.slugs, day: joined.day)
    if isBuried {
      try database.cachedStatement(sql: "DELETE FROM body WHERE post = ?").execute(arguments: [post.number])
    } else {
      // A body without the digest of its rules is that of other rules, and is sanitized anew.
      try cards.write(
        joined.html ?? "", joined.details ?? Post.Details(), of: post.number, rules: joined.rules ?? "", packer)
    }
    for wording in joined.wordings where joined.wordings.count > 1 {
      try Wordings(database: database).write(wording, of: post.number)
    }
    try database.cachedStatement(sql: "INSERT OR IGNORE INTO joined VALUES (?)").execute(arguments: [post.number])
    return post.number
  }

  /// Returns the stored post that a record is about, of those under its id and its neighbours.
  private func stored(_ record: PostRecord, _ near: [StoredPost]) throws -> StoredPost? {
    let found = near.first { $0.id == record.row.id }
    if try found.map({ try before == nil || isOne(record, $0) }) ?? (before == nil) { return found }
    return try near.first { try isOne(record, $0) }
  }

  /// Whether a record is about a stored post: under one id a site that begins again with 1 has several.
  private func isOne(_ record: PostRecord, _ post: StoredPost) throws -> Bool {
    let likeness = Likeness(record.row.keys, post.keys)
    let (link, before) = (record.row.keys.ids.link, post.keys.ids.link)
    let hasOtherLink = link != nil && before != nil && link != before
    guard hasOtherLink ? likeness.isAnotherWithOtherLink ?? false : likeness.isAnother else { return true }
    // Two records of a post that was rewritten bit by bit have a wording in common.
    let wordings = try Set(Wordings(database: database).all(of: post.number).map(\.digest) + [post.wording])
    return record.wordings.contains { wordings.contains($0.digest) }
  }

  /// Gives the posts under an id and its neighbours their ids in the order in which they were first seen.
  private func place(
    _ post: inout StoredPost, _ known: StoredPost?, _ near: [(distance: Int64, post: StoredPost)], at id: PostID
  ) throws {
    var ids = Set(near.map(\.distance) + [0]).sorted().map(id.neighbour)
    guard ids.count > 1 || near.contains(where: { $0.post.number != known?.number }) else { return }
    func rank(_ post: StoredPost) -> [Int64] {
      [post.first.rawValue, Int64(post.position), post.keys.title, post.keys.markup]
    }
    let others = near.map(\.post).filter { $0.number != known?.number }
      .sorted { rank($0).lexicographicallyPrecedes(rank($1)) }
    let index = others.count { !rank(post).lexicographicallyPrecedes(rank($0)) }
    if let last = ids.last, ids.count <= others.count {
      ids.append(try store.freeID(from: last.neighbour(1), inFeed: post.feed))
    }
    for (_, post) in near { try store.park(post) }
    for (var other, id) in zip(others, ids[..<index] + ids[(index + 1)...]) { try store.rename(&other, to: id) }
    try store.rename(&post, to: ids[index])
  }

  // MARK: - End

  /// Marks all decisions for recomputation: an added post may be older than the stored ones.
  mutating func finish() throws {
    try endFeed()
    try database.execute(
      sql: """
        DROP TABLE temp.joined; UPDATE post SET arrival = NULL WHERE arrival IS NOT NULL;
        UPDATE feed SET slug = '' WHERE slug <> ''; UPDATE site SET isCurrent = 0;
        DELETE FROM tag; DELETE FROM label; INSERT OR IGNORE INTO unsettled SELECT id FROM post;
        UPDATE run SET moment = max(moment, \(latest.rawValue));
        """)
  }
}
