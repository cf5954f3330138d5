import GRDB
import GRDBSQLite
import Synchronization
import TamisCore
package import TamisSystem
import TamisFoundation

/// The store of everything that was read, in one SQLite file: the posts of each feed with the times at which they were
/// seen, their content, and their read state.
///
/// An archive is a union of observations. Its content does not depend on the order in which they were added, so
/// archives can be joined. Decisions, such as which of several copies is the canonical post, are derived from the
/// observations and recomputed where something has changed (``settle()``).
public final class Archive: Sendable {
  /// The mode in which an archive is opened.
  public enum Mode: Sendable, Hashable {
    /// Read-only: nothing is written, not even beside the file, and the archive does not wait for a run that is writing
    /// it.
    case reading
    /// Read-write; the file is created if it does not exist.
    case writing
    /// Dry run: changes are visible for the lifetime of the value, and the file is not modified.
    case rehearsing
  }

  /// The path of the file.
  package let file: String
  /// The mode in which the archive was opened.
  package let mode: Mode
  let database: DatabaseQueue
  let steps = StepLimit()
  /// The lock of the writer; nil for an archive that is only read, and for a draft.
  private let lock: FileLock?
  /// The reads that share a transaction.
  private let sharedReads = Mutex(SharedReads())

  /// Opens the archive.
  ///
  /// - Parameters:
  ///   - file: the path of the file.
  ///   - mode: whether the archive is read, written, or written in a dry run.
  ///   - patience: the number of seconds to wait for another run that is writing the archive.
  /// - Throws: ``Archive/Failure`` when the file cannot be read or written, is not an archive, has another version, is
  ///   damaged, or is being written by another run.
  public convenience init(file: String, mode: Mode = .writing, patience: Int = 30) throws(Archive.Failure) {
    try self.init(file: file, mode: mode, patience: patience, checking: .everything)
  }

  /// Opens an archive of which only the feeds are read: of the other tables only the definitions are checked.
  ///
  /// - Parameter file: the path of the file.
  /// - Throws: ``Archive/Failure`` when the file cannot be read, is not an archive, has another version, or has feeds
  ///   that cannot be read.
  convenience init(feedsOf file: String) throws(Archive.Failure) {
    try self.init(file: file, mode: .reading, patience: 0, checking: .feeds)
  }

  private init(file: String, mode: Mode, patience: Int, checking scope: RowCounts.Scope) throws(Archive.Failure) {
    (self.file, self.mode) = (file, mode)
    lock = mode == .reading ? nil : try Self.lock(file, patience)
    if mode == .writing { DraftFile.removeAbandoned(of: FilePath(file)) }
    if mode != .writing, !FileManager.default.fileExists(atPath: file) {
      guard mode == .rehearsing else { throw Archive.Failure(missing: file) }
    }
    do {
      var configuration = Self.configuration(steps)
      configuration.readonly = mode == .reading
      // A writer holds SQLite's lock only while it commits.
      configuration.busyMode = .timeout(10)
      let isNew = !FileManager.default.fileExists(atPath: file)
      database =
        isNew && mode == .rehearsing
        ? try DatabaseQueue(configuration: configuration)
        : try DatabaseQueue(path: file, configuration: configuration)
      try database.writeWithoutTransaction { try Self.prepare($0, file, mode, steps, checking: scope) }
    } catch {
      throw Archive.Failure(error, file: file, done: mode == .reading ? "read" : "opened")
    }
  }

  /// Creates an archive in a draft file, which is used only when it is complete.
  ///
  /// The draft needs no lock and no journal, because an incomplete file is discarded.
  ///
  /// - Parameter draft: an empty file, see ``DraftFile``.
  /// - Throws: ``Archive/Failure`` when the draft cannot be opened or written.
  package init(draft: FilePath) throws(Archive.Failure) {
    (file, mode, lock) = (draft.description, .writing, nil)
    do {
      var configuration = Self.configuration(steps)
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF") }
      database = try DatabaseQueue(path: file, configuration: configuration)
      try database.writeWithoutTransaction { try Self.prepare($0, draft.description, .writing, steps) }
    } catch {
      throw Archive.Failure(error, file: draft.description, done: "opened")
    }
  }

