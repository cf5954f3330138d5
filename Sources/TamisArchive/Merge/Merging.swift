import GRDB
public import TamisFiles

/// Archives into one, by a union: whatever their order, and however often one is named.
///
/// A feed that one of them has is copied as it is; of a feed that several have, what each knows is put together (``Join``). What
/// follows from that, such as which post stands for which, is worked out once, at the end.
extension Archive {
  /// What came of merging.
  public struct MergeReport: Sendable, Hashable {
    /// How many archives were read.
    public var archives = 0
    /// How many feeds there are now.
    public var feeds = 0
    /// How many posts there are now.
    public var posts = 0
  }

  /// Merges archives into one, which is begun when it is not there; it is put in its place by one rename, or changed in one
  /// transaction.
  ///
  /// - Parameters:
  ///   - inputs: the archives.
  ///   - file: the archive that all are merged into.
  ///   - patience: how many seconds to wait for another run that writes it.
  ///   - progress: told how many archives were read.
  /// - Throws: ``MergeRefusal`` when an archive is none or damaged; ``ArchiveError`` and `FileFailure` when one cannot be read or
  ///   written. The archive is as it was before then.
  public static func merge(
    _ inputs: MergeInputs, into file: FilePath, patience: Int = 30, progress: (Int) -> Void = { _ in }
  ) throws -> MergeReport {
    try file.folder.makeFolder()
    var lock = file.kind == nil ? FileLock(beside: file, seconds: patience) : nil
    // Another run may have made it while this one waited.
    let isNew = file.kind == nil
    if isNew, lock == nil {
      throw ArchiveError("\(file): another run is writing this archive, or its folder cannot be written to")
    }
    if !isNew { lock = nil }
    let archive = isNew ? nil : try Archive(file: file.description, patience: patience)
    do {
      let report = try merge(inputs.files, DraftFile(of: file), into: archive, progress)
      return withExtendedLifetime(lock) { report }
    } catch let refusal as MergeRefusal {
      throw refusal
    } catch let error as ArchiveError where error.isDiskFull {
      throw ArchiveError("\(file): the disk is full; nothing was merged")
    } catch {
      throw ArchiveError(error, file.description, "written")
    }
  }

  /// Merges archives in a draft, and puts that in its place, or to what is there.
  private static func merge(
    _ files: [FilePath], _ draft: DraftFile, into archive: Archive?, _ progress: (Int) -> Void
  ) throws -> MergeReport {
    let union = try Archive(draft: draft.path)
    try union.take(files, progress)
    var report: MergeReport
    if let archive {
      try union.close()
      try archive.take(union: draft.path)
      report = try archive.sizes()
    } else {
      try union.settle()
      try union.indexWhatWasPostponed()
      report = try union.sizes()
      try union.close()
      try draft.finish()
    }
    report.archives = files.count
    return report
  }

  /// Whether a file begins as SQLite's do (https://www.sqlite.org/fileformat.html, 1.3), or is empty.
  private static func isSQLite(_ file: FilePath) throws -> Bool {
    let beginning = try FileSource(file).beginning(16).prefix(16)
    return beginning.isEmpty || beginning.elementsEqual(Array("SQLite format 3".utf8) + [0])
  }

  private func sizes() throws(ArchiveError) -> MergeReport {
    try read { database in
      var report = MergeReport()
      report.feeds = try Int.fetchOne(database, sql: "SELECT count(*) FROM feed") ?? 0
      report.posts = try Int.fetchOne(database, sql: "SELECT count(*) FROM post") ?? 0
      return report
    }
  }

  // MARK: - Many into an empty one

  /// Takes in archives, each in a transaction of its own; for a draft, which goes when one fails.
  private func take(_ files: [FilePath], _ progress: (Int) -> Void) throws {
    try database.writeWithoutTransaction { database in
      try Self.postponeIndexes(database)
      let names = try FeedNames(database)
      for (number, file) in files.enumerated() {
        try Self.attached(file, to: database) {
          try Self.refuse(file, database)
          try names.add(Int64(number), in: Transfer.schema)
        }
      }
      try names.decide()
      let transfer = try Transfer(database, keyTable: "staged")
      var merging = try Merging(database, names, transfer)
      for (number, file) in files.enumerated() {
        try Self.attached(file, to: database) {
          try database.inTransaction {
            try merging.take(Int64(number))
            return .commit
          }
        }
        progress(number + 1)
      }
      try database.inTransaction {
        try Self.indexKeys(database)
        try merging.join(files)
        return .commit
      }
      try names.finish()
    }
  }

