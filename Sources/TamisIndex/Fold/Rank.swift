/// Which of several copies of a post is to stand for all: the least.
///
/// The author's own feed first, then feeds that do not collect others', then more text, then the earlier; all of which any
/// index says the same of.
struct Rank: Comparable {
  /// Where a post is, the same in every index.
  struct Place: Hashable, Comparable {
    var feed: String
    var name: String

    static func < (lhs: Place, rhs: Place) -> Bool { (lhs.feed, lhs.name) < (rhs.feed, rhs.name) }
  }

  private let numbers: [Int64]
  private let place: Place

  init(_ post: StoredPost, place: Place, isAggregator: Bool) {
    numbers = [
      post.flags.contains(.own) ? 0 : 1, isAggregator ? 1 : 0, -Int64(post.words), post.date ?? .max,
    ]
    self.place = place
  }

  static func < (lhs: Rank, rhs: Rank) -> Bool {
    if lhs.numbers != rhs.numbers { return lhs.numbers.lexicographicallyPrecedes(rhs.numbers) }
    return lhs.place < rhs.place
  }
}
