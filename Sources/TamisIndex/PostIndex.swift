import Foundation
import GRDB
public import TamisCore

/// Why the index could not be used.
public struct IndexError: Error, Sendable, CustomStringConvertible {
  /// What is wrong and what to do, with the file's name.
  public let description: String
  /// Whether the file is an index that has been damaged.
  public var isDamaged = false
}

/// The fourth stage: remembers which posts of which feed were seen, in one SQLite file.
///
/// A run is begun, told of documents, and ended. Each document is decided about in one transaction, so that a run that is
/// killed leaves each feed as it was before or as it is after; the next run goes on with it and decides the same.
public final class PostIndex: Sendable {
  let database: DatabaseQueue
  /// The file it is in.
  public let file: String
  /// Nil when it is only read.
  private let lock: IndexLock?

  /// Opens the index, or begins it when there is none.
  ///
  /// - Parameter patience: how many seconds to wait for another run that writes it.
  /// - Throws: when the file cannot be read or written, is no index, is one of another version, is damaged, or is being
  ///   written by another run.
  public init(file: String, patience: Int = 30) throws(IndexError) {
    self.file = file
    let folder = URL(filePath: file).deletingLastPathComponent()
    guard (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)) != nil else {
      throw IndexError(description: "\(file): the folder of the index cannot be made; name another with --index")
    }
    guard let lock = IndexLock(beside: file, seconds: patience) else {
      let reason =
        FileManager.default.isWritableFile(atPath: folder.path)
        ? "another run is writing this index; try again when it is done"
        : "the folder of the index cannot be written to"
      throw IndexError(description: "\(file): \(reason)")
    }
    self.lock = lock
    do {
      var configuration = Configuration()
      // Keys lie all over a large file: with the default of 2 MB its pages are read and written again and again.
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -48000") }
      database = try DatabaseQueue(path: file, configuration: configuration)
      if try database.read(Schema.migrations.hasBeenSuperseded) {
        throw IndexError(
          description: "\(file): this index was written by another version of tamis; use that one, or another --index")
      }
      try Schema.migrations.migrate(database)
      try database.read(Self.check)
    } catch {
      throw Self.error(error, file, "opened")
    }
  }

  /// Opens an index to look into it: nothing is written, not even beside it, and a run that writes it is not waited for.
  ///
  /// - Throws: when the file is not there or cannot be read, or is no index as this version writes it: ``init(file:patience:)``
  ///   makes one of it if that can be done.
  public init(reading file: String) throws(IndexError) {
    self.file = file
    lock = nil
    do {
      var configuration = Configuration()
      configuration.readonly = true
      // A writer holds its lock only while it commits.
      configuration.busyMode = .timeout(10)
      database = try DatabaseQueue(path: file, configuration: configuration)
      let isCurrent = try database.read { database in
        try Schema.migrations.hasCompletedMigrations(database) && !Schema.migrations.hasBeenSuperseded(database)
      }
      guard isCurrent else {
        throw IndexError(description: "\(file): this index was written by another version of tamis")
      }
      try database.read(Self.check)
    } catch {
      throw Self.error(error, file, "read")
    }
  }

  /// Larger files are not read through before they are used; damage shows when it is met, or to `tamis index verify`.
  private static let largestChecked = 100 << 20

  private static func check(_ database: Database) throws {
    let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
    guard pages * 4096 <= largestChecked else { return }
    if try String.fetchOne(database, sql: "PRAGMA quick_check(1)") != "ok" {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT)
    }
  }

  // MARK: - Runs

  /// Begins a run, or goes on with the last when that was cut short; answers its number, counted from 1.
  public func beginRun() throws(IndexError) -> Int64 {
    try write { database in
      let last = try Row.fetchOne(database, sql: "SELECT id, finished FROM run ORDER BY id DESC LIMIT 1")
      if let last, last[1] == 0 { return last[0] }
      let before: Int64 = last?[0] ?? 0
      guard Limits.runs.contains(before) else {
        throw IndexError(
          description: "\(file): this index has runs with numbers that cannot be; tamis index verify says more")
      }
      let run = before + 1
      try database.execute(sql: "INSERT INTO run VALUES (?, 0)", arguments: [run])
      return run
    }
  }

  /// Says that a run has done all that it had to.
  ///
  /// - Parameter hasPurged: whether posts may have been deleted, so that keys of theirs are left.
  public func endRun(_ run: Int64, hasPurged: Bool = false) throws(IndexError) {
    try write { database in
      if hasPurged { try PostStore(database: database).removeStrayKeys() }
      try database.execute(sql: "UPDATE run SET finished = 1 WHERE id = ?", arguments: [run])
    }
  }

  /// Decides about the posts of one document and remembers them, all of them or, if that fails, none.
  ///
  /// - Parameters:
  ///   - posts: the posts' keys in document order.
  ///   - feed: the feed's key: see ``identify(_:standing:run:)``.
  ///   - ending: how the document ended; nothing is concluded from what a part of it lacks.
  /// - Returns: a verdict for each post, in the same order.
  public func record(
    _ posts: [PostKeys], of feed: FeedKey, run: Int64, ending: Ending, keys: KeyPolicy = .ladder,
    purge: PurgePolicy = .keep
  ) throws(IndexError) -> [Verdict] {
    try write { database in
      var recorder = try Recorder(feed: feed, database, run: run, keys: keys, purge: purge)
      return try recorder.record(posts, ending: ending)
    }
  }

  /// Folds the posts that are new in a run into those of other feeds that are the same, and parts those that are so no more.
  ///
  /// - Parameters:
  ///   - posts: the keys of the posts that are new in it, by their numbers.
  ///   - known: the keys of the others that it has seen.
  /// - Returns: for each post that is folded, also in earlier runs, the page of the post that stands for it.
  public func fold(
    run: Int64, new posts: [Int64: PostKeys], known: [Int64: PostKeys] = [:]
  ) throws(IndexError) -> [Int64: Page] {
    try write { database in
      var folding = try Folding(
        database, run: run, new: posts.mapValues(\.text.landmarks), known: known.mapValues(\.text.landmarks))
      try folding.fold()
      // What joining was told has been looked at.
      try database.execute(sql: "DELETE FROM claim")
      let sql = """
        SELECT post.id, other.id, other.name, feed.key FROM post JOIN post AS other ON other.id = post.fold
        JOIN feed ON feed.id = other.feed WHERE post.fold <> 0
        """
      var pages: [Int64: Page] = [:]
      let rows = try Row.fetchCursor(database, sql: sql)
      while let row = try rows.next() { pages[row[0]] = Page(post: row[1], feed: FeedKey(row[3]), name: row[2]) }
      return pages
    }
  }

  /// Where a post's page is.
  public struct Page: Sendable, Hashable {
    /// The post's number.
    public var post: Int64
    /// The key of its feed.
    public var feed: FeedKey
    /// The name of its page, without folder and ending.
    public var name: String
  }

  // MARK: - Errors

  func write<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws(IndexError) -> Value {
    do { return try database.write(body) } catch { throw Self.error(error, file, "written") }
  }

  func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws(IndexError) -> Value {
    do { return try database.read(body) } catch { throw Self.error(error, file, "read") }
  }

  private static func error(_ error: any Error, _ file: String, _ what: String) -> IndexError {
    if let error = error as? IndexError { return error }
    guard let failure = error as? DatabaseError else {
      return IndexError(description: "\(file): the index cannot be \(what): \(error)")
    }
    switch failure.resultCode {
    case .SQLITE_NOTADB:
      return IndexError(description: "\(file): this file is no index of posts; name another with --index")
    case .SQLITE_CORRUPT: return IndexError(description: "\(file): this index is damaged", isDamaged: true)
    case .SQLITE_FULL:
      return IndexError(description: "\(file): the disk is full; the index is as it was before this feed")
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN:
      return IndexError(description: "\(file): the index cannot be \(what): \(failure.message ?? "no permission")")
    default: return IndexError(description: "\(file): the index cannot be \(what): \(failure)")
    }
  }
}
