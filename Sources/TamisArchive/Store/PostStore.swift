import GRDB
import TamisCore

/// Reads and writes posts and the keys by which they are found, within one transaction.
struct PostStore {
  let database: Database

  /// Returns the 48 bits of a key that are stored; the posts that it finds are compared in full.
  static func short(_ digest: Int64) -> Int64 { digest & 0xFFFF_FFFF_FFFF }

  /// The maximum number of posts that may share a key, such as a landmark of texts, for it to be evidence.
  ///
  /// A key with more posts is ignored; hostile feeds can make any number of them.
  static let mostForSharedKey = 64

  private static let postColumns = (StoredPost.columnNames + StoredPost.settledColumns).map { "post." + $0 }
    .joined(separator: ", ")
  private static let selection = "SELECT post.id, \(postColumns) FROM post "
  private static let insertion =
    "INSERT INTO post (\(StoredPost.columnNames.joined(separator: ", ")), sortDate, shown, fold) "
    + "VALUES (\(StoredPost.columns.map { _ in "?" }.joined(separator: ", ")), ?, 0, 0)"
  private static let assignment =
    "UPDATE post SET \(StoredPost.columnNames.map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = ?"

  // MARK: - Posts

  func post(_ number: PostNumber) throws -> StoredPost? {
    try read(database.cachedStatement(sql: Self.selection + "WHERE id = ?"), [number]).first
  }

  /// Reads posts directly from SQLite's cursor: copying each row first costs several times as much.
  private func read(_ statement: Statement, _ arguments: StatementArguments) throws -> [StoredPost] {
    try database.withShortRows {
      let rows = try Row.fetchCursor(statement, arguments: arguments)
      var posts: [StoredPost] = []
      while let row = try rows.next() { posts.append(try StoredPost(row: row)) }
      return posts
    }
  }

  /// Returns the first post of a feed that has a key and satisfies a condition.
  ///
  /// A deleted post comes before others, then a canonical one.
  ///
  /// - Parameters:
  ///   - digest: the key.
  ///   - feed: the number of the feed.
  ///   - condition: the condition in SQL.
  ///   - arguments: the values of the condition.
  ///   - claimed: posts that are skipped.
  ///   - isAccepted: a further condition.
  /// - Returns: the post; nil when there is none.
  /// - Throws: `DatabaseError` when the database cannot be read.
  func post(
    withKey digest: Int64, inFeed feed: FeedNumber, where condition: String, _ arguments: StatementArguments,
    except claimed: Set<PostNumber> = [], accepting isAccepted: (StoredPost) throws -> Bool = { _ in true }
  ) throws -> StoredPost? {
    let sql = """
      SELECT post.id, \(Self.postColumns) FROM key JOIN post ON post.id = key.post
      WHERE key.digest = ? AND post.feed = ? AND \(condition)
      ORDER BY post.forgotten > 0 DESC, post.fold <> 0, post.id
      """
    let rows = try Row.fetchCursor(
      database.cachedStatement(sql: sql), arguments: [Self.short(digest), feed] + arguments)
    while let row = try rows.next() {
      if try claimed.contains(PostNumber(rawValue: row[0])) { continue }
      let post = try StoredPost(row: row)
      if try isAccepted(post) { return post }
    }
    return nil
  }

  /// Whether a post has any of some keys.
  ///
  /// This is checked first, since most posts then need no further queries.
  func isKnown(_ digests: [Int64]) throws -> Bool {
    let digests = Set(digests.map(Self.short))
    // A few different statements serve any number of keys, so they can be cached.
    let count = digests.count <= 4 ? 4 : digests.count <= 8 ? 8 : 16
    guard digests.count <= count, let first = digests.first else { return !digests.isEmpty }
    let marks = Array(repeating: "?", count: count).joined(separator: ", ")
    let sql = "SELECT EXISTS (SELECT 1 FROM key WHERE digest IN (\(marks)))"
    let arguments = Array(digests) + Array(repeating: first, count: count - digests.count)
    return try database.isTrue(sql, StatementArguments(arguments))
  }

  /// The number of ids in a row without a post behind which no further neighbours are looked for.
  private static let reach: Int64 = 8
  /// The maximum number of neighbours of an id: a post of each day for three years.
  private static let mostNeighbours: Int64 = 1000

  /// Returns the posts of a feed that have an id or one of its neighbours, in their order, by their distance.
  func posts(near id: PostID, inFeed feed: FeedNumber) throws -> [(distance: Int64, post: StoredPost)] {
    var found = try posts(at: -Self.reach...Self.reach, from: id, inFeed: feed)
    // An archive that reads a feed of one post a day, always with the same id, has long rows of them.
    while let last = found.last?.distance, last > 0, last < Self.mostNeighbours {
      let further = try posts(at: last + 1...last + Self.reach, from: id, inFeed: feed)
      if further.isEmpty { break }
      found += further
    }
    while let first = found.first?.distance, first < 0, first > -Self.mostNeighbours {
      let further = try posts(at: first - Self.reach...first - 1, from: id, inFeed: feed)
      if further.isEmpty { break }
      found = further + found
    }
    return found
  }

