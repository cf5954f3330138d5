import TamisCore

/// Writes the blocks of a document.
///
/// The content of an item begins at the fourth column, where all renderers find it; further right only for numbers of
/// three digits and more, as CommonMark wants it.
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
    for (number, blocks) in document.notes.enumerated() {
      endBlock()
      writeNote(number + 1, blocks)
    }
    guard !references.targets.isEmpty else { return }
    endBlock()
    for (index, target) in references.targets.enumerated() {
      output += "[\(index + 1)]: \(LinkTarget.text(of: target))\n".utf8
    }
  }

  // MARK: - Footnotes

  /// Writes a footnote.
  ///
  /// Renderers without footnotes would read one of a single word, or of a word and a title, as the definition of a link
  /// to that word, with whatever scheme it has. A second word that is no title keeps them from it.
  private mutating func writeNote(_ number: Int, _ blocks: [Block]) {
    let mark = "[^\(number)]: "
    let start = output.count + mark.utf8.count
    inContainer(first: mark, others: "    ") { writer in
      if !Self.beginsWithLine(blocks) {
        writer.writeEmptyParagraph()
        if !blocks.isEmpty { writer.endBlock() }
      }
      writer.write(blocks, isTight: false)
    }
    let line = output[start...].prefix { $0 != ASCII.lineFeed }
    let word = line.prefix { $0 != ASCII.space }
    guard let next = line[word.endIndex...].firstIndex(where: { $0 != ASCII.space }) else {
      return output.insert(contentsOf: " &nbsp;".utf8, at: word.endIndex)
    }
    if let escaped = Escapes.titleMark(output[next]) { output.replaceSubrange(next...next, with: escaped) }
  }

  /// Whether the first line of blocks is one of text, or code, before which there is a paragraph in any case.
  private static func beginsWithLine(_ blocks: [Block]) -> Bool {
    switch blocks.first {
    case .paragraph, .code: true
    default: false
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
    for (index, block) in blocks.enumerated() {
      let previous = index > 0 ? blocks[index - 1] : nil
      if previous != nil, !isTight { endBlock() }
      if isSeparated(block, from: previous) {
        writeEmptyParagraph()
        endBlock()
      }
      write(block)
    }
  }

  /// Whether a block would be read as part of the one before it, or not at all, without a paragraph in between.
  private func isSeparated(_ block: Block, from previous: Block?) -> Bool {
    switch (block, previous) {
    case (.list, .list): true
    case (.code, nil), (.code, .list), (.code, .code): !prefix.isEmpty
    default: false
    }
  }

  /// Writes a paragraph that shows nothing.
  private mutating func writeEmptyParagraph() {
    beginLine()
    output += "&nbsp;\n".utf8
  }

  private mutating func write(_ block: Block) {
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
    case .code(let range, let language):
      if prefix.isEmpty { writeFenced(document.bytes[range], language) } else { writeIndented(document.bytes[range]) }
    case .list(let list): write(list)
    case .quote(let blocks):
      inContainer(first: "> ", others: "> ") { $0.write(blocks, isTight: false) }
    case .table(let rows, let alignments): write(rows, alignments)
    case .rule:
      beginLine()
      output += "***\n".utf8
    }
  }

  private mutating func write(_ inlines: [MarkdownDocument.Inline], _ context: InlineWriter.Context) {
    let writer = InlineWriter(document, options, context, prefix: prefix, output: output, references: references)
    (output, references) = ([], References())
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

  private mutating func writeFenced(_ code: ArraySlice<UInt8>, _ language: String) {
    let fence = Array(repeating: UInt8(ascii: "`"), count: max(3, CodeFence.longestRun(in: code) + 1))
    output += fence + language.utf8 + [ASCII.lineFeed]
    for line in code.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false) {
      output += LineEnds.spaced(Array(line))
      output.append(ASCII.lineFeed)
    }
    output += fence + [ASCII.lineFeed]
  }

  /// Writes code in a list or a quotation: some renderers read fences only outside of these, and would read the lines
  /// between them as markup.
  private mutating func writeIndented(_ code: ArraySlice<UInt8>) {
    let lines = code.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
    for line in lines.drop(while: { $0.allSatisfy(\.isHTMLSpace) }) {
      if line.allSatisfy(\.isHTMLSpace) {
        endBlock()
        continue
      }
      beginLine()
      output += "    ".utf8
      output += LineEnds.spaced(Array(line))
      output.append(ASCII.lineFeed)
    }
  }

  // MARK: - Lists

  private mutating func write(_ list: MarkdownDocument.List) {
    let isTight = list.items.allSatisfy { Self.isTight($0.blocks) }
    for (index, item) in list.items.enumerated() {
      if index > 0, !isTight { endBlock() }
      var mark = list.start.map { "\(min(999_999_999, $0 + index))." } ?? "-"
      mark += String(repeating: " ", count: max(1, 4 - mark.utf8.count))
      let indent = String(repeating: " ", count: mark.utf8.count)
      inContainer(first: mark, others: indent) { writer in
        if let isDone = item.isDone { writer.writeTask(isDone, before: item.blocks.first) }
        writer.write(item.blocks, isTight: isTight)
      }
    }
  }

  /// Writes the box of a task, in a paragraph of its own where no text follows: before another block it would be text.
  private mutating func writeTask(_ isDone: Bool, before block: Block?) {
    let box = isDone ? "[x] " : "[ ] "
    if case .paragraph? = block {
      first = (first ?? prefix) + box.utf8
      return
    }
    beginLine()
    output += "\(box)&nbsp;\n".utf8
    if block != nil { endBlock() }
  }

  /// Whether an item is a line of text, with a list below it or not.
  ///
  /// A list that begins with another number than 1 does not end a paragraph.
  private static func isTight(_ blocks: [Block]) -> Bool {
    for (index, block) in blocks.enumerated() {
      switch block {
      case .paragraph where index == 0: continue
      case .list(let list) where index > 0 && index == blocks.count - 1 && list.start ?? 1 == 1: continue
      default: return false
      }
    }
    return true
  }

  // MARK: - Tables

  /// The number of times that a row may have the cells that it has in the HTML.
  private static let mostPadding = 4

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
    for row in rows {
      // Some renderers want all cells; where most are missing, they would be most of the output.
      let last = (row.cells.lastIndex { !$0.isEmpty } ?? 0) + 1
      write(row, columns <= Self.mostPadding * (row.cells.count + 1) ? columns : last)
    }
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
