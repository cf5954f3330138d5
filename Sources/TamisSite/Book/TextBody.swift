import TamisCore
import TamisMarkdown

/// A body as plain text in lines: quotations and lists with marks, links with numbers, code unchanged.
struct TextBody {
  private typealias Block = MarkdownDocument.Block

  private let document: MarkdownDocument
  private var text: LineText
  /// The distinct targets of links, in order.
  private(set) var links: [String] = []
  private var numbers: [String: Int] = [:]
  /// What each line of the open lists and quotations begins with.
  private var prefix = ""
  /// What the next line begins with instead; nil for the prefix.
  private var first: String?

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - body: the body.
  ///   - text: the text that the lines are appended to.
  init(_ body: PageBody, into text: LineText) {
    (document, self.text) = (MarkdownDocument(reading: body.bytes), text)
  }

  /// Returns the text with the body.
  mutating func written() -> LineText {
    write(document.blocks, isTight: false)
    for (index, blocks) in document.notes.enumerated() {
      text.gap()
      inContainer(first: "[^\(index + 1)] ", others: "    ") { $0.write(blocks, isTight: true) }
    }
    return text
  }

  private mutating func write(_ blocks: [Block], isTight: Bool) {
    for block in blocks {
      if !isTight { text.gap() }
      write(block)
    }
    if !isTight { text.gap() }
  }

  private mutating func write(_ block: Block) {
    switch block {
    case .paragraph(let inlines): paragraph(words(of: inlines))
    case .heading(let level, let inlines): paragraph(words(of: inlines), sign: level > 2 ? "## " : "# ")
    case .code(let range, _):
      for line in document.bytes[range].split(separator: ASCII.lineFeed, omittingEmptySubsequences: false) {
        let line = String(decoding: line, as: UTF8.self).replacing("\t", with: "    ")
        text.line(takePrefix() + "    " + LineText.plain(line))
      }
    case .list(let list):
      for (index, item) in list.items.enumerated() {
        let sign = list.start.map { "\($0 &+ index). " } ?? "- "
        let box = item.isDone.map { $0 ? "[x] " : "[ ] " } ?? ""
        inContainer(first: sign + box, others: String(repeating: " ", count: sign.count)) {
          $0.write(item.blocks, isTight: true)
        }
      }
    case .quote(let blocks): inContainer(first: "> ", others: "> ") { $0.write(blocks, isTight: false) }
    case .table(let rows, _):
      for row in rows { paragraph(row.cells.map { words(of: $0) }.joined(separator: " | ")) }
    case .rule: text.line(takePrefix() + "* * *")
    }
  }

  private mutating func inContainer(first mark: String, others: String, _ body: (inout TextBody) -> Void) {
    let outer = prefix
    (first, prefix) = ((first ?? prefix) + mark, prefix + others)
    body(&self)
    (first, prefix) = (nil, outer)
  }

  private mutating func takePrefix() -> String {
    defer { first = nil }
    return first ?? prefix
  }

  private mutating func paragraph(_ words: String, sign: String = "") {
    text.paragraph(words, first: takePrefix() + sign, rest: prefix)
  }

  // MARK: - Words

  private mutating func words(of inlines: [MarkdownDocument.Inline]) -> String {
    var words = ""
    for (index, inline) in inlines.enumerated() {
      switch inline.kind {
      case .text(let range): words += LineText.plain(String(decoding: document.bytes[range], as: UTF8.self))
      case .picture(let number):
        let alternative = LineText.plain(document.pictures[number].alternative)
        if !alternative.isEmpty { words += "[\(alternative)]" }
      case .lineBreak: words += "\n"
      case .note(let number): words += "[^\(number + 1)]"
      }
      guard inline.link >= 0, index + 1 == inlines.count || inlines[index + 1].link != inline.link else { continue }
      let target = document.links[inline.link].url
      if !target.isEmpty, !target.hasPrefix("#") { words += "[\(number(of: target))]" }
    }
    return words
  }

  /// Returns the number of a link, counted from 1.
  private mutating func number(of address: String) -> Int {
    if let number = numbers[address] { return number }
    links.append(address)
    numbers[address] = links.count
    return links.count
  }
}
