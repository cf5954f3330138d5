import GRDB
import TamisCore
import TamisFoundation

/// A line of an export: a feed, or a post of the feed in the preceding feed line.
enum ExchangeRecord: Codable {
  case feed(FeedRecord)
  case post(PostRecord)

  private enum CodingKeys: CodingKey { case feed, post }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let feed = try container.decodeIfPresent(FeedRecord.self, forKey: .feed) {
      self = .feed(feed)
    } else {
      self = .post(try container.decode(PostRecord.self, forKey: .post))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .feed(let feed): try container.encode(feed, forKey: .feed)
    case .post(let post): try container.encode(post, forKey: .post)
    }
  }
}

/// A feed of an export.
struct FeedRecord: Codable, Equatable {
  /// An observation: a document of the feed was seen.
  struct Seen: Codable, Equatable {
    var moment: Int64
    var document: String
    var isComplete: Bool
    var looks: Int
  }

  var key: String
  var address: String?
  var home: String?
  var location: String?
  var level: Int64
  var isAggregator: Bool
  var first: Int64
  var isOut: Bool
  var stood: Int64
  var reading: String?
  var preferredSlug: String
  /// The columns of the card (``FeedStore/columns``) by name; a column without a value is absent.
  var card: [String: String]
  /// The names of its categories by slug.
  var categories: [String: String]
  var observations: [Seen]

  /// The moment of the last observation.
  var latest: Int64 { observations.last?.moment ?? 0 }

  /// The values of the card in the order of the columns.
  var cardValues: [String?] { FeedStore.columnNames.map { card[$0] } }

  /// Whether the key can be a file name, the card has what every card has and nothing else, and the numbers are in
  /// their valid ranges.
  var isValid: Bool {
    !key.isEmpty && PostRecord.isFileName(preferredSlug) && !key.utf8.contains(0) && isCardValid
      && ValidValue.levels.contains(level)
      && ([first, stood] + observations.map(\.moment)).allSatisfy(ValidValue.moments.contains)
      && observations.allSatisfy { $0.looks >= 0 && $0.looks < 1 << 40 && $0.document.utf8.count <= 200 }
      && categories.allSatisfy { PostRecord.isFileName($0.key) && $0.value == ValidValue.title($0.value) }
      && ValidValue.isRow([key, preferredSlug] + (cardValues + [address, home, location, reading]).compactMap { $0 })
  }

  private var isCardValid: Bool {
    guard let title = card["title"], !title.isEmpty, !title.utf8.contains(0) else { return false }
    return FeedStore.requiredNames.allSatisfy { card[$0] != nil }
      && card.keys.allSatisfy(FeedStore.columnNames.contains)
      && max(title.utf8.count, card["rights"]?.utf8.count ?? 0) <= 2 * Limits.standard.feedNameBytes
  }
}

/// A post of an export, with digests as decimal numbers.
struct PostRecord: Codable, Equatable {
  var feed: String
  var id: Int64
  var name: String
  var ids: PostIdentifiers
  var title: Int64
  var titleWords: String
  var text: Int64?
  var markup: Int64
  var words: Int
  var numbers: Int64
  var sketch: Data?
  var landmarks: [Int64]
  var date: Int64?
  var flags: Int64
  var first: Int64
  var position: Int
  /// The moment at which the post was last seen.
  var last: Int64
  var changed: Int64
  var read: Int64
  var forgotten: Int64
  var purged: Int64
  var content: Int64
  /// The present and earlier wordings, by digest, each with the moment since which the post has had it.
  var wordings: [Wording]
  /// All keys by which the post is found.
  var keys: [Int64]
  var card: Post.Card
  /// The day on which the card was first seen with its present date.
  var day: Int64?
  /// The slugs of its listed tags.
  var slugs: [String]
  // The body; nil when it was dropped.
  var rules: String?
  var html: String?
  var details: Post.Details?

