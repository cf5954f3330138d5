import GRDB
import GRDBSQLite

/// A statement that writes rows of small values, which are bound one after the other.
///
/// A post is written as fifteen rows with a hundred values. `Statement.execute(arguments:)` boxes each value and moves
/// it through three arrays, which takes longer than SQLite does; on the other hand it does not copy texts and blobs.
struct RowWriter {
  private let database: Database
  private let statement: Statement
  private let count: Int32

  /// Creates a writer; the statement is made once for a database.
  init(_ database: Database, sql: String) throws {
    self.database = database
    statement = try database.cachedStatement(sql: sql)
    count = unsafe sqlite3_bind_parameter_count(statement.sqliteStatement)
  }

  /// Writes a row.
  ///
  /// - Parameter bind: a function that binds the values of all parameters, in their order.
  /// - Throws: `DatabaseError` when a value is missing, the row cannot be written, or SQLite has ended the transaction
  ///   because of an earlier error.
  func write(_ bind: (inout RowValues) -> Void) throws {
    guard database.isInsideTransaction else { throw failure(SQLITE_ABORT, "there is no transaction") }
    let pointer = unsafe statement.sqliteStatement
    defer {
      // The values are copies, which would live until the next row.
      unsafe sqlite3_reset(pointer)
      unsafe sqlite3_clear_bindings(pointer)
    }
    // The last user of the statement may have left it with its result, in which values cannot be bound.
    unsafe sqlite3_reset(pointer)
    var values = unsafe RowValues(pointer)
    bind(&values)
    guard values.code == SQLITE_OK else { throw failure(values.code, database.lastErrorMessage) }
    guard values.count == count else { throw failure(SQLITE_MISUSE, "\(values.count) values for \(count) parameters") }
    let code = unsafe sqlite3_step(pointer)
    guard code == SQLITE_DONE else { throw failure(code, database.lastErrorMessage) }
  }

  private func failure(_ code: Int32, _ message: String?) -> DatabaseError {
    DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: statement.sql)
  }
}

/// The values of a row that is being written.
struct RowValues {
  private let statement: SQLiteStatement
  /// The number of values so far.
  private(set) var count: Int32 = 0
  /// The result code of the first value that SQLite refused, after which none is bound; `SQLITE_OK` when there is none.
  private(set) var code = SQLITE_OK

  fileprivate init(_ statement: SQLiteStatement) { unsafe self.statement = unsafe statement }

  /// Binds the value of the next parameter.
  mutating func append(_ value: some StatementBinding) {
    count += 1
    if code == SQLITE_OK { code = unsafe value.bind(to: statement, at: count) }
  }
}
