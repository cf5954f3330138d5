import GRDB
import TamisCore
import TamisFoundation

/// A line of an export: a feed, or a post of the feed in the preceding feed line.
struct ExchangeRecord: Codable {
  var feed: FeedRecord?
  var post: PostRecord?
}

/// A feed of an export.
struct FeedRecord: Codable {
  /// An observation: a document of the feed was seen.
  struct Seen: Codable, Equatable {
    var moment: Int64
    var document: String
    var isComplete: Bool
    var looks: Int

    var isValid: Bool {
      ValidValue.moments.contains(moment) && looks >= 0 && looks < 1 << 40 && document.utf8.count <= 200
    }
  }

  var row: StoredFeed
  /// The names of its categories by slug.
  var categories: [String: String]
  var observations: [Seen]

  /// The moment of the last observation.
  var latest: Int64 { observations.last?.moment ?? 0 }

  /// The texts of the row.
  var texts: [String] {
    var (texts, row) = (ColumnTexts(), row)
    row.visitExported(&texts)
    return texts.texts
  }

  /// Whether the key can be a file name, the feed has a title, and the numbers are in their valid ranges.
  var isValid: Bool {
    let (key, title) = (row.key.text, row.card.title)
    return !key.isEmpty && PostRecord.isFileName(row.preferredSlug) && !key.utf8.contains(0) && !title.isEmpty
      && !title.utf8.contains(0) && observations.allSatisfy(\.isValid)
      && categories.allSatisfy { PostRecord.isFileName($0.key) && $0.value == ValidValue.title($0.value) }
      && ValidValue.isRow(texts)
  }
}

/// A post of an export, with digests as decimal numbers.
struct PostRecord: Codable {
  var feed: String
  /// The row, without what is different in each archive.
  var row: StoredPost
  /// The moment at which the post was last seen.
  var last: Int64
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
    Self.isFileName(row.name) && slugs.allSatisfy(Self.isFileName) && ValidValue.moments.contains(last)
      && wordings.allSatisfy(\.isValid) && day.map(CheckedValue.times.contains) ?? true
      && slugs.count <= Limits.standard.categories && card == card.checked
      && ValidValue.isRow([row.keys.titleWords, rules ?? ""] + slugs + card.texts)
  }

  static func isFileName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 200 && !name.hasPrefix(".")
      && !name.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
  }
}

extension PostRecord {
  /// Creates a record.
  ///
  /// - Parameters:
  ///   - post: the row of the post.
  ///   - feed: the feed of the post.
  ///   - presence: the times at which the posts of the feed were present.
  ///   - card: the card of the post.
  ///   - body: the body and its details; nil when there is none.
  ///   - rules: the digest of the rules under which the body was sanitized; nil when no body is stored.
  ///   - wordings: the wordings of the post, when it has had several.
  ///   - keys: all keys by which the post is found.
  init(
    _ post: StoredPost, of feed: StoredFeed, _ presence: Presence, _ card: CardStore.DatedCard, body: KeptBody?,
    rules: String?, wordings: [Wording], keys: [Int64]
  ) {
    (self.feed, row, last) = (feed.key.text, post, presence.last(of: post).rawValue)
    let own = Wording(post, since: post.since)
    self.wordings = wordings.contains { $0.digest == own.digest } ? wordings : wordings + [own]
    (self.keys, self.card, day, slugs) = (keys, card.card, card.day, card.slugs)
    (self.rules, html) = (rules, body?.html)
    details = body.flatMap { $0.details == Post.Details() ? nil : $0.details }
  }

  /// Returns the row that the record describes.
  func stored(in feed: StoredFeed) -> StoredPost {
    var row = row
    row.feed = feed.number
    row.since = Moment(rawValue: wordings.first { $0.digest == row.wording }?.since ?? row.first.rawValue)
    return row
  }
}

extension Post.Card {
  /// The texts that a row has of the card.
  fileprivate var texts: [String] {
    var (card, texts) = (self, ColumnTexts())
    card.visit(&texts)
    return texts.texts
  }
}
