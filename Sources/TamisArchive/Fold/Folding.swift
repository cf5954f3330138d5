import GRDB

/// Finds copies of a post in different feeds, and the canonical post among them.
///
/// Both depend on the content of the archive, not on the order in which it was added. Posts that share a key which few
/// posts have are compared (``Sameness``). By rank, each post is either canonical or folded into the least canonical
/// post that is the same. Sameness is not transitive: a post between two others does not join them.
///
/// Only changes are computed. A new post can change the copies of others only when it makes a key that they share too
/// common, and it can change the folds only of posts of a greater rank.
struct Folding {
  /// The version of the rules.
  ///
  /// Raise it when other posts are found to be the same, or others of them are shown.
  static let version = 7
  /// The maximum size of a cluster of posts whose texts are nearly the same; posts of larger clusters are not copies.
  private static let largestCluster = 8

  private let store: PostStore
  private let changes: ChangeLog
  /// Whether duplicates are folded; otherwise all posts are canonical.
  private let isOn: Bool
  private var feeds: [FeedNumber: StoredFeed] = [:]
  private var posts: [PostNumber: StoredPost] = [:]
  private var copiesInOneFeed: [PostNumber: Int] = [:]
  /// The posts that were compared with all posts with which they share a key.
  private var compared: Set<PostNumber> = []
  /// The keys that were checked for becoming too common.
  private var looked: Set<Int64> = []
  /// The posts by key, as they were looked up; keys do not change while decisions are computed.
  private var groups: [Int64: [PostNumber]] = [:]

  init(_ database: Database) throws {
    store = PostStore(database: database)
    changes = try ChangeLog(database)
    isOn = try Bool.fetchOne(database, sql: "SELECT folding <> 0 FROM run") ?? true
  }

  /// Recomputes the decisions on some posts and on those that depend on them.
  ///
  /// - Parameter numbers: posts that are new, have changed content, or have been deleted.
  /// - Throws: `DatabaseError` when the database cannot be read or written.
  mutating func fold(_ numbers: [PostNumber]) throws {
    var concerned = Set(numbers)
    for number in numbers {
      guard let post = try post(number) else { continue }
      concerned.formUnion(try postsLosingSharedKey(to: post))
    }
    var doubtful: Set<PostNumber> = []
    for number in concerned.sorted() {
      if try compare(number, &doubtful) { doubtful.insert(number) }
      compared.insert(number)
    }
    // A changed rank may reverse which of two posts is canonical, and the rank of a post depends on its copies.
    for number in numbers { doubtful.formUnion(try others(of: number).keys) }
    for number in doubtful { doubtful.formUnion(try others(of: number).keys) }
    try decide(doubtful)
  }

  /// The maximum number of posts that are kept in memory from one batch to the next.
  private static let mostRemembered = 20_000

  /// Frees the cached data when it is large.
  mutating func trim() {
    guard posts.count > Self.mostRemembered else { return }
    (posts, copiesInOneFeed, compared, looked, groups) = ([:], [:], [], [], [:])
  }

  /// Returns the posts whose copies depended on a key that this post makes too common.
  private mutating func postsLosingSharedKey(to post: StoredPost) throws -> [PostNumber] {
    var found: [PostNumber] = []
    for digest in PostStore.sharedKeys(of: post.keys) where looked.insert(digest).inserted {
      let group = try group(ofKey: digest)
      let isShared = post.keys.text.landmarks.contains(digest)
      if group.isEmpty {
        // These are the first posts with the key.
        found += try store.firstPosts(withKey: digest)
      } else if isShared, try isBoilerplate(post) {
        found += group
      }
    }
    return try found.filter { try !others(of: $0).isEmpty }
  }

  // MARK: - Copies

  /// Compares a post with those with which it shares a key, and records those that are or were the same.
  ///
  /// - Returns: whether there are any.
  private mutating func compare(_ number: PostNumber, _ doubtful: inout Set<PostNumber>) throws -> Bool {
    let before = try others(of: number)
    let now = try copies(of: number, before)
    if before.isEmpty, now.isEmpty { return try post(number).map { $0.fold.rawValue != 0 } ?? false }
    for other in before.keys.filter({ now[$0] == nil }).sorted() {
      try execute(
        "DELETE FROM same WHERE (post = ? AND other = ?) OR (post = ? AND other = ?)", number, other, other, number)
      doubtful.insert(other)
    }
    for (other, isNear) in now.sorted(by: { $0.key < $1.key }) where before[other] != isNear {
      let insert = try store.database.cachedStatement(sql: "INSERT OR REPLACE INTO same VALUES (?, ?, ?), (?, ?, ?)")
      try insert.execute(arguments: [number, other, isNear, other, number, isNear])
      doubtful.insert(other)
    }
    return true
  }