  /// Whether the record is valid: its id can be a file name, and its numbers are in their valid ranges.
  var isValid: Bool {
    Self.isFileName(name) && slugs.allSatisfy(Self.isFileName)
      && [first, last, changed, read, forgotten, purged].allSatisfy(
        ValidValue.moments.contains)
      && wordings.allSatisfy(\.isValid)
      && ValidValue.words.contains(Int64(words)) && ValidValue.words.contains(Int64(position))
      && ValidValue.numbers.contains(numbers)
      && ValidValue.flags.contains(flags) && date.map(CheckedValue.times.contains) ?? true && landmarks.count <= 2
      && day.map(CheckedValue.times.contains) ?? true
      && (sketch.map { $0.count == Sketch.count } ?? true)
      && slugs.count <= Limits.standard.categories && card == card.checked
      && ValidValue.isRow([titleWords, rules ?? ""] + slugs + card.texts)
  }

  static func isFileName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 200 && !name.hasPrefix(".")
      && !name.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
  }
}

extension PostRecord {
  /// Creates a record from a row, a card and a body.
  ///
  /// - Parameters:
  ///   - post: the row of the post.
  ///   - feed: the feed of the post.
  ///   - last: the moment at which the post was last seen.
  ///   - card: the card of the post.
  ///   - slugs: the slugs of its listed tags, in their order.
  ///   - day: the day on which it was first seen with its present date, in seconds since 1970; nil when there was no
  ///     clock.
  ///   - body: the body and its details; nil when there is none.
  ///   - rules: the digest of the rules under which the body was sanitized; nil when no body is stored.
  ///   - wordings: the wordings of the post, each with the moment since which the post has had it.
  ///   - keys: all keys by which the post is found.
  init(
    _ post: StoredPost, feed: StoredFeed, last: Moment, card: Post.Card, slugs: [String], day: Int64?, body: KeptBody?,
    rules: String?,
    wordings: [Wording], keys: [Int64]
  ) {
    self.feed = feed.key.text
    (id, name) = (post.id.rawValue, post.name)
    ids = post.ids
    (title, titleWords, text, markup) = (post.title, post.titleWords, post.text, post.markup)
    (words, numbers, landmarks, date) = (post.words, post.numbers, post.landmarks, post.date)
    sketch = post.sketch.map { Data($0) }
    (flags, first, position, self.last) = (post.flags.rawValue, post.first.rawValue, post.position, last.rawValue)
    (changed, read) = (post.changed.rawValue, post.read.rawValue)
    (forgotten, purged, content) = (post.forgotten.rawValue, post.purged.rawValue, post.content)
    let own = Wording(post, since: post.since)
    self.wordings = wordings.contains { $0.digest == own.digest } ? wordings : wordings + [own]
    self.keys = keys
    (self.card, self.day, self.slugs) = (card, day, slugs)
    (self.rules, html) = (rules, body?.html)
    details = body.flatMap { $0.details == Post.Details() ? nil : $0.details }
  }

  /// Returns the row that the record describes.
  func stored(in feed: StoredFeed) -> StoredPost {
    var post = StoredPost()
    (post.feed, post.id, post.name) = (feed.number, PostID(rawValue: id), name)
    post.ids = ids
    (post.title, post.titleWords, post.text, post.markup) = (title, titleWords, text, markup)
    (post.words, post.numbers, post.landmarks, post.date) = (words, numbers, landmarks, date)
    post.sketch = sketch.map { Array($0) }
    post.flags = StoredPost.Flags(rawValue: flags)
    (post.first, post.position, post.content) = (Moment(rawValue: first), position, content)
    (post.changed, post.read) = (Moment(rawValue: changed), Moment(rawValue: read))
    (post.forgotten, post.purged) = (Moment(rawValue: forgotten), Moment(rawValue: purged))
    post.since = Moment(rawValue: wordings.first { $0.digest == post.wording }?.since ?? first)
    return post
  }
}

extension Post.Card {
  /// The texts that a row has of the card.
  fileprivate var texts: [String] {
    Self.allFields.compactMap { field in
      guard case .text(let text) = field.value(in: self) else { return nil }
      return text
    }
  }
}
