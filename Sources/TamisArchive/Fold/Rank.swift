import TamisCore

/// The order of the copies of a post: the least one is canonical.
///
/// The order compares, one after the other: the feed on the site of the link before others, whenever it came; the
/// moment of first sight; feeds that do not aggregate others before those that do; more text; the older wording; the
/// earlier date. All of these are the same in every archive.
struct Rank: Comparable {
  private let numbers: [Int64]
  private let feed: String

  /// Creates the rank of a post.
  ///
  /// - Parameters:
  ///   - post: the post.
  ///   - feed: the feed of the post.
  init(_ post: StoredPost, feed: StoredFeed) {
    // Another feed may claim the same home page, but not the address from which this one was fetched.
    let own: Int64 = post.flags.contains(.hosted) ? 0 : post.flags.contains(.own) ? 1 : 2
    numbers = [
      own, post.first.rawValue, feed.isAggregator ? 1 : 0, -Int64(post.words),
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
