import Foundation
import GRDB
package import TamisCore
import TamisFiles

/// Reads and writes the cards and bodies of posts.
struct CardStore {
  let database: Database

  /// The sort date of posts without a date: older than all others.
  static let undated = Int64.min / 2

  /// The separator of the parts of a list in a column, which is removed from the parts themselves.
  ///
  /// A control character is a grapheme cluster of its own whatever its neighbours are, so it is searched byte by byte.
  private static let separator: UInt8 = 0x1F

  /// The columns of a card, in the order in which ``card(_:from:place:)`` reads and ``write(_:of:slugs:day:)`` writes
  /// them.
  static let columns = [
    "title", "isUntitled", "excerpt", "published", "offset", "updated", "day", "kind", "minutes", "seconds", "season",
    "episode", "language", "direction", "picture", "tags", "slugs", "authors", "original",
  ]
  static let selection = columns.map { "card." + $0 }.joined(separator: ", ")
  private static let insertion =
    "INSERT OR REPLACE INTO card (post, \(columns.joined(separator: ", "))) VALUES (?\(String(repeating: ", ?", count: columns.count)))"

  /// Writes the card of a post.
  ///
  /// - Parameters:
  ///   - slugs: the slugs of its listed tags, in their order.
  ///   - day: the day on which it was first seen with its present date, in seconds since 1970; nil when there was no
  ///     clock, ``SortDate/unseen`` when it was there before.
  func write(_ card: PostCard, of post: PostNumber, slugs: [String], day: Int64?) throws {
    let picture = card.thumbnail.map { picture in
      Self.joined([
        picture.url, picture.alternative, picture.width.map { String($0) } ?? "",
        picture.height.map { String($0) } ?? "",
      ])
    }
    try database.cachedStatement(sql: Self.insertion).execute(arguments: [
      post, card.title, card.isUntitled, card.excerpt, card.published, card.publishedOffset, card.updated, day,
      card.kind.rawValue, card.readingMinutes, card.playingSeconds, card.season, card.episode, card.language,
      card.direction.rawValue, picture, Self.joined(card.tags), Self.joined(slugs), Self.joined(card.authors),
      card.original,
    ])
  }

  /// Returns a card from a row.
  ///
  /// - Parameters:
  ///   - first: the index of its first column.
  ///   - place: the sort date of the post, from the post's row.
  static func card(_ row: Row, from first: Int, place: Int64) -> PostCard {
    var card = PostCard()
    card.title = ValidValue.name(row[first])
    card.isUntitled = row[first + 1]
    card.excerpt = ValidValue.name(row[first + 2])
    card.published = time(row[first + 3])
    card.publishedOffset = offset(row[first + 4])
    card.updated = time(row[first + 5])
    card.sortDate = place == undated ? nil : time(place)
    card.kind = PostKind(rawValue: row[first + 7]) ?? .article
    card.readingMinutes = row[first + 8]
    (card.playingSeconds, card.season, card.episode) = (row[first + 9], row[first + 10], row[first + 11])
    card.language = ValidValue.language(row[first + 12])
    card.direction = TextDirection(rawValue: row[first + 13]) ?? .leftToRight
    card.thumbnail = (row[first + 14] as String?).flatMap(picture)
    card.tags = parts(row[first + 15])
    card.authors = parts(row[first + 17])
    card.original = address(row[first + 18])
    return card
  }

  /// Returns the day on which a card was first seen with its present date.
  static func day(_ row: Row, from first: Int) -> Int64? { row[first + 6] }

  /// Returns the slugs of a card's listed tags.
  static func slugs(_ row: Row, from first: Int) -> [String] { parts(row[first + 16]) }

  static func picture(_ text: String) -> PostCard.Picture? {
    let parts = text.utf8.count > Archive.longestTexts ? [] : split(text, omittingEmpty: false)
    guard parts.count == 4, parts[0].hasPrefix("data:image/") || address(parts[0]) != nil else { return nil }
    return PostCard.Picture(url: parts[0], alternative: parts[1], width: Int(parts[2]), height: Int(parts[3]))
  }

  static func joined(_ parts: [String]) -> String {
    var joined: [UInt8] = []
    joined.reserveCapacity(parts.reduce(parts.count) { $0 + $1.utf8.count })
    append(parts, to: &joined)
    return String(decoding: joined, as: UTF8.self)
  }

