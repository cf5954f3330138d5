import GRDB
package import TamisSystem

/// Merges archives into one: a union that does not depend on their order or on how often one is named.
///
/// A feed that only one of them has is copied unchanged; a feed that several have is joined (``Join``). Decisions, such
/// as which post is canonical, are computed once, at the end.
extension Archive {
  /// The result of merging.
  package struct MergeReport: Sendable, Hashable {
    /// The number of archives that were read.
    package var archives = 0
    /// The number of feeds after merging.
    package var feeds = 0
    /// The number of posts after merging.
    package var posts = 0
  }

  /// Merges archives into one file, which is created if it does not exist.
  ///
  /// A new file is moved to its path by one rename; an existing one is changed in one transaction.
  ///
  /// - Parameters:
  ///   - inputs: the archives.
  ///   - file: the archive into which all are merged.
  ///   - patience: the number of seconds to wait for another run that is writing it.
  ///   - progress: a function that is called with the number of archives that were read.
  /// - Returns: the counts of what was merged.
  /// - Throws: ``MergeRefusal`` when a file is not an archive or is damaged; ``Archive/Failure`` and `FileFailure` when
  ///   one cannot be read or written. The archive is unchanged then.
  package static func merge(
    _ inputs: MergeInputs, into file: FilePath, patience: Int = 30, progress: (Int) -> Void = { _ in }
  ) throws -> MergeReport {
    try file.folder.makeFolder()
    var lock = file.kind == nil ? FileLock(beside: file, seconds: patience) : nil
    // Another run may have created it while this one waited.
    let isNew = file.kind == nil
    if isNew, lock == nil {
      throw Archive.Failure("\(file): another run is writing this archive, or its folder cannot be written to")
    }
    if isNew { DraftFile.removeAbandoned(of: file) } else { lock = nil }
    let archive = isNew ? nil : try Archive(file: file.description, patience: patience)
    do {
      let report = try merge(inputs.files, DraftFile(of: file), into: archive, progress)
      return withExtendedLifetime(lock) { report }
    } catch let refusal as MergeRefusal {
      throw refusal
    } catch let error as Archive.Failure where error.isDiskFull {
      throw Archive.Failure("\(file): the disk is full; nothing was merged")
    } catch {
      throw Archive.Failure(error, file: file.description, done: "written")
    }
  }

  /// Merges archives in a draft, and moves the draft to its path or adds it to the existing archive.
  private static func merge(
    _ files: [FilePath], _ draft: DraftFile, into archive: Archive?, _ progress: (Int) -> Void
  ) throws -> MergeReport {
    let union = try Archive(draft: draft.path)
    try union.take(files, progress)
    var report: MergeReport
    if let archive {
      // The check at opening expects the indexes too.
      try union.indexWhatWasPostponed()
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

  private func sizes() throws(Archive.Failure) -> MergeReport {
    try read { database in
      var report = MergeReport()
      report.feeds = try database.count("SELECT count(*) FROM feed")
      report.posts = try database.count("SELECT count(*) FROM post")
      return report
    }
  }

  // MARK: - Many into an empty one

  /// Adds archives, each in its own transaction; only for a draft, which is deleted if one fails.
  private func take(_ files: [FilePath], _ progress: (Int) -> Void) throws {
    try database.writeWithoutTransaction { database in
      try Self.postponeIndexes(database)
      let names = try MergedFeedNames(database)
      for (number, file) in files.enumerated() {
        steps.restartForOpening()
        try Self.attached(file, to: database) {
          try Self.refuse(file, database)
          try begin(file, database)
          try names.add(Int64(number), in: Transfer.schema)
        }
      }
      try names.decide()
      let transfer = try Transfer(database, keyTable: "staged")
      var merging = try Merging(database, names, transfer)
      for (number, file) in files.enumerated() {
        try begin(file, database)
        try Self.attached(file, to: database) {
          try database.inTransaction {
            try database.withLongRows { try merging.take(Int64(number)) }
            return .commit
          }
        }
        progress(number + 1)
      }
      try begin(nil, database)
      try database.inTransaction {
        try Self.indexKeys(database)
        try database.withLongRows { try merging.join(files) }
        return .commit
      }
      try names.finish()
    }
  }

  /// Attaches an archive; throws for a file that is not one.
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
      throw MergeRefusal("\(file): this file is not an archive")
    } catch let failure as DatabaseError where failure.resultCode == .SQLITE_CORRUPT {
      throw MergeRefusal("\(file): this archive is damaged; tamis archive verify says more")
    } catch let failure as DatabaseError where [.SQLITE_INTERRUPT, .SQLITE_TOOBIG].contains(failure.resultCode) {
      throw MergeRefusal(Archive.Failure(failure, file: file.description, done: "read").description)
    } catch let failure as DatabaseError where failure.resultCode == .SQLITE_CONSTRAINT {
      // Tables are strict: rows with values of another type, or duplicate rows, are errors.
      throw MergeRefusal("\(file): the file has impossible values: \(failure.message ?? "a row that cannot be")")
    }
  }

  private static func refuse(_ file: FilePath, _ database: Database) throws {
    guard try Int.fetchOne(database, sql: "PRAGMA theirs.application_id") == Schema.applicationID else {
      throw MergeRefusal("\(file): this file belongs to another program; it is not an archive")
    }
    guard try Int.fetchOne(database, sql: "PRAGMA theirs.user_version") == Schema.version else {
      throw MergeRefusal("\(file): this archive was written by another version of tamis; use that one to read it again")
    }
    var faults = try SchemaCheck.faults(database, in: Transfer.schema)
    if faults.isEmpty { faults = try RowCounts.faults(database, in: Transfer.schema) }
    if !faults.isEmpty {
      throw MergeRefusal(Archive.Failure(file: file.description, schemaFaults: faults).description)
    }
  }

  /// Restarts the step limit for copying a file or for processing the copied data.
  private func begin(_ file: FilePath?, _ database: Database) throws {
    try steps.restart(database, others: file?.stamp?.size ?? 0)
  }

  // MARK: - One into an existing one

  /// Adds a merged archive, completely or not at all.
  private func take(union file: FilePath) throws {
    try database.writeWithoutTransaction { database in
      try begin(file, database)
      try Self.attached(file, to: database) {
        try database.inTransaction(.immediate) {
          let names = try MergedFeedNames(database)
          try names.add(MergedFeedNames.own, in: "main")
          try names.add(0, in: Transfer.schema)
          try names.decide()
          var merging = try Merging(database, names, try Transfer(database, keyTable: "main.key"))
          try database.withLongRows {
            try merging.renameOwn()
            try merging.take(0)
            try merging.join([file])
          }
          try names.finish()
          return .commit
        }
      }
    }
    try settle()
  }

  // MARK: - Indexes

  /// Drops indexes until the end: a table that is filled at once is sorted once.
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

  private func indexWhatWasPostponed() throws { try read { try Self.index($0, where: "true") } }

  private static func index(_ database: Database, where condition: String) throws {
    let indexes = try Row.fetchAll(database, sql: "SELECT name, sql FROM temp.postponed WHERE \(condition)")
    for index in indexes {
      try database.execute(sql: index[1])
      try database.execute(sql: "DELETE FROM temp.postponed WHERE name = ?", arguments: [index[0] as String])
    }
  }
}
