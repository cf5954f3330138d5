import GRDB
import TamisCore

/// A stored feed, without its posts.
struct StoredFeed: Sendable {
  var number: FeedNumber
  var key: Feed.Key
  var level: KeyLevel
  var isAggregator: Bool
  /// The moments at which the feed was first and last seen.
  var first: Moment
  var latest: Moment
  /// The moment at which most of the feed's posts were missing at once, until a second document confirms it; `.never`
  /// otherwise.
  var pending: Moment
  var isOut: Bool

  /// The salt that makes the keys of this feed's posts differ from those of other feeds.
  var salt: Int64 { PostStore.salt(ofFeed: key.text) }

  private static let selection = "SELECT id, key, level, isAggregator, first, latest, pending, isOut FROM feed "

  private init(_ row: Row) throws {
    number = try row[0]
    key = try Feed.Key(row[1])
    level = try KeyLevel(rawValue: row[2]) ?? .text
    isAggregator = try row[3]
    first = try Moment(rawValue: row[4])
    latest = try Moment(rawValue: row[5])
    pending = try Moment(rawValue: row[6])
    isOut = try row[7]
  }

  static func find(_ key: Feed.Key, _ database: Database) throws -> StoredFeed? {
    let statement = try database.cachedStatement(sql: selection + "WHERE key = ?")
    return try Row.fetchOne(statement, arguments: [key.text]).map(StoredFeed.init)
  }

  static func find(_ number: FeedNumber, _ database: Database) throws -> StoredFeed? {
    let statement = try database.cachedStatement(sql: selection + "WHERE id = ?")
    return try Row.fetchOne(statement, arguments: [number]).map(StoredFeed.init)
  }

  /// Finds a feed by its key, or adds it as first seen at a moment.
  ///
  /// - Parameters:
  ///   - card: the key to look for, and the data with which a new feed is added.
  ///   - database: the archive's database.
  ///   - moment: the moment at which a new feed counts as first seen.
  /// - Returns: the stored feed.
  /// - Throws: `DatabaseError` when the database cannot be read or written.
  static func find(_ card: FeedCard, _ database: Database, at moment: Moment) throws -> StoredFeed {
    try database.cachedStatement(
      sql: "INSERT OR IGNORE INTO feed (key, first, preferredSlug, title) VALUES (?, ?, ?, ?)"
    )
    .execute(arguments: [card.key.text, moment, card.slug, card.title])
    guard let feed = try find(card.key, database) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
    return feed
  }

  func write(_ database: Database) throws {
    try database.cachedStatement(
      sql: "UPDATE feed SET level = ?, pending = ?, isAggregator = ?, latest = ? WHERE id = ?"
    ).execute(arguments: [level.rawValue, pending, isAggregator, latest, number])
  }
}
