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