  /// Returns the posts that are the same as a post.
  ///
  /// - Parameters:
  ///   - number: the number of the post.
  ///   - known: the same posts by earlier comparisons, which are valid for posts that have been compared.
  /// - Returns: the posts that are the same, each with whether it is only nearly the same.
  /// - Throws: `DatabaseError` when the database cannot be read.
  private mutating func copies(of number: PostNumber, _ known: [PostNumber: Bool]) throws -> [PostNumber: Bool] {
    guard isOn, let post = try post(number), try isShown(post) else { return [:] }
    var found: Set<PostNumber> = []
    let keys = Set(PostStore.sharedKeys(of: post.keys))
    for digest in keys { found.formUnion(try group(ofKey: digest)) }
    var copies: [PostNumber: Bool] = [:]
    for number in found where number != post.number {
      if compared.contains(number) {
        copies[number] = known[number]
        continue
      }
      // A key that the other post had before leads to it, but not back.
      guard let other = try self.post(number), other.feed != post.feed, try isShown(other),
        !keys.isDisjoint(with: PostStore.sharedKeys(of: other.keys)), let rule = Sameness(post, other).rule
      else { continue }
      if rule.isOfText, try isBoilerplate(post) || isBoilerplate(other) { continue }
      copies[number] = rule == .near
    }
    return copies
  }

  /// Whether a feed has the text of a post in another one too, so that it is not evidence.
  private mutating func isBoilerplate(_ post: StoredPost) throws -> Bool { try copiesInOneFeed(of: post) > 1 }

  /// The number of posts with the text of a post in the feed that has it most often.
  private mutating func copiesInOneFeed(of post: StoredPost) throws -> Int {
    if let known = copiesInOneFeed[post.number] { return known }
    var counts: [FeedNumber: Set<PostNumber>] = [:]
    for digest in post.keys.text.landmarks {
      for number in try group(ofKey: digest) {
        guard let other = try self.post(number), other.keys.text.digest == post.keys.text.digest else { continue }
        counts[other.feed, default: []].insert(number)
      }
    }
    let most = counts.values.map(\.count).max() ?? 0
    copiesInOneFeed[post.number] = most
    return most
  }

  /// The rule by which two posts are the same, nil when they are not, and the comparisons in words.
  mutating func decision(on one: StoredPost, _ other: StoredPost) throws -> (rule: Sameness.Rule?, reasons: [String]) {
    if one.feed == other.feed { return (nil, ["both are of one feed"]) }
    guard try isShown(one), try isShown(other) else { return (nil, ["one of them is hidden"]) }
    let sameness = Sameness(one, other, explains: true)
    if Set(PostStore.sharedKeys(of: one.keys)).isDisjoint(with: PostStore.sharedKeys(of: other.keys)) {
      return (nil, sameness.rule == nil ? sameness.reasons : ["they share no key"])
    }
    if sameness.rule?.isOfText == true, try isBoilerplate(one) || isBoilerplate(other) {
      return (nil, sameness.reasons + ["the text stands in several posts of one feed"])
    }
    return (sameness.rule, sameness.reasons)
  }

  // MARK: - Folds

  /// Decides on posts by rank: posts of lesser rank are decided first.
  private mutating func decide(_ doubtful: Set<PostNumber>) throws {
    var waiting = RankedPosts()
    for number in doubtful {
      if let post = try post(number) { waiting.insert(number, try rank(post)) }
    }
    while let number = waiting.popLeast() {
      guard let post = try post(number) else { continue }
      let own = try rank(post)
      let (less, greater) = try neighbours(of: post, own)
      let canonical = try less.first {
        try $0.post.fold.rawValue == 0 && (!$0.isNear || hasRoom($0.post, below: own)) && !isOlder(post, than: $0.post)
      }?.post
      let fold = canonical?.number ?? PostNumber(rawValue: 0)
      if fold == post.fold { continue }
      // The pages of the old and of the new canonical post list their copies.
      for number in [number, post.fold, fold] where number.rawValue != 0 {
        try changes.note(number)
        try execute("INSERT OR IGNORE INTO unsettled VALUES (?)", number)
      }
      try execute("UPDATE post SET fold = ? WHERE id = ?", fold, number)
      let before = post.fold
      posts[number]?.fold = fold
      for other in greater { waiting.insert(other.post.number, other.rank) }
      // A cluster whose size has changed changes the folds of others.
      for canonical in try [before, fold].compactMap({ try self.post($0) }) {
        for other in try neighbours(of: canonical, own).greater where other.isNear {
          waiting.insert(other.post.number, other.rank)
        }
      }
    }
  }

