// To add a fact of a post: a `var` of `Post.Card` (Post.swift) when lists may show it, else of `Post.Details`; a line
// of `visit` or a row of `allFields`, from which change detection follows, and for a card columns, export, import,
// `{{record.NAME}}` and members of JSON (PostFieldTests names what is missing); its value in `card` or `details` of
// TamisExtract/Extractor.swift; a template that shows it, TamisSite/Book/PostLines.swift for books and mails. Text and
// lists are bounded in Tamis/Pipeline/NameBounds.swift. Raise `Schema.version` and `Pipelines.version`.

extension Post.Card {
  /// Visits the members, in the order of their columns.
  ///
  /// A value that is set may come from a file that is damaged or hostile: a text is cut, and an impossible value is
  /// left out.
  package mutating func visit<Visitor: ColumnVisitor>(_ columns: inout Visitor) throws(Visitor.Failure) {
    let years = CheckedValue.times
    let numbers: ClosedRange<Int64> = 0...999_999_999
    // A title that is set decides whether there is one.
    var (text, hasNone) = (title, isUntitled)
    try columns.text("title", &text, upTo: CheckedValue.textBytes)
    try columns.flag("isUntitled", &hasNone)
    if Visitor.sets {
      title = text
      isUntitled = hasNone
    }
    try columns.text("excerpt", &excerpt, upTo: CheckedValue.textBytes)
    try columns.number("published", &published, in: years, form: .time)
    try columns.number("publishedOffset", &publishedOffset, in: -18 * 3600...18 * 3600)
    try columns.number("updated", &updated, in: years, form: .time)
    try columns.word("kind", &kind, else: .article)
    try columns.number("readingMinutes", &readingMinutes, in: numbers)
    try columns.number("playingSeconds", &playingSeconds, in: numbers)
    try columns.number("season", &season, in: numbers)
    try columns.number("episode", &episode, in: numbers)
    try columns.text("language", language) { language = $0.flatMap { $0.utf8.count <= 100 ? $0 : nil } }
    try columns.word("direction", &direction, else: .leftToRight)
    try columns.text("thumbnail", thumbnail?.stored) { thumbnail = $0.flatMap { Post.Thumbnail(stored: $0) } }
    try columns.list("authors", &authors)
    try columns.list("tags", &tags)
    try columns.text("permalink", permalink?.url) { url in
      permalink = CheckedValue.address(url).map { Post.Permalink(url: $0) }
    }
  }

  /// The columns of the members.
  package static let columns = {
    var card = Post.Card()
    return ColumnList.of { card.visit(&$0) }
  }()

  /// The card with the values that it has after it was stored and read again.
  package var checked: Post.Card {
    var (card, check) = (self, ColumnCheck())
    card.visit(&check)
    return card
  }
}

extension ColumnVisitor {
  /// Visits a number that is left out when it is not in a range.
  fileprivate mutating func number<Number: FixedWidthInteger>(
    _ name: String, _ value: inout Number?, in range: ClosedRange<Int64>, form: StoredColumn.Form = .value
  ) throws(Failure) {
    var number = value.map { Int64($0) }
    try self.number(StoredColumn(name: name, isOptional: true, form: form), &number)
    if Self.sets { value = number.flatMap { range.contains($0) ? Number($0) : nil } }
  }

  /// Visits a word of a few, which is another one when it is none of them.
  fileprivate mutating func word<Word: RawRepresentable<String>>(
    _ name: String, _ value: inout Word, else other: Word
  ) throws(Failure) {
    var text = value.rawValue
    try self.text(name, &text)
    if Self.sets { value = Word(rawValue: text) ?? other }
  }

  /// Visits what is stored as a text.
  fileprivate mutating func text(
    _ name: String, _ value: String?, _ set: (String?) -> Void
  ) throws(Failure) {
    var text = value
    try self.text(name, &text)
    if Self.sets { set(text) }
  }

  /// Visits a list of texts.
  fileprivate mutating func list(_ name: String, _ value: inout [String]) throws(Failure) {
    var text: String? = StoredList.joined(value)
    try self.text(StoredColumn(name: name, kind: .text, form: .list), &text)
    if Self.sets { value = StoredList.parts(text ?? "") }
  }
}

/// Cuts texts as if they were stored.
private struct ColumnCheck: ColumnVisitor {
  static let sets = true

  func number(_ column: StoredColumn, _ value: inout Int64?) {}
  func text(_ column: StoredColumn, _ value: inout String?) {
    if let limit = column.limit { value = value?.prefix(bytes: limit) }
  }
}

/// A field of ``Post/Details``.
package struct DetailField: Sendable {
  package let name: String
  /// The value as texts, in an order that depends on the value alone.
  package let parts: @Sendable (Post.Details) -> [String]

  fileprivate init(_ name: String, _ parts: @escaping @Sendable (Post.Details) -> [String]) {
    (self.name, self.parts) = (name, parts)
  }
}

extension Post.Details {
  /// The members, from which changes are detected.
  package static let allFields: [DetailField] = [
    DetailField("enclosures") { $0.enclosures.flatMap(\.parts) },
    DetailField("media") { $0.media.flatMap(\.parts) },
    DetailField("chapters") { $0.chapters.flatMap(\.parts) },
    DetailField("pictures") { $0.pictures.flatMap(\.parts) },
    DetailField("thumbnailCaption") { [$0.thumbnailCaption] },
    DetailField("references") { $0.references.flatMap(\.parts) },
    DetailField("people") { $0.people },
    DetailField("videoPage") { [$0.videoPage ?? ""] },
    DetailField("transcripts") { $0.transcripts.flatMap(\.parts) },
    DetailField("comments") { [$0.comments ?? ""] },
    DetailField("rights") { [$0.rights] },
    DetailField("fields") { $0.fields.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] } },
    DetailField("removals") { $0.removals.flatMap { [$0.rule, "\($0.count)"] + $0.examples } },
  ]
}

