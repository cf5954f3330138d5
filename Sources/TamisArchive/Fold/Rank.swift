import TamisCore

/// The order of the copies of a post: the least one is canonical.
///
/// The one that was there first; of those that came at once the author's own feed first, then feeds that do not collect others',
/// then more text, then the one whose wording is older, then the earlier one. All of this is the same in every archive.
struct Rank: Comparable {
  private let numbers: [Int64]
  private let feed: String

  /// - Parameter feed: the feed that the post is of.
  init(_ post: StoredPost, feed: StoredFeed) {
    // What a feed says of its home page another may say too; not from where it was fetched.
    let own: Int64 = post.flags.contains([.own, .hosted]) ? 0 : post.flags.contains(.own) ? 1 : 2
    numbers = [
      post.first.rawValue, own, feed.isAggregator ? 1 : 0, -Int64(post.words),
      post.since.rawValue, post.date ?? .max, post.id.rawValue,
    ]
    self.feed = feed.key.text
  }

  static func < (lhs: Rank, rhs: Rank) -> Bool {
    let (left, right) = (lhs.numbers.dropLast(), rhs.numbers.dropLast())
    if left != right { return left.lexicographicallyPrecedes(right) }
    if lhs.feed != rhs.feed { return lhs.feed < rhs.feed }
    return (lhs.numbers.last ?? 0) < (rhs.numbers.last ?? 0)
  }
}
