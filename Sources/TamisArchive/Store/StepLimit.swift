import GRDB
import GRDBSQLite

/// Ends tasks that take more steps of SQLite's virtual machine than the size of the file and the rows that were written explain.
///
/// The tables of a file are known (``SchemaCheck``), but its pages may be damaged or made so that reading them does not end: a
/// tree whose pages have many parents has more rows than any file can hold.
///
/// Access is confined to the queue of its connection.
@safe final class StepLimit: @unchecked Sendable {
  /// Steps between two looks at the limit.
  private static let interval: Int32 = 10_000
  /// What opening a file may take: to read the definitions of its tables.
  private static let opening: Int64 = 200_000
  /// What a task may take in a small file, and for each byte of a larger one, and for each row that it writes.
  private static let fewest: Int64 = 200_000_000
  private static let perByte: Int64 = 32
  private static let perRow: Int64 = 100_000

  private var connection: SQLiteConnection?
  private var used: Int64 = 0
  private var most = StepLimit.opening
  private var rowsBefore: Int64 = 0

  /// Limits what a connection does from now on; it has to live as long as the connection.
  func begin(on database: Database) {
    guard let opened = unsafe database.sqliteConnection else { return }
    unsafe connection = opened
    unsafe sqlite3_progress_handler(
      opened, Self.interval,
      { context in
        guard let context = unsafe context else { return 0 }
        return unsafe Unmanaged<StepLimit>.fromOpaque(context).takeUnretainedValue().isReached() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Begins to open a file.
  func restartForOpening() { (used, most, rowsBefore) = (0, Self.opening, rows) }

  /// Begins a task.
  ///
  /// - Parameter others: the bytes of attached files.
  func restart(_ database: Database, others: Int64 = 0) throws {
    (used, most, rowsBefore) = (0, Self.fewest, rows)
    let pages = try Int64.fetchOne(database.cachedStatement(sql: "PRAGMA page_count")) ?? 0
    let size = try Int64.fetchOne(database.cachedStatement(sql: "PRAGMA page_size")) ?? 0
    most += (pages * size + others) * Self.perByte
  }

  private var rows: Int64 { unsafe connection.map { Int64(unsafe sqlite3_total_changes($0)) } ?? 0 }

  private func isReached() -> Bool {
    used += Int64(Self.interval)
    // The count of rows is of 32 bits and begins again.
    return used > most && used > most + (max(0, rows - rowsBefore) * Self.perRow)
  }
}
