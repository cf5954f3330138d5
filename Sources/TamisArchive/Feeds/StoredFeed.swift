import GRDB
import TamisCore

/// A stored feed, without its posts.
struct StoredFeed: Sendable, ExportedRow {
  var number = FeedNumber(rawValue: 0)
  /// What lists show of it, and its key.
  var card = FeedCard(key: Feed.Key(""), slug: "", title: "")
  /// The slug that it would have if no other feed had the same.
  var preferredSlug = ""
  /// What it is recognized by: the normal forms of its own URL and of its home page's, and the path of its file or the
  /// subscribed URL.
  var address: String?
  var home: String?
  var location: String?
  /// The parameters with which its document was read.
  var reading: String?
  var level = KeyLevel.guid
  var isAggregator = false
  /// The moments at which the feed was first and last seen.
  var first = Moment.never
  var latest = Moment.never
  /// The moment at which most of the feed's posts were missing at once, until a second document confirms it; `.never`
  /// otherwise.
  var pending = Moment.never
  /// Whether the feed is no longer a source, and the moment at which that last changed.
  var isRemoved = false
  var stood = Moment.never

  var key: Feed.Key { card.key }

  /// The salt that makes the keys of this feed's posts differ from those of other feeds.
  var salt: Int64 { PostStore.salt(ofFeed: key.text) }

  init() {}

  /// Visits the columns that are the same in each archive, but for what follows from the feed's observations.
  mutating func visitExported<Visitor: ColumnVisitor>(_ columns: inout Visitor) throws(Visitor.Failure) {
    var key = card.key.text
    try columns.text("key", &key)
    card.key = Feed.Key(key)
    try columns.text("address", &address)
    try columns.text("home", &home)
    try columns.text("location", &location)
    try columns.text("reading", &reading)
    try columns.text("preferredSlug", &preferredSlug)
    var level = level.rawValue
    try columns.number("level", &level, among: ValidValue.levels)
    self.level = KeyLevel(rawValue: level) ?? .link
    try columns.flag("isAggregator", &isAggregator)
    try columns.number("first", &first, among: ValidValue.moments)
    try columns.flag("isRemoved", &isRemoved)
    try columns.number("stood", &stood, among: ValidValue.moments)
    try card.visit(&columns)
  }

  private static let columns = exportedColumns.map(\.name)
  private static let selection = "SELECT id, latest, pending, \(columns.joined(separator: ", ")) FROM feed "
  private static let assignment =
    "UPDATE feed SET \((columns + ["latest", "pending"]).map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = ?"

  private init(_ row: Row) throws {
    (number, latest, pending) = try (row[0], Moment(rawValue: row[1]), Moment(rawValue: row[2]))
    var reader = ColumnReader(row, from: 3)
    try visitExported(&reader)
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

  /// Writes what the decisions about a document change.
  func write(_ database: Database) throws {
    try database.cachedStatement(
      sql: "UPDATE feed SET level = ?, pending = ?, isAggregator = ?, latest = ? WHERE id = ?"
    ).execute(arguments: [level.rawValue, pending, isAggregator, latest, number])
  }

  /// Writes all columns.
  func writeAll(_ database: Database) throws {
    try RowWriter(database, sql: Self.assignment).write { row in
      var feed = self
      feed.visitExported(&row)
      row.append(latest)
      row.append(pending)
      row.append(number)
    }
  }
}
