public import TamisCore
import TamisDigest
public import TamisFiles

/// A document as the archive is to keep it.
public struct RecordedDocument: Sendable {
  /// The feed's card; its slug is a wish, which is granted when it is free.
  public var card: FeedCard
  /// Its posts in document order.
  public var posts: [RecordedPost]
  /// How the document ended.
  public var ending: Ending
  /// The file that it was read from.
  public var source: ReadSource
  /// What the day is for the feed, in seconds since 1970, by which dates from the future are known; nil when there is no clock.
  public var day: Int64?
  /// The digest of the rules under which bodies were sanitized.
  public var rules: String
  /// What is to be remembered of fetching it; nil when it was not fetched.
  public var fetching: FetchState?
  /// In a shard the word by which the feed's pages would be named if its key were that of a feed in another shard; nil elsewhere.
  public var twinSlug: String?

  /// Makes a recording.
  public init(card: FeedCard, posts: [RecordedPost], ending: Ending, source: ReadSource, day: Int64?, rules: String) {
    (self.card, self.posts, self.ending, self.source, self.day, self.rules) = (card, posts, ending, source, day, rules)
  }
}

/// A post as the archive is to keep it.
public struct RecordedPost: Sendable {
  /// By what it is recognized.
  public var keys: PostKeys
  /// What lists show of it.
  public var card: PostCard
  /// The words by which the pages of its listed tags are named, in their order.
  public var slugs: [String]
  /// What only its page has.
  public var details: PostDetails
  /// Its body.
  public var content: SanitizedHTML

  /// Makes a post.
  public init(keys: PostKeys, card: PostCard, slugs: [String], details: PostDetails, content: SanitizedHTML) {
    (self.keys, self.card, self.slugs, self.details, self.content) = (keys, card, slugs, details, content)
  }
}

extension RecordedPost {
  /// A number that is another when what the post shows is.
  func contentDigest(rules: String) -> Int64 {
    var text = CardStore.joined([
      rules, card.title, card.isUntitled ? "u" : "", card.excerpt, card.published.map { String($0) } ?? "",
      card.updated.map { String($0) } ?? "", card.readingMinutes.map { String($0) } ?? "", card.language ?? "",
      card.direction.rawValue, card.kind.rawValue, card.original ?? "",
    ])
    for number in [card.publishedOffset, card.playingSeconds, card.season, card.episode] {
      text += " " + (number.map { String($0) } ?? "")
    }
    text +=
      "\n" + CardStore.joined(card.tags) + "\n" + CardStore.joined(slugs) + "\n" + CardStore.joined(card.authors) + "\n"
    if let picture = card.thumbnail {
      text += "\(picture.url) \(picture.alternative) \(picture.width ?? 0) \(picture.height ?? 0)"
    }
    if details != PostDetails() { text += details.text }
    return Checksum(Array((text + "\n" + content.string).utf8)).shortened
  }
}

extension PostDetails {
  /// All that it says, in an order of its own.
  fileprivate var text: String {
    let files = (enclosures + transcripts).map { "\($0.url) \($0.type ?? "") \($0.length ?? -1)" }
    let marks = chapters.map { "\($0.seconds ?? -1) \($0.start) \($0.title ?? "") \($0.link ?? "")" }
    let named = fields.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let shown = pictures.map { "\($0.url) \($0.caption) \($0.width ?? -1) \($0.height ?? -1)" }
    let pages = references.map { "\($0.kind.rawValue) \($0.url) \($0.title ?? "")" }
    return CardStore.joined(
      files + marks + shown + pages + people + [pictureCaption, comments ?? "", film ?? "", rights, "\(showsPicture)"]
        + named)
  }
}

/// A file as it was when it was read: what is the same in all this need not be read again.
public struct ReadSource: Sendable, Hashable {
  /// Its size in bytes and time of change in nanoseconds since 1970; nil when it is no file, or was changed while it was read.
  public var stamp: FileStamp?
  /// The digest of its bytes as they lie there.
  public var document: String
  /// The digest of how it was read: the rules, and what is known of its download.
  public var reading: String

  /// Makes a source.
  public init(stamp: FileStamp?, document: String, reading: String) {
    (self.stamp, self.document, self.reading) = (stamp, document, reading)
  }
}
