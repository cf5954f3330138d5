import GRDB

/// Folds posts that are new into those of other feeds that are the same.
///
/// Done when all feeds of a run have been recorded, so that it does not depend on their order. A post that was known
/// before stays what it is: only what is new is folded, and into what is old if there is any. Only where one of two has
/// become something else do they part again.
struct Folding {
  /// More posts than that are no copies of one: texts say nothing then.
  private static let largestCluster = 8
  /// A text that one feed has more often than that is boilerplate.
  private static let mostOfOneText = 3

  private let store: PostStore
  private let run: Int64
  private let feeds: [Int64: Feed]
  private var landmarks: [Int64: [Int64]]
  private let seen: [Int64: [Int64]]
  /// Posts that are no longer the same as what they were folded into.
  private var loose: Set<Int64> = []
  /// The keys that several posts have; nil when that is not known.
  private var shared: Set<Int64>?
  /// The posts that were looked at.
  private var known: [Int64: StoredPost] = [:]
  private var parents: [Int64: Int64] = [:]
  private var sizes: [Int64: Int] = [:]

  private struct Feed {
    var key: String
    var isAggregator: Bool
  }

  /// - Parameters:
  ///   - landmarks: those of the run's new posts, by their numbers.
  ///   - seen: those of the others that it has seen.
  init(_ database: Database, run: Int64, new landmarks: [Int64: [Int64]], known seen: [Int64: [Int64]]) throws {
    self.landmarks = landmarks
    self.seen = seen
    store = PostStore(database: database)
    self.run = run
    let rows = try Row.fetchAll(database, sql: "SELECT id, key, isAggregator FROM feed")
    feeds = Dictionary(uniqueKeysWithValues: rows.map { ($0[0], Feed(key: $0[1], isAggregator: $0[2])) })
  }

  mutating func fold() throws {
    try review()
    guard feeds.count > 1 else { return }
    let fresh = try landmarks.keys.compactMap(store.post).filter { isFresh($0) && !$0.isBuried }
      .sorted { order($0) < order($1) }
    for post in fresh {
      known[post.id] = post
      if post.fold != 0 { try store.setFold(post.id, 0) }
    }
    var near: [(StoredPost, StoredPost)] = []
    shared = try sharedKeys(fresh.count)
    for post in fresh {
      for (other, rule) in try candidates(for: post) {
        if rule == .near { near.append((post, other)) } else { join(post.id, other.id) }
      }
    }
    for (post, other) in near where size(post.id) + size(other.id) <= Self.largestCluster { join(post.id, other.id) }
    // Those that were joined with nothing stand for themselves.
    let joined = fresh.filter { size($0.id) > 1 }
    let old = Dictionary(grouping: known.values.filter { !isFresh($0) && size($0.id) > 1 }, by: { root($0.id) })
    for (top, members) in Dictionary(grouping: joined, by: { root($0.id) }) { try settle(members, old[top] ?? []) }
  }

  /// Whether a post may be folded: not if it stood for itself before.
  private func isFresh(_ post: StoredPost) -> Bool { post.first == run || loose.contains(post.id) }

  /// Parts posts that this run has seen from what they are no longer the same as.
  private mutating func review() throws {
    // Sorted here: to have them in order SQLite would go through all posts.
    let folds = try Row.fetchAll(store.database, sql: "SELECT id, fold FROM post WHERE fold <> 0")
    for (id, other) in folds.map({ ($0[0] as Int64, $0[1] as Int64) }).sorted(by: { $0.0 < $1.0 }) {
      guard [id, other].contains(where: { landmarks[$0] != nil || seen[$0] != nil }), let post = try store.post(id)
      else {
        continue
      }
      if let canonical = try store.post(other), !canonical.isBuried, Sameness.holds(post, canonical) { continue }
      try store.setFold(id, 0)
      // One that this run has not seen stands for itself from now on, as an old one does.
      if let marks = seen[id] {
        loose.insert(id)
        landmarks[id] = marks
      }
    }
  }