  /// Appends a list in the format of a column.
  static func append(_ parts: [String], to bytes: inout [UInt8]) {
    for (index, part) in parts.enumerated() {
      if index > 0 { bytes.append(separator) }
      if part.utf8.contains(separator) {
        bytes += part.utf8.filter { $0 != separator }
      } else {
        bytes += part.utf8
      }
    }
  }

  /// Returns the parts of a list, at most as many as a post may have.
  static func parts(_ text: String) -> [String] {
    text.isEmpty ? [] : Array(split(ValidValue.name(text), omittingEmpty: true).prefix(Limits.standard.categories))
  }

  private static func split(_ text: String, omittingEmpty: Bool) -> [String] {
    var parts: [String] = []
    var rest = text[...]
    while let end = rest.utf8.firstIndex(of: separator) {
      if !omittingEmpty || end > rest.startIndex { parts.append(String(rest[..<end])) }
      rest = rest[rest.utf8.index(after: end)...]
    }
    if !omittingEmpty || !rest.isEmpty { parts.append(String(rest)) }
    return parts
  }

  /// Returns the URL if a page may link to it, otherwise nil: the archive's file may be damaged or hostile.
  static func address(_ text: String?) -> String? {
    text.flatMap { $0.beginsAsHTTP && $0.utf8.count <= Limits.standard.linkBytes ? $0 : nil }
  }

  /// Returns the offset from UTC if it is valid for a time zone (with a small margin); otherwise nil.
  static func offset(_ seconds: Int?) -> Int? { seconds.flatMap { offsets.contains($0) ? $0 : nil } }

  private static let offsets = -18 * 3600...18 * 3600

  static func time(_ seconds: Int64?) -> Int64? { seconds.flatMap { ValidValue.dates.contains($0) ? $0 : nil } }

  // MARK: - Bodies

  /// An encoder whose output is the same for equal details.
  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return encoder
  }

  /// Writes the body of a post.
  ///
  /// - Parameter rules: the digest of the rules under which the body was sanitized.
  func write(_ html: String, _ details: PostDetails, of post: PostNumber, rules: String, _ packer: Packer) throws {
    // Few posts have details; without them no JSON is stored.
    var bytes: [UInt8] = []
    if details != PostDetails() { bytes = Array(try Self.encoder.encode(details)) }
    // Details that would exceed the limit for reading are left out.
    if bytes.count > PackedValue.largestBody - PackedValue.largestMarkup - 4 { bytes = [] }
    let length = UInt32(bytes.count)
    let body = html.utf8.prefix(PackedValue.largestMarkup)
    let content = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + bytes + body
    let insert = try database.cachedStatement(sql: "INSERT OR REPLACE INTO body VALUES (?, ?, ?)")
    try insert.execute(arguments: [post, rules, Data(packer.pack(content))])
  }

  /// Returns the date of a post, and the day on which it was first seen with it.
  func dates(of post: PostNumber) throws -> (published: Int64?, day: Int64?)? {
    let find = try database.cachedStatement(sql: "SELECT published, day FROM card WHERE post = ?")
    return try Row.fetchOne(find, arguments: [post]).map { ($0[0], $0[1]) }
  }

  func body(of post: PostNumber) throws -> PackedBody? {
    let find = try database.cachedStatement(sql: "SELECT content FROM body WHERE post = ?")
    return try database.withLongRows { try Row.fetchOne(find, arguments: [post]).map { PackedBody($0[0]) } }
  }

  /// Returns the digest of the rules under which a body was sanitized.
  func rules(of post: PostNumber) throws -> String? {
    try String.fetchOne(database.cachedStatement(sql: "SELECT rules FROM body WHERE post = ?"), arguments: [post])
  }
}

/// A compressed body as it is stored.
package struct PackedBody: Sendable, Hashable {
  private let content: [UInt8]

  init(_ content: Data) { self.content = Array(content) }

  /// The body; empty when it is damaged.
  package var unpacked: KeptBody {
    var body = KeptBody()
    body.isDamaged = true
    guard let content = Packing.unpack(content, most: PackedValue.largestBody), content.count >= 4 else { return body }
    let length = content.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    guard content.count - 4 >= length else { return body }
    body.isDamaged = false
    if length > 0, let details = try? JSONDecoder().decode(PostDetails.self, from: Data(content[4..<4 + length])) {
      body.details = details
    }
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
  package var details = PostDetails()
  /// Whether the stored bytes are not a valid body; the body is then empty.
  package var isDamaged = false

  /// Creates an empty body.
  package init() {}
}
