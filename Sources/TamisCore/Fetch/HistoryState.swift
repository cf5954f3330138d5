/// How far the posts before those of a feed's document have been read, between runs.
package struct HistoryState: Sendable, Hashable {
  /// The reason why nothing more is read.
  package enum Ending: String, Sendable, Hashable {
    /// The last document names no earlier one: all was read.
    case first
    /// The feed says that its document has all posts (RFC 5005, section 2).
    case whole
    /// A document was read before, or has the posts of one that was.
    case loop
    /// The documents are more than ``HistoryState/mostDocuments``.
    case limit
    /// An earlier document could not be had, although it was asked for several times.
    case broken
  }

  /// The maximum number of documents that are read of one feed.
  package static let mostDocuments = 2000
  /// The number of requests in a row that fail before an end is accepted.
  package static let mostFailures = 6

  /// The address of the next document; nil at the beginning and at the end.
  package var next: String?
  /// Whether the feed does not name that address, so that it may not exist.
  package var isGuess = false
  /// The reason why nothing more is read; nil while there may be more.
  package var ending: Ending?
  /// Whether it was read to its end before, and only what has come and gone since then is looked for.
  package var fillsGap = false
  /// The number of documents that were read.
  package var documents = 0
  /// The number of requests in a row that failed, and the time before which none is made, in seconds since 1970.
  package var (failures, retry): (Int, Int64?) = (0, nil)
  /// The checksums of the addresses of the documents, and of the ids of their posts.
  package var walked: [Int64] = []

  /// Whether the feed's present document is needed, in which the way to the others begins.
  package var needsBeginning: Bool { next == nil && ending == nil }

  /// The state of a feed of which nothing earlier was read.
  package init() {}
}