  /// Whether a post has said for longer what it has in common with another that has no better claim to its page.
  ///
  /// Its rank can be greater because of a third post. It is shown then, and so is the other.
  private mutating func isOlder(_ post: StoredPost, than other: StoredPost) throws -> Bool {
    guard PageClaim.isYounger(other, than: post), !PageClaim.isBetter(other, than: post) else { return false }
    let moment = post.sharedSince(with: other) ?? post.sinceMajorChange
    return try standing(of: other).inherited.map { $0 > moment } ?? true
  }

  private struct Neighbour {
    var post: StoredPost
    var rank: Rank
    var isNear: Bool
  }

  /// Returns the posts that are the same as a post: those of a lesser rank, the least first, and those of a greater
  /// rank.
  private mutating func neighbours(
    of post: StoredPost, _ rank: Rank
  ) throws -> (less: [Neighbour], greater: [Neighbour]) {
    guard try isShown(post) else { return ([], []) }
    var all: [Neighbour] = []
    for (number, isNear) in try others(of: post.number) {
      guard let other = try self.post(number) else { continue }
      all.append(Neighbour(post: other, rank: try self.rank(other), isNear: isNear))
    }
    all.sort { $0.rank < $1.rank }
    return (all.filter { $0.rank < rank }, all.filter { $0.rank > rank })
  }

  /// Whether a canonical post has room for one more near duplicate, given its copies of lesser rank than this one.
  private mutating func hasRoom(_ canonical: StoredPost, below rank: Rank) throws -> Bool {
    let folded = try neighbours(of: canonical, rank).less.count { $0.post.fold == canonical.number }
    return folded + 2 <= Self.largestCluster
  }

  private mutating func rank(_ post: StoredPost) throws -> Rank {
    guard let feed = try feed(post.feed) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
    return try Rank(post, feed: feed, standing(of: post))
  }

  private mutating func standing(of post: StoredPost) throws -> Standing {
    var standing = Standing(post)
    for number in try others(of: post.number).keys {
      guard let copy = try self.post(number), try isShown(copy) else { continue }
      standing.consider(copy, of: post)
    }
    return standing
  }

  /// Whether a post may be canonical or folded.
  private mutating func isShown(_ post: StoredPost) throws -> Bool {
    try !post.isBuried && !post.keys.flags.contains(.heldBack) && feed(post.feed)?.isRemoved == false
  }

  // MARK: - Reading

  private mutating func feed(_ number: FeedNumber) throws -> StoredFeed? {
    if let feed = feeds[number] { return feed }
    let feed = try StoredFeed.find(number, store.database)
    feeds[number] = feed
    return feed
  }

  /// Returns a post; it is read from the store only once.
  private mutating func post(_ number: PostNumber) throws -> StoredPost? {
    if let post = posts[number] { return post }
    guard var post = try store.post(number) else { return nil }
    try Wordings(database: store.database).add(to: &post)
    posts[number] = post
    return post
  }

  /// Returns the posts that have a key; they are read from the store only once.
  private mutating func group(ofKey digest: Int64) throws -> [PostNumber] {
    if let group = groups[digest] { return group }
    let group = try store.group(ofKey: digest)
    groups[digest] = group
    return group
  }

  /// Returns the posts that are the same as a post by the comparisons so far, each with whether it is only nearly the
  /// same.
  private func others(of number: PostNumber) throws -> [PostNumber: Bool] {
    let rows = try Row.fetchAll(
      store.database.cachedStatement(sql: "SELECT other, isNear FROM same WHERE post = ?"), arguments: [number])
    return try Dictionary(rows.map { try (PostNumber(rawValue: $0[0]), $0[1]) }) { first, _ in first }
  }

  private func execute(_ sql: String, _ numbers: PostNumber...) throws {
    try store.database.cachedStatement(sql: sql).execute(arguments: StatementArguments(numbers.map(\.rawValue)))
  }
}

/// A priority queue of the posts to be decided, the least in rank first; each post is in it once.
private struct RankedPosts {
  private var posts: [(number: PostNumber, rank: Rank)] = []
  private var members: Set<PostNumber> = []

  mutating func insert(_ number: PostNumber, _ rank: Rank) {
    guard members.insert(number).inserted else { return }
    posts.append((number, rank))
    // A heap: each element is less than its two children.
    var child = posts.count - 1
    while child > 0, posts[child].rank < posts[(child - 1) / 2].rank {
      posts.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func popLeast() -> PostNumber? {
    guard let least = posts.first?.number else { return nil }
    posts.swapAt(0, posts.count - 1)
    posts.removeLast()
    members.remove(least)
    var parent = 0
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < posts.count {
        if posts[child].rank < posts[smallest].rank { smallest = child }
      }
      if smallest == parent { return least }
      posts.swapAt(parent, smallest)
      parent = smallest
    }
  }
}
