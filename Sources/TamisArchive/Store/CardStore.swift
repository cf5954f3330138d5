import GRDB
package import TamisCore
import TamisSystem
import TamisFoundation

/// Reads and writes the cards and bodies of posts.
struct CardStore {
  let database: Database

  /// The sort date of posts without a date: older than all others.
  static let undated = Int64.min / 2

  /// The columns of a card, and what the archive adds to them.
  static let columns = Post.Card.columns.map(\.name) + ["day", "slugs"]
  /// The definitions of the columns.
  static let definitions = Post.Card.columns.map(\.definition) + ["day INTEGER", "slugs TEXT NOT NULL"]
  static let selection = columns.map { "card." + $0 }.joined(separator: ", ")
  private static let insertion =
    "INSERT OR REPLACE INTO card (post, \(columns.joined(separator: ", "))) VALUES (?\(String(repeating: ", ?", count: columns.count)))"

  /// Writes the card of a post.
  ///
  /// - Parameters:
  ///   - card: the card.
  ///   - post: the number of the post.
  ///   - slugs: the slugs of its listed tags, in their order.
  ///   - day: the day on which it was first seen with its present date, in seconds since 1970; nil when there was no
  ///     clock, ``SortDate/unseen`` when it was there before.
  /// - Throws: `DatabaseError` when the database cannot be written.
  func write(_ card: Post.Card, of post: PostNumber, slugs: [String], day: Int64?) throws {
    try RowWriter(database, sql: Self.insertion).write { row in
      row.append(post)
      var card = card
      card.visit(&row)
      row.append(day)
      row.append(StoredList.joined(slugs))
    }
  }

  /// Returns a card from a row.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - first: the index of its first column.
  /// - Returns: the card.
  /// - Throws: ``UnreadableValue`` when a value has another type.
  static func card(_ row: Row, from first: Int) throws -> Post.Card {
    var (card, reader) = (Post.Card(), ColumnReader(row, from: first))
    try card.visit(&reader)
    return card
  }

  /// Returns the day on which a card was first seen with its present date.
  static func day(_ row: Row, from first: Int) throws -> Int64? { try row[first + Post.Card.columns.count] }

  /// Returns the slugs of a card's listed tags.
  static func slugs(_ row: Row, from first: Int) throws -> [String] {
    StoredList.parts(try row[first + Post.Card.columns.count + 1])
  }

  /// Returns the sort date of a post's row; nil when it has none.
  static func sortDate(_ column: Int64) -> Int64? { column == undated ? nil : CheckedValue.time(column) }

  // MARK: - Bodies

  /// An encoder whose output is the same for equal details.
  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return encoder
  }

  /// Writes the body of a post.
  ///
  /// - Parameters:
  ///   - html: the sanitized body; what is beyond the limit is cut off.
  ///   - details: the data that only the post's own page shows.
  ///   - post: the number of the post.
  ///   - rules: the digest of the rules under which the body was sanitized.
  ///   - packer: the compressor of bodies.
  /// - Throws: an error when the database cannot be written.
  func write(_ html: String, _ details: Post.Details, of post: PostNumber, rules: String, _ packer: Packer) throws {
    // Few posts have details; without them no JSON is stored.
    var bytes: [UInt8] = []
    if details != Post.Details(), let json = try? Self.encoder.encode(details) { bytes = Array(json) }
    // Details of posts that a stage has filled beyond `Limits.detailBytes`, or with infinite numbers, are left out.
    if bytes.count > PackedValue.largestBody - PackedValue.largestMarkup - 4 { bytes = [] }
    let length = UInt32(bytes.count)
    let bodyLength = min(html.utf8.count, PackedValue.largestMarkup)
    var content: [UInt8] = []
    content.reserveCapacity(4 + bytes.count + bodyLength)
    for index in 0..<4 { content.append(UInt8(truncatingIfNeeded: length >> (8 * index))) }
    content += bytes
    content.append(html.utf8.span, 0..<bodyLength)
    // Few and large values: this way they are not copied.
    let insert = try database.cachedStatement(sql: "INSERT OR REPLACE INTO body VALUES (?, ?, ?)")
    try insert.execute(arguments: [post, rules, Data(packer.pack(content))])
  }

  /// A card, the slugs of its listed tags, and the day on which it was first seen with its present date.
  typealias DatedCard = (card: Post.Card, slugs: [String], day: Int64?)

  /// Returns the card of a post; nil when it has none.
  func card(of post: PostNumber) throws -> DatedCard? {
    let find = try database.cachedStatement(sql: "SELECT \(Self.selection) FROM card WHERE post = ?")
    return try Row.fetchOne(find, arguments: [post]).map { row in
      try (Self.card(row, from: 0), Self.slugs(row, from: 0), Self.day(row, from: 0))
    }
  }

  /// Returns the URL of a post's page on its own site; nil when it has none.
  func permalink(of post: PostNumber) throws -> String? {
    try String.fetchOne(database.cachedStatement(sql: "SELECT permalink FROM card WHERE post = ?"), arguments: [post])
  }

  func body(of post: PostNumber) throws -> PackedBody? {
    let find = try database.cachedStatement(sql: "SELECT content FROM body WHERE post = ?")
    return try database.withLongRows { try Row.fetchOne(find, arguments: [post]).map { try PackedBody($0[0]) } }
  }

  /// Returns the digest of the rules under which a body was sanitized.
  func rules(of post: PostNumber) throws -> String? {
    try String.fetchOne(database.cachedStatement(sql: "SELECT rules FROM body WHERE post = ?"), arguments: [post])
  }
}

/// A compressed body as it is stored.
package struct PackedBody: Sendable, Hashable {
  private let content: [UInt8]

  /// Creates a body from its column.
  init(_ content: Data) { self.content = Array(content) }

  /// The body; what of it cannot be read is left out.
  package var unpacked: KeptBody {
    var body = KeptBody()
    body.isDamaged = true
    guard let content = Packing.unpack(content, most: PackedValue.largestBody), content.count >= 4 else { return body }
    let length = content.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    guard content.count - 4 >= length else { return body }
    let details = try? length == 0 ? nil : JSONDecoder().decode(Post.Details.self, from: Data(content[4..<4 + length]))
    (body.isDamaged, body.details) = (length > 0 && details == nil, details ?? Post.Details())
    body.html = String(decoding: content[(4 + length)...], as: UTF8.self)
    return body
  }
}

/// A body from the archive.
///
/// The markup was sanitized when it was recorded, but the file may have been changed since: it is untrusted text until
/// it is sanitized again.
package struct KeptBody: Sendable, Hashable {
  /// The markup.
  package var html = ""
  /// The details that only the post's page shows.
  package var details = Post.Details()
  /// Whether the stored bytes are not a valid body; the markup or the details are then left out.
  package var isDamaged = false

  /// Creates an empty body.
  package init() {}
}
