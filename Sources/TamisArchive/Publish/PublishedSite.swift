import GRDB
package import TamisCore
package import TamisSystem

/// A post that has changed since the site was published last.
package struct PostChange: Sendable, Hashable {
  /// The number in the archive.
  package var post: PostNumber
  /// The number of its feed.
  package var feed: FeedNumber
  /// The file name of its page, without folder and extension.
  package var name: String
  /// The former listing on the published site; nil when the site does not list the post.
  package var before: Listing?
  /// The new listing; nil when the post is no longer to be listed.
  package var after: Listing?

  /// The listing of a post on a site.
  package struct Listing: Sendable, Hashable {
    /// The position among all posts.
    package var position: ListedPost.Position
    /// The canonical post into which the post is folded; nil when it is canonical.
    package var fold: PostNumber?
    /// The slugs of its listed tags.
    package var slugs: [String]

    /// Creates a listing.
    package init(position: ListedPost.Position, fold: PostNumber?, slugs: [String]) {
      (self.position, self.fold, self.slugs) = (position, fold, slugs)
    }
  }

  /// Creates a change.
  package init(post: PostNumber, feed: FeedNumber, name: String, before: Listing?, after: Listing?) {
    (self.post, self.feed, self.name, self.before, self.after) = (post, feed, name, before, after)
  }
}

