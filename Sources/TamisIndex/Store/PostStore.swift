import Foundation
import GRDB
import TamisCore

/// Reads and writes posts and the keys by which they are found, within one transaction.
struct PostStore {
  let database: Database
  private let salts = FeedSalts()

  init(database: Database) { self.database = database }

  /// Keys are kept with 48 bits: what they lead to is compared in full.
  static func short(_ digest: Int64) -> Int64 { digest & 0xFFFF_FFFF_FFFF }

  /// Most posts that are looked at for a key that any number may share, such as a landmark of texts.
  ///
  /// Hostile feeds have as many as they like; what is not seen then is not recognized or folded by this key.
  private static let mostForSharedKey = 64

  private static let postColumns = StoredPost.columns.map { "post." + $0 }.joined(separator: ", ")
  private static let selection = "SELECT id, " + StoredPost.columns.joined(separator: ", ") + " FROM post "
  private static let insertion =
    "INSERT INTO post (\(StoredPost.columns.joined(separator: ", "))) "
    + "VALUES (\(StoredPost.columns.map { _ in "?" }.joined(separator: ", ")))"
  private static let assignment =
    "UPDATE post SET \(StoredPost.columns.map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = ?"

  // MARK: - Posts

  func post(_ id: Int64) throws -> StoredPost? {
    try read(database.cachedStatement(sql: Self.selection + "WHERE id = ?"), [id]).first
  }

  /// Reads posts while SQLite stands at them: a row that is copied first costs several times as much.
  private func read(_ statement: Statement, _ arguments: StatementArguments) throws -> [StoredPost] {
    let rows = try Row.fetchCursor(statement, arguments: arguments)
    var posts: [StoredPost] = []
    while let row = try rows.next() { posts.append(StoredPost(row: row)) }
    return posts
  }

  /// The first post of a feed that a key leads to and that satisfies a condition: one that the user does not want before
  /// others, for of two with one id that is the word that counts, then one that stands for itself.
  ///
  /// - Parameters:
  ///   - claimed: posts that are not asked about.
  ///   - isAccepted: what else is asked of a post.
  func post(
    withKey digest: Int64, inFeed feed: Int64, where condition: String, _ arguments: StatementArguments,
    except claimed: Set<Int64> = [], accepting isAccepted: (StoredPost) -> Bool = { _ in true }
  ) throws -> StoredPost? {
    let sql = """
      SELECT post.id, \(Self.postColumns) FROM key JOIN post ON post.id = key.post
      WHERE key.digest = ? AND post.feed = ? AND \(condition)
      ORDER BY post.flags & 4 DESC, post.fold <> 0, post.id
      """
    let rows = try Row.fetchCursor(
      database.cachedStatement(sql: sql), arguments: [Self.short(digest), feed] + arguments)
    while let row = try rows.next() {
      if claimed.contains(row[0]) { continue }
      let post = StoredPost(row: row)
      if isAccepted(post) { return post }
    }
    return nil
  }

  /// Whether any of some keys leads to a post other than one: asked first, it spares most posts all other questions.
  func isKnown(_ digests: [Int64], except post: Int64 = 0) throws -> Bool {
    let digests = Set(digests.map(Self.short))
    // Few statements for any number of keys, so that they can be kept.
    let places = digests.count <= 4 ? 4 : digests.count <= 8 ? 8 : 16
    guard digests.count <= places, let first = digests.first else { return !digests.isEmpty }
    let marks = Array(repeating: "?", count: places).joined(separator: ", ")
    let sql = "SELECT EXISTS (SELECT 1 FROM key WHERE digest IN (\(marks)) AND post <> ?)"
    let arguments = Array(digests) + Array(repeating: first, count: places - digests.count) + [post]
    return try Bool.fetchOne(database.cachedStatement(sql: sql), arguments: StatementArguments(arguments)) ?? false
  }

  /// The post of a feed whose page has a name.
  func post(named name: String, inFeed feed: Int64) throws -> StoredPost? {
    let find = try database.cachedStatement(sql: Self.selection + "WHERE feed = ? AND name = ? ORDER BY id LIMIT 1")
    return try read(find, [feed, name]).first
  }

  /// The posts of a feed that a key leads to, which any number may share, and that satisfy a condition: only the first are
  /// looked at.
  func posts(
    withKey digest: Int64, inFeed feed: Int64, where condition: String, _ arguments: StatementArguments
  ) throws -> [StoredPost] {
    let sql = """
      SELECT post.id, \(Self.postColumns) FROM
      (SELECT post AS id FROM key WHERE digest = ? ORDER BY post LIMIT \(Self.mostForSharedKey)) AS found
      JOIN post ON post.id = found.id WHERE post.feed = ? AND \(condition) ORDER BY post.id
      """
    return try read(database.cachedStatement(sql: sql), [Self.short(digest), feed] + arguments)
  }

