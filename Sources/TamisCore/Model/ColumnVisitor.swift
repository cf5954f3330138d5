/// Visits the columns of a row one after the other: to name, to read, to write, to export or to import them.
///
/// A row has one function with all of its columns (``Post/Card/visit(_:)``), and a new one is a line of it.
package protocol ColumnVisitor {
  /// The errors that a visit throws.
  associatedtype Failure: Error
  /// Whether values are set, which are then checked; others only look at them.
  static var sets: Bool { get }

  /// Visits a number; a reader sets the value.
  mutating func number(_ column: StoredColumn, _ value: inout Int64?) throws(Failure)
  /// Visits a text; a reader sets the value.
  mutating func text(_ column: StoredColumn, _ value: inout String?) throws(Failure)
  /// Visits bytes.
  mutating func bytes(_ name: String, _ value: inout [UInt8]?) throws(Failure)
}

/// A column of a table.
package struct StoredColumn: Sendable, Hashable {
  /// What a number or a text means to those who do not store it.
  package enum Form: Sendable {
    case value
    /// True or false.
    case flag
    /// Seconds since 1970-01-01T00:00:00Z.
    case time
    /// Several texts (``StoredList``).
    case list
  }

  /// The type of the values in SQLite.
  package enum Kind: String, Sendable { case integer = "INTEGER", text = "TEXT", blob = "BLOB" }

  package let name: String
  package var kind = Kind.integer
  package var isOptional = false
  package var form = Form.value
  /// The valid numbers; nil when all are.
  package var range: ClosedRange<Int64>?
  /// The maximum number of bytes of a text; nil when there is none.
  package var limit: Int?

  /// The definition of the column in SQL.
  package var definition: String { "\(name) \(kind.rawValue)\(isOptional ? "" : " NOT NULL")" }

  /// An SQL condition: the value is a valid number.
  package var isSound: String {
    let isNull = isOptional ? "\(name) IS NULL OR " : ""
    let isAmong = range.map { " AND \(name) BETWEEN \($0.lowerBound) AND \($0.upperBound)" } ?? ""
    return "(\(isNull)typeof(\(name)) = 'integer'\(isAmong))"
  }
}

extension ColumnVisitor {
  /// Leaves bytes out, which few rows have.
  package mutating func bytes(_ name: String, _ value: inout [UInt8]?) throws(Failure) {}

  package mutating func number(_ name: String, _ value: inout Int64?, among range: ClosedRange<Int64>? = nil)
    throws(Failure)
  {
    try number(StoredColumn(name: name, isOptional: true, range: range), &value)
  }

  package mutating func number<Number: FixedWidthInteger>(
    _ name: String, _ value: inout Number, among range: ClosedRange<Int64>? = nil
  ) throws(Failure) {
    var number: Int64? = Int64(value)
    try self.number(StoredColumn(name: name, range: range), &number)
    if Self.sets { value = Number(truncatingIfNeeded: number ?? 0) }
  }

  package mutating func flag(_ name: String, _ value: inout Bool) throws(Failure) {
    var stored: Int64? = value ? 1 : 0
    try self.number(StoredColumn(name: name, form: .flag), &stored)
    if Self.sets { value = stored != 0 }
  }

  package mutating func text(_ name: String, _ value: inout String?, upTo limit: Int? = nil) throws(Failure) {
    try text(StoredColumn(name: name, kind: .text, isOptional: true, limit: limit), &value)
  }

  package mutating func text(_ name: String, _ value: inout String, upTo limit: Int? = nil) throws(Failure) {
    var text: String? = value
    try self.text(StoredColumn(name: name, kind: .text, limit: limit), &text)
    if Self.sets { value = text ?? "" }
  }

  package mutating func number<Number: RawRepresentable<Int64>>(
    _ name: String, _ value: inout Number, among range: ClosedRange<Int64>? = nil
  ) throws(Failure) {
    var number = value.rawValue
    try self.number(name, &number, among: range)
    if Self.sets { value = Number(rawValue: number) ?? value }
  }
}

/// Collects the columns.
package struct ColumnList: ColumnVisitor {
  package static let sets = false
  package private(set) var columns: [StoredColumn] = []

  package mutating func number(_ column: StoredColumn, _ value: inout Int64?) { columns.append(column) }
  package mutating func text(_ column: StoredColumn, _ value: inout String?) { columns.append(column) }
  package mutating func bytes(_ name: String, _ value: inout [UInt8]?) {
    columns.append(StoredColumn(name: name, kind: .blob, isOptional: true))
  }

  /// Returns the columns that a function visits.
  package static func of(_ visit: (inout ColumnList) -> Void) -> [StoredColumn] {
    var list = ColumnList()
    visit(&list)
    return list.columns
  }
}
