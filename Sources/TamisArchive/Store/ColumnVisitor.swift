import GRDB
import TamisFoundation

/// Visits the columns of a row one after the other: to name, to read, to write, to export or to import them.
///
/// So one function has all columns of a row (``StoredPost/visit(_:)``), and a new one is a line of it.
protocol ColumnVisitor {
  /// The errors that a visit throws.
  associatedtype Failure: Error

  /// Visits a number; a reader sets the value.
  mutating func number(_ column: Column, _ value: inout Int64?) throws(Failure)
  /// Visits a text.
  mutating func text(_ name: String, _ value: inout String) throws(Failure)
  /// Visits bytes.
  mutating func bytes(_ name: String, _ value: inout [UInt8]?) throws(Failure)
}

/// A column of a table.
struct Column {
  /// The type of the values in SQLite.
  enum Kind: String { case integer = "INTEGER", text = "TEXT", blob = "BLOB" }

  let name: String
  var kind = Kind.integer
  var isOptional = false
  /// The valid numbers; nil when all are.
  var range: ClosedRange<Int64>?

  /// The definition of the column in SQL.
  var definition: String { "\(name) \(kind.rawValue)\(isOptional ? "" : " NOT NULL")" }

  /// An SQL condition: the value is a valid number.
  var isSound: String {
    let isNull = isOptional ? "\(name) IS NULL OR " : ""
    let isAmong = range.map { " AND \(name) BETWEEN \($0.lowerBound) AND \($0.upperBound)" } ?? ""
    return "(\(isNull)typeof(\(name)) = 'integer'\(isAmong))"
  }
}

extension ColumnVisitor {
  mutating func number(
    _ name: String, _ value: inout Int64?, among range: ClosedRange<Int64>? = nil
  ) throws(Failure) {
    try number(Column(name: name, isOptional: true, range: range), &value)
  }

  mutating func number<Number: FixedWidthInteger>(
    _ name: String, _ value: inout Number, among range: ClosedRange<Int64>? = nil
  ) throws(Failure) {
    var number: Int64? = Int64(value)
    try self.number(Column(name: name, range: range), &number)
    value = Number(truncatingIfNeeded: number ?? 0)
  }

  mutating func number<Number: RawRepresentable<Int64>>(
    _ name: String, _ value: inout Number, among range: ClosedRange<Int64>? = nil
  ) throws(Failure) {
    var number = value.rawValue
    try self.number(name, &number, among: range)
    value = Number(rawValue: number) ?? value
  }
}

/// Collects the columns.
struct ColumnList: ColumnVisitor {
  private(set) var columns: [Column] = []

  mutating func number(_ column: Column, _ value: inout Int64?) { columns.append(column) }
  mutating func text(_ name: String, _ value: inout String) { columns.append(Column(name: name, kind: .text)) }
  mutating func bytes(_ name: String, _ value: inout [UInt8]?) {
    columns.append(Column(name: name, kind: .blob, isOptional: true))
  }
}

/// Reads the columns from a row, by their positions; numbers are clamped to their ranges, so that arithmetic cannot
/// overflow.
struct ColumnReader: ColumnVisitor {
  let row: Row
  /// The position of the next column.
  private(set) var index: Int

  init(_ row: Row, from index: Int) { (self.row, self.index) = (row, index) }

  mutating func number(_ column: Column, _ value: inout Int64?) throws {
    value = column.isOptional ? try row[index] as Int64? : try row[index] as Int64
    if let range = column.range { value = value?.clamped(to: range) }
    index += 1
  }

  mutating func text(_ name: String, _ value: inout String) throws {
    value = try row[index]
    index += 1
  }

  mutating func bytes(_ name: String, _ value: inout [UInt8]?) throws {
    value = try (row[index] as Data?).map { Array($0) }
    index += 1
  }
}

extension RowValues: ColumnVisitor {
  mutating func number(_ column: Column, _ value: inout Int64?) { append(value) }
  mutating func text(_ name: String, _ value: inout String) { append(value) }
  mutating func bytes(_ name: String, _ value: inout [UInt8]?) { append(value.map { Data($0) }) }
}

/// The name of a column in JSON.
struct ColumnName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// Writes the columns as the members of a JSON object; a missing value is left out.
struct ColumnEncoder: ColumnVisitor {
  var container: KeyedEncodingContainer<ColumnName>

  mutating func number(_ column: Column, _ value: inout Int64?) throws {
    try container.encodeIfPresent(value, forKey: ColumnName(stringValue: column.name))
  }

  mutating func text(_ name: String, _ value: inout String) throws {
    try container.encode(value, forKey: ColumnName(stringValue: name))
  }

  mutating func bytes(_ name: String, _ value: inout [UInt8]?) throws {
    try container.encodeIfPresent(value.map { Data($0) }, forKey: ColumnName(stringValue: name))
  }
}

/// Reads the columns from a JSON object; throws ``UnreadableValue`` for a number that is not in its range.
struct ColumnDecoder: ColumnVisitor {
  let container: KeyedDecodingContainer<ColumnName>

  func number(_ column: Column, _ value: inout Int64?) throws {
    let key = ColumnName(stringValue: column.name)
    let isPresent = !column.isOptional || container.contains(key)
    value = isPresent ? try container.decode(Int64.self, forKey: key) : nil
    if let number = value, let range = column.range, !range.contains(number) {
      throw UnreadableValue(column: column.name)
    }
  }

  func text(_ name: String, _ value: inout String) throws {
    value = try container.decode(String.self, forKey: ColumnName(stringValue: name))
  }

  func bytes(_ name: String, _ value: inout [UInt8]?) throws {
    value = try container.decodeIfPresent(Data.self, forKey: ColumnName(stringValue: name)).map { Array($0) }
  }
}
