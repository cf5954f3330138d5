// To add a column of feeds: TamisCore/Model/FeedCard.swift, `card` in Tamis/Ingest/PreparedDocument.swift,
// Store/Schema.swift, and the table `columns` here, from which storing, comparing, exporting, importing and merging
// follow; `write` says which pages a change touches. Text becomes plain in Tamis/Pipeline/Pipeline.swift (`Output`)
// and is bounded in NameBounds.swift. Pages: `head` in TamisSite/Pages/ListPages.swift, list.mustache. Raise
// `Schema.version`. What the archive knows of a feed itself (`level`, `isAggregator`) is in `StoredFeed`, and joined
// by Exchange/Join.swift.

import GRDB
import TamisCore
import TamisFoundation

/// Reads and writes the cards of feeds.
struct FeedStore {
  let database: Database

  static let selection = (["key", "slug"] + columnNames).map { "feed." + $0 }.joined(separator: ", ")

  static func card(_ row: Row, from first: Int) throws -> FeedCard {
    var card = try FeedCard(key: Feed.Key(row[first]), slug: row[first + 1], title: "")
    var reader = ColumnReader(row, from: first + 2)
    try card.visit(&reader)
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
    try RowWriter(database, sql: "UPDATE feed SET \(Self.assignments) WHERE id = ?").write { row in
      var written = card
      written.visit(&row)
      row.append(feed)
    }
    let isNamedOtherwise = card.title != before.title
    let isGroupedOtherwise = card.categories != before.categories
    return (
      isNamedOtherwise || card.rights != before.rights || card.face != before.face,
      isNamedOtherwise || isGroupedOtherwise || card.link != before.link || card.address != before.address, true
    )
  }

  /// The columns of a card besides `key` and `slug`.
  static let columnNames = {
    var card = FeedCard(key: Feed.Key(""), slug: "", title: "")
    return ColumnList.of { card.visit(&$0) }.map(\.name)
  }()
  /// The list of columns for an `UPDATE`: `title = ?, subtitle = ?`.
  private static let assignments = columnNames.map { "\($0) = ?" }.joined(separator: ", ")
}

extension FeedCard {
  /// Visits the columns besides `key` and `slug`; what is read is checked or truncated to its limit.
  mutating func visit<Visitor: ColumnVisitor>(_ columns: inout Visitor) throws(Visitor.Failure) {
    let limits = Limits.standard
    try columns.text("title", &title, upTo: 2 * limits.feedNameBytes)
    try columns.text("subtitle", &subtitle, upTo: 2 * limits.nameBytes)
    try columns.text("link", &link)
    try columns.text("feedURL", &address)
    try columns.text("image", &image)
    try columns.text("face", &face)
    (link, address) = (CheckedValue.address(link), CheckedValue.address(address))
    (image, face) = (CheckedValue.address(image), CheckedValue.address(face))
    try columns.text("language", &language, upTo: 100)
    var side = direction.rawValue
    try columns.text("direction", &side)
    direction = TextDirection(rawValue: side) ?? .leftToRight
    try columns.text("rights", &rights, upTo: 2 * limits.feedNameBytes)
    var json = status.json
    try columns.text("status", &json)
    status = FeedStatus(json: json)
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
