// To add a fact of a post: a `var` of `Post.Card` (Post.swift) when lists may show it, else of `Post.Details`; a row
// of `allFields`, from which change detection follows, and for a card columns, export, import, `{{record.NAME}}` and
// members of JSON (PostFieldTests names what is missing); its value in TamisExtract/Extractor.swift (`card` or
// `details`); a template that shows it, TamisSite/Book/PostLines.swift for books and mails. Text and lists are
// bounded in Tamis/Pipeline/NameBounds.swift. Raise `Schema.version` and `Pipelines.version`.

/// A value of a field as it is stored: a column of a database has one of these types.
package enum StoredValue: Sendable, Hashable {
  case none
  case integer(Int64)
  case text(String)
}

/// A field of ``Post/Card``.
package struct CardField: Sendable {
  package typealias Path<Value> = any WritableKeyPath<Post.Card, Value> & Sendable

  /// The member of the card, by the kind of its value: the kind gives the type of the column and what a value from a
  /// file is checked for.
  package enum Member: Sendable {
    /// A text of at most twice ``Limits/nameBytes``.
    case text(Path<String>)
    /// A language tag of at most 100 bytes.
    case language(Path<String?>)
    /// A time of the years 1 to 9999, in seconds since 1970-01-01T00:00:00Z.
    case time(Path<Int64?>)
    /// An offset from UTC in seconds, at most 18 hours.
    case offset(Path<Int?>)
    /// An integer from 0 to 999,999,999.
    case number(Path<Int?>)
    case flag(Path<Bool>)
    case kind(Path<Post.Kind>)
    case direction(Path<TextDirection>)
    /// Texts, at most ``Limits/categories``.
    case texts(Path<[String]>)
    case permalink(Path<Post.Permalink?>)
    case thumbnail(Path<Post.Thumbnail?>)
  }

  /// The place of a value in the JSON of `tamis extract`.
  package enum JSONPlace: Sendable {
    /// A member of records (`--jsonl`) with the name of the field.
    case member
    /// Part of an object with names of its own, such as `text` and `podcast`, or a member that is always written.
    case ownForm
    /// Not written.
    case absent
  }

  /// The name of the column, and of the value in templates after `record`.
  package let name: String
  package let member: Member
  package let json: JSONPlace

  fileprivate init(_ name: String, _ member: Member, json: JSONPlace = .member) {
    (self.name, self.member, self.json) = (name, member, json)
  }

  /// Whether the column is one of integers, not of text.
  package var isInteger: Bool {
    switch member {
    case .time, .offset, .number, .flag: true
    case .text, .language, .kind, .direction, .texts, .permalink, .thumbnail: false
    }
  }

  /// Whether the value can be missing.
  package var isOptional: Bool {
    switch member {
    case .language, .time, .offset, .number, .permalink, .thumbnail: true
    case .text, .flag, .kind, .direction, .texts: false
    }
  }

  /// Returns the value in a card; ``Post/Card/storedValues`` are those of all fields.
  package func value(in card: Post.Card) -> StoredValue {
    var card = card
    return read(&card)
  }

  /// Returns the value in a card, which is not changed: a key path that is applied to a constant copies the whole card.
  fileprivate func read(_ card: inout Post.Card) -> StoredValue {
    switch member {
    case .text(let path): .text(card[keyPath: path])
    case .language(let path): card[keyPath: path].map { .text($0) } ?? .none
    case .time(let path): card[keyPath: path].map { .integer($0) } ?? .none
    case .offset(let path), .number(let path): card[keyPath: path].map { .integer(Int64($0)) } ?? .none
    case .flag(let path): .integer(card[keyPath: path] ? 1 : 0)
    case .kind(let path): .text(card[keyPath: path].rawValue)
    case .direction(let path): .text(card[keyPath: path].rawValue)
    case .texts(let path): .text(StoredList.joined(card[keyPath: path]))
    case .permalink(let path): card[keyPath: path].map { .text($0.url) } ?? .none
    case .thumbnail(let path): card[keyPath: path].map { .text($0.stored) } ?? .none
    }
  }

  /// Sets the value in a card.
  ///
  /// The value may come from a file that is damaged or hostile: a text is cut, and an impossible value is left out.
  package func set(_ value: StoredValue, in card: inout Post.Card) {
    switch (member, value) {
    case (.text(let path), .text(let text)): card[keyPath: path] = text.prefix(bytes: CheckedValue.textBytes)
    case (.language(let path), .text(let text)): card[keyPath: path] = text.utf8.count <= 100 ? text : nil
    case (.time(let path), .integer(let time)): card[keyPath: path] = CheckedValue.time(time)
    case (.offset(let path), .integer(let offset)):
      card[keyPath: path] = (-18 * 3600...18 * 3600).contains(offset) ? Int(offset) : nil
    case (.number(let path), .integer(let number)):
      card[keyPath: path] = (0..<1_000_000_000).contains(number) ? Int(number) : nil
    case (.flag(let path), .integer(let flag)): card[keyPath: path] = flag != 0
    case (.kind(let path), .text(let text)): card[keyPath: path] = Post.Kind(rawValue: text) ?? .article
    case (.direction(let path), .text(let text)):
      card[keyPath: path] = TextDirection(rawValue: text) ?? .leftToRight
    case (.texts(let path), .text(let text)): card[keyPath: path] = StoredList.parts(text)
    case (.permalink(let path), .text(let text)):
      card[keyPath: path] = CheckedValue.address(text).map { Post.Permalink(url: $0) }
    case (.thumbnail(let path), .text(let text)): card[keyPath: path] = Post.Thumbnail(stored: text)
    default: break
    }
  }
}