  /// The posts that a key leads to, which any number may share: only the first are looked at.
  func ids(withKey digest: Int64) throws -> [Int64] {
    let sql = "SELECT post FROM key WHERE digest = ? ORDER BY post LIMIT \(Self.mostForSharedKey)"
    return try Int64.fetchAll(database.cachedStatement(sql: sql), arguments: [Self.short(digest)])
  }

  /// Whether a feed has a page of this name: that of a post with one of the keys, or of one that has other keys by now.
  func hasPage(_ name: String, feed: Int64, keys: [Int64]) throws -> Bool {
    let keys = try keys + [nameKey(name, feed: feed)]
    guard try isKnown(keys) else { return false }
    return try keys.contains { key in
      try post(withKey: key, inFeed: feed, where: "post.name = ?", [name]) != nil
    }
  }

  /// Remembers the name of a page that no longer follows from the post's id.
  func keepName(of post: StoredPost) throws { try addKeys([nameKey(post.name, feed: post.feed)], to: post.id) }

  private func nameKey(_ name: String, feed: Int64) throws -> Int64 {
    Self.nameKey(name, salt: try salts.of(feed, database))
  }

  /// The keys that a post may share with posts of other feeds.
  ///
  /// They are kept for each key, not for each post: those that follow from its row are made again, landmarks are read from
  /// what the caller has just written.
  func keys(of post: StoredPost, landmarks: [Int64]) -> [Int64] {
    [post.link, post.flags.contains(.global) ? post.guidForm : nil].compactMap { $0 } + landmarks
  }

  /// The posts of a feed that are in it, as far as is known.
  func postsHere(feed: Int64) throws -> [Int64] {
    try Int64.fetchAll(
      database.cachedStatement(sql: "SELECT id FROM post WHERE feed = ? AND gone = 0 ORDER BY id"), arguments: [feed])
  }

  /// The date in the middle of those of the posts that are in a feed and were seen before a run.
  func middleDate(feed: Int64, before run: Int64) throws -> Int64? {
    let sql = "SELECT date FROM post WHERE feed = ? AND gone = 0 AND first < ? AND date IS NOT NULL ORDER BY date"
    let dates = try Int64.fetchAll(database.cachedStatement(sql: sql), arguments: [feed, run])
    return dates.isEmpty ? nil : dates[(dates.count - 1) / 2]
  }

  /// Posts that satisfy a condition.
  func posts(where condition: String, _ arguments: StatementArguments = []) throws -> [StoredPost] {
    try read(database.makeStatement(sql: Self.selection + "WHERE \(condition)"), arguments)
  }

  /// Adds a post and its keys; answers its number.
  @discardableResult func insert(_ post: StoredPost, landmarks: [Int64]) throws -> Int64 {
    try database.cachedStatement(sql: Self.insertion).execute(arguments: compact(post).arguments)
    let id = database.lastInsertedRowID
    try addKeys(Self.keys(of: post, landmarks: landmarks, salt: salts.of(post.feed, database)), to: id)
    return id
  }

  /// Writes a post anew; its old keys stay, for what they lead to is always compared.
  func update(_ post: StoredPost, landmarks: [Int64]?) throws {
    try database.cachedStatement(sql: Self.assignment).execute(arguments: compact(post).arguments + [post.id])
    guard let landmarks else { return }
    try addKeys(Self.keys(of: post, landmarks: landmarks, salt: salts.of(post.feed, database)), to: post.id)
  }

  func setGone(_ id: Int64, _ run: Int64) throws {
    try database.cachedStatement(sql: "UPDATE post SET gone = ? WHERE id = ?").execute(arguments: [run, id])
  }

  func setFold(_ id: Int64, _ other: Int64) throws {
    try database.cachedStatement(sql: "UPDATE post SET fold = ? WHERE id = ?").execute(arguments: [other, id])
  }

  func delete(_ id: Int64) throws {
    try database.cachedStatement(sql: "DELETE FROM post WHERE id = ?").execute(arguments: [id])
    try database.cachedStatement(sql: "UPDATE post SET fold = 0 WHERE fold = ? AND fold <> 0").execute(arguments: [id])
  }

  /// Removes keys that lead nowhere.
  func removeStrayKeys() throws {
    try database.execute(sql: "DELETE FROM key WHERE post NOT IN (SELECT id FROM post)")
  }

  /// The keys of a post that follow from its row, as they are kept.
  func ownKeys(of post: StoredPost) throws -> [Int64] {
    Self.keys(of: post, landmarks: [], salt: try salts.of(post.feed, database)).map(Self.short)
  }