  private func posts(
    at distances: ClosedRange<Int64>, from id: PostID, inFeed feed: FeedNumber
  ) throws -> [(distance: Int64, post: StoredPost)] {
    let ids = distances.map(id.neighbour)
    let marks = ids.map { _ in "?" }.joined(separator: ", ")
    let find = try database.cachedStatement(sql: Self.selection + "WHERE feed = ? AND pid IN (\(marks))")
    let found = try read(find, [feed] + StatementArguments(ids))
    return found.isEmpty
      ? [] : distances.flatMap { at in found.filter { $0.id == id.neighbour(at) }.map { (at, $0) } }
  }

  /// Returns an id, or its first neighbour that no post of a feed has.
  func freeID(from id: PostID, inFeed feed: FeedNumber) throws -> PostID {
    var id = id
    while try has(id, inFeed: feed) { id = id.neighbour(1) }
    return id
  }

  /// Gives a stored post an id that no other has, so that others can take its own.
  func park(_ post: StoredPost) throws {
    let free = try freeID(from: PostID(rawValue: post.number.rawValue), inFeed: post.feed)
    try database.cachedStatement(sql: "UPDATE post SET pid = ? WHERE id = ?").execute(arguments: [free, post.number])
  }

  /// Gives a post another id, and the name that ends with it.
  func rename(_ post: inout StoredPost, to id: PostID) throws {
    post.name = "\(post.name.dropLast("-\(post.id)".count))-\(id)"
    post.id = id
    try database.cachedStatement(sql: "UPDATE post SET pid = ?, name = ? WHERE id = ?")
      .execute(arguments: [id, post.name, post.number])
  }

  /// Whether a post of a feed has an id.
  func has(_ id: PostID, inFeed feed: FeedNumber) throws -> Bool {
    try database.isTrue("SELECT EXISTS (SELECT 1 FROM post WHERE feed = ? AND pid = ?)", [feed, id])
  }

  /// Returns the posts of a feed that have a key and satisfy a condition.
  ///
  /// Any number of posts may share the key; only the first ones are checked.
  func posts(
    withKey digest: Int64, inFeed feed: FeedNumber, where condition: String, _ arguments: StatementArguments
  ) throws -> [StoredPost] {
    let sql = """
      SELECT post.id, \(Self.postColumns) FROM
      (SELECT post AS id FROM key WHERE digest = ? ORDER BY post LIMIT \(Self.mostForSharedKey)) AS found
      JOIN post ON post.id = found.id WHERE post.feed = ? AND \(condition) ORDER BY post.id
      """
    return try read(database.cachedStatement(sql: sql), [Self.short(digest), feed] + arguments)
  }

  /// Returns the posts that have a key; empty when too many have it (``mostForSharedKey``).
  func group(ofKey digest: Int64) throws -> [PostNumber] {
    let sql = "SELECT post FROM key WHERE digest = ? LIMIT \(Self.mostForSharedKey + 1)"
    let posts = try Int64.fetchAll(database.cachedStatement(sql: sql), arguments: [Self.short(digest)])
    return posts.count > Self.mostForSharedKey ? [] : posts.map { PostNumber(rawValue: $0) }
  }

  /// Returns the first posts with a key, at most ``mostForSharedKey``.
  func firstPosts(withKey digest: Int64) throws -> [PostNumber] {
    let sql = "SELECT post FROM key WHERE digest = ? ORDER BY post LIMIT \(Self.mostForSharedKey)"
    return try PostNumber.fetchAll(database.cachedStatement(sql: sql), arguments: [Self.short(digest)])
  }

  /// Checks that the ids of a feed's posts are numbers, by which batches of posts continue: text is beyond all numbers.
  ///
  /// - Throws: ``UnreadableValue`` when one is not, as in a file that another program has made.
  func checkIDs(ofFeed feed: FeedNumber) throws {
    let find = "SELECT EXISTS (SELECT 1 FROM post WHERE feed = ? AND typeof(pid) <> 'integer')"
    if try database.isTrue(find, [feed]) { throw UnreadableValue(column: "pid") }
  }

  /// Returns the posts that are in a feed's last document.
  func postsHere(feed: FeedNumber) throws -> [PostNumber] {
    try Int64.fetchAll(
      database.cachedStatement(sql: "SELECT id FROM post WHERE feed = ? AND missed = 0 ORDER BY id"), arguments: [feed]
    ).map { PostNumber(rawValue: $0) }
  }

  /// Returns the median date of the posts that are in a feed and were seen before a moment.
  func middleDate(feed: FeedNumber, before moment: Moment) throws -> Int64? {
    let sql = "SELECT date FROM post WHERE feed = ? AND missed = 0 AND first < ? AND date IS NOT NULL ORDER BY date"
    let dates = try Int64.fetchAll(database.cachedStatement(sql: sql), arguments: [feed, moment])
    return dates.isEmpty ? nil : dates[(dates.count - 1) / 2]
  }

