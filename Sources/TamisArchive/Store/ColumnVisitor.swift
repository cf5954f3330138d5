import GRDB
import TamisCore
import TamisFoundation

/// Visits the columns of a row one after the other: to name, to read, to write, to export or to import them.
///
/// A row has one function with all of its columns (``StoredPost/visit(_:)``), and a new one is a line of it.
protocol ColumnVisitor {
  /// The errors that a visit throws.
  associatedtype Failure: Error

  /// Visits a number; a reader sets the value.
  mutating func number(_ column: Column, _ value: inout Int64?) throws(Failure)
  /// Visits a text; a reader sets the value.
  mutating func text(_ column: Column, _ value: inout String?) throws(Failure)
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
  /// The maximum number of bytes of a text; nil when there is none.
  var limit: Int?

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
  mutating func number(_ name: String, _ value: inout Int64?, among range: ClosedRange<Int64>? = nil) throws(Failure) {
    try number(Column(name: name, isOptional: true, range: range), &value)
  }

  mutating func number<Number: FixedWidthInteger>(
    _ name: String, _ value: inout Number, among range: ClosedRange<Int64>? = nil
  ) throws(Failure) {
    var number: Int64? = Int64(value)
    try self.number(Column(name: name, range: range), &number)
    value = Number(truncatingIfNeeded: number ?? 0)
  }

  mutating func flag(_ name: String, _ value: inout Bool) throws(Failure) {
    var number: Int64 = value ? 1 : 0
    try self.number(name, &number)
    value = number != 0
  }

  mutating func text(_ name: String, _ value: inout String?, upTo limit: Int? = nil) throws(Failure) {
    try text(Column(name: name, kind: .text, isOptional: true, limit: limit), &value)
  }

  mutating func text(_ name: String, _ value: inout String, upTo limit: Int? = nil) throws(Failure) {
    var text: String? = value
    try self.text(Column(name: name, kind: .text, limit: limit), &text)
    value = text ?? ""
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
  mutating func text(_ column: Column, _ value: inout String?) { columns.append(column) }
  mutating func bytes(_ name: String, _ value: inout [UInt8]?) {
    columns.append(Column(name: name, kind: .blob, isOptional: true))
  }

  /// Returns the columns that a function visits.
  static func of(_ visit: (inout ColumnList) -> Void) -> [Column] {
    var list = ColumnList()
    visit(&list)
    return list.columns
  }
}

/// Reads the columns from a row, by their positions.
///
/// Numbers are clamped to their ranges, so that arithmetic cannot overflow, and long texts are cut off.
struct ColumnReader: ColumnVisitor {
  let row: Row
  /// The position of the next column.
  private(set) var index: Int
  /// The maximum number of bytes of a value: a sketch has 64.
  private static let mostBytes = 4096

  init(_ row: Row, from index: Int) { (self.row, self.index) = (row, index) }

  mutating func number(_ column: Column, _ value: inout Int64?) throws {
    value = column.isOptional ? try row[index] as Int64? : try row[index] as Int64
    if let range = column.range { value = value?.clamped(to: range) }
    index += 1
  }

  mutating func text(_ column: Column, _ value: inout String?) throws {
    value = column.isOptional ? try row[index] as String? : try row[index] as String
    if let limit = column.limit { value = value?.prefix(bytes: limit) }
    index += 1
  }

  mutating func bytes(_ name: String, _ value: inout [UInt8]?) throws {
    value = try (row[index] as Data?).flatMap { $0.count <= Self.mostBytes ? Array($0) : nil }
    index += 1
  }
}

extension RowValues: ColumnVisitor {
  mutating func number(_ column: Column, _ value: inout Int64?) { append(value) }
  mutating func text(_ column: Column, _ value: inout String?) { append(value) }
  mutating func bytes(_ name: String, _ value: inout [UInt8]?) { append(value.map { Data($0) }) }
}

/// Collects the texts; one that is missing is empty.
struct ColumnTexts: ColumnVisitor {
  private(set) var texts: [String] = []

  mutating func number(_ column: Column, _ value: inout Int64?) {}
  mutating func text(_ column: Column, _ value: inout String?) { texts.append(value ?? "") }
  mutating func bytes(_ name: String, _ value: inout [UInt8]?) {}
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

  mutating func text(_ column: Column, _ value: inout String?) throws {
    try container.encodeIfPresent(value, forKey: ColumnName(stringValue: column.name))
  }

  mutating func bytes(_ name: String, _ value: inout [UInt8]?) throws {
    try container.encodeIfPresent(value.map { Data($0) }, forKey: ColumnName(stringValue: name))
  }
}

/// Reads the columns from a JSON object.
///
/// A number that is not in its range, or a text that is too long, throws ``UnreadableValue``.
struct ColumnDecoder: ColumnVisitor {
  let container: KeyedDecodingContainer<ColumnName>

  func number(_ column: Column, _ value: inout Int64?) throws {
    value = try decoded(column) { number in column.range.map { $0.contains(number) } ?? true }
  }

  func text(_ column: Column, _ value: inout String?) throws {
    value = try decoded(column) { text in text.utf8.count <= column.limit ?? .max }
  }

  private func decoded<Value: Decodable>(_ column: Column, if isValid: (Value) -> Bool) throws -> Value? {
    let key = ColumnName(stringValue: column.name)
    if column.isOptional, !container.contains(key) { return nil }
    let value = try container.decode(Value.self, forKey: key)
    guard isValid(value) else { throw UnreadableValue(column: column.name) }
    return value
  }

  func bytes(_ name: String, _ value: inout [UInt8]?) throws {
    value = try container.decodeIfPresent(Data.self, forKey: ColumnName(stringValue: name)).map { Array($0) }
  }
}

/// A row that an export has as a JSON object of its columns.
protocol ExportedRow: Codable {
  init()
  /// Visits the columns that are the same in each archive.
  mutating func visitExported<Visitor: ColumnVisitor>(_ columns: inout Visitor) throws(Visitor.Failure)
}

extension ExportedRow {
  package init(from decoder: any Decoder) throws {
    self.init()
    var columns = ColumnDecoder(container: try decoder.container(keyedBy: ColumnName.self))
    try visitExported(&columns)
  }

  package func encode(to encoder: any Encoder) throws {
    var columns = ColumnEncoder(container: encoder.container(keyedBy: ColumnName.self))
    var row = self
    try row.visitExported(&columns)
  }

  /// The columns that an export has.
  static var exportedColumns: [Column] {
    var row = Self()
    return ColumnList.of { row.visitExported(&$0) }
  }
}
