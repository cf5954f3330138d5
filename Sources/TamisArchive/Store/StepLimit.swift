import GRDB
import GRDBSQLite

/// Interrupts tasks that take more steps of SQLite's virtual machine than the size of the file and the number of
/// written rows explain.
///
/// The tables of a file are known (``SchemaCheck``), but its pages may be damaged or made so that reading them does not
/// end: a tree whose pages have many parents has more rows than any file can hold.
///
/// Access is confined to the queue of its connection.
@safe final class StepLimit: @unchecked Sendable {
  /// The number of steps between two checks of the limit.
  private static let interval: Int32 = 10_000
  /// The maximum number of steps for opening a file, which reads the definitions of its tables.
  private static let opening: Int64 = 200_000
  /// The maximum number of steps of a task: for a small file, for each byte of a larger one, and for each row that is
  /// written.
  private static let fewest: Int64 = 200_000_000
  private static let perByte: Int64 = 32
  private static let perRow: Int64 = 100_000

  private var connection: SQLiteConnection?
  private var used: Int64 = 0
  private var most = StepLimit.opening
  private var rowsBefore: Int64 = 0
  /// The size of a page in bytes; nil before the first task.
  private var pageSize: Int64?

  /// Limits a connection from now on; the value has to live as long as the connection.
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

  /// Resets the limit for a task.
  func restart(_ database: Database) throws {
    (used, most, rowsBefore) = (0, Self.fewest, rows)
    let pages = try Int64.fetchOne(database.cachedStatement(sql: "PRAGMA page_count")) ?? 0
    let size = try pageSize ?? Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
    pageSize = size
    most += pages * size * Self.perByte
  }

  private var rows: Int64 { unsafe connection.map { Int64(unsafe sqlite3_total_changes($0)) } ?? 0 }

  private func isReached() -> Bool {
    used += Int64(Self.interval)
    // SQLite's row count has 32 bits and wraps around.
    return used > most && used > most + (max(0, rows - rowsBefore) * Self.perRow)
  }
}
