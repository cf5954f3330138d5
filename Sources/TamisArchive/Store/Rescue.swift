import GRDB
import TamisCore
import TamisFoundation

/// Opens damaged archives.
extension Archive {
  /// The result of salvaging a damaged archive.
  public struct Rescue: Sendable, Hashable {
    /// The problem, with the file's name.
    public var problem: String
    /// The new name of the damaged file.
    public var aside: String
    /// The number of posts that could be read.
    public var posts: Int
    /// The number of posts in the damaged file, as far as known; nil when it is not known.
    public var all: Int?
  }

  /// Opens the archive for writing; a damaged one is renamed, and its readable data is copied into a new one.
  ///
  /// - Parameters:
  ///   - file: the path of the file.
  ///   - patience: the number of seconds to wait for another run that is writing the archive.
  /// - Returns: the archive, and the result of the rescue; nil when the archive was not damaged.
  /// - Throws: ``Archive/Failure`` when the archive cannot be opened or the rescue fails.
  package static func open(
    file: String, patience: Int = 30
  ) throws(Archive.Failure) -> (archive: Archive, rescue: Rescue?) {
    do {
      return (try Archive(file: file, patience: patience), nil)
    } catch  where error.isDamaged {
      let aside = try setAside(file)
      let archive = try Archive(file: file, patience: patience)
      var rescue = Rescue(problem: error.description, aside: aside, posts: 0)
      do { (rescue.posts, rescue.all) = try archive.takeIn(damaged: aside) } catch {
        throw Archive.Failure(error, file: file, done: "written")
      }
      return (archive, rescue)
    }
  }

  /// Renames a damaged file to a free name, and leaves an empty one that the same users may read.
  private static func setAside(_ file: String) throws(Archive.Failure) -> String {
    for number in 1...1000 {
      let name = "\(file).damaged\(number == 1 ? "" : "-\(number)")"
      if FileManager.default.fileExists(atPath: name) { continue }
      do {
        try FileManager.default.moveItem(atPath: file, toPath: name)
        try? FileManager.default.removeItem(atPath: file + "-journal")
        let mode = try? FileManager.default.attributesOfItem(atPath: name)[.posixPermissions]
        _ = FileManager.default.createFile(
          atPath: file, contents: nil, attributes: mode.map { [.posixPermissions: $0] })
        return name
      } catch {
        throw Archive.Failure("\(file): this archive is damaged and cannot be renamed: \(error)")
      }
    }
    throw Archive.Failure("\(file): this archive is damaged; rename it or move it")
  }

  /// Copies the readable data of a damaged file, feed by feed and post by post, from both ends of each table.
  private func takeIn(damaged file: String) throws -> (posts: Int, all: Int?) {
    let steps = StepLimit()
    var configuration = Self.configuration(steps)
    configuration.readonly = true
    // If the beginning is damaged, nothing can be read.
    guard let damaged = try? DatabaseQueue(path: file, configuration: configuration),
      (try? damaged.unsafeRead({ try SchemaCheck.faults($0) })) == []
    else { return (0, nil) }
    try? damaged.unsafeRead { try steps.restart($0) }
    let (feeds, posts) = damaged.unsafeRead { (Self.readable("feed", $0), Self.readable("post", $0)) }
    let all = try? damaged.unsafeRead { try Int.fetchOne($0, sql: "SELECT count(*) FROM post NOT INDEXED") }
    let ofFeeds = damaged.unsafeRead { Self.byFeed(posts, $0) }
    let taken = try write { database in
      var join = try Join(database: database)
      var count = 0
      for number in feeds {
        guard let (feed, record) = try? damaged.unsafeRead({ try Self.salvagedFeed(number, $0) }),
          try join.take(record)
        else {
          continue
        }
        let presence = Presence(record.observations)
        for number in ofFeeds[feed.number] ?? [] {
          let found = try? damaged.unsafeRead {
            try steps.restart($0)
            return try Self.salvagedPost(number, of: feed, presence, $0)
          }
          if let found = found ?? nil, try join.take(found) != nil { count += 1 }
        }
      }
      try join.finish()
      return count
    }
    try settle()
    return (taken, all ?? nil)
  }

