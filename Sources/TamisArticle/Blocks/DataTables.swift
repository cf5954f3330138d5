/// Which tables of a page hold data; the others are the way in which the page was laid out.
///
/// A table is tested as accessibility engines and Readability do: its role, its header cells, tables within it, and how regular
/// its rows are.
struct DataTables: Sendable {
  /// By the numbers of elements, the innermost table that it is or is in; -1 for none.
  private var tables: [Int32]
  private var data: Set<Int32> = []

  /// What is counted in a table, without the tables within it.
  fileprivate struct Shape {
    var rows = 0
    var columns = 0
    var cellsOfRow = 0
    var hasHeader = false
    var isPresentation = false
    var holdsTable = false
  }

  /// Cells with more words than this, in the mean, hold parts of a page.
  static let mostWordsOfCell = 40
  /// The same, where cells are named by header cells.
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
        shapes[Int32(element)] = Shape(isPresentation: role == "presentation" || role == "none")
      } else if outer >= 0 {
        shapes[outer]?.count(name)
      }
    }
    for (table, shape) in shapes where shape.isData(sums.elements[Int(table)]) { data.insert(table) }
  }

  /// Whether a table holds data.
  func contains(_ table: Int) -> Bool { data.contains(Int32(table)) }

  /// The innermost table that an element is or is in, if it is a data table.
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
    if hasHeader { return rows > 1 && sum.words < DataTables.mostWordsOfNamedCell * rows * columns }
    return rows > 1 && columns > 1 && sum.words < DataTables.mostWordsOfCell * rows * columns
  }
}
