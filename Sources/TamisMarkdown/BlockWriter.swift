import TamisCore

/// Writes the blocks of a document.
///
/// The content of an item begins at the fourth column, where all renderers find it; lists beside each other have other
/// marks, so that they stay two.
struct BlockWriter {
  private typealias Block = MarkdownDocument.Block

  var output: [UInt8] = []
  private let document: MarkdownDocument
  private let options: Markdown.Options
  private var references = References()
  /// What each line of the open containers begins with.
  private var prefix: [UInt8] = []
  /// What the next line begins with instead; nil for the prefix.
  private var first: [UInt8]?

  init(_ document: MarkdownDocument, _ options: Markdown.Options) {
    (self.document, self.options) = (document, options)
    output.reserveCapacity(document.bytes.count + document.bytes.count / 4)
  }

  /// Writes the document.
  mutating func write() {
    write(document.blocks, isTight: false)
    guard !references.targets.isEmpty else { return }
    endBlock()
    for (index, target) in references.targets.enumerated() {
      output += "[\(index + 1)]: \(LinkTarget.text(of: target))\n".utf8
    }
  }

  // MARK: - Lines

  private mutating func beginLine() {
    output += first ?? prefix
    first = nil
  }

  /// Writes an empty line, which has the marks of quotations.
  private mutating func endBlock() {
    guard !output.isEmpty, first == nil else { return }
    var line = prefix
    while line.last == ASCII.space { line.removeLast() }
    output += line
    output.append(ASCII.lineFeed)
  }

  private mutating func write(_ blocks: [Block], isTight: Bool) {
    var lists = 0
    for (index, block) in blocks.enumerated() {
      if index > 0, !isTight { endBlock() }
      if case .list = block { lists += 1 } else { lists = 0 }
      write(block, isSecond: lists > 0 && lists.isMultiple(of: 2))
    }
  }

  private mutating func write(_ block: Block, isSecond: Bool) {
    switch block {
    case .paragraph(let inlines):
      beginLine()
      write(inlines, .paragraph)
      output.append(ASCII.lineFeed)
    case .heading(let level, let inlines):
      beginLine()
      output += Array(repeating: UInt8(ascii: "#"), count: level) + [ASCII.space]
      write(inlines, .heading)
      output.append(ASCII.lineFeed)
    case .code(let range, let language): writeCode(document.bytes[range], language)
    case .list(let list): write(list, isSecond)
    case .quote(let blocks):
      inContainer(first: "> ", others: "> ") { $0.write(blocks, isTight: false) }
    case .table(let rows, let alignments): write(rows, alignments)
    case .rule:
      beginLine()
      output += "***\n".utf8
    }
  }

  private mutating func write(_ inlines: [MarkdownDocument.Inline], _ context: InlineWriter.Context) {
    let writer = InlineWriter(
      document, options, context, prefix: prefix, output: output, references: references)
    output = []
    (output, references) = writer.writing(inlines)
  }

  private mutating func inContainer(first mark: String, others: String, _ body: (inout BlockWriter) -> Void) {
    let outer = prefix
    first = (first ?? prefix) + mark.utf8
    prefix += others.utf8
    body(&self)
    prefix = outer
    first = nil
  }

  // MARK: - Code

  private mutating func writeCode(_ code: ArraySlice<UInt8>, _ language: String) {
    let fence = Array(repeating: UInt8(ascii: "`"), count: max(3, CodeFence.longestRun(in: code) + 1))
    beginLine()
    output += fence + language.utf8 + [ASCII.lineFeed]
    for line in code.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false) {
      beginLine()
      // Some renderers read fences only outside of lists and quotations, and end the text at an empty line there; what
      // follows would be markup.
      if line.allSatisfy(\.isHTMLSpace), !prefix.isEmpty { output += "\u{A0}".utf8 } else { appendCode(line) }
      output.append(ASCII.lineFeed)
    }
    beginLine()
    output += fence + [ASCII.lineFeed]
  }

  private mutating func appendCode(_ line: ArraySlice<UInt8>) {
    var index = line.startIndex
    while index < line.endIndex {
      if let length = LineEnds.length(at: index, in: line) {
        output.append(ASCII.space)
        index += length
      } else {
        output.append(line[index])
        index += 1
      }
    }
  }

  // MARK: - Lists

  private mutating func write(_ list: MarkdownDocument.List, _ isSecond: Bool) {
    let isTight = list.items.allSatisfy { Self.isTight($0.blocks) }
    for (index, item) in list.items.enumerated() {
      if index > 0, !isTight { endBlock() }
      var mark = isSecond ? "*" : "-"
      if let start = list.start { mark = "\(min(999_999_999, start + index))\(isSecond ? ")" : ".")" }
      mark += String(repeating: " ", count: max(1, 4 - mark.utf8.count))
      let indent = String(repeating: " ", count: mark.utf8.count)
      let task = item.isDone.map { $0 ? "[x] " : "[ ] " } ?? ""
      inContainer(first: mark + task, others: indent) { writer in
        if item.blocks.isEmpty {
          writer.beginLine()
          writer.output.append(ASCII.lineFeed)
        }
        writer.write(item.blocks, isTight: isTight)
      }
    }
  }

  /// Whether an item is a line of text, with a list below it or not.
  private static func isTight(_ blocks: [Block]) -> Bool {
    for (index, block) in blocks.enumerated() {
      switch block {
      case .paragraph where index == 0: continue
      case .list where index > 0 && index == blocks.count - 1: continue
      default: return false
      }
    }
    return true
  }

  // MARK: - Tables

  private mutating func write(_ rows: [MarkdownDocument.Row], _ alignments: [MarkdownDocument.Alignment]) {
    let columns = max(2, rows.map(\.cells.count).max() ?? 0)
    var rows = rows[...]
    let header = rows.first?.isHeader ?? false ? rows.removeFirst() : MarkdownDocument.Row()
    write(header, columns)
    beginLine()
    for column in 0..<columns {
      switch column < alignments.count ? alignments[column] : .none {
      case .none: output += "|-".utf8
      case .left: output += "|:-".utf8
      case .center: output += "|:-:".utf8
      case .right: output += "|-:".utf8
      }
    }
    output += "|\n".utf8
    // Renderers add the empty cells at the end of a row.
    for row in rows { write(row, max(1, (row.cells.lastIndex { !$0.isEmpty } ?? 0) + 1)) }
  }

  private mutating func write(_ row: MarkdownDocument.Row, _ columns: Int) {
    beginLine()
    for column in 0..<columns {
      output += "| ".utf8
      if column < row.cells.count { write(row.cells[column], .cell) }
      if output.last != ASCII.space { output.append(ASCII.space) }
    }
    output += "|\n".utf8
  }
}
