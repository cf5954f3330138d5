import TamisCore

/// The order of the copies of a post: the least one is canonical.
///
/// The order compares, one after the other: posts to whose page no copy has a better claim before others, whenever they
/// came (``Standing``); the moment since which they say what they say; the better claim to its own page; feeds that do
/// not aggregate before those that do; more text; the older wording; the earlier date. All of these are the same in
/// every archive.
struct Rank: Comparable {
  private let numbers: [Int64]
  private let feed: String

  /// Creates the rank of a post.
  ///
  /// - Parameters:
  ///   - post: the post.
  ///   - feed: the feed of the post.
  ///   - standing: what its copies make of it.
  init(_ post: StoredPost, feed: StoredFeed, _ standing: Standing) {
    numbers = [
      standing.isOthers ? 1 : 0, standing.first.rawValue, PageClaim(post.keys).number, feed.isAggregator ? 1 : 0,
      -Int64(post.keys.text.words), post.since.rawValue, post.keys.date ?? .max, post.id.rawValue,
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
enum PageClaim: Comparable {
  /// The feed was fetched from the host of the page, and so many folders of both are the same: a host may have many
  /// authors.
  case host(folders: Int)
  /// The feed names the site of the page as its home page, which other feeds may do too.
  case home
  /// The page is elsewhere.
  case none

  init(_ post: PostKeys) {
    self =
      post.flags.contains(.hosted)
      ? .host(folders: post.flags.depth) : post.flags.contains(.own) ? .home : .none
  }

  /// A number that is smaller for a better claim.
  var number: Int64 {
    switch self {
    case .host(let folders): -Int64(folders)
    case .home: 1
    case .none: 2
    }
  }

  static func < (lhs: PageClaim, rhs: PageClaim) -> Bool { lhs.number < rhs.number }

  /// Whether a post has a better claim than another to the page that both link to, or that is the other's id.
  ///
  /// Whoever gives the page of another post as its id says that the post is there.
  static func isBetter(_ post: StoredPost, than other: StoredPost) -> Bool {
    guard let page = post.keys.ids.link else { return false }
    let claim = PageClaim(post.keys)
    if page == other.keys.ids.link { return claim < PageClaim(other.keys) && !isLate(post, after: other) }
    guard page == other.keys.ids.guidForm else { return false }
    return claim < .home || claim == .home && !isYounger(post, than: other)
  }

  /// Whether a post says what it has in common with another for less time than the other.
  static func isYounger(_ post: StoredPost, than other: StoredPost) -> Bool {
    post.sharedSince(with: other) ?? post.sinceMajorChange > other.sharedSince(with: post) ?? other.sinceMajorChange
  }

  /// The share of each of two posts that the other must have where the later one has the better claim to the page.
  private static let leastShareOfSame = 0.75

  /// Whether a post has a better claim than another, came later, and does not say what the other says.
  ///
  /// A feed may name any site as its home page, and a host may have many authors.
  static func isLate(_ post: StoredPost, after other: StoredPost) -> Bool {
    let (claim, second) = (PageClaim(post.keys), PageClaim(other.keys))
    guard claim < second, claim == .home || second == .home, isYounger(post, than: other) else { return false }
    if claim == .home { return !Sameness.isCovered(other.keys, by: post.keys) }
    return post.keys.title != other.keys.title
      || !Sameness.isCovered(other.keys, by: post.keys, leastShare: leastShareOfSame)
      || !Sameness.isCovered(post.keys, by: other.keys, leastShare: leastShareOfSame)
  }
}

/// What its copies make of a post: the author's post takes the place of the copies that came before it.
struct Standing {
  /// Whether a copy has a better claim to the page that both link to.
  private(set) var isOthers = false
  private let unaided: Moment
  private var sharedSince: Moment?
  /// The moment since which a copy says most of the post to whose page the post has the better claim.
  private(set) var inherited: Moment?

  init(_ post: StoredPost) { unaided = post.sinceMajorChange }

  /// The moment since which the post says what it has in common with its copies, or a copy to whose page it has the
  /// better claim does; what is too short to tell does not count.
  var first: Moment { min(sharedSince ?? unaided, inherited ?? Moment(rawValue: .max)) }

  /// The share of a post that a copy must have to say how old it is: a quotation could be older than the rest.
  private static let leastShareOfOlder = 0.75

  /// Takes one of its copies into account.
  ///
  /// A copy with a worse claim comes behind the post anyway, and what is quoted of a post can be an addition of
  /// yesterday: neither says anything about the age of the post beside others.
  mutating func consider(_ copy: StoredPost, of post: StoredPost) {
    if PageClaim.isBetter(copy, than: post) { isOthers = true }
    if !PageClaim.isBetter(post, than: copy) {
      if Sameness.isCovered(post.keys, by: copy.keys), let moment = post.sharedSince(with: copy) {
        sharedSince = max(sharedSince ?? moment, moment)
      }
    } else if Likeness(post.keys, copy.keys).fewer >= Sameness.fewestWordsToContradict,
      Sameness.isCovered(post.keys, by: copy.keys, leastShare: Self.leastShareOfOlder),
      let moment = copy.sharedSince(with: post)
    {
      inherited = min(inherited ?? moment, moment)
    }
  }
}
