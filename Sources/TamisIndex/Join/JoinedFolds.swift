import GRDB

/// What posts are said to be folded into: by the builds of one index that is what they are folded into, where several
/// were joined it may be more.
struct Claims {
  /// What is kept of it: for posts of which it is not what they are folded into.
  private(set) var rows: [Int64: Set<Int64>] = [:]
  /// For each post of which something is said what that is.
  private(set) var all: [Int64: Set<Int64>] = [:]

  init(_ database: Database) throws {
    for row in try Row.fetchAll(database, sql: "SELECT post, other FROM claim") {
      let other: Int64 = row[1]
      rows[row[0], default: []].formUnion(other == 0 ? [] : [other])
    }
    for row in try Row.fetchAll(database, sql: "SELECT id, fold FROM post WHERE fold <> 0") {
      let id: Int64 = row[0]
      all[id] = rows[id] ?? [row[1]]
    }
    for (post, others) in rows { all[post] = others }
  }

  mutating func add(_ post: Int64, _ other: Int64) { all[post, default: []].insert(other) }

  /// Writes them for posts that are folded now into what they are.
  func write(_ folds: [Int64: Int64], _ database: Database) throws {
    try database.execute(sql: "DELETE FROM claim")
    let insert = try database.makeStatement(sql: "INSERT INTO claim VALUES (?, ?)")
    for post in Set(all.keys).union(folds.keys).sorted() {
      let told = all[post] ?? []
      if told == Set([folds[post]].compactMap { $0 }) { continue }
      for other in told.isEmpty ? [0] : told.sorted() { try insert.execute(arguments: [post, other]) }
    }
  }
}

/// Which posts stand for others, worked out from what the posts are and what is claimed, and from nothing else.
struct JoinedFolds {
  private let store: PostStore
  private let claims: Claims
  private var aggregators: Set<Int64> = []
  private let feedKeys: [Int64: String]
  private var folds: [Int64: Int64] = [:]
  /// Posts of one feed with one id under two names: each with the one that is looked at.
  private var twins: [Int64: Int64] = [:]
  private var posts: [Int64: StoredPost] = [:]

  init(_ store: PostStore, _ claims: Claims) throws {
    self.store = store
    self.claims = claims
    feedKeys = try PostIndex.feedKeys(store.database)
    aggregators = try Set(Int64.fetchAll(store.database, sql: "SELECT id FROM feed WHERE isAggregator <> 0"))
    try findTwins()
    try foldClaimed()
    for (twin, other) in twins where posts[other]?.isBuried == false { folds[twin] = folds[other] ?? other }
  }

  func write() throws {
    for id in try Int64.fetchAll(store.database, sql: "SELECT id FROM post WHERE fold <> 0") where folds[id] == nil {
      try store.setFold(id, 0)
    }
    for (id, other) in folds { try store.setFold(id, other) }
    try claims.write(folds, store.database)
  }

  /// Indexes that met a post under other titles named its page otherwise.
  ///
  /// What the user has said of one of them counts.
  private mutating func findTwins() throws {
    let sql = """
      SELECT post.feed, post.guid FROM post JOIN feed ON feed.id = post.feed
      WHERE post.guid IS NOT NULL AND feed.level = 0 GROUP BY post.feed, post.guid HAVING count(*) > 1
      """
    for row in try Row.fetchAll(store.database, sql: sql) {
      let group = try store.posts(where: "feed = ? AND guid = ?", [row[0] as Int64, row[1] as Int64])
      func rank(_ post: StoredPost) -> (Int, Int, Int64, String) {
        (
          post.flags.contains(.forgotten) ? 0 : post.isBuried ? 2 : 1, post.flags.contains(.read) ? 0 : 1, post.first,
          post.name
        )
      }
      guard let first = group.min(by: { rank($0) < rank($1) }) else { continue }
      posts[first.id] = first
      for post in group where post.id != first.id { twins[post.id] = first.id }
    }
  }

  // MARK: - Claims

  private func itself(_ id: Int64) -> Int64 { twins[id] ?? id }

  private mutating func foldClaimed() throws {
    var edges: [Int64: Set<Int64>] = [:]
    for (post, others) in claims.all {
      for other in others where itself(other) != itself(post) { edges[itself(post), default: []].insert(itself(other)) }
    }
    for id in Set(edges.keys).union(edges.values.joined()) where posts[id] == nil { posts[id] = try store.post(id) }
    edges = edges.filter { posts[$0.key]?.isBuried == false }
      .mapValues { $0.filter { posts[$0]?.isBuried == false } }.filter { !$0.value.isEmpty }
    var neighbours: [Int64: Set<Int64>] = [:]
    for (post, others) in edges {
      for other in others {
        neighbours[post, default: []].insert(other)
        neighbours[other, default: []].insert(post)
      }
    }
    var seen: Set<Int64> = []
    for start in neighbours.keys where seen.insert(start).inserted {
      var cluster = [start]
      var next = 0
      while next < cluster.count {
        cluster += (neighbours[cluster[next]] ?? []).filter { seen.insert($0).inserted }
        next += 1
      }
      settle(cluster.compactMap { posts[$0] }, edges)
    }
  }

  /// A choice that no index contradicts stays: a post that others are folded into and that is folded into none.
  ///
  /// Else they are ranked as a build ranks them; and all that are folded are the same as what they are folded into, themselves.
  private mutating func settle(_ cluster: [StoredPost], _ edges: [Int64: Set<Int64>]) {
    var rest = cluster
    while !rest.isEmpty {
      let chosen = rest.filter { edges[$0.id] == nil }
      guard let canonical = (chosen.isEmpty ? rest : chosen).min(by: { rank($0) < rank($1) }) else { return }
      rest = rest.filter { post in
        if post.id == canonical.id { return false }
        guard post.feed != canonical.feed, Sameness.holds(post, canonical) else { return true }
        folds[post.id] = canonical.id
        return false
      }
    }
  }

  private func rank(_ post: StoredPost) -> Rank {
    Rank(
      post, place: Rank.Place(feed: feedKeys[post.feed] ?? "", name: post.name),
      isAggregator: aggregators.contains(post.feed))
  }
}