  /// Adds keys, whole or as they are kept.
  func addKeys(_ digests: [Int64], to post: Int64) throws {
    let statement = try database.cachedStatement(sql: "INSERT OR IGNORE INTO key VALUES (?, ?)")
    for digest in digests { try statement.execute(arguments: [Self.short(digest), post]) }
  }

  /// What is equal to something else in the row is not written.
  private func compact(_ post: StoredPost) -> StoredPost {
    var post = post
    if post.guidForm == post.guid { post.guidForm = nil }
    return post
  }
}

/// By what posts are found: digests in which, where they mean something in one feed only, that feed's salt is mixed.
extension PostStore {
  /// What a post is to be found by.
  static func keys(of post: StoredPost, landmarks: [Int64], salt: Int64) -> [Int64] {
    var keys: [Int64] = []
    if let form = post.guidForm ?? post.guid { keys.append(guidKey(form, isGlobal(post), salt: salt)) }
    keys += [post.link, post.file].compactMap { $0 }
    keys += landmarks
    // What has no address and is too short, or without any id, is found by all that it says.
    if landmarks.isEmpty || (post.guid == nil && post.link == nil) {
      keys.append(wordsKey(title: post.title, date: post.date, text: post.text, salt: salt))
    }
    return Array(Set(keys)).sorted()
  }

  static func isGlobal(_ post: StoredPost) -> Bool {
    post.flags.contains(.global) || (post.guidForm != nil && post.guidForm != post.guid)
  }

  /// The key of an id, which for most ids means something in its feed only.
  static func guidKey(_ form: Int64, _ isGlobal: Bool, salt: Int64) -> Int64 {
    isGlobal ? form : Int64(bitPattern: Digest.mix(UInt64(bitPattern: form), UInt64(bitPattern: salt)))
  }

  /// The key of a title on a day with the words that it stands over.
  static func wordsKey(title: Int64, date: Int64?, text: Int64?, salt: Int64) -> Int64 {
    var key = Digest.mix(UInt64(bitPattern: title), UInt64(bitPattern: (date ?? -86_400) / 86_400))
    key = Digest.mix(key, UInt64(bitPattern: text ?? 0))
    return Int64(bitPattern: Digest.mix(key, UInt64(bitPattern: salt) &+ 11))
  }

  /// The key of a post without id and link: all that it says.
  static func wholeKey(_ keys: PostKeys, salt: Int64) -> Int64 {
    Int64(bitPattern: Digest.mix(UInt64(bitPattern: keys.whole), UInt64(bitPattern: salt)))
  }

  static func nameKey(_ name: String, salt: Int64) -> Int64 {
    Int64(bitPattern: Digest.mix(UInt64(bitPattern: Digest.of("page", name)), UInt64(bitPattern: salt)))
  }
}

/// The salts of feeds, which follow from their keys, so that an index means the same everywhere.
final class FeedSalts {
  private var salts: [Int64: Int64] = [:]

  func of(_ feed: Int64, _ database: Database) throws -> Int64 {
    if let salt = salts[feed] { return salt }
    let find = try database.cachedStatement(sql: "SELECT key FROM feed WHERE id = ?")
    let salt = Self.salt(try String.fetchOne(find, arguments: [feed]) ?? "")
    salts[feed] = salt
    return salt
  }

  static func salt(_ key: String) -> Int64 { Digest.of("feed", key) }
}

/// What is known of a feed as a whole.
struct StoredFeed: Sendable {
  var id: Int64
  var level: KeyLevel
  /// The run in which most of its posts were missing, until a second run says so too; 0 for none.
  var pending: Int64
  /// The run in which it was seen first.
  var first: Int64
  /// What makes the keys of its posts differ from those of other feeds.
  var salt: Int64

  /// Finds a feed by its key, or begins it in a run.
  static func find(_ key: FeedKey, _ database: Database, run: Int64) throws -> StoredFeed {
    try database.cachedStatement(sql: "INSERT OR IGNORE INTO feed (key, first) VALUES (?, ?)")
      .execute(arguments: [key.text, run])
    let statement = try database.cachedStatement(
      sql: "SELECT id, level, pending, first FROM feed WHERE key = ?")
    guard let row = try Row.fetchOne(statement, arguments: [key.text]) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT)
    }
    return StoredFeed(
      id: row[0], level: KeyLevel(rawValue: row[1]) ?? .text, pending: row[2], first: row[3],
      salt: FeedSalts.salt(key.text))
  }

  func write(isAggregator: Bool, _ database: Database) throws {
    try database.cachedStatement(
      sql: "UPDATE feed SET level = ?, pending = ?, isAggregator = ? WHERE id = ?"
    ).execute(arguments: [level.rawValue, pending, isAggregator, id])
  }
}
