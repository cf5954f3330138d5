public import TamisCore
import FoundationEssentials
import GRDB
import TamisDigest

/// Why the index could not be used.
public struct IndexError: Error, CustomStringConvertible {
  /// What is wrong and what to do, with the file's name.
  public let description: String
}

/// What the index decided about a post.
public enum Decision: Sendable, Hashable {
  /// It was never seen in this feed.
  case new(path: String)
  /// It was seen, and it says the same.
  case known(path: String)
  /// It was seen, and it says something else now.
  case updated(path: String)
  /// The document has it twice; the one at this place in the list is kept.
  case duplicate(of: Int)

  /// The post's page, nil for a duplicate.
  public var path: String? {
    switch self {
    case .new(let path), .known(let path), .updated(let path): path
    case .duplicate: nil
    }
  }
}

/// The fourth stage: remembers which posts of which feed were seen, in one SQLite file.
///
/// A post is the same post when its feed's id for it is the same, else its link. The key includes the feed, so that no feed
/// can make another's post look seen. A page keeps the path that it got first.
public final class PostIndex: Sendable {
  private let database: DatabaseQueue
  private let file: String

  /// Opens the index, or begins it when there is none.
  ///
  /// - Throws: when the file cannot be read or written, is no index, or is one of a newer version.
  public init(file: String) throws(IndexError) {
    self.file = file
    do {
      let folder = URL(filePath: file).deletingLastPathComponent()
      guard (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)) != nil else {
        throw IndexError(description: "\(file): the folder of the index cannot be made; name another with --index")
      }
      var configuration = Configuration()
      configuration.busyMode = .timeout(30)
      database = try DatabaseQueue(path: file, configuration: configuration)
      try Self.migrations.migrate(database)
      if try database.read(Self.migrations.hasBeenSuperseded) {
        throw IndexError(
          description: "\(file): this index was written by a newer tamis; use that one, or another --index")
      }
    } catch let error as IndexError {
      throw error
    } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
      throw IndexError(description: "\(file): this file is no index of posts; name another with --index")
    } catch {
      throw IndexError(description: "\(file): the index cannot be opened: \(error)")
    }
  }

  private static var migrations: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      try database.execute(
        sql: """
          CREATE TABLE feed (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);
          CREATE TABLE post (
            feed INTEGER NOT NULL REFERENCES feed (id),
            identity TEXT NOT NULL,
            fingerprint BLOB NOT NULL,
            path TEXT NOT NULL UNIQUE,
            PRIMARY KEY (feed, identity)
          ) WITHOUT ROWID;
          """)
    }
    return migrator
  }

  /// Decides about the posts of one document and remembers them, all of them or, if that fails, none.
  ///
  /// - Parameters:
  ///   - posts: the posts in document order.
  ///   - feed: the feed's key, which the feed itself must have no say in.
  ///   - path: the path of a new post's page, given a suffix that makes it unique.
  /// - Returns: a decision for each post, in the same order.
  public func record(
    _ posts: [Post], of feed: String, path: (Post, _ suffix: String) -> String
  ) throws(IndexError) -> [Decision] {
    do {
      return try database.write { database in
        try database.execute(sql: "INSERT OR IGNORE INTO feed (key) VALUES (?)", arguments: [feed])
        let feedID = try Int64.fetchOne(database, sql: "SELECT id FROM feed WHERE key = ?", arguments: [feed]) ?? 0
        var seen: [String: Int] = [:]
        return try posts.enumerated().map { position, post in
          let key = identityKey(post.identity)
          if let first = seen[key] { return .duplicate(of: first) }
          seen[key] = position
          return try decide(post, key, feedID, feed, path, database)
        }
      }
    } catch {
      throw IndexError(description: "\(file): the index cannot be written: \(error)")
    }
  }

  private func decide(
    _ post: Post, _ key: String, _ feedID: Int64, _ feed: String, _ path: (Post, String) -> String, _ database: Database
  ) throws -> Decision {
    let fingerprint = Data(fingerprint(of: post))
    let row = try Row.fetchOne(
      database, sql: "SELECT path, fingerprint FROM post WHERE feed = ? AND identity = ?", arguments: [feedID, key])
    if let row {
      let known: String = row["path"]
      if row["fingerprint"] == fingerprint { return .known(path: known) }
      try database.execute(
        sql: "UPDATE post SET fingerprint = ? WHERE feed = ? AND identity = ?", arguments: [fingerprint, feedID, key])
      return .updated(path: known)
    }
    let unique = try uniquePath(post, "\(feed)\n\(key)", path, database)
    try database.execute(
      sql: "INSERT INTO post (feed, identity, fingerprint, path) VALUES (?, ?, ?, ?)",
      arguments: [feedID, key, fingerprint, unique])
    return .new(path: unique)
  }

  /// A path no other post has: with as many digits of the identity's digest as that takes, at least eight.
  private func uniquePath(
    _ post: Post, _ identity: String, _ path: (Post, String) -> String, _ database: Database
  ) throws -> String {
    let digest = SHA256(identity).hex
    for length in stride(from: 8, to: digest.count, by: 8) {
      let candidate = path(post, String(digest.prefix(length)))
      let isTaken = try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM post WHERE path = ?)", arguments: [candidate])
      if isTaken != true { return candidate }
    }
    return path(post, digest)
  }

  /// The identity as it is stored: a key longer than any real id is stored as its digest.
  private func identityKey(_ identity: Identity) -> String {
    let key = identity.rule == .content || identity.key.utf8.count > 500 ? SHA256(identity.key).hex : identity.key
    return "\(identity.rule.rawValue):\(key)"
  }

  /// Changes when the title, the body, or the page it leads to does.
  private func fingerprint(of post: Post) -> [UInt8] {
    Array(
      SHA256([post.title, post.content.string, post.permalink?.url ?? ""].joined(separator: "\u{1}")).bytes.prefix(16))
  }
}
