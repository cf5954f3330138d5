public import TamisArchive
import TamisSanitizer

/// Searches the posts of an archive.
public struct ArchiveSearch: Sendable {
  private let archive: Archive
  private let sanitizer = Sanitizer.text

  /// The number of posts whose words are added to the index at once.
  private static let batch = 500

  /// Creates a search.
  ///
  /// - Parameter archive: an archive that is open for writing: new posts are added to its index first.
  public init(_ archive: Archive) { self.archive = archive }

  /// Returns the posts that contain all of some words, the best match first.
  ///
  /// - Parameters:
  ///   - words: whole words, or prefixes with a `*`; words between quotation marks have to be adjacent.
  ///   - filter: the posts that are shown.
  ///   - count: the maximum number of results.
  ///   - progress: a function that is called with the number of posts that were added to the index.
  /// - Returns: the posts; empty when nothing is found.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read or written.
  public func find(
    _ words: String, in filter: Archive.SearchFilter = Archive.SearchFilter(), count: Int,
    progress: (Int) -> Void = { _ in }
  ) throws(Archive.Failure) -> [Archive.FoundPost] {
    var added = 0
    while true {
      let posts = try archive.unindexed(count: Self.batch)
      if posts.isEmpty { return try archive.search(SearchTerms(words), in: filter, count: count, text: text(of:)) }
      try archive.index(posts.map { (post: $0, text: $0.body.map(text(of:)) ?? "") })
      added += posts.count
      progress(added)
    }
  }

  private func text(of body: PackedBody) -> String { sanitizer.sanitize(body.unpacked.html).facts.text }
}
