import GRDB
import TamisCore
import TamisFoundation

/// Reads the columns from a row, by their positions.
///
/// Numbers are clamped to their ranges, so that arithmetic cannot overflow, and long texts are cut off.
struct ColumnReader: ColumnVisitor {
  static let sets = true
  let row: Row
  /// The position of the next column.
  private(set) var index: Int
  /// The maximum number of bytes of a value: a sketch has 64.
  private static let mostBytes = 4096

  init(_ row: Row, from index: Int) { (self.row, self.index) = (row, index) }

  mutating func number(_ column: StoredColumn, _ value: inout Int64?) throws {
    value = column.isOptional ? try row[index] as Int64? : try row[index] as Int64
    if let range = column.range { value = value?.clamped(to: range) }
    index += 1
  }

  mutating func text(_ column: StoredColumn, _ value: inout String?) throws {
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
  static let sets = false

  mutating func number(_ column: StoredColumn, _ value: inout Int64?) { append(value) }
  mutating func text(_ column: StoredColumn, _ value: inout String?) { append(value) }
  mutating func bytes(_ name: String, _ value: inout [UInt8]?) { append(value.map { Data($0) }) }
}

/// Collects the texts; one that is missing is empty.
struct ColumnTexts: ColumnVisitor {
  static let sets = false
  private(set) var texts: [String] = []

  mutating func number(_ column: StoredColumn, _ value: inout Int64?) {}
  mutating func text(_ column: StoredColumn, _ value: inout String?) { texts.append(value ?? "") }
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
  static let sets = false
  var container: KeyedEncodingContainer<ColumnName>

  mutating func number(_ column: StoredColumn, _ value: inout Int64?) throws {
    try container.encodeIfPresent(value, forKey: ColumnName(stringValue: column.name))
  }

  mutating func text(_ column: StoredColumn, _ value: inout String?) throws {
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
  static let sets = true
  let container: KeyedDecodingContainer<ColumnName>

  func number(_ column: StoredColumn, _ value: inout Int64?) throws {
    value = try decoded(column) { number in column.range.map { $0.contains(number) } ?? true }
  }

  func text(_ column: StoredColumn, _ value: inout String?) throws {
    value = try decoded(column) { text in text.utf8.count <= column.limit ?? .max }
  }

  private func decoded<Value: Decodable>(_ column: StoredColumn, if isValid: (Value) -> Bool) throws -> Value? {
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
  static var exportedColumns: [StoredColumn] {
    var row = Self()
    return ColumnList.of { row.visitExported(&$0) }
  }
}
