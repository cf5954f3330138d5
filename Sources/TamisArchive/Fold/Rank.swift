import TamisCore

/// The order of the copies of a post: the least one is canonical.
///
/// The order compares, one after the other: posts to whose page no copy has a better claim before others, whenever they
/// came (``PageClaim``); the moment of first sight; the better claim to its own page; feeds that do not aggregate
/// before those that do; more text; the older wording; the earlier date. All of these are the same in every archive.
struct Rank: Comparable {
  private let numbers: [Int64]
  private let feed: String

  /// Creates the rank of a post.
  ///
  /// - Parameters:
  ///   - post: the post.
  ///   - feed: the feed of the post.
  ///   - isOthers: whether a copy of the post has a better claim to the page that both link to.
  init(_ post: StoredPost, feed: StoredFeed, isOthers: Bool) {
    numbers = [
      isOthers ? 1 : 0, post.first.rawValue, Int64(PageClaim(post).rawValue), feed.isAggregator ? 1 : 0,
      -Int64(post.words), post.since.rawValue, post.date ?? .max, post.id.rawValue,
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

/// The claim of a post to the page that it links to, the best first.
enum PageClaim: Int, Comparable {
  /// The feed was fetched from the host of the page.
  case host
  /// The feed names the site of the page as its home page, which other feeds may do too.
  case home
  /// The page is elsewhere.
  case none

  init(_ post: StoredPost) {
    self = post.flags.contains(.hosted) ? .host : post.flags.contains(.own) ? .home : .none
  }

  static func < (lhs: PageClaim, rhs: PageClaim) -> Bool { lhs.rawValue < rhs.rawValue }

  /// Whether a post has a better claim than another to the page that both link to.
  static func isBetter(_ post: StoredPost, than other: StoredPost) -> Bool {
    guard let page = post.ids.link, page == other.ids.link else { return false }
    return PageClaim(post) < PageClaim(other)
  }
}