  /// The maximum total size in bytes of the texts of a feed or of a card: several times their limits
  /// (``Limits/nameBytes``, ``Limits/linkBytes``).
  static let longestTexts = CheckedValue.rowBytes
  /// The maximum size in bytes of a row that is read, over all joined tables.
  ///
  /// Without this limit a title of 30 MB in a foreign archive would be shown on every page.
  static let longestRow = 4 * longestTexts
  /// The maximum size in bytes of a row with a body or a page, see ``PackedValue``.
  static let longestPackedRow = PackedValue.largestBody + longestRow

  /// The configuration for opening any archive, including one from an untrusted source.
  static func configuration(_ steps: StepLimit) -> Configuration {
    var configuration = Configuration()
    // A batch of feeds is one transaction; each feed is a part of it.
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { database in
      unsafe sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_LENGTH, Int32(longestRow))
      steps.begin(on: database)
      try database.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
      // Keys are spread over a large file: with the default cache of 2 MB its pages are read and written repeatedly.
      try database.execute(sql: "PRAGMA cache_size = -32000")
    }
    return configuration
  }

  /// Closes the file; the archive must not be used afterwards.
  package func close() throws(Archive.Failure) {
    do { try database.close() } catch { throw Archive.Failure(error, file: file, done: "written") }
  }

  private static func lock(_ file: String, _ patience: Int) throws(Archive.Failure) -> FileLock {
    let folder = URL(filePath: file).deletingLastPathComponent()
    guard (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)) != nil else {
      throw Archive.Failure("\(file): the folder of the archive cannot be made; name another with --archive")
    }
    if let lock = FileLock(beside: FilePath(file), seconds: patience) { return lock }
    let isWritable = FileManager.default.isWritableFile(atPath: folder.path)
    throw Archive.Failure(
      "\(file): \(isWritable ? "another run is writing this archive; try again later" : "the folder of the archive cannot be written to")"
    )
  }

  private static func prepare(
    _ database: Database, _ file: String, _ mode: Mode, _ steps: StepLimit,
    checking scope: RowCounts.Scope = .everything
  ) throws {
    let tables = try database.count("SELECT count(*) FROM sqlite_schema")
    if tables == 0, mode != .reading {
      try database.execute(sql: "BEGIN IMMEDIATE")
      try database.execute(sql: Schema.tables)
      try database.execute(
        sql: "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(Schema.version)")
      if mode == .writing { try database.execute(sql: "COMMIT") }
      return
    }
    guard try Int.fetchOne(database, sql: "PRAGMA application_id") == Schema.applicationID else {
      throw Archive.Failure("\(file): this file belongs to another program; choose another with --archive")
    }
    guard try Int.fetchOne(database, sql: "PRAGMA user_version") == Schema.version else {
      throw Archive.Failure(
        "\(file): this archive was written by another version of tamis; use that one, or another --archive")
    }
    let faults = try SchemaCheck.faults(database)
    if !faults.isEmpty { throw Archive.Failure(file: file, schemaFaults: faults) }
    try steps.restart(database)
    let counts = try RowCounts.faults(database, of: scope)
    if !counts.isEmpty { throw Archive.Failure(file: file, schemaFaults: counts) }
    try check(database, scope)
    if mode == .rehearsing { try database.execute(sql: "BEGIN") }
    if mode != .reading { try database.execute(sql: Schema.additions) }
  }

  /// The maximum size in bytes of a file that is checked completely when it is opened.
  ///
  /// Damage to a larger file is found when the damaged page is read, or by `tamis archive verify`.
  private static let largestChecked = 16 << 20

  private static func check(_ database: Database, _ scope: RowCounts.Scope) throws {
    let pages = try database.count("PRAGMA page_count")
    let size = try database.count("PRAGMA page_size")
    guard pages * size <= largestChecked else { return }
    // The first fault, or the faults of one table and its indexes.
    let check = scope == .everything ? "quick_check(1)" : "quick_check(feed)"
    if try String.fetchOne(database, sql: "PRAGMA \(check)") != "ok" {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT)
    }
  }

  // MARK: - Transactions

  /// Writes within a transaction, or within the open batch: all changes are kept, or none if it fails.
  func write<Value>(_ body: (Database) throws -> Value) throws(Archive.Failure) -> Value {
    try task(withLongRows: true, done: "written") { database in
      try endSharedReads(database)
      var value: Value?
      if database.isInsideTransaction {
        try database.inSavepoint {
          value = try body(database)
          return .commit
        }
      } else {
        try database.inTransaction(.immediate) {
          value = try body(database)
          return .commit
        }
      }
      guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
      return value
    }
  }

  func read<Value>(_ body: (Database) throws -> Value) throws(Archive.Failure) -> Value {
    try task(withLongRows: false, done: "read") { database in
      try shareRead(database)
      return try body(database)
    }
  }

  /// Reads rows with bodies or pages.
  func readLongRows<Value>(_ body: (Database) throws -> Value) throws(Archive.Failure) -> Value {
    try task(withLongRows: true, done: "read") { database in
      try shareRead(database)
      return try body(database)
    }
  }

  /// Reads within one transaction: SQLite locks the file for each statement otherwise.
  func readBatch<Value>(_ body: (Database) throws -> Value) throws(Archive.Failure) -> Value {
    try read { database in
      let isOwn = !database.isInsideTransaction
      if isOwn { try database.execute(sql: "BEGIN") }
      defer { if isOwn { try? database.execute(sql: "COMMIT") } }
      return try body(database)
    }
  }

  private func task<Value>(
    withLongRows: Bool, done: String, _ body: (Database) throws -> Value
  ) throws(Archive.Failure) -> Value {
    do {
      return try database.writeWithoutTransaction { database in
        try steps.restart(database)
        return try withLongRows ? database.withLongRows { try body(database) } : body(database)
      }
    } catch {
      throw Archive.Failure(error, file: file, done: done)
    }
  }

  /// The state of reads that share a transaction.
  private struct SharedReads {
    /// The number of running calls of ``withSharedReads(_:)``.
    var calls = 0
    /// Whether the open transaction was begun for reads.
    var isOpen = false
  }

  private func shareRead(_ database: Database) throws {
    try sharedReads.withLock { reads in
      if reads.calls == 0 || database.isInsideTransaction { return }
      try database.execute(sql: "BEGIN")
      reads.isOpen = true
    }
  }

  /// Ends the transaction that was begun for reads; one of a batch stays open.
  private func endSharedReads(_ database: Database) throws {
    try sharedReads.withLock { reads in
      guard reads.isOpen else { return }
      reads.isOpen = false
      if database.isInsideTransaction { try database.execute(sql: "COMMIT") }
    }
  }

  /// Runs `body`, in which all reads up to the next write share a transaction.
  ///
  /// SQLite otherwise locks the file, looks for a journal and checks its cache for each read. An archive that is only
  /// read is excepted, since a shared lock that is held for long keeps another run from writing; so is a dry run, which
  /// is one transaction.
  ///
  /// - Parameter body: the reads and writes; each write is committed on its own.
  /// - Returns: the result of `body`.
  /// - Throws: the error of `body`; ``Archive/Failure`` when the transaction cannot be ended.
  package func withSharedReads<Value>(_ body: () async throws -> Value) async throws -> Value {
    guard mode == .writing else { return try await body() }
    sharedReads.withLock { $0.calls += 1 }
    defer { sharedReads.withLock { $0.calls -= 1 } }
    do {
      let value = try await body()
      try change(endSharedReads)
      return value
    } catch {
      try? change(endSharedReads)
      throw error
    }
  }

  /// Begins a batch: everything written from now on is committed as a unit by ``commit()``.
  func beginBatch() throws(Archive.Failure) {
    try change { database in
      try endSharedReads(database)
      if !database.isInsideTransaction { try database.execute(sql: "BEGIN IMMEDIATE") }
    }
  }

  /// Commits everything written since ``beginBatch()``.
  func commit() throws(Archive.Failure) {
    if mode == .rehearsing { return }
    try change { if $0.isInsideTransaction { try $0.execute(sql: "COMMIT") } }
  }

  private func change(_ body: (Database) throws -> Void) throws(Archive.Failure) {
    do { try database.writeWithoutTransaction(body) } catch {
      throw Archive.Failure(error, file: file, done: "written")
    }
  }
}
