package import TamisCore
package import TamisSystem

/// A document to be recorded in the archive.
package struct RecordedDocument: Sendable {
  /// The feed's card; its slug is the preferred one, which is used if it is free.
  package var card: FeedCard
  /// The posts in document order.
  package var posts: [RecordedPost]
  /// The way in which the document ended.
  package var ending: Feed.Ending
  /// The file from which the document was read.
  package var source: ReadSource
  /// The present day for the feed, in seconds since 1970, by which future dates are detected; nil when there is no
  /// clock.
  package var day: Int64?
  /// The digest of the rules under which bodies were sanitized.
  package var rules = ""
  /// The fetch state to be stored with the document; nil when it was not fetched.
  package var fetching: FetchState?
  /// The place among the documents of the feed's history, from 1; nil for the feed's present document.
  package var historyNumber: Int?
  /// In a shard, the slug that the feed gets if its key is also that of a feed in another shard; nil elsewhere.
  package var twinSlug: String?

  /// Creates a recording.
  package init(card: FeedCard, posts: [RecordedPost], ending: Feed.Ending, source: ReadSource, day: Int64?) {
    (self.card, self.posts, self.ending, self.source, self.day) = (card, posts, ending, source, day)
  }
}

/// A post to be recorded in the archive.
package struct RecordedPost: Sendable {
  /// The keys by which it is recognized.
  package var keys: DocumentKeys
  /// The post.
  package var post: Post
  /// The slugs of the listed tags, in their order.
  package var slugs: [String]
  /// The stored markup that stands in place of the post's, which is untrusted; nil for the post's own.
  var keptBody: String?

  /// Creates a post.
  package init(keys: DocumentKeys, post: Post, slugs: [String]) {
    (self.keys, self.post, self.slugs) = (keys, post, slugs)
  }

  /// The markup that is stored.
  var body: String { keptBody ?? post.content.string }

  /// Keeps the words with which the post is stored, and what was made of them.
  mutating func keep(_ body: KeptBody, _ card: Post.Card, _ stored: StoredPost) {
    keptBody = body.html
    (post.card.excerpt, post.card.thumbnail, post.card.kind) = (card.excerpt, card.thumbnail, card.kind)
    (post.card.readingMinutes, post.card.direction) = (card.readingMinutes, card.direction)
    (post.details.pictures, post.details.thumbnailCaption) = (body.details.pictures, body.details.thumbnailCaption)
    (post.details.videoPage, post.details.removals) = (body.details.videoPage, body.details.removals)
    (keys.compared.text, keys.compared.markup) = (stored.keys.text, stored.keys.markup)
    keys.compared.flags.insert(.kept)
    // The filters have judged the words that the document has.
    keys.compared.flags.takeJudgement(of: stored.keys.flags)
  }

  /// Returns a digest that changes when the shown content of the post does.
  func contentDigest(rules: String) -> Int64 {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(body.utf8.count + 1024)
    StoredList.append([rules] + slugs, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    post.appendShown(to: &bytes, body: body)
    return Checksum(bytes).shortened
  }
}

/// The state of a file when it was read: if all of it is unchanged, the file need not be read again.
package struct ReadSource: Sendable, Hashable {
  /// The size in bytes and the modification time in nanoseconds since 1970; nil when the source is not a file, or was
  /// changed while it was read.
  package var stamp: FileStamp?
  /// The digest of its bytes, before any decompression.
  package var document: String
  /// The parameters of reading, separated by spaces: the version of the program's reading, and the digests of the
  /// settings that decide about words, of all settings and the download, and of what decides the dates of posts.
  package var reading: String

  /// Creates a source.
  package init(stamp: FileStamp?, document: String, reading: String) {
    (self.stamp, self.document, self.reading) = (stamp, document, reading)
  }

  /// Returns the digest of the settings that decide about words, in parameters of reading; nil when there is none.
  static func wording(of reading: String) -> Substring? { reading.split(separator: " ").dropLast(2).last }
}
