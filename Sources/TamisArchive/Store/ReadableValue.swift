import GRDB

/// A value of another type than that of its column: the file is damaged, or another program has made it.
struct UnreadableValue: Error {
  /// The name of the column in the query.
  let column: String

  init(column: String) { self.column = column }

  init(_ index: Int, of row: Row) { column = row.columnNames.dropFirst(index).first ?? "\(index)" }
}

/// Reading of values by position. GRDB's own subscripts end the process for a value of another type; in this module
/// these take their place.
extension Row {
  subscript<Value: DatabaseValueConvertible>(_ index: Int) -> Value {
    get throws {
      do { return try decode(Value.self, atIndex: index) } catch { throw UnreadableValue(index, of: self) }
    }
  }

  subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ index: Int) -> Value {
    get throws {
      do { return try decode(Value.self, atIndex: index) } catch { throw UnreadableValue(index, of: self) }
    }
  }

  subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ name: String) -> Value {
    get throws {
      do { return try decode(Value.self, forColumn: name) } catch { throw UnreadableValue(column: name) }
    }
  }
}

extension Database {
  /// Whether the value that a query gives is true; false when it gives none.
  func isTrue(_ sql: String, _ arguments: StatementArguments = []) throws -> Bool {
    try Bool.fetchOne(cachedStatement(sql: sql), arguments: arguments) ?? false
  }

  /// The number that a query gives; 0 when it gives none.
  func count(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
    try Int.fetchOne(cachedStatement(sql: sql), arguments: arguments) ?? 0
  }
}