  /// The keys that several posts have, when so many posts are new that to read all keys once costs less than to look for
  /// each.
  private func sharedKeys(_ fresh: Int) throws -> Set<Int64>? {
    let posts = try Int.fetchOne(store.database, sql: "SELECT max(id) FROM post") ?? 0
    guard fresh * 10 > posts else { return nil }
    let sql = "SELECT digest FROM key GROUP BY digest HAVING count(*) > 1"
    return try Int64.fetchSet(store.database, sql: sql)
  }

  /// The posts of other feeds that are the same as this one, with the rule.
  private mutating func candidates(for post: StoredPost) throws -> [(StoredPost, Sameness.Rule)] {
    var found: [Int64: StoredPost] = [:]
    let keys = store.keys(of: post, landmarks: landmarks[post.id] ?? [])
    guard try shared != nil || store.isKnown(keys, except: post.id) else { return [] }
    for digest in keys where shared?.contains(PostStore.short(digest)) ?? true {
      for id in try store.ids(withKey: digest) where found[id] == nil {
        guard let other = try self.post(id), other.feed != post.feed, !other.isBuried else { continue }
        found[id] = other
      }
    }
    let isBoilerplate = isBoilerplate(post.text, among: found.values)
    let pairs = found.values.compactMap { other in Sameness(post, other).rule.map { (other, $0) } }
      .sorted { order($0.0) < order($1.0) }
    return try pairs.compactMap { other, rule in
      if isBoilerplate, rule == .text || rule == .near { return nil }
      // What is folded already stands for what it is folded into.
      guard !isFresh(other), other.fold != 0 else { return (other, rule) }
      guard let canonical = try self.post(other.fold), canonical.feed != post.feed, !canonical.isBuried else {
        return nil
      }
      return (canonical, rule)
    }
  }

  /// Whether a feed has a text so often that it says nothing.
  private func isBoilerplate(_ text: Int64?, among posts: some Collection<StoredPost>) -> Bool {
    let alike = posts.filter { $0.text == text }
    guard alike.count > Self.mostOfOneText else { return false }
    return Dictionary(grouping: alike, by: \.feed).values.contains { $0.count > Self.mostOfOneText }
  }

  /// A post, which is read once.
  private mutating func post(_ id: Int64) throws -> StoredPost? {
    if let post = known[id] { return post }
    let post = try store.post(id)
    known[id] = post
    return post
  }

  /// Folds the new posts of a cluster into one, as far as they are the same as that one themselves: a post between two
  /// others does not make them one.
  private func settle(_ members: [StoredPost], _ old: [StoredPost]) throws {
    var rest = members
    for canonical in old.sorted(by: { ($0.first, order($0)) < ($1.first, order($1)) }) {
      rest = try fold(rest, into: canonical)
    }
    while let canonical = rest.min(by: { rank($0) < rank($1) }) {
      rest = try fold(rest.filter { $0.id != canonical.id }, into: canonical)
    }
  }

  /// Answers those that are not the same as the canonical post.
  private func fold(_ posts: [StoredPost], into canonical: StoredPost) throws -> [StoredPost] {
    try posts.filter { post in
      guard post.feed != canonical.feed, Sameness(post, canonical).rule != nil else { return true }
      try store.setFold(post.id, canonical.id)
      return false
    }
  }

  private func rank(_ post: StoredPost) -> Rank {
    Rank(post, place: order(post), isAggregator: feeds[post.feed]?.isAggregator == true)
  }

  private func order(_ post: StoredPost) -> Rank.Place {
    Rank.Place(feed: feeds[post.feed]?.key ?? "", name: post.name)
  }

  // MARK: - Clusters

  private func root(_ id: Int64) -> Int64 {
    var id = id
    while let parent = parents[id], parent != id { id = parent }
    return id
  }

  private func size(_ id: Int64) -> Int { sizes[root(id)] ?? 1 }

  private mutating func join(_ one: Int64, _ other: Int64) {
    let (first, second) = (root(one), root(other))
    guard first != second else { return }
    let (small, large) = size(first) < size(second) ? (first, second) : (second, first)
    sizes[large] = size(first) + size(second)
    parents[small] = large
  }
}