  /// Returns a feed of a damaged file, without its observations and categories if these cannot be read.
  private static func salvagedFeed(_ number: Int64, _ database: Database) throws -> (
    feed: StoredFeed, record: FeedRecord
  ) {
    guard let feed = try StoredFeed.find(FeedNumber(rawValue: number), database) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT)
    }
    let observations = (try? Self.observations(of: feed, database)) ?? []
    let categories = (try? FeedStore(database: database).categories(of: feed.number)) ?? []
    var record = Self.record(feed, categories, observations)
    // The feed's file is read again even if it is unchanged: it may have the lost posts.
    record.row.reading = nil
    return (feed, record)
  }

  /// Returns a post of a damaged file; nil when it is of another feed.
  ///
  /// Everything except its row and card may be missing.
  private static func salvagedPost(
    _ number: PostNumber, of feed: StoredFeed, _ presence: Presence, _ database: Database
  ) throws -> PostRecord? {
    let cards = CardStore(database: database)
    guard let post = try PostStore(database: database).post(number), post.feed == feed.number,
      let card = try cards.card(of: number)
    else { return nil }
    let body = (try? cards.body(of: number)) ?? nil
    let rules = (try? cards.rules(of: number)) ?? nil
    var salvaged = PostRecord(
      post, of: feed, presence, card, body: body?.unpacked ?? KeptBody(), rules: rules ?? "",
      wordings: (try? Wordings(database: database).all(of: number)) ?? [],
      keys: (try? keys(of: number, database)) ?? PostStore.keys(of: post.keys, salt: feed.salt).map(PostStore.short))
    // This makes the feed's next document store the body again.
    if body == nil { salvaged.row.content = 0 }
    return salvaged
  }

  /// Returns posts by their feeds, as far as these can be read.
  private static func byFeed(_ posts: [Int64], _ database: Database) -> [FeedNumber: [PostNumber]] {
    guard let find = try? database.makeStatement(sql: "SELECT feed FROM post WHERE id = ?") else { return [:] }
    var found: [FeedNumber: [PostNumber]] = [:]
    for post in posts {
      guard let feed = try? Int64.fetchOne(find, arguments: [post]) else { continue }
      found[FeedNumber(rawValue: feed), default: []].append(PostNumber(rawValue: post))
    }
    return found
  }

  /// Returns the numbers of a table's readable rows: up to the damage from its beginning and from its end, and each one
  /// between.
  private static func readable(_ table: String, _ database: Database) -> [Int64] {
    var numbers: Set<Int64> = []
    for order in ["ASC", "DESC"] {
      let sql = "SELECT id FROM \(table) NOT INDEXED ORDER BY id \(order)"
      guard let rows = try? Row.fetchCursor(database, sql: sql) else { continue }
      while let row = try? rows.next() {
        guard let number: Int64 = try? row[0], numbers.insert(number).inserted || order == "ASC" else { break }
      }
    }
    // When an inner page of the table is damaged, rows after it may be readable by number: beyond the last readable
    // one, as many numbers are tried as there were before.
    let pages = (try? Int64.fetchOne(database, sql: "PRAGMA page_count")) ?? 0
    let most = max(mostTried, pages * 32)
    let end = min((numbers.max() ?? 0).clamped(to: 0...most) * 2 + 1000, most)
    guard let find = try? database.makeStatement(sql: "SELECT id FROM \(table) WHERE id = ?") else {
      return numbers.sorted()
    }
    for number in 1...max(1, end) where !numbers.contains(number) {
      if let found = try? Int64.fetchOne(find, arguments: [number]) { numbers.insert(found) }
    }
    return numbers.sorted()
  }

  /// The maximum number of row numbers that are tried in a small file.
  private static let mostTried: Int64 = 1 << 20
}