  /// Returns the posts that satisfy a condition.
  func posts(where condition: String, _ arguments: StatementArguments = []) throws -> [StoredPost] {
    try read(database.makeStatement(sql: Self.selection + "WHERE \(condition)"), arguments)
  }

  /// Adds a post and its keys.
  ///
  /// - Parameters:
  ///   - post: the post, which gets its number from the database.
  ///   - sortDate: its sort date; nil without a date.
  ///   - salt: the salt of its feed's keys.
  /// - Returns: the number of the post.
  /// - Throws: `DatabaseError` when the database cannot be written.
  func insert(_ post: StoredPost, sortDate: Int64?, salt: Int64) throws -> PostNumber {
    try RowWriter(database, sql: Self.insertion).write { row in
      post.append(to: &row)
      row.append(sortDate ?? CardStore.undated)
    }
    let number = PostNumber(rawValue: database.lastInsertedRowID)
    try addKeys(Self.keys(of: post.keys, salt: salt), to: number)
    return number
  }

  /// Updates a post; its old keys are kept, since posts found by a key are always compared.
  func update(_ post: StoredPost, addingKeysWith salt: Int64?) throws {
    try RowWriter(database, sql: Self.assignment).write { row in
      post.append(to: &row)
      row.append(post.number)
    }
    if let salt { try addKeys(Self.keys(of: post.keys, salt: salt), to: post.number) }
  }

  func setMissed(_ number: PostNumber, _ moment: Moment) throws {
    try database.cachedStatement(sql: "UPDATE post SET missed = ? WHERE id = ?").execute(arguments: [moment, number])
  }

  /// Deletes a post as if it had never been seen.
  func delete(_ number: PostNumber) throws {
    for table in ["card", "body", "wording", "origin"] {
      try database.cachedStatement(sql: "DELETE FROM \(table) WHERE post = ?").execute(arguments: [number])
    }
    try database.cachedStatement(sql: "DELETE FROM post WHERE id = ?").execute(arguments: [number])
  }

  /// Adds keys, full or shortened.
  func addKeys(_ digests: [Int64], to post: PostNumber) throws {
    let keys = try RowWriter(database, sql: "INSERT OR IGNORE INTO key VALUES (?, ?)")
    for digest in digests {
      try keys.write { row in
        row.append(Self.short(digest))
        row.append(post)
      }
    }
  }
}

/// The keys by which posts are found: digests, mixed with the feed's salt when they are meaningful in one feed only.
extension PostStore {
  /// Returns the salt that makes the keys of a feed's posts differ from those of other feeds.
  static func salt(ofFeed key: String) -> Int64 { Digest.of(key, kind: "feed") }

  /// Returns the keys by which a post is found.
  static func keys(of post: PostKeys, salt: Int64) -> [Int64] {
    var keys: [Int64] = []
    if let form = post.ids.guidForm ?? post.ids.guid { keys.append(guidKey(form, isGlobal(post), salt: salt)) }
    keys += post.ids.lookups
    keys += post.text.landmarks
    // A post with a short text, or without id and link, is found by its whole content.
    if post.text.landmarks.isEmpty || (post.ids.guid == nil && post.ids.link == nil) {
      keys.append(wordsKey(post, salt: salt))
    }
    return keys
  }

  /// Returns the keys that a post may share with posts of other feeds.
  static func sharedKeys(of post: PostKeys) -> [Int64] {
    [post.ids.link, post.ids.former, post.flags.contains(.global) ? post.ids.guidForm : nil].compactMap { $0 }
      + post.text.landmarks
  }

  private static func isGlobal(_ post: PostKeys) -> Bool {
    post.flags.contains(.global) || (post.ids.guidForm != nil && post.ids.guidForm != post.ids.guid)
  }

  /// Returns the key of an id; most ids are meaningful in their feed only.
  static func guidKey(_ form: Int64, _ isGlobal: Bool, salt: Int64) -> Int64 {
    isGlobal ? form : Int64(bitPattern: Digest.mix(UInt64(bitPattern: form), UInt64(bitPattern: salt)))
  }

  /// Returns the key of a title, a day and a text.
  static func wordsKey(_ post: PostKeys, salt: Int64) -> Int64 {
    let day = (post.date ?? -SortDate.aDay) / SortDate.aDay
    var key = Digest.mix(UInt64(bitPattern: post.title), UInt64(bitPattern: day))
    key = Digest.mix(key, UInt64(bitPattern: post.text.digest ?? 0))
    return Int64(bitPattern: Digest.mix(key, UInt64(bitPattern: salt) &+ 11))
  }

  /// Returns the key of a post without id and link.
  ///
  /// - Parameters:
  ///   - whole: the digest of its whole content, see ``DocumentKeys/whole``.
  ///   - salt: the salt of its feed's keys.
  /// - Returns: the key, which is meaningful in this feed only.
  static func wholeKey(_ whole: Int64, salt: Int64) -> Int64 {
    Int64(bitPattern: Digest.mix(UInt64(bitPattern: whole), UInt64(bitPattern: salt)))
  }
}