extension Post.Card {
  /// The members, in the order of their columns.
  package static let allFields: [CardField] = [
    CardField("title", .text(\.title), json: .ownForm),
    CardField("isUntitled", .flag(\.isUntitled), json: .absent),
    CardField("excerpt", .text(\.excerpt), json: .ownForm),
    CardField("published", .time(\.published)),
    CardField("publishedOffset", .offset(\.publishedOffset), json: .absent),
    CardField("updated", .time(\.updated)),
    CardField("kind", .kind(\.kind), json: .ownForm),
    CardField("readingMinutes", .number(\.readingMinutes), json: .ownForm),
    CardField("playingSeconds", .number(\.playingSeconds), json: .ownForm),
    CardField("season", .number(\.season), json: .ownForm),
    CardField("episode", .number(\.episode), json: .ownForm),
    CardField("language", .language(\.language), json: .ownForm),
    CardField("direction", .direction(\.direction), json: .ownForm),
    CardField("thumbnail", .thumbnail(\.thumbnail), json: .ownForm),
    CardField("authors", .texts(\.authors)),
    CardField("tags", .texts(\.tags)),
    CardField("permalink", .permalink(\.permalink), json: .ownForm),
  ]

  /// The values of the members, in the order of ``allFields``.
  package var storedValues: [StoredValue] {
    var card = self
    return Self.allFields.map { $0.read(&card) }
  }

  /// The card with the values that it has after it was stored and read again.
  package var checked: Post.Card {
    var checked = Post.Card()
    for (field, value) in zip(Self.allFields, storedValues) { field.set(value, in: &checked) }
    return checked
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
    for value in card.storedValues {
      switch value {
      case .none: break
      case .integer(let number): bytes += String(number).utf8
      case .text(let text): bytes += text.utf8
      }
      bytes.append(Self.fieldEnd)
    }
    // Few posts have details.
    if details != Details() {
      for field in Details.allFields {
        StoredList.append(field.parts(details), to: &bytes)
        bytes.append(Self.fieldEnd)
      }
    }
    bytes += body.utf8
  }

  /// Record separator, a control character that no text has.
  private static let fieldEnd: UInt8 = 0x1E
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
