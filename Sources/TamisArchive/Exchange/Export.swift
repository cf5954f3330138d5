import Foundation
import GRDB
import TamisCore

/// Archives as lines of JSON: to be kept, compared, moved, and joined with others.
extension Archive {
  /// All observations of the archive, a line of JSON for each feed and post, sorted: feeds by key, after each its posts
  /// by id.
  ///
  /// Decisions that follow from them, such as which post is canonical, are left out.
  ///
  /// - Parameter write: is given one or more complete lines.
  public func export(_ write: ([UInt8]) throws -> Void) throws {
    for key in try read({ try String.fetchAll($0, sql: "SELECT key FROM feed ORDER BY key") }) {
      try export(FeedKey(key), write)
    }
  }

  private func export(_ key: FeedKey, _ write: ([UInt8]) throws -> Void) throws {
    guard let (feed, record) = try read({ try Self.record(key, $0) }) else { return }
    try write(try Self.line(.feed(record)))
    var last: Int64?
    while true {
      let after = last
      let records = try read { try Self.records(feed, record, after: after, $0) }
      if records.isEmpty { return }
      last = records.last?.id
      try write(Array(try records.map { try Self.line(.post($0)) }.joined()))
    }
  }

  private static func line(_ record: ExchangeRecord) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(record)) + [UInt8(ascii: "\n")]
  }

  /// Posts that are read at once.
  private static let batch = 200

  static func record(_ key: FeedKey, _ database: Database) throws -> (feed: StoredFeed, record: FeedRecord)? {
    guard let feed = try StoredFeed.find(key, database) else { return nil }
    return (feed, try record(feed, observations(of: feed, database), database))
  }

  static func observations(of feed: StoredFeed, _ database: Database) throws -> [FeedRecord.Seen] {
    try Row.fetchAll(
      database,
      sql: "SELECT moment, document, isComplete, looks FROM observation WHERE feed = ? ORDER BY moment, document",
      arguments: [feed.number]
    ).map { FeedRecord.Seen(moment: $0[0], document: $0[1], isComplete: $0[2], looks: $0[3]) }
  }

  static func record(_ feed: StoredFeed, _ seen: [FeedRecord.Seen], _ database: Database) throws -> FeedRecord {
    let sql = """
      SELECT address, home, place, stood, reading, wish, title, subtitle, link, published, image, language, direction, rights, status
      FROM feed WHERE id = ?
      """
    guard let row = try Row.fetchOne(database, sql: sql, arguments: [feed.number]) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT)
    }
    return FeedRecord(
      key: feed.key.text, address: row[0], home: row[1], place: row[2], level: feed.level.rawValue,
      isAggregator: feed.isAggregator, first: feed.first.rawValue, isOut: feed.isOut, stood: row[3], reading: row[4],
      wish: row[5], title: row[6], subtitle: row[7], link: row[8], published: row[9], image: row[10], language: row[11],
      direction: row[12], rights: row[13], status: row[14], observations: seen)
  }

  /// Some posts of a feed by id, after a given one.
  static func records(
    _ feed: StoredFeed, _ record: FeedRecord, after id: Int64?, _ database: Database
  ) throws -> [PostRecord] {
    let posts = try PostStore(database: database).posts(
      where: "feed = ? AND pid > ? ORDER BY pid LIMIT \(batch)", [feed.number, id ?? .min])
    return try posts.map { try self.record($0, feed, record.observations, database) }
  }

  static func record(
    _ post: StoredPost, _ feed: StoredFeed, _ observations: [FeedRecord.Seen], _ database: Database
  ) throws -> PostRecord {
    guard let card = try card(of: post.number, database) else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "a post has no card (its title, dates and links are missing)")
    }
    let cards = CardStore(database: database)
    return PostRecord(
      post, feed: feed, last: Presence(observations).last(of: post), card: card.card, slugs: card.slugs, day: card.day,
      body: try cards.body(of: post.number)?.unpacked, rules: try cards.rules(of: post.number),
      wordings: try wordings(of: post.number, database), keys: try keys(of: post.number, database))
  }

  static func card(
    of post: PostNumber, _ database: Database
  ) throws -> (card: PostCard, slugs: [String], day: Int64?)? {
    let find = try database.cachedStatement(sql: "SELECT \(CardStore.selection) FROM card WHERE post = ?")
    return try Row.fetchOne(find, arguments: [post]).map { row in
      (CardStore.card(row, from: 0, place: 0), CardStore.slugs(row, from: 0), row[5])
    }
  }

  static func wordings(of post: PostNumber, _ database: Database) throws -> [PostRecord.Wording] {
    let find = try database.cachedStatement(sql: "SELECT words, since FROM wording WHERE post = ? ORDER BY words")
    return try Row.fetchAll(find, arguments: [post]).map { PostRecord.Wording(words: $0[0], since: $0[1]) }
  }

  static func keys(of post: PostNumber, _ database: Database) throws -> [Int64] {
    let find = try database.cachedStatement(sql: "SELECT digest FROM key WHERE post = ? ORDER BY digest")
    return try Int64.fetchAll(find, arguments: [post])
  }
}

/// When the posts of a feed were there, by the observations of the feed.
struct Presence {
  private let observations: [FeedRecord.Seen]

  init(_ observations: [FeedRecord.Seen]) { self.observations = observations }

  /// When a post was there last: in the last whole document before it was missed, or in a later one that was cut off.
  func last(of post: StoredPost) -> Moment {
    let before = post.missed == .never ? observations[...] : observations.prefix { $0.moment < post.missed.rawValue }
    return max(Moment(rawValue: before.last(where: \.isComplete)?.moment ?? 0), post.partial)
  }

  /// Whether a whole document was seen at a moment.
  func isWhole(_ moment: Moment) -> Bool { observations.contains { $0.moment == moment.rawValue && $0.isComplete } }

  /// The moment of the first whole document after the one in which a post was seen last; `.never` when there is none.
  func missed(after last: Moment) -> Moment {
    Moment(rawValue: observations.first { $0.moment > last.rawValue && $0.isComplete }?.moment ?? 0)
  }
}
