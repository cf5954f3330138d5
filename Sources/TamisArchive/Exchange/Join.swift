import Foundation
import GRDB
import TamisCore
import TamisFiles

/// Archives joined: what one knows is put to what another does.
///
/// Joining is commutative, associative and idempotent. Of each thing that is known there is an order in which the greater counts, or
/// all is kept; what follows from that is worked out anew by ``Archive/settle()``.
extension Archive {
  /// Takes in what another archive has exported; answers how many posts that were.
  ///
  /// - Parameters:
  ///   - name: what the export is called in errors.
  ///   - next: gives the lines one after the other, nil behind the last.
  ///   - progress: told now and then how many lines are done.
  /// - Throws: when a line is none of an export; nothing is taken in then.
  public func join(
    linesOf name: String, _ next: () throws -> [UInt8]?, progress: (Int) -> Void = { _ in }
  ) throws -> Int {
    let decoder = JSONDecoder()
    var number = 0
    return try joining { join in
      var count = 0
      while let line = try next() {
        number += 1
        if number % 1000 == 0 { progress(number) }
        if line.allSatisfy(\.isHTMLSpace) { continue }
        guard let record = try? decoder.decode(ExchangeRecord.self, from: Data(line)) else {
          throw ArchiveError("\(name):\(number): this line is none of an exported archive")
        }
        guard try join.take(record) else {
          throw ArchiveError(
            "\(name):\(number): this line has a name or a number that no archive gives, or comes before its feed's")
        }
        if case .post = record { count += 1 }
      }
      return count
    }
  }

  private func joining(_ body: (inout Join) throws -> Int) throws -> Int {
    let count = try write { database in
      var join = try Join(database: database)
      let count = try body(&join)
      try join.finish()
      return count
    }
    try settle()
    return count
  }
}

/// Puts records to what is there, within one transaction.
struct Join {
  let database: Database
  private var store: PostStore { PostStore(database: database) }
  private var cards: CardStore { CardStore(database: database) }
  private var feed: StoredFeed?
  /// What was known of the feed before, and what is known of it now.
  private var before: FeedRecord?
  private var now: FeedRecord?
  private var latest = Moment.never
  private let packer = Packer()

  init(database: Database) throws {
    self.database = database
    try database.execute(sql: "CREATE TEMP TABLE joined (post INTEGER PRIMARY KEY)")
  }

  /// Takes in a record; answers false when it is none that an archive gives.
  mutating func take(_ record: ExchangeRecord) throws -> Bool {
    switch record {
    case .feed(let theirs):
      guard theirs.isSound else { return false }
      try endFeed()
      try take(theirs)
    case .post(let theirs):
      guard theirs.isSound, let feed, theirs.feed == feed.key.text else { return false }
      try take(theirs, feed)
    }
    return true
  }

  // MARK: - Feeds

  private mutating func take(_ theirs: FeedRecord) throws {
    before = try Archive.record(FeedKey(theirs.key), database)?.record
    let joined = before.map { Self.joined($0, theirs) } ?? theirs
    now = joined
    var card = FeedCard(key: FeedKey(joined.key), slug: joined.wish, title: joined.title)
    card.subtitle = joined.subtitle
    var feed = try StoredFeed.find(card, database, at: Moment(rawValue: joined.first))
    try database.execute(
      sql: """
        UPDATE feed SET first = ?, isOut = ?, stood = ?, address = ?, home = ?, place = ?, reading = ?, document = ?, size = NULL,
          wish = ?, title = ?, subtitle = ?, link = ?, published = ?, image = ?, language = ?, direction = ?, rights = ?, status = ?,
          slug = '' WHERE id = ?
        """,
      arguments: [
        joined.first, joined.isOut, joined.stood, joined.address, joined.home, joined.place, joined.reading,
        joined.observations.last?.document, joined.wish, joined.title, joined.subtitle, joined.link, joined.published,
        joined.image, joined.language, joined.direction, joined.rights, joined.status, feed.number,
      ])
    for seen in joined.observations {
      try database.cachedStatement(sql: "INSERT OR REPLACE INTO observation VALUES (?, ?, ?, ?, ?)").execute(
        arguments: [feed.number, seen.moment, seen.document, seen.isComplete, seen.looks])
    }
    feed.level = KeyLevel(rawValue: joined.level) ?? .text
    feed.isAggregator = joined.isAggregator
    feed.latest = Moment(rawValue: joined.latest)
    try feed.write(database)
    latest = max(latest, feed.latest, Moment(rawValue: joined.first))
    self.feed = feed
  }

