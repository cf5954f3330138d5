import Foundation
import GRDB

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
  let file: String
  private let lock: IndexLock

  /// Opens the index, or begins it when there is none.
  ///
  /// - Parameter patience: how many seconds to wait for another run that writes it.
  /// - Throws: when the file cannot be read or written, is no index, is one of a newer version, is damaged, or is being
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
      database = try DatabaseQueue(path: file)
      try Schema.migrations.migrate(database)
      if try database.read(Schema.migrations.hasBeenSuperseded) {
        throw IndexError(
          description: "\(file): this index was written by a newer tamis; use that one, or another --index")
      }
    } catch {
      throw Self.error(error, file, "opened")
    }
  }

  // MARK: - Runs

  /// Begins a run, or goes on with the last when that was cut short; answers its number, counted from 1.
  public func beginRun() throws(IndexError) -> Int64 {
    try write { database in
      let last = try Row.fetchOne(database, sql: "SELECT id, finished FROM run ORDER BY id DESC LIMIT 1")
      if let last, last[1] == 0 { return last[0] }
      let run: Int64 = (last?[0] ?? 0) + 1
      try database.execute(sql: "INSERT INTO run VALUES (?, 0)", arguments: [run])
      return run
    }
  }

  /// Says that a run has done all that it had to.
  public func endRun(_ run: Int64) throws(IndexError) {
    try write { try $0.execute(sql: "UPDATE run SET finished = 1 WHERE id = ?", arguments: [run]) }
  }

  /// Decides about the posts of one document and remembers them, all of them or, if that fails, none.
  ///
  /// - Parameters:
  ///   - posts: the posts' keys in document order.
  ///   - feed: the feed's key, which the feed itself must have no say in.
  ///   - isWhole: whether the document was read to its end; nothing is concluded from what a part of it lacks.
  /// - Returns: a verdict for each post, in the same order.
  public func record(
    _ posts: [PostKeys], of feed: String, run: Int64, isWhole: Bool = true, keys: KeyPolicy = .ladder,
    purge: PurgePolicy = .keep
  ) throws(IndexError) -> [Verdict] {
    try write { database in
      var recorder = try Recorder(feed: feed, database, run: run, keys: keys, purge: purge)
      return try recorder.record(posts, isWhole: isWhole)
    }
  }

  /// Folds the posts that are new in a run into those of other feeds that are the same.
  ///
  /// - Parameters:
  ///   - landmarks: of each post by its number, as its keys have them.
  ///   - posts: the posts that are asked about.
  /// - Returns: for those of them that are folded, the post that stands for them.
  public func fold(
    run: Int64, landmarks: [Int64: PostKeys], asking posts: [Int64]
  ) throws(IndexError) -> [Int64: Page] {
    try write { database in
      var folding = try Folding(database, run: run, landmarks: landmarks.mapValues(\.text.landmarks))
      try folding.fold()
      var pages: [Int64: Page] = [:]
      let sql = """
        SELECT other.id, other.name, feed.key FROM post JOIN post AS other ON other.id = post.fold
        JOIN feed ON feed.id = other.feed WHERE post.id = ?
        """
      let statement = try database.cachedStatement(sql: sql)
      for post in posts {
        guard let row = try Row.fetchOne(statement, arguments: [post]) else { continue }
        pages[post] = Page(post: row[0], feed: row[2], name: row[1])
      }
      return pages
    }
  }

  /// Where a post's page is.
  public struct Page: Sendable, Hashable {
    /// The post's number.
    public var post: Int64
    /// The key of its feed.
    public var feed: String
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