  /// Attaches an archive, and refuses it when it is none.
  private static func attached(_ file: FilePath, to database: Database, _ body: () throws -> Void) throws {
    do {
      try database.execute(sql: "ATTACH DATABASE ? AS theirs", arguments: [file.description])
      do {
        try body()
      } catch {
        try? database.execute(sql: "DETACH DATABASE theirs")
        throw error
      }
      try database.execute(sql: "DETACH DATABASE theirs")
    } catch let failure as DatabaseError where failure.resultCode == .SQLITE_NOTADB {
      throw MergeRefusal("\(file): this file is no archive")
    } catch let failure as DatabaseError where failure.resultCode == .SQLITE_CORRUPT {
      throw MergeRefusal("\(file): this archive is damaged; tamis archive verify says more")
    } catch let failure as DatabaseError where failure.resultCode == .SQLITE_CONSTRAINT {
      // Tables are strict: what is of another type than theirs, or there twice, is not taken.
      throw MergeRefusal("\(file): there is what no archive has: \(failure.message ?? "a row that cannot be")")
    }
  }

  private static func refuse(_ file: FilePath, _ database: Database) throws {
    guard try Int.fetchOne(database, sql: "PRAGMA theirs.application_id") == Schema.applicationID else {
      throw MergeRefusal("\(file): this file is another program's, and no archive")
    }
    guard try Int.fetchOne(database, sql: "PRAGMA theirs.user_version") == Schema.version else {
      throw MergeRefusal("\(file): this archive was written by another version of tamis; use that one to read it again")
    }
  }

  // MARK: - One into one that is there

  /// Takes in a merged archive, all of it or nothing.
  private func take(union file: FilePath) throws {
    try database.writeWithoutTransaction { database in
      try Self.attached(file, to: database) {
        try database.inTransaction(.immediate) {
          let names = try FeedNames(database)
          try names.add(FeedNames.own, in: "main")
          try names.add(0, in: Transfer.schema)
          try names.decide()
          var merging = try Merging(database, names, try Transfer(database, keyTable: "main.key"))
          try merging.renameOwn()
          try merging.take(0)
          try merging.join([file])
          try names.finish()
          return .commit
        }
      }
    }
    try settle()
  }

  // MARK: - Indexes

  /// Of a table that is filled at once the rows are sorted once, at the end.
  private static func postponeIndexes(_ database: Database) throws {
    try database.execute(sql: "CREATE TABLE staged (digest INTEGER NOT NULL, post INTEGER NOT NULL)")
    try database.execute(sql: "CREATE TEMP TABLE postponed (name TEXT, sql TEXT)")
    try database.execute(
      sql: """
        INSERT INTO temp.postponed SELECT name, sql FROM main.sqlite_schema
        WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN ('post', 'key', 'card', 'tag')
        """)
    for name in try String.fetchAll(database, sql: "SELECT name FROM temp.postponed") {
      try database.execute(sql: "DROP INDEX main.\(name)")
    }
  }

  private static func indexKeys(_ database: Database) throws {
    try database.execute(
      sql: """
        INSERT OR IGNORE INTO main.key SELECT digest, post FROM staged ORDER BY digest, post;
        DROP TABLE main.staged;
        """)
    try index(database, where: "sql LIKE '%ON key %'")
  }

  private func indexWhatWasPostponed() throws {
    try database.writeWithoutTransaction { try Self.index($0, where: "true") }
  }

  private static func index(_ database: Database, where condition: String) throws {
    let indexes = try Row.fetchAll(database, sql: "SELECT name, sql FROM temp.postponed WHERE \(condition)")
    for index in indexes {
      try database.execute(sql: index[1])
      try database.execute(sql: "DELETE FROM temp.postponed WHERE name = ?", arguments: [index[0] as String])
    }
  }
}
