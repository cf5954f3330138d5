import Foundation
import GRDB

/// Indexes as lines of JSON: to be kept, compared, moved, and joined with others.
///
/// Joining is commutative and idempotent: which of two records counts is decided by what they say, never by where they come
/// from or in which order.
extension PostIndex {
  /// A line of an export.
  struct Record: Codable {
    var feed: String
    var level: Int64?
    var pending: Int64?
    var first: Int64?
    var isAggregator: Bool?
    var post: PostRecord?
  }

  /// A post of an export: digests as decimal numbers.
  struct PostRecord: Codable {
    var name: String
    var guid: Int64?
    var guidForm: Int64?
    var link: Int64?
    var file: Int64?
    var title: Int64
    var text: Int64?
    var markup: Int64?
    var words: Int
    var numbers: Int64
    var sketch: Data?
    var date: Int64?
    var first: Int64
    var changed: Int64
    var gone: Int64
    var flags: Int64
    var keys: [Int64]
    /// The feed and the name of the post that stands for it.
    var foldedInto: [String]?

    init(_ post: StoredPost, keys: [Int64], foldedInto: [String]?) {
      name = post.name
      (guid, guidForm, link, file) = (post.guid, post.guidForm, post.link, post.file)
      (title, text, markup, words, numbers) = (post.title, post.text, post.markup, post.words, post.numbers)
      sketch = post.sketch.map { Data($0) }
      (date, first, changed, gone, flags) = (post.date, post.first, post.changed, post.gone, post.flags.rawValue)
      self.keys = keys
      self.foldedInto = foldedInto
    }

    /// Whether its name is one of a file and its numbers are such as come about.
    var isSound: Bool {
      let runs = 0...(1 << 40) as ClosedRange<Int64>
      return !name.isEmpty && name.utf8.count <= 200 && !name.hasPrefix(".")
        && !name.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        && runs.contains(first) && runs.contains(gone) && (0...(1 << 42)).contains(changed)
        && (0...(1 << 31)).contains(words)
        && (0...(1 << 32)).contains(numbers) && (sketch == nil || sketch?.count == 32)
    }

    func stored(feed: Int64) -> StoredPost {
      var post = StoredPost()
      post.feed = feed
      post.name = name
      (post.guid, post.guidForm, post.link, post.file) = (guid, guidForm, link, file)
      (post.title, post.text, post.markup, post.words, post.numbers) = (title, text, markup, words, numbers)
      post.sketch = sketch.map { Array($0) }
      (post.date, post.first, post.changed, post.gone) = (date, first, changed, gone)
      post.flags = StoredPost.Flags(rawValue: flags)
      return post
    }
  }

  /// All that the index knows, a line of JSON for each feed and post, in an order of their own.
  public func export() throws(IndexError) -> [UInt8] {
    try read { database in
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      var output: [UInt8] = []
      func write(_ record: Record) throws {
        output += try encoder.encode(record)
        output.append(UInt8(ascii: "\n"))
      }
      let store = PostStore(database: database)
      let feedKeys = try Self.feedKeys(database)
      var keys: [Int64: [Int64]] = [:]
      let pairs = try Row.fetchCursor(database, sql: "SELECT post, digest FROM key ORDER BY post, digest")
      while let row = try pairs.next() { keys[row[0], default: []].append(row[1]) }
      for row in try Row.fetchAll(database, sql: "SELECT * FROM feed ORDER BY key") {
        try write(
          Record(
            feed: row["key"], level: row["level"], pending: row["pending"],
            first: row["first"], isAggregator: row["isAggregator"]))
        let id: Int64 = row["id"]
        for post in try store.posts(where: "feed = ? ORDER BY name", [id]) {
          let other = post.fold == 0 ? nil : try store.post(post.fold)
          let own = Set(try store.ownKeys(of: post))
          let record = PostRecord(
            post, keys: (keys[post.id] ?? []).filter { !own.contains($0) },
            foldedInto: other.map { [feedKeys[$0.feed] ?? "", $0.name] })
          try write(Record(feed: row["key"], post: record))
        }
      }
      return output
    }
  }

  /// Takes in what another index has exported; answers how many posts that were.
  ///
  /// - Throws: when a line is none of an export; nothing is taken in then.
  public func merge(_ lines: [UInt8], named name: String) throws(IndexError) -> Int {
    var records: [Record] = []
    let decoder = JSONDecoder()
    for (number, line) in lines.split(separator: UInt8(ascii: "\n")).enumerated() {
      guard let record = try? decoder.decode(Record.self, from: Data(line)) else {
        throw IndexError(description: "\(name):\(number + 1): this line is none of an exported index")
      }
      records.append(record)
    }
    for (number, record) in records.enumerated() where record.post?.isSound == false {
      throw IndexError(description: "\(name):\(number + 1): this post has a name or a number that no index gives")
    }
    let all = records
    return try write { database in
      var merge = Merge(database)
      for record in all { try merge.take(record) }
      try merge.finish()
      return all.count { $0.post != nil }
    }
  }
}

/// Joins records with what is there, within one transaction.
private struct Merge {
  private let store: PostStore
  private var feeds: [String: Int64] = [:]
  /// Posts whose folds are to be set at the end, with the feed and the name of the other.
  private var folds: [(post: Int64, into: [String])] = []
  private var latestRun: Int64 = 0