  /// Of most the word of the one that saw the feed last counts, of two that saw it at once the greater.
  private static func joined(_ ours: FeedRecord, _ theirs: FeedRecord) -> FeedRecord {
    func rank(_ feed: FeedRecord) -> [String] {
      [
        feed.title, feed.subtitle, feed.link, feed.published, feed.image, feed.language, feed.rights, feed.status,
        feed.address,
        feed.home, feed.place, feed.reading, "\(feed.isAggregator)",
      ].map { $0 ?? "" }
    }
    let isOurs =
      ours.latest != theirs.latest ? ours.latest > theirs.latest : !rank(ours).lexicographicallyPrecedes(rank(theirs))
    var joined = isOurs ? ours : theirs
    let (one, other) = (ours, theirs)
    joined.first = min(one.first, other.first)
    joined.level = max(one.level, other.level)
    // What was taken out by one and not by the other at once is in.
    joined.isOut =
      one.stood == other.stood ? one.isOut && other.isOut : one.stood > other.stood ? one.isOut : other.isOut
    joined.stood = max(one.stood, other.stood)
    var seen: [String: FeedRecord.Seen] = [:]
    for observation in one.observations + other.observations {
      let name = "\(observation.moment) \(observation.document)"
      var known = seen[name] ?? observation
      known.looks = max(known.looks, observation.looks)
      known.isComplete = known.isComplete && observation.isComplete
      seen[name] = known
    }
    joined.observations = seen.values.sorted { ($0.moment, $0.document) < ($1.moment, $1.document) }
    return joined
  }

  /// Works out which posts of a feed are missing, from all observations of it.
  private mutating func endFeed() throws {
    guard var feed, let now else { return }
    let (presence, earlier) = (Presence(now.observations), before.map { Presence($0.observations) })
    if let earlier {
      // Posts that only this archive has: the others were looked at when they were taken.
      for post in try store.posts(where: "feed = ? AND id NOT IN (SELECT post FROM joined)", [feed.number]) {
        try store.setMissed(post.number, presence.missed(after: earlier.last(of: post)))
      }
    }
    feed.pending = try Observations(database: database, feed: feed.number).doubtful()
    try feed.write(database)
    self.feed = nil
  }

  // MARK: - Posts

  private func take(_ theirs: PostRecord, _ feed: StoredFeed) throws {
    let known = try store.post(PostID(rawValue: theirs.id), inFeed: feed.number)
    var joined = theirs
    if let known, let before {
      joined = try JoinedPost(Archive.record(known, feed, before.observations, database), theirs).record
    }
    var post = joined.stored(in: feed)
    let (presence, last) = (Presence(now?.observations ?? []), Moment(rawValue: joined.last))
    post.missed = presence.missed(after: last)
    if !presence.isWhole(last) { post.partial = last }
    let place = PlaceInTime(joined.published, day: joined.day).seconds ?? CardStore.undated
    if let known {
      post.number = known.number
      // What either was found by leads to it, whichever counts.
      try store.update(post, addingKeysWith: feed.salt)
      try database.cachedStatement(sql: "UPDATE post SET place = ? WHERE id = ?").execute(arguments: [
        place, post.number,
      ])
    } else {
      post.number = try store.insert(post, place: place, salt: feed.salt)
    }
    try store.addKeys(joined.keys, to: post.number)
    try cards.write(joined.card, of: post.number, slugs: joined.slugs, day: joined.day)
    if let html = joined.html, let rules = joined.rules, !post.isBuried {
      try cards.write(html, joined.details ?? PostDetails(), of: post.number, rules: rules, packer)
    } else {
      try database.cachedStatement(sql: "DELETE FROM body WHERE post = ?").execute(arguments: [post.number])
    }
    for wording in joined.wordings where joined.wordings.count > 1 {
      try database.cachedStatement(sql: "INSERT OR REPLACE INTO wording VALUES (?, ?, ?)").execute(
        arguments: [post.number, wording.words, wording.since])
    }
    try database.cachedStatement(sql: "INSERT OR IGNORE INTO joined VALUES (?)").execute(arguments: [post.number])
  }

  // MARK: - End

  /// Has all worked out anew: what is new may have come before what was there.
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
