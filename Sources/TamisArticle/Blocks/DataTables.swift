/// The tables of a page that hold data; the others are layout.
///
/// A table is tested as accessibility engines and Readability do: by its role, its header cells, nested tables, and the
/// regularity of its rows.
struct DataTables: Sendable {
  /// The innermost table that each element is or is in, by the numbers of elements; -1 for none.
  private var tables: [Int32]
  private var data: Set<Int32> = []

  /// The counts of a table without its nested tables.
  fileprivate struct Shape {
    var rows = 0
    var columns = 0
    var cellsOfRow = 0
    var hasHeader = false
    var isPresentation = false
    var holdsTable = false
  }

  /// The mean number of words per cell above which cells hold parts of a page.
  static let mostWordsOfCell = 40
  /// The same for tables with header cells.
  static let mostWordsOfNamedCell = 150

  init(_ tape: PageTape, _ sums: Sums) {
    tables = Array(repeating: -1, count: tape.elements.count)
    var shapes: [Int32: Shape] = [:]
    for element in tape.elements.indices {
      let parent = Int(tape.elements[element].parent)
      let outer = parent < 0 ? -1 : tables[parent]
      tables[element] = outer
      let name = tape.name(of: element)
      if name == "table" {
        if outer >= 0 { shapes[outer]?.holdsTable = true }
        tables[element] = Int32(element)
        let role = tape.value(of: "role", in: element)
        let isFigure = parent >= 0 && tape.name(of: parent) == "figure"
        shapes[Int32(element)] = Shape(hasHeader: isFigure, isPresentation: role == "presentation" || role == "none")
      } else if outer >= 0 {
        shapes[outer]?.count(name)
      }
    }
    for (table, shape) in shapes where shape.isData(sums.elements[Int(table)]) { data.insert(table) }
  }

  /// Whether a table holds data.
  func contains(_ table: Int) -> Bool { data.contains(Int32(table)) }

  /// Returns the innermost table that an element is or is in, if it is a data table.
  func around(_ element: Int) -> Int? { data.contains(tables[element]) ? Int(tables[element]) : nil }
}

extension DataTables.Shape {
  fileprivate mutating func count(_ name: String) {
    switch name {
    case "tr": (rows, cellsOfRow) = (rows + 1, 0)
    case "td", "th":
      cellsOfRow += 1
      columns = max(columns, cellsOfRow)
      if name == "th" { hasHeader = true }
    case "caption", "thead": hasHeader = true
    default: break
    }
  }

  fileprivate func isData(_ sum: Sum) -> Bool {
    guard !isPresentation, !holdsTable, sum.blocks > 0, rows * columns > 1 else { return false }
    if hasHeader { return sum.words < DataTables.mostWordsOfNamedCell * rows * columns }
    return rows > 1 && columns > 1 && sum.words < DataTables.mostWordsOfCell * rows * columns
  }
}
