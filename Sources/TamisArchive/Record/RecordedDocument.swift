package import TamisCore
package import TamisFiles

/// A document to be recorded in the archive.
package struct RecordedDocument: Sendable {
  /// The feed's card; its slug is the preferred one, which is used if it is free.
  package var card: FeedCard
  /// The posts in document order.
  package var posts: [RecordedPost]
  /// The way in which the document ended.
  package var ending: Ending
  /// The file from which the document was read.
  package var source: ReadSource
  /// The present day for the feed, in seconds since 1970, by which future dates are detected; nil when there is no
  /// clock.
  package var day: Int64?
  /// The digest of the rules under which bodies were sanitized.
  package var rules: String
  /// The fetch state to be stored with the document; nil when it was not fetched.
  package var fetching: FetchState?
  /// In a shard, the slug that the feed gets if its key is also that of a feed in another shard; nil elsewhere.
  package var twinSlug: String?

  /// Creates a recording.
  package init(card: FeedCard, posts: [RecordedPost], ending: Ending, source: ReadSource, day: Int64?, rules: String) {
    (self.card, self.posts, self.ending, self.source, self.day, self.rules) = (card, posts, ending, source, day, rules)
  }
}

/// A post to be recorded in the archive.
package struct RecordedPost: Sendable {
  /// The keys by which it is recognized.
  package var keys: PostKeys
  /// The data that lists show of the post.
  package var card: PostCard
  /// The slugs of the listed tags, in their order.
  package var slugs: [String]
  /// The details that only the post's page shows.
  package var details: PostDetails
  /// The body.
  package var content: SanitizedHTML

  /// Creates a post.
  package init(keys: PostKeys, card: PostCard, slugs: [String], details: PostDetails, content: SanitizedHTML) {
    (self.keys, self.card, self.slugs, self.details, self.content) = (keys, card, slugs, details, content)
  }
}

extension RecordedPost {
  /// Returns a digest that changes when the shown content of the post does.
  func contentDigest(rules: String) -> Int64 {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(content.string.utf8.count + 1024)
    CardStore.append(
      [
        rules, card.title, card.isUntitled ? "u" : "", card.excerpt, card.published.map { String($0) } ?? "",
        card.updated.map { String($0) } ?? "", card.readingMinutes.map { String($0) } ?? "", card.language ?? "",
        card.direction.rawValue, card.kind.rawValue, card.original ?? "",
      ], to: &bytes)
    for number in [card.publishedOffset, card.playingSeconds, card.season, card.episode] {
      bytes.append(UInt8(ascii: " "))
      if let number { bytes += String(number).utf8 }
    }
    for list in [card.tags, slugs, card.authors] {
      bytes.append(UInt8(ascii: "\n"))
      CardStore.append(list, to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
    if let picture = card.thumbnail {
      bytes += "\(picture.url) \(picture.alternative) \(picture.width ?? 0) \(picture.height ?? 0)".utf8
    }
    if details != PostDetails() { bytes += details.text.utf8 }
    bytes.append(UInt8(ascii: "\n"))
    bytes += content.string.utf8
    return Checksum(bytes).shortened
  }
}

extension PostDetails {
  /// The whole content as text, in a fixed order.
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

/// The state of a file when it was read: if all of it is unchanged, the file need not be read again.
package struct ReadSource: Sendable, Hashable {
  /// The size in bytes and the modification time in nanoseconds since 1970; nil when the source is not a file, or was
  /// changed while it was read.
  package var stamp: FileStamp?
  /// The digest of its bytes, before any decompression.
  package var document: String
  /// The digest of the parameters of reading: the rules, and the data of the download.
  package var reading: String

  /// Creates a source.
  package init(stamp: FileStamp?, document: String, reading: String) {
    (self.stamp, self.document, self.reading) = (stamp, document, reading)
  }
}
