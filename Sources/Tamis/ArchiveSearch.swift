public import TamisArchive
import TamisSanitizer

/// Search over the posts of an archive.
public struct ArchiveSearch: Sendable {
  private let archive: Archive
  private let sanitizer = Sanitizer(policy: .text)

  /// Posts that are looked at before it is kept what was found in them.
  private static let batch = 500

  /// - Parameter archive: one that was opened to be written: what is new is added to its index first.
  public init(_ archive: Archive) { self.archive = archive }

  /// The posts that have all of some words, the best first.
  ///
  /// - Parameters:
  ///   - words: whole words, or with a `*` their beginnings; between quotation marks, words that stand together.
  ///   - progress: told how many posts were added to the index.
  public func find(
    _ words: String, count: Int, progress: (Int) -> Void = { _ in }
  ) throws(ArchiveError) -> [Archive.FoundPost] {
    var added = 0
    while true {
      let posts = try archive.unindexed(count: Self.batch)
      if posts.isEmpty { return try archive.search(words, count: count) }
      try archive.index(posts.map { Archive.PostText($0, text: text(of: $0)) })
      added += posts.count
      progress(added)
    }
  }

  private func text(of post: Archive.UnindexedPost) -> String {
    post.body.map { sanitizer.sanitize($0.unpacked.html).facts.text } ?? ""
  }
}
