import GRDB
import TamisCore
import TamisFoundation

/// Reads and writes the cards of feeds.
struct FeedStore {
  let database: Database

  static let selection = (["key", "slug"] + columnNames).map { "feed." + $0 }.joined(separator: ", ")

  static func card(_ row: Row, from first: Int) throws -> FeedCard {
    var card = try FeedCard(key: Feed.Key(row[first]), slug: row[first + 1], title: "")
    for (index, column) in columns.enumerated() { try column.set(&card, row[first + 2 + index]) }
    return card
  }

  /// Returns the categories in which a feed is listed, in the order of their slugs.
  func categories(of feed: FeedNumber) throws -> [CategoryCard] {
    let find = try database.cachedStatement(sql: "SELECT slug, name FROM category WHERE feed = ? ORDER BY slug")
    return try Row.fetchAll(find, arguments: [feed]).map {
      try CategoryCard(slug: $0[0], name: ValidValue.title($0[1]))
    }
  }

  /// Replaces the categories of a feed.
  func write(_ categories: [CategoryCard], of feed: FeedNumber) throws {
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
    var before = try Self.card(row, from: 0)
    before.categories = try categories(of: feed)
    var card = card
    card.slug = before.slug
    card.categories = Self.inOrder(card.categories)
    if card == before { return (false, false, false) }
    if card.categories != before.categories { try write(card.categories, of: feed) }
    try database.cachedStatement(sql: "UPDATE feed SET \(Self.assignments) WHERE id = ?")
      .execute(arguments: StatementArguments(Self.columns.map { $0.text(card) }) + [feed])
    let isNamedOtherwise = card.title != before.title
    let isGroupedOtherwise = card.categories != before.categories
    return (
      isNamedOtherwise || card.rights != before.rights || card.face != before.face,
      isNamedOtherwise || isGroupedOtherwise || card.link != before.link || card.address != before.address, true
    )
  }

  // MARK: - Columns

  /// A column of the table of feeds that a feed's card is read from and written to.
  struct Column: Sendable {
    let name: String
    /// Whether every feed has a value.
    var isRequired = true
    /// The value to store; nil for NULL.
    let text: @Sendable (FeedCard) -> String?
    /// Sets the member of a card from the stored value, which is checked or truncated to its limit.
    let set: @Sendable (inout FeedCard, String?) -> Void
  }

  /// The columns of a card besides `key` and `slug`: what is stored, compared, exported, imported and merged.
  static let columns = [
    Column("title", \.title, ValidValue.title), Column("subtitle", \.subtitle, ValidValue.name),
    Column("link", \.link, CheckedValue.address), Column("feedURL", \.address, CheckedValue.address),
    Column("image", \.image, CheckedValue.address), Column("face", \.face, CheckedValue.address),
    Column("language", \.language, ValidValue.language),
    Column(
      name: "direction", text: { $0.direction.rawValue },
      set: { $0.direction = $1.flatMap(TextDirection.init) ?? .leftToRight }),
    Column("rights", \.rights, ValidValue.title),
    Column(name: "status", text: { $0.status.json }, set: { $0.status = FeedStatus(json: $1 ?? "") }),
  ]

  static let columnNames = columns.map(\.name)
  static let requiredNames = columns.filter(\.isRequired).map(\.name)
  /// The list of columns for an `UPDATE`: `title = ?, subtitle = ?`.
  static let assignments = columnNames.map { "\($0) = ?" }.joined(separator: ", ")
}

extension FeedStore.Column {
  /// Makes the column of a text that is never absent.
  init(
    _ name: String, _ member: any WritableKeyPath<FeedCard, String> & Sendable,
    _ checked: @escaping @Sendable (String) -> String
  ) {
    self.init(name: name, text: { $0[keyPath: member] }, set: { $0[keyPath: member] = checked($1 ?? "") })
  }

  /// Makes the column of a text that may be absent.
  init(
    _ name: String, _ member: any WritableKeyPath<FeedCard, String?> & Sendable,
    _ checked: @escaping @Sendable (String?) -> String?
  ) {
    self.init(
      name: name, isRequired: false, text: { $0[keyPath: member] }, set: { $0[keyPath: member] = checked($1) })
  }
}

extension FeedStatus {
  /// The status as JSON with sorted keys.
  fileprivate var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// Makes a status from JSON; one without problems when it cannot be decoded.
  fileprivate init(json: String) {
    self = (try? JSONDecoder().decode(FeedStatus.self, from: Data(json.utf8))) ?? FeedStatus()
  }
}