/// The archive's record of a site that was made from it: its files, and the pages that have to be made again.
///
/// The recorded state of a file is correct, or the file is checked again.
package final class PublishedSite {
  private let archive: Archive
  private let folder: String
  private let fingerprint: String
  /// The site's number; nil when the archive is open for reading only, in which case nothing is known and nothing is
  /// stored.
  private let number: Int64?
  /// Whether no file of the site is stored, so that no lookup is needed.
  private let isEmpty: Bool
  /// Whether the last publishing run was interrupted, so that there may be files that are not in the archive.
  package let wasCutShort: Bool
  /// Whether the site shows an earlier state of the archive and the changes since are recorded.
  package let isCurrent: Bool

  /// Creates the record of a site.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - folder: the site's folder as a resolved path, which does not depend on the spelling of the user.
  ///   - fingerprint: a text that differs from the stored one when all pages are to be made again.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read or written.
  package init(_ archive: Archive, folder: String, fingerprint: String) throws(Archive.Failure) {
    (self.archive, self.folder, self.fingerprint) = (archive, folder, fingerprint)
    let isRead = archive.mode == .reading
    let row = try archive.read { database in
      try database.execute(
        sql: "CREATE TEMP TABLE IF NOT EXISTS made (path TEXT PRIMARY KEY) WITHOUT ROWID; DELETE FROM made")
      return try Row.fetchOne(
        database, sql: "SELECT id, fingerprint, isCurrent, isWritten FROM site WHERE folder = ?", arguments: [folder]
      )
      .map {
        try (number: $0[0] as Int64, fingerprint: $0[1] as String, isCurrent: $0[2] as Bool, isWritten: $0[3] as Bool)
      }
    }
    let site = row?.number
    let hasFiles = try archive.read { database in
      try database.isTrue("SELECT EXISTS (SELECT 1 FROM file WHERE site = ?)", [site])
    }
    wasCutShort = row?.isWritten == true
    isEmpty = isRead || !(hasFiles || wasCutShort)
    isCurrent = !isRead && !wasCutShort && row?.isCurrent == true && row?.fingerprint == fingerprint
    if isRead {
      number = nil
    } else if let row {
      number = row.number
    } else {
      number = try archive.write { database in
        try database.execute(
          sql: "INSERT INTO site (folder, fingerprint, isCurrent) VALUES (?, '', 0)", arguments: [folder])
        return database.lastInsertedRowID
      }
    }
  }

  // MARK: - Changes

  /// Returns the number of posts that have changed since the site was published.
  package func changeCount() throws(Archive.Failure) -> Int {
    try archive.read { try $0.count("SELECT count(*) FROM change") }
  }

  /// Returns the posts that have changed since the site was published, by number.
  package func changes() throws(Archive.Failure) -> [PostChange] {
    let sql = """
      SELECT change.post, change.feed, change.name, change.shown, change.sortDate, change.arrival, change.fold, change.slugs,
        post.shown, post.sortDate, post.arrival, post.fold, card.slugs
      FROM change LEFT JOIN post ON post.id = change.post LEFT JOIN card ON card.post = change.post ORDER BY change.post
      """
    return try archive.read { database in
      try Row.fetchAll(database, sql: sql).map { row in
        try PostChange(
          post: PostNumber(rawValue: row[0]), feed: row[1], name: row[2], before: Self.listing(row, from: 3),
          after: row[8] == nil ? nil : Self.listing(row, from: 8))
      }
    }
  }

  private static func listing(_ row: Row, from first: Int) throws -> PostChange.Listing? {
    guard try (row[first] as Int64) > 0 else { return nil }
    let fold: Int64 = try row[first + 3]
    return try PostChange.Listing(
      position: ListedPost.Position(sortDate: row[first + 1], arrival: (row[first + 2] as Int64?) ?? 0),
      fold: fold == 0 ? nil : PostNumber(rawValue: fold), slugs: StoredList.parts((row[first + 4] as String?) ?? ""))
  }

  /// Returns the numbers of the feeds whose cards or counts have changed since the site was published.
  package func changedFeeds() throws(Archive.Failure) -> [FeedNumber] {
    try archive.read { try FeedNumber.fetchAll($0, sql: "SELECT feed FROM changedFeed ORDER BY feed") }
  }

  /// Whether feeds were added, removed or renamed since the site was published.
  package func hasOtherFeeds() throws(Archive.Failure) -> Bool {
    try archive.read { try $0.isTrue("SELECT EXISTS (SELECT 1 FROM changedFeed WHERE isRelisted <> 0)") }
  }

  /// Whether feeds were fetched since the site was published.
  package func wasFetched() throws(Archive.Failure) -> Bool {
    try archive.read { try $0.isTrue("SELECT EXISTS (SELECT 1 FROM changedFetching)") }
  }

  // MARK: - Files

  /// Returns a file as it was published; nil when it is not stored.
  package func file(_ path: PagePath) throws(Archive.Failure) -> FileMark? {
    guard let number, !isEmpty else { return nil }
    return try archive.read { database in
      let find = try database.cachedStatement(sql: "SELECT size, digest FROM file WHERE site = ? AND path = ?")
      return try Row.fetchOne(find, arguments: [number, path.text]).map {
        try FileMark(size: $0[0], digest: Checksum(stored: $0[1]))
      }
    }
  }

  /// Returns the stored files whose paths have a prefix, which must end with an ASCII character.
  package func files(beginning prefix: String) throws(Archive.Failure) -> [PagePath] {
    guard let number, let last = prefix.utf8.last, last < 0x7F else { return [] }
    // The end of the range: the prefix with its last character replaced by the next.
    let end = prefix.dropLast() + String(Unicode.Scalar(last + 1))
    let sql = "SELECT path FROM file WHERE site = ? AND path >= ? AND path < ? ORDER BY path"
    return try archive.read { database in
      try String.fetchAll(database.cachedStatement(sql: sql), arguments: [number, prefix, String(end)]).map {
        PagePath($0)
      }
    }
  }

  /// Returns the number of stored files.
  package func fileCount() throws(Archive.Failure) -> Int {
    guard let number else { return 0 }
    return try archive.read { try $0.count("SELECT files FROM site WHERE id = ?", [number]) }
  }

  /// Stores the state of files that are up to date.
  package func keep(_ files: [(path: PagePath, file: FileMark)]) throws(Archive.Failure) {
    guard let number else { return }
    try archive.write { database in
      let made = try RowWriter(database, sql: "INSERT OR IGNORE INTO made VALUES (?)")
      let new = try RowWriter(
        database, sql: "INSERT OR IGNORE INTO file (size, digest, site, path) VALUES (?, ?, ?, ?)")
      // Apart from new files, which are counted.
      let known = try RowWriter(
        database,
        sql: "UPDATE file SET size = ?1, digest = ?2 WHERE site = ?3 AND path = ?4 AND (size <> ?1 OR digest <> ?2)")
      var count = 0
      for (path, file) in files {
        if !isEmpty { try made.write { $0.append(path.text) } }
        func append(_ row: inout RowValues) {
          row.append(file.size)
          row.append(file.digest.shortened)
          row.append(number)
          row.append(path.text)
        }
        try new.write(append)
        if database.changesCount > 0 { count += 1 } else { try known.write(append) }
      }
      try Self.addFiles(count, to: number, database)
    }
  }

  private static func addFiles(_ count: Int, to site: Int64, _ database: Database) throws {
    if count == 0 { return }
    // In a file that was made to deceive, the sum may be a number to which nothing can be added.
    try database.cachedStatement(sql: "UPDATE site SET files = max(0, min(files, 1 << 40)) + ? WHERE id = ?")
      .execute(arguments: [count, site])
  }

  /// Returns some stored files, after a path, that were not kept since this value was created.
  package func stale(after path: String, count: Int) throws(Archive.Failure) -> [PagePath] {
    guard let number, !isEmpty else { return [] }
    let sql =
      "SELECT path FROM file WHERE site = ? AND path > ? AND typeof(path) = 'text' AND path NOT IN (SELECT path FROM made) ORDER BY path LIMIT ?"
    return try archive.read {
      try String.fetchAll($0, sql: sql, arguments: [number, path, count]).map { PagePath($0) }
    }
  }

  /// Whether a file was kept since this value was created.
  package func isKept(_ path: PagePath) throws(Archive.Failure) -> Bool {
    try archive.read { try $0.isTrue("SELECT EXISTS (SELECT 1 FROM made WHERE path = ?)", [path.text]) }
  }

  /// Deletes files from the record, not from the disk.
  package func forget(_ paths: [PagePath]) throws(Archive.Failure) {
    guard let number, !paths.isEmpty else { return }
    try archive.write { database in
      let delete = try database.cachedStatement(sql: "DELETE FROM file WHERE site = ? AND path = ?")
      var count = 0
      for path in paths {
        try delete.execute(arguments: [number, path.text])
        count += database.changesCount
      }
      try Self.addFiles(-count, to: number, database)
    }
  }

  // MARK: - Folders

  /// Returns the modification times of the site's folders, in nanoseconds since 1970, by path.
  package func folders() throws(Archive.Failure) -> [String: Int64] {
    guard let number else { return [:] }
    return try archive.read { database in
      let rows = try Row.fetchAll(
        database, sql: "SELECT path, modified FROM folder WHERE site = ?", arguments: [number])
      return try Dictionary(rows.map { try ($0[0], $0[1]) }) { first, _ in first }
    }
  }

  // MARK: - Beginning and end

  /// Records that the site is being written.
  ///
  /// If all pages are made, the site counts as unknown until that is done.
  package func begin() throws(Archive.Failure) {
    guard let number else { return }
    let isCurrent = isCurrent
    try archive.write {
      try $0.execute(sql: "UPDATE site SET isCurrent = ?, isWritten = 1 WHERE id = ?", arguments: [isCurrent, number])
    }
  }

  /// Records that the site shows the present state of the archive.
  ///
  /// - Parameter folders: the modification times of the folders that publishing has changed; nil for deleted ones.
  /// - Throws: ``Archive/Failure`` when the archive cannot be written.
  package func finish(folders: [String: Int64?]) throws(Archive.Failure) {
    guard let number else { return }
    let (fingerprint, isCurrent) = (fingerprint, isCurrent)
    try archive.write { database in
      if !isCurrent {
        // All files were written or looked at, so counting them costs little, and mends a wrong sum.
        try database.execute(
          sql: "UPDATE site SET files = (SELECT count(*) FROM file WHERE site = ?1) WHERE id = ?1", arguments: [number])
      }
      for (path, modified) in folders.sorted(by: { $0.key < $1.key }) {
        if let modified {
          try database.execute(
            sql: "INSERT OR REPLACE INTO folder VALUES (?, ?, ?)", arguments: [number, path, modified])
        } else {
          try database.execute(sql: "DELETE FROM folder WHERE site = ? AND path = ?", arguments: [number, path])
        }
      }
      try database.execute(sql: "DELETE FROM change; DELETE FROM changedFeed; DELETE FROM changedFetching")
      try database.execute(
        sql:
          "UPDATE site SET isCurrent = id = ?, isWritten = isWritten AND id <> ?, fingerprint = CASE WHEN id = ? THEN ? ELSE fingerprint END",
        arguments: [number, number, number, fingerprint])
    }
  }
}