  init(_ database: Database) { store = PostStore(database: database) }

  mutating func take(_ record: PostIndex.Record) throws {
    let feed = try feed(record)
    guard let post = record.post else { return }
    latestRun = max(latestRun, post.first, post.changed / 4, post.gone)
    let theirs = post.stored(feed: feed)
    guard let ours = try same(as: theirs, post.keys) else {
      let id = try store.insert(theirs, landmarks: [])
      if let into = post.foldedInto, into.count == 2 { folds.append((id, into)) }
      return try store.addKeys(post.keys, to: id)
    }
    if let into = post.foldedInto, into.count == 2 { folds.append((ours.id, into)) }
    var joined = Self.later(ours, theirs)
    joined.id = ours.id
    joined.first = min(ours.first, theirs.first)
    joined.changed = max(ours.changed, theirs.changed)
    // What one of them still saw is there.
    joined.gone = ours.gone == 0 || theirs.gone == 0 ? 0 : max(ours.gone, theirs.gone)
    let lasting: StoredPost.Flags = [.read, .forgotten, .purged]
    joined.flags.formUnion(ours.flags.union(theirs.flags).intersection(lasting))
    joined.name = (ours.first, ours.name) < (theirs.first, theirs.name) ? ours.name : theirs.name
    joined.fold = ours.fold
    try store.update(joined, landmarks: [])
    // What either was found by leads to it, whichever came first.
    try store.addKeys(post.keys + store.ownKeys(of: theirs), to: ours.id)
  }

  /// The post of the same feed with the same id, else with the same page.
  private func same(as post: StoredPost, _ keys: [Int64]) throws -> StoredPost? {
    if let guid = post.guid {
      let key = PostStore.guidKey(post.guidForm ?? guid, PostStore.isGlobal(post), salt: FeedSalts.salt(""))
      let found = try store.post(withKey: key, inFeed: post.feed, where: "post.guid = ?", [guid], except: [])
      if let found { return found }
    }
    for key in try store.ownKeys(of: post) + keys {
      let found = try store.post(withKey: key, inFeed: post.feed, where: "post.name = ?", [post.name], except: [])
      if let found { return found }
    }
    return nil
  }

  /// The record that was changed last; of two that were changed in one run that whose digests are larger.
  private static func later(_ one: StoredPost, _ other: StoredPost) -> StoredPost {
    func rank(_ post: StoredPost) -> [Int64] {
      [
        post.changed, post.markup ?? .min, post.text ?? .min, post.title, post.guid ?? .min, post.link ?? .min,
        post.date ?? .min,
      ]
    }
    return rank(other).lexicographicallyPrecedes(rank(one)) ? one : other
  }

  private mutating func feed(_ record: PostIndex.Record) throws -> Int64 {
    let database = store.database
    let id = try feeds[record.feed] ?? StoredFeed.find(record.feed, database, run: record.first ?? 1).id
    feeds[record.feed] = id
    guard record.post == nil else { return id }
    latestRun = max(latestRun, record.pending ?? 0)
    try database.execute(
      sql: """
        UPDATE feed SET level = max(level, ?), pending = max(pending, ?), isAggregator = max(isAggregator, ?),
          first = min(first, ?)
        WHERE id = ?
        """,
      arguments: [
        record.level ?? 0, record.pending ?? 0,
        record.isAggregator ?? false, record.first ?? 1, id,
      ])
    return id
  }

  /// Joins what is folded on either side: of posts that hang together the one that was seen first stands for all.
  mutating func finish() throws {
    let database = store.database
    var parents: [Int64: Int64] = [:]
    func root(_ id: Int64) -> Int64 {
      var id = id
      while let parent = parents[id] { id = parent }
      return id
    }
    func join(_ one: Int64, _ other: Int64) {
      let (first, second) = (root(one), root(other))
      if first != second { parents[first] = second }
    }
    var members: Set<Int64> = []
    for row in try Row.fetchAll(database, sql: "SELECT id, fold FROM post WHERE fold <> 0") {
      join(row[0], row[1])
      members.formUnion([row[0], row[1]])
    }
    let find = "SELECT id FROM post WHERE feed = (SELECT id FROM feed WHERE key = ?) AND name = ?"
    for (post, into) in folds {
      guard let other = try Int64.fetchOne(database.cachedStatement(sql: find), arguments: [into[0], into[1]]) else {
        continue
      }
      join(post, other)
      members.formUnion([post, other])
    }
    let keys = try PostIndex.feedKeys(database)
    for cluster in Dictionary(grouping: members, by: root).values {
      let posts = try cluster.compactMap(store.post)
      let canonical = posts.min { ($0.first, keys[$0.feed] ?? "", $0.name) < ($1.first, keys[$1.feed] ?? "", $1.name) }
      for post in posts { try store.setFold(post.id, post.id == canonical?.id ? 0 : canonical?.id ?? 0) }
    }
    let known = try Int64.fetchOne(database, sql: "SELECT max(id) FROM run") ?? 0
    if latestRun > known { try database.execute(sql: "INSERT INTO run VALUES (?, 1)", arguments: [latestRun]) }
  }
}
