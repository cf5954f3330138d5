import TamisCore

/// Collects the rows of a table, and makes blocks of them.
struct TableReader {
  private struct Cell {
    var blocks: [MarkdownDocument.Block] = []
    var isHeader = false
    var columns = 1
    var rows = 1
    var alignment = MarkdownDocument.Alignment.none
  }

  private var rows: [[Cell]] = []
  private var row: [Cell] = []

  /// The number of empty cells that spans may add for each cell of the table; further ones are left out.
  private static let mostAdded = 8

  init() {}

  mutating func startCell(isHeader: Bool, _ attributes: [String: String]) {
    func span(_ name: String) -> Int { min(1000, max(1, attributes[name].flatMap { Int($0) } ?? 1)) }
    let alignments: [String: MarkdownDocument.Alignment] = ["left": .left, "center": .center, "right": .right]
    row.append(
      Cell(
        isHeader: isHeader, columns: span("colspan"), rows: span("rowspan"),
        alignment: alignments[attributes["align"]?.asciiLowercased() ?? ""] ?? .none))
  }

  mutating func endCell(_ blocks: [MarkdownDocument.Block]) {
    if !row.isEmpty { row[row.count - 1].blocks = blocks }
  }

  /// Adds the cells of a row.
  mutating func add(_ other: TableReader) { if !other.row.isEmpty { rows.append(other.row) } }

  /// Returns the table; as a list when a cell has more than text, and as its blocks when it has one column.
  func blocks(_ document: inout MarkdownDocument) -> [MarkdownDocument.Block] {
    let isPlain = rows.allSatisfy { row in row.allSatisfy { Self.isText($0.blocks) } }
    let columns = rows.map(\.count).max() ?? 0
    if columns < 2 { return rows.flatMap { $0.flatMap(\.blocks) } }
    guard isPlain else {
      let items = rows.map { MarkdownDocument.Item(blocks: $0.flatMap(\.blocks)) }.filter { !$0.blocks.isEmpty }
      return items.isEmpty ? [] : [.list(.init(items: items))]
    }
    let grid = grid(&document)
    guard grid.contains(where: { $0.cells.contains { !$0.isEmpty } }) else { return [] }
    return [.table(grid, alignments: alignments(columns))]
  }

  private static func isText(_ blocks: [MarkdownDocument.Block]) -> Bool {
    blocks.allSatisfy { if case .paragraph = $0 { true } else { false } }
  }

  /// Returns the alignments of the columns by the cells that span none.
  private func alignments(_ columns: Int) -> [MarkdownDocument.Alignment] {
    var found = Array(repeating: MarkdownDocument.Alignment.none, count: columns)
    guard let widest = rows.first(where: { $0.count == columns }) else { return found }
    for (index, cell) in widest.enumerated() { found[index] = cell.alignment }
    return found
  }

  /// Returns the rows with empty cells where others span them.
  private func grid(_ document: inout MarkdownDocument) -> [MarkdownDocument.Row] {
    var budget = rows.reduce(0) { $0 + $1.count } * Self.mostAdded
    // The number of further rows that a cell above covers, by columns.
    var covered: [Int: Int] = [:]
    var grid: [MarkdownDocument.Row] = []
    for (index, cells) in rows.enumerated() {
      var row = MarkdownDocument.Row(isHeader: index == 0 && cells.allSatisfy(\.isHeader))
      func addEmpty() {
        row.cells.append([])
        budget -= 1
      }
      for cell in cells {
        while let rest = covered[row.cells.count], budget > 0 {
          covered[row.cells.count] = rest > 1 ? rest - 1 : nil
          addEmpty()
        }
        let column = row.cells.count
        row.cells.append(Self.line(cell.blocks, &document))
        while row.cells.count < column + cell.columns, budget > 0 { addEmpty() }
        if cell.rows > 1, budget > 0 {
          for each in column..<row.cells.count where covered.count < budget { covered[each] = cell.rows - 1 }
        }
      }
      grid.append(row)
    }
    return grid
  }

  /// Returns the paragraphs of a cell as one line.
  private static func line(
    _ blocks: [MarkdownDocument.Block], _ document: inout MarkdownDocument
  ) -> [MarkdownDocument.Inline] {
    var line: [MarkdownDocument.Inline] = []
    for block in blocks {
      guard case .paragraph(let inlines) = block else { continue }
      if !line.isEmpty { line.append(.init(kind: .text(document.space()))) }
      line += inlines
    }
    return line
  }
}