extension Post {
  /// Appends everything of the post that pages show, in a fixed order, to the bytes of a digest.
  ///
  /// - Parameters:
  ///   - bytes: the bytes.
  ///   - body: the markup that is shown.
  package func appendShown(to bytes: inout [UInt8], body: String) {
    var (card, shown) = (card, ShownBytes(bytes: bytes))
    bytes = []
    card.visit(&shown)
    bytes = shown.bytes
    // Few posts have details.
    if details != Details() {
      for field in Details.allFields {
        StoredList.append(field.parts(details), to: &bytes)
        bytes.append(ShownBytes.fieldEnd)
      }
    }
    bytes += body.utf8
  }
}

/// Appends each value and an end to bytes.
private struct ShownBytes: ColumnVisitor {
  static let sets = false
  /// Record separator, a control character that no text has.
  static let fieldEnd: UInt8 = 0x1E

  var bytes: [UInt8]

  mutating func number(_ column: StoredColumn, _ value: inout Int64?) {
    if let value { bytes += String(value).utf8 }
    bytes.append(Self.fieldEnd)
  }

  mutating func text(_ column: StoredColumn, _ value: inout String?) {
    if let value { bytes += value.utf8 }
    bytes.append(Self.fieldEnd)
  }
}

extension Post.File {
  fileprivate var parts: [String] { [url, type ?? "", length.map { String($0) } ?? "", title ?? ""] }
}

extension Feed.Chapter {
  fileprivate var parts: [String] {
    [start, seconds.map { String($0) } ?? "", title ?? "", link ?? "", image ?? ""]
  }
}

extension Post.Picture {
  fileprivate var parts: [String] {
    [url, caption, width.map { String($0) } ?? "", height.map { String($0) } ?? ""]
  }
}

extension Post.Reference {
  fileprivate var parts: [String] { [kind.rawValue, url, title ?? ""] }
}

extension Post.Thumbnail {
  /// The thumbnail as one text, without the reason for the choice.
  fileprivate var stored: String {
    StoredList.joined([
      url, alternative, width.map { String($0) } ?? "", height.map { String($0) } ?? "", isInBody ? "1" : "",
    ])
  }

  /// Reads a stored thumbnail; nil when it is none.
  package init?(stored text: String) {
    let parts = text.utf8.count <= CheckedValue.rowBytes ? StoredList.split(text, omittingEmpty: false) : []
    guard parts.count == 5, parts[0].hasPrefix("data:image/") || CheckedValue.address(parts[0]) != nil else {
      return nil
    }
    self.init(
      url: parts[0], alternative: parts[1], width: Int(parts[2]), height: Int(parts[3]), isInBody: !parts[4].isEmpty)
  }
}

/// A list of texts as one text.
package enum StoredList {
  /// The separator of the texts, which is removed from the texts themselves.
  ///
  /// A control character is a grapheme cluster of its own whatever its neighbours are, so it is searched byte by byte.
  private static let separator: UInt8 = 0x1F

  /// Returns a list as one text.
  package static func joined(_ parts: [String]) -> String {
    if parts.isEmpty { return "" }
    var joined: [UInt8] = []
    joined.reserveCapacity(parts.reduce(parts.count) { $0 + $1.utf8.count })
    append(parts, to: &joined)
    return String(decoding: joined, as: UTF8.self)
  }

  /// Appends a list to bytes.
  package static func append(_ parts: [String], to bytes: inout [UInt8]) {
    for (index, part) in parts.enumerated() {
      if index > 0 { bytes.append(separator) }
      if part.utf8.contains(separator) {
        bytes += part.utf8.filter { $0 != separator }
      } else {
        bytes += part.utf8
      }
    }
  }

  /// Returns the texts of a list, at most as many as a post may have.
  package static func parts(_ text: String) -> [String] {
    if text.isEmpty { return [] }
    let parts = split(text.prefix(bytes: CheckedValue.textBytes), omittingEmpty: true)
    return Array(parts.prefix(Limits.standard.categories))
  }

  fileprivate static func split(_ text: String, omittingEmpty: Bool) -> [String] {
    var parts: [String] = []
    var rest = text[...]
    while let end = rest.utf8.firstIndex(of: separator) {
      if !omittingEmpty || end > rest.startIndex { parts.append(String(rest[..<end])) }
      rest = rest[rest.utf8.index(after: end)...]
    }
    if !omittingEmpty || !rest.isEmpty { parts.append(String(rest)) }
    return parts
  }
}

/// Checks of values from files that may be damaged or hostile.
package enum CheckedValue {
  /// The maximum length of a text in bytes.
  package static var textBytes: Int { 2 * Limits.standard.nameBytes }
  /// The maximum length in bytes of all texts of a row together; the URL of a thumbnail can be a `data:` URL.
  package static let rowBytes = 512 << 10
  /// The years 1 to 9999, in seconds since 1970-01-01T00:00:00Z.
  package static let times: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// Returns a time if it is in the years 1 to 9999.
  package static func time(_ seconds: Int64?) -> Int64? { seconds.flatMap { times.contains($0) ? $0 : nil } }

  /// Returns a URL if a page may link to it.
  package static func address(_ text: String?) -> String? {
    text.flatMap { $0.beginsAsHTTP && $0.utf8.count <= Limits.standard.linkBytes ? $0 : nil }
  }
}
