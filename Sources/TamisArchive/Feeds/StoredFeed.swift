import Foundation
import GRDB
import TamisCore

/// A stored feed, without its posts.
struct StoredFeed: Sendable {
  var number: FeedNumber
  var key: FeedKey
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

  private init(_ row: Row) {
    number = row[0]
    key = FeedKey(row[1])
    level = KeyLevel(rawValue: row[2]) ?? .text
    isAggregator = row[3]
    first = Moment(rawValue: row[4])
    latest = Moment(rawValue: row[5])
    pending = Moment(rawValue: row[6])
    isOut = row[7]
  }

  static func find(_ key: FeedKey, _ database: Database) throws -> StoredFeed? {
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

/// Reads and writes the cards of feeds.
struct FeedStore {
  let database: Database

  static let columns = [
    "key", "slug", "title", "subtitle", "link", "feedURL", "image", "language", "direction", "rights", "status",
  ]
  static let selection = columns.map { "feed." + $0 }.joined(separator: ", ")

  static func card(_ row: Row, from first: Int) -> FeedCard {
    var card = FeedCard(key: FeedKey(row[first]), slug: row[first + 1], title: ValidValue.title(row[first + 2]))
    card.subtitle = ValidValue.name(row[first + 3])
    card.link = CheckedValue.address(row[first + 4])
    card.address = CheckedValue.address(row[first + 5])
    card.image = CheckedValue.address(row[first + 6])
    card.language = ValidValue.language(row[first + 7])
    card.direction = TextDirection(rawValue: row[first + 8]) ?? .leftToRight
    card.rights = ValidValue.title(row[first + 9])
    let status: String = row[first + 10]
    card.status = (try? JSONDecoder().decode(FeedStatus.self, from: Data(status.utf8))) ?? FeedStatus()
    return card
  }

  /// Returns the categories in which a feed is listed, in the order of their slugs.
  func categories(of feed: FeedNumber) throws -> [CategoryCard] {
    let find = try database.cachedStatement(sql: "SELECT slug, name FROM category WHERE feed = ? ORDER BY slug")
    return try Row.fetchAll(find, arguments: [feed]).map { CategoryCard(slug: $0[0], name: ValidValue.title($0[1])) }
  }

  private func write(_ categories: [CategoryCard], of feed: FeedNumber) throws {
    try database.cachedStatement(sql: "DELETE FROM category WHERE feed = ?").execute(arguments: [feed])
    for category in categories {
      try database.cachedStatement(sql: "INSERT INTO category VALUES (?, ?, ?)")
        .execute(arguments: [category.slug, feed, category.name])
    }
  }

  /// Returns the categories without duplicates, in the order of their slugs.
  private static func inOrder(_ categories: [CategoryCard]) -> [CategoryCard] {
    var seen: Set<String> = []
    return categories.filter { seen.insert($0.slug).inserted }
      .sorted { $0.slug.utf8.lexicographicallyPrecedes($1.slug.utf8) }
  }

  /// Writes a card if it has changed.
  ///
  /// - Returns: whether the data that posts show of their feed has changed, whether the data that the list of feeds
  ///   shows has, and whether anything has.
  func write(_ card: FeedCard, of feed: FeedNumber) throws -> (ofPosts: Bool, isRelisted: Bool, any: Bool) {
    let find = try database.cachedStatement(sql: "SELECT \(Self.selection), slug FROM feed WHERE id = ?")
    guard let row = try Row.fetchOne(find, arguments: [feed]) else { return (false, false, false) }
    var before = Self.card(row, from: 0)
    before.categories = try categories(of: feed)
    var card = card
    card.slug = before.slug
    card.categories = Self.inOrder(card.categories)
    if card == before { return (false, false, false) }
    if card.categories != before.categories { try write(card.categories, of: feed) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let status = String(decoding: try encoder.encode(card.status), as: UTF8.self)
    try database.cachedStatement(
      sql: """
        UPDATE feed SET title = ?, subtitle = ?, link = ?, feedURL = ?, image = ?, language = ?, direction = ?, rights = ?,
          status = ? WHERE id = ?
        """
    ).execute(arguments: [
      card.title, card.subtitle, card.link, card.address, card.image, card.language, card.direction.rawValue,
      card.rights,
      status, feed,
    ])
    let isNamedOtherwise = card.title != before.title
    let isGroupedOtherwise = card.categories != before.categories
    return (
      isNamedOtherwise || card.rights != before.rights,
      isNamedOtherwise || isGroupedOtherwise || card.link != before.link || card.address != before.address, true
    )
  }
}
