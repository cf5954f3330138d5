import GRDB
import TamisCore
import TamisFoundation

/// Exports an archive as lines of JSON, to be kept, compared, moved, or joined with others.
extension Archive {
  /// Exports all observations of the archive as a line of JSON for each feed and post.
  ///
  /// The lines are sorted by feed key, with the posts of each feed after it by id.
  ///
  /// Decisions that are derived from the observations, such as which post is canonical, are left out.
  ///
  /// - Parameter write: a function that is called with one or more complete lines.
  /// - Returns: the number of posts whose stored body is damaged and was left out.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read, and errors of `write`.
  @discardableResult
  package func export(_ write: ([UInt8]) throws -> Void) throws -> Int {
    var damaged = 0
    for key in try read({ try String.fetchAll($0, sql: "SELECT key FROM feed ORDER BY key") }) {
      try export(Feed.Key(key), &damaged, write)
    }
    return damaged
  }

  private func export(_ key: Feed.Key, _ damaged: inout Int, _ write: ([UInt8]) throws -> Void) throws {
    guard let (feed, record) = try read({ try Self.record(key, $0) }) else { return }
    try write(try Self.line(ExchangeRecord(feed: record)))
    var last: Int64?
    let presence = Presence(record.observations)
    while true {
      let after = last
      let records = try readBatch { try Self.records(feed, presence, after: after, $0) { damaged += 1 } }
      if records.isEmpty { return }
      last = records.last?.row.id.rawValue
      try write(Array(try records.map { try Self.line(ExchangeRecord(post: $0)) }.joined()))
    }
  }

  private static func line(_ record: ExchangeRecord) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(record)) + [UInt8(ascii: "\n")]
  }

  /// The number of posts that are read at once.
  private static let batch = 200

  static func record(_ key: Feed.Key, _ database: Database) throws -> (feed: StoredFeed, record: FeedRecord)? {
    guard let feed = try StoredFeed.find(key, database) else { return nil }
    let categories = try FeedStore(database: database).categories(of: feed.number)
    return (feed, record(feed, categories, try observations(of: feed, database)))
  }

  static func observations(of feed: StoredFeed, _ database: Database) throws -> [FeedRecord.Seen] {
    try Row.fetchAll(
      database,
      sql: "SELECT moment, document, isComplete, looks FROM observation WHERE feed = ? ORDER BY moment, document",
      arguments: [feed.number]
    ).map { try FeedRecord.Seen(moment: $0[0], document: $0[1], isComplete: $0[2], looks: $0[3]) }
  }

  static func record(_ feed: StoredFeed, _ listed: [CategoryCard], _ seen: [FeedRecord.Seen]) -> FeedRecord {
    let categories = Dictionary(listed.map { ($0.slug, $0.name) }, uniquingKeysWith: max)
    return FeedRecord(row: feed, categories: categories, observations: seen)
  }

  /// Returns a batch of posts of a feed by id, after a given one.
  ///
  /// - Parameters:
  ///   - feed: the feed.
  ///   - presence: the times at which the posts of the feed were present.
  ///   - id: the id after which the batch begins; nil for the first batch.
  ///   - database: the archive's database.
  ///   - onDamage: called for each body that cannot be decompressed.
  /// - Returns: the posts in the order of their ids, at most a batch; empty when there are no more.
  /// - Throws: `DatabaseError` when the archive cannot be read or is damaged.
  static func records(
    _ feed: StoredFeed, _ presence: Presence, after id: Int64?, _ database: Database, onDamage: () -> Void = {}
  ) throws -> [PostRecord] {
    let store = PostStore(database: database)
    if id == nil { try store.checkIDs(ofFeed: feed.number) }
    let posts = try store.posts(where: "feed = ? AND pid > ? ORDER BY pid LIMIT \(batch)", [feed.number, id ?? .min])
    return try posts.map { try record($0, feed, presence, database, onDamage: onDamage) }
  }

  static func record(
    _ post: StoredPost, _ feed: StoredFeed, _ presence: Presence, _ database: Database, onDamage: () -> Void = {}
  ) throws -> PostRecord {
    let cards = CardStore(database: database)
    guard let card = try cards.card(of: post.number) else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "a post has no card (its title, dates and links are missing)")
    }
    let body = try cards.body(of: post.number)?.unpacked
    if body?.isDamaged == true { onDamage() }
    return PostRecord(
      post, of: feed, presence, card, body: body, rules: try cards.rules(of: post.number),
      wordings: try Wordings(database: database).all(of: post.number), keys: try keys(of: post.number, database))
  }

  static func keys(of post: PostNumber, _ database: Database) throws -> [Int64] {
    let find = try database.cachedStatement(sql: "SELECT digest FROM key WHERE post = ? ORDER BY digest")
    return try Int64.fetchAll(find, arguments: [post])
  }
}

/// The times at which the posts of a feed were present, by the observations of the feed.
struct Presence {
  /// The moments of complete documents, sorted: a feed may have any number of them, and each of its posts needs them.
  private let whole: [Int64]

  init(_ observations: [FeedRecord.Seen]) {
    whole = observations.filter(\.isComplete).map(\.moment).sorted()
  }

  /// Returns the moment at which a post was last present: in the last complete document before it was missed, or in a
  /// later one that was cut off.
  func last(of post: StoredPost) -> Moment {
    let before = post.missed == .never ? whole.count : whole.partitionPoint(where: { $0 >= post.missed.rawValue })
    return max(Moment(rawValue: before > 0 ? whole[before - 1] : 0), post.partial)
  }

  /// Whether a complete document was seen at a moment.
  func isWhole(_ moment: Moment) -> Bool {
    let index = whole.partitionPoint(where: { $0 >= moment.rawValue })
    return index < whole.count && whole[index] == moment.rawValue
  }

  /// Returns the moment of the first complete document after the one in which a post was last seen; `.never` when there
  /// is none.
  func missed(after last: Moment) -> Moment {
    let index = whole.partitionPoint(where: { $0 > last.rawValue })
    return Moment(rawValue: index < whole.count ? whole[index] : 0)
  }
}
