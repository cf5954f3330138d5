// To change what becomes of an element: which block or style it is is decided by `start`; a new block is a case of
// `MarkdownDocument.Block`, written by BlockWriter.swift. Which characters are escaped: Escapes.swift; a backslash
// only where Python-Markdown knows it, else a character reference. Cases: Fixtures/Markdown; make check-markdown
// FRAGMENTS=100000. What is lost stands in docs/markdown.md.

import TamisCore
import TamisHTML

/// Reads sanitized HTML as the blocks of a document, in one pass over its events.
struct MarkdownReader: ~Copyable {
  private typealias Inline = MarkdownDocument.Inline
  private typealias Block = MarkdownDocument.Block
  private typealias Style = MarkdownDocument.Style

  /// What the end of an element does.
  private enum End {
    case nothing
    /// A word ends.
    case word
    /// The block ends.
    case block
    case heading(Int)
    case style(Style)
    case link(outer: Int)
    case container
    /// A container ends that was too deep to be one.
    case flattened
    case cell
    case code
    /// Content that is not read ends.
    case silence
    case media
    case formula
    case annotation
    case rubyText
    case quotation
    /// A footnote ends that began at a depth.
    case note(Int, depth: Int)
  }

  /// An open list, quotation, or part of a table.
  private struct Container {
    enum Kind { case root, quote, list, terms, item, table, row, cell, note }
    var kind: Kind
    var blocks: [Block] = []
    var list = MarkdownDocument.List()
    var table = TableReader()
    /// Whether a row has no tag.
    var isImplied = false
  }

  /// The tree's numbers of attributes; -1 for those that it does not have.
  private struct Names {
    let href: Int32
    let src: Int32
    let srcset: Int32
    let alt: Int32
    let title: Int32
    let classes: Int32

    init(_ tree: borrowing HTMLTree) {
      href = tree.knownNumber(ofAttribute: "href")
      src = tree.knownNumber(ofAttribute: "src")
      srcset = tree.knownNumber(ofAttribute: "srcset")
      alt = tree.knownNumber(ofAttribute: "alt")
      title = tree.knownNumber(ofAttribute: "title")
      classes = tree.knownNumber(ofAttribute: "class")
    }
  }

  private var document = MarkdownDocument()
  private var containers = [Container(kind: .root)]
  private var ends: [End] = []
  /// The pieces of the current paragraph.
  private var inlines: [Inline] = []
  private var style: Style = []
  /// The numbers of open elements of each style, by its bit.
  private var openStyles = [0, 0, 0, 0, 0, 0, 0, 0]
  private var link = -1
  /// Whether white space is dropped: at the beginning of a line and after other white space.
  private var isAfterSpace = true
  private var headings = 0
  /// The number of open lists, quotations and tables.
  private var depth = 0
  /// The start of the code that is read in the bytes, and its language; nil outside of `pre`.
  private var code: (start: Int, language: String)?
  private var silence = 0
  /// The URL and the title of an open film or sound.
  private var media: MarkdownDocument.Target?
  private var formula: (text: [UInt8], source: [UInt8])?
  private var isInAnnotation = false
  /// The number of open quotations in the text.
  private var quotations = 0
  private var hasRubyMark = false

  /// The label that the footnote which has just begun may begin with; nil elsewhere.
  private var label: String?
  /// Whether that label, or a link back in its place, was before the text.
  private var hasLabel = false

  /// The elements that begin and end a block.
  private static let blocks = Set(HTMLName.allCases.filter { ElementTable.blocks.contains($0.text) })

  private let keepsPictures: Bool
  private let footnotes: Footnotes

  private let names: Names

  private init(keepsPictures: Bool, _ footnotes: Footnotes, _ tree: borrowing HTMLTree) {
    self.keepsPictures = keepsPictures
    (self.footnotes, names) = (footnotes, Names(tree))
    document.notes = Array(repeating: [], count: footnotes.labels.count)
  }

  /// Returns the document of HTML, with its pictures and footnotes or without.
  static func document(of html: SanitizedHTML, keepsPictures: Bool, readsFootnotes: Bool = true) -> MarkdownDocument {
    document(reading: Array(html.string.utf8), keepsPictures: keepsPictures, readsFootnotes: readsFootnotes)
  }

  fileprivate static func document(
    reading bytes: [UInt8], keepsPictures: Bool = true, readsFootnotes: Bool = true
  ) -> MarkdownDocument {
    var reader = HTMLReader()
    reader.readFragment(bytes.span, limits: .standard, conventions: [.raisedText, .formulaSigns])
    var own = MarkdownReader(
      keepsPictures: keepsPictures, readsFootnotes ? Footnotes(in: reader.builder.tree) : Footnotes(),
      reader.builder.tree)
    own.document.bytes.reserveCapacity(bytes.count)
    while let event = reader.next() {
      switch event {
      case .start(let name): own.start(name, reader)
      case .end: own.end()
      case .text(let range): own.text(reader.builder.tree.bytes.span.extracting(range))
      }
    }
    own.endParagraph()
    own.document.blocks = own.containers[0].blocks
    return own.document
  }

  // MARK: - Elements

  private mutating func start(_ number: Int32, _ reader: borrowing HTMLReader) {
    if let end = startPartOfFootnote(footnotes.role(of: reader.entered)) { return ends.append(end) }
    guard let name = HTMLName(rawValue: Int(number)) else {
      return ends.append(startOther(reader.builder.tree.text(ofElement: number), reader))
    }
    if formula != nil { return ends.append(.nothing) }
    let end: End
    switch name {
    case .b, .strong: end = open(.strong)
    case .em, .i: end = open(.emphasis)
    case .s, .strike: end = open(.strike)
    case .code, .tt: end = code == nil ? open(.code) : languageOf(reader)
    case .a: end = startLink(reader)
    case .br: end = lineBreak()
    case .img, .image: end = picture(reader)
    case .h1, .h2, .h3, .h4, .h5, .h6: end = startHeading(name)
    case .pre, .listing, .xmp, .plaintext: end = startCode(reader)
    case .ul, .menu, .dir, .ol: end = startList(name, reader)
    case .dl: end = startContainer(.terms)
    case .li, .dt, .dd: end = startItem(name, reader)
    case .blockquote: end = startContainer(.quote)
    case .hr: end = rule()
    case .table: end = startContainer(.table)
    case .tr, .td, .th: end = startTablePart(name, reader)
    case .input: end = task(reader)
    case .math:
      formula = ([], [])
      end = .formula
    // The words of a drawing stay, each text by itself, and its links.
    case .svg, .title, .desc:
      endsWord()
      end = .word
    case .script, .style, .template, .object, .iframe, .select, .textarea: end = startSilence()
    case .source: end = source(reader)
    case .ruby:
      hasRubyMark = false
      end = .nothing
    case .rp: end = startRubyMark()
    case .rt: end = startRubyText()
    default: end = Self.blocks.contains(name) ? startBlock() : .nothing
    }
    ends.append(end)
  }

  /// Begins an element that tree construction does not know by name.
  private mutating func startOther(_ name: String, _ reader: borrowing HTMLReader) -> End {
    switch name {
    case "q": return startQuotation()
    case "annotation" where formula != nil:
      let encoding = reader.attributeValues(["encoding"])["encoding"] ?? ""
      isInAnnotation = encoding.hasSuffix("tex") || encoding.hasSuffix("latex")
      if !isInAnnotation { return startSilence() }
      return .annotation
    // Its content takes space in a formula, and is not seen.
    case "mphantom" where formula != nil: return startSilence()
    case "text":
      endsWord()
      return .word
    // A `tspan` with a place of its own is a line of its text.
    case "tspan":
      if !reader.attributeValues(["dy", "x", "y"]).isEmpty { endsWord() }
      return .nothing
    case "del": return open(.strike)
    case "kbd", "samp": return code == nil ? open(.code) : .nothing
    case "video", "audio":
      endsWord()
      media = target(value(names.src, of: reader) ?? "", reader)
      silence += 1
      return .media
    default: return .nothing
    }
  }

  /// Returns the value of an attribute as it is; nil when the element does not have it.
  ///
  /// White space of another kind than HTML's in front of a URL keeps it from being one with that scheme.
  private func value(_ attribute: Int32, of reader: borrowing HTMLReader) -> String? {
    for index in reader.attributes where reader.builder.tree.attributes[Int(index)].name == attribute {
      return String(
        decoding: reader.builder.tree.bytes[reader.builder.tree.attributes[Int(index)].value], as: UTF8.self)
    }
    return nil
  }

  /// Returns the target of a link, a picture, a film or a sound.
  private func target(_ url: String, _ reader: borrowing HTMLReader) -> MarkdownDocument.Target {
    MarkdownDocument.Target(url: url, title: value(names.title, of: reader) ?? "")
  }

  private mutating func end() {
    guard let end = ends.popLast() else { return }
    switch end {
    case .nothing: break
    case .block: endBlock()
    case .heading(let level): endHeading(level)
    case .style(let style): close(style)
    case .link(let outer): link = outer
    case .container: endContainer()
    case .flattened:
      depth -= 1
      endBlock()
    case .cell: endCell()
    case .code: endCode()
    case .word: endsWord()
    case .silence: silence -= 1
    case .media: endMedia()
    case .formula: endFormula()
    case .annotation: isInAnnotation = false
    case .note(let number, let depth): endNote(number, depth)
    case .quotation: endQuotation()
    case .rubyText: if !hasRubyMark, silence == 0, code == nil { add(")") }
    }
  }

  private mutating func open(_ added: Style) -> End {
    openStyles[added.rawValue.trailingZeroBitCount] += 1
    style.insert(added)
    return .style(added)
  }

  private mutating func close(_ removed: Style) {
    openStyles[removed.rawValue.trailingZeroBitCount] -= 1
    if openStyles[removed.rawValue.trailingZeroBitCount] == 0 { style.remove(removed) }
  }

  private mutating func startLink(_ reader: borrowing HTMLReader) -> End {
    let outer = link
    guard code == nil, let href = value(names.href, of: reader) else { return .nothing }
    document.links.append(target(href, reader))
    link = document.links.count - 1
    return .link(outer: outer)
  }

  private mutating func picture(_ reader: borrowing HTMLReader) -> End {
    guard keepsPictures, silence == 0, let source = pictureSource(reader) else { return .nothing }
    document.pictures.append(.init(target: target(source, reader), alternative: value(names.alt, of: reader) ?? ""))
    add(.picture(document.pictures.count - 1))
    return .nothing
  }

  /// Returns the URL of a picture, else the last of its candidates, which usually is the largest.
  private func pictureSource(_ reader: borrowing HTMLReader) -> String? {
    if let source = value(names.src, of: reader), !source.isEmpty { return source }
    guard let set = value(names.srcset, of: reader) else { return nil }
    return SourceSet.parse(Array(set.utf8).span).last.map { String(decoding: $0.url, as: UTF8.self) }
  }

  private mutating func lineBreak() -> End {
    if code != nil {
      document.bytes.append(ASCII.lineFeed)
    } else if headings > 0 {
      endsWord()
    } else if case .lineBreak? = inlines.last?.kind {
      // Markdown has no empty lines inside of a paragraph.
      endParagraph()
    } else if !inlines.isEmpty {
      add(.lineBreak)
    }
    return .nothing
  }

  // MARK: - Footnotes

  /// Begins an element that belongs to a footnote; returns nil for all others.
  private mutating func startPartOfFootnote(_ role: Footnotes.Role) -> End? {
    if code != nil || formula != nil || silence > 0 { return nil }
    switch role {
    case .none: return nil
    case .reference(let number):
      add(.note(number))
      return startSilence()
    case .backlink:
      hasLabel = true
      return startSilence()
    case .separator:
      endBlock()
      return .nothing
    case .note(let number):
      guard headings == 0 else { return nil }
      endBlock()
      containers.append(Container(kind: .note))
      let outer = depth
      // A note stands at the end of the document, in no other container.
      (depth, label, hasLabel) = (0, footnotes.labels[number], false)
      return .note(number, depth: outer)
    }
  }

  private mutating func endNote(_ number: Int, _ outer: Int) {
    endParagraph()
    guard let ended = containers.popLast() else { return }
    (depth, label) = (outer, nil)
    document.notes[number] = ended.blocks
  }

  /// Returns a text with digits on the line for those above it.
  private static func lowered(_ text: String) -> String {
    String(text.map { $0.isNumber ? $0.wholeNumberValue.flatMap { "\($0)".first } ?? $0 : $0 })
  }

  /// Returns the number of bytes of a text that are the label of the note that has just begun, with the marks around.
  ///
  /// A number counts only when it stands alone or before a mark: a note may begin with one.
  private mutating func labelLength(_ bytes: borrowing Span<UInt8>) -> Int {
    guard let own = self.label else { return 0 }
    let written = String(decoding: (0..<min(bytes.count, 64)).map { bytes[$0] }, as: UTF8.self)
    let (label, text) = (Self.lowered(own), Self.lowered(written))
    var rest = text.drop { $0.isWhitespace || hasLabel && "]).:^↑".contains($0) }
    let inner = rest.drop { $0.isWhitespace || "[(^↑".contains($0) }
    if inner.isEmpty { return bytes.count <= 64 ? bytes.count : 0 }
    if inner.hasPrefix(label) {
      let behind = inner.dropFirst(label.count)
      if behind.allSatisfy(\.isWhitespace) {
        hasLabel = true
        return bytes.count
      }
      if behind.first.map({ "]).:".contains($0) }) == true { rest = behind.drop { "]).:".contains($0) } }
    } else if rest.first == "^" || rest.first == "↑" {
      rest = inner
    }
    self.label = nil
    return written.prefix(text.count - rest.count).utf8.count
  }

  // MARK: - Text

  private mutating func text(_ bytes: borrowing Span<UInt8>) {
    if formula != nil {
      if silence > 0 { return }
      if isInAnnotation {
        formula?.source.append(bytes, 0..<bytes.count)
      } else {
        formula?.text.append(bytes, 0..<bytes.count)
      }
      return
    }
    if silence > 0 { return }
    if code != nil { return document.bytes.append(bytes, 0..<bytes.count) }
    let start = document.bytes.count
    var index = label == nil ? boxLength(bytes) : labelLength(bytes)
    while index < bytes.count {
      var end = index
      while end < bytes.count, Self.isPlain(bytes[end]) { end += 1 }
      if end > index {
        document.bytes.append(bytes, index..<end)
        (index, isAfterSpace) = (end, false)
        continue
      }
      let byte = bytes[index]
      // A byte order mark shows nothing, and renderers drop it at the beginning.
      if byte == 0xEF, index + 2 < bytes.count, bytes[index + 1] == 0xBB, bytes[index + 2] == 0xBF {
        index += 3
        continue
      }
      if byte.isHTMLSpace {
        if !isAfterSpace { document.bytes.append(ASCII.space) }
        isAfterSpace = true
      } else {
        document.bytes.append(byte)
        isAfterSpace = false
      }
      index += 1
    }
    addText(from: start)
  }

  /// Whether a byte is neither white space nor the first of a byte order mark.
  private static func isPlain(_ byte: UInt8) -> Bool { byte > 0x20 && byte != 0xEF || byte == 0x7F }

  private mutating func add(_ text: StaticString) {
    let start = document.bytes.count
    text.withUTF8Buffer { document.bytes.append(contentsOf: $0) }
    isAfterSpace = false
    addText(from: start)
  }

  /// Adds the bytes from a position on as a text, to the last piece when it has the same form.
  private mutating func addText(from start: Int) {
    guard start < document.bytes.count else { return }
    if let last = inlines.last, case .text(let range) = last.kind, range.upperBound == start, last.style == style,
      last.link == link
    {
      inlines[inlines.count - 1].kind = .text(range.lowerBound..<document.bytes.count)
    } else {
      inlines.append(Inline(kind: .text(start..<document.bytes.count), style: style, link: link))
    }
  }

  private mutating func add(_ kind: Inline.Kind) {
    inlines.append(Inline(kind: kind, style: style, link: link))
    if case .lineBreak = kind { isAfterSpace = true } else { isAfterSpace = false }
  }

  /// Adds a space when the text before does not end with one.
  private mutating func endsWord() {
    guard silence == 0, code == nil, !isAfterSpace, !inlines.isEmpty else { return }
    let start = document.bytes.count
    document.bytes.append(ASCII.space)
    isAfterSpace = true
    addText(from: start)
  }

  // MARK: - Blocks

  private mutating func append(_ block: Block) {
    let last = containers.count - 1
    switch containers[last].kind {
    case .terms:
      if containers[last].list.items.isEmpty { containers[last].list.items.append(.init()) }
      containers[last].list.items[containers[last].list.items.count - 1].blocks.append(block)
    case .list: containers[last].list.items.append(.init(blocks: [block]))
    case .root, .quote, .item, .table, .row, .cell, .note: containers[last].blocks.append(block)
    }
  }

  private mutating func endParagraph() {
    while inlines.last?.isLineBreak ?? false { inlines.removeLast() }
    if !inlines.isEmpty, document.isVisible(inlines) { append(.paragraph(inlines)) }
    inlines.removeAll(keepingCapacity: true)
    isAfterSpace = true
  }

  private mutating func startBlock() -> End {
    endBlock()
    return .block
  }

  private mutating func endBlock() {
    if code != nil {
      if document.bytes.last != ASCII.lineFeed, document.bytes.count > code?.start ?? 0 {
        document.bytes.append(ASCII.lineFeed)
      }
    } else if headings > 0 {
      endsWord()
    } else {
      endParagraph()
    }
  }

  private mutating func startHeading(_ name: HTMLName) -> End {
    guard code == nil, headings == 0 else { return startBlock() }
    endParagraph()
    headings += 1
    let levels: [HTMLName] = [.h1, .h2, .h3, .h4, .h5, .h6]
    return .heading((levels.firstIndex(of: name) ?? 0) + 1)
  }

  private mutating func endHeading(_ level: Int) {
    headings -= 1
    if document.isVisible(inlines) { append(.heading(level, inlines)) }
    inlines.removeAll(keepingCapacity: true)
    isAfterSpace = true
  }

  private mutating func rule() -> End {
    endBlock()
    if code == nil, headings == 0 { append(.rule) }
    return .nothing
  }

  private mutating func startCode(_ reader: borrowing HTMLReader) -> End {
    guard code == nil, headings == 0 else { return startBlock() }
    endParagraph()
    code = (document.bytes.count, "")
    _ = languageOf(reader)
    return .code
  }

  /// Reads the language of code from the classes of an element.
  private mutating func languageOf(_ reader: borrowing HTMLReader) -> End {
    guard code?.language.isEmpty ?? false, let classes = value(names.classes, of: reader) else {
      return .nothing
    }
    for token in classes.split(whereSeparator: \.isWhitespace) {
      guard let name = ["language-", "lang-"].first(where: token.hasPrefix).map({ token.dropFirst($0.utf8.count) })
      else { continue }
      let isName = name.utf8.allSatisfy { $0.isASCIIAlphanumeric || "+#._-".utf8.contains($0) }
      if isName, name.utf8.count <= 40 { code?.language = String(name) }
    }
    return .nothing
  }

  private mutating func endCode() {
    guard let ended = code else { return }
    code = nil
    var range = ended.start..<document.bytes.count
    while let last = range.last, document.bytes[last] == ASCII.lineFeed { range = range.lowerBound..<last }
    let isBlank = document.bytes[range].allSatisfy(\.isHTMLSpace)
    if !isBlank { append(.code(range, language: ended.language)) }
    // Pictures among the code follow it.
    endParagraph()
  }

  // MARK: - Containers

  /// Begins a container, or a block when it would be too deep.
  private mutating func startContainer(_ kind: Container.Kind) -> End {
    endBlock()
    if code != nil || headings > 0 { return .block }
    if [.list, .terms, .quote, .table].contains(kind) {
      depth += 1
      if depth > Markdown.deepest {
        document.isFlattened = true
        return .flattened
      }
    }
    containers.append(Container(kind: kind))
    return .container
  }

  private mutating func startList(_ name: HTMLName, _ reader: borrowing HTMLReader) -> End {
    let end = startContainer(.list)
    if case .container = end, name == .ol {
      let start = reader.attributeValues(["start"])["start"].flatMap { Int($0) } ?? 1
      // CommonMark reads up to nine digits.
      containers[containers.count - 1].list.start = (0...999_999_999).contains(start) ? start : 1
    }
    return end
  }

  private mutating func startItem(_ name: HTMLName, _ reader: borrowing HTMLReader) -> End {
    guard let kind = containers.last?.kind, code == nil, headings == 0 else { return startBlock() }
    switch kind {
    case .list:
      let outer = containers.count - 1
      let value = reader.attributeValues(["value"])["value"].flatMap { Int($0) }
      if let value, (0...999_999_999).contains(value), containers[outer].list.items.isEmpty,
        containers[outer].list.start != nil
      {
        containers[outer].list.start = value
      }
      return startContainer(.item)
    case .terms:
      endParagraph()
      let last = containers.count - 1
      if name == .dt, containers[last].list.items.last.map({ !$0.blocks.isEmpty }) ?? true {
        containers[last].list.items.append(.init())
      }
      return .block
    case .root, .quote, .item, .table, .row, .cell, .note: return startBlock()
    }
  }

  private mutating func task(_ reader: borrowing HTMLReader) -> End {
    let values = reader.attributeValues(["type", "checked"])
    if values["type"] == "checkbox" { noteTask(isDone: values["checked"] != nil) }
    return .nothing
  }

  /// Makes the item that begins here a task; returns whether one does.
  @discardableResult
  private mutating func noteTask(isDone: Bool) -> Bool {
    let last = containers.count - 1
    guard containers[last].kind == .item, inlines.isEmpty, containers[last].blocks.isEmpty else { return false }
    containers[last].list.items = [.init(isDone: isDone)]
    return true
  }

  /// Returns the length of the box of a task at the beginning of an item, `☐` or `☑` (E2 98 90, E2 98 91), as the
  /// sanitizer writes them; 0 when there is none.
  private mutating func boxLength(_ text: borrowing Span<UInt8>) -> Int {
    guard text.count >= 3, text[0] == 0xE2, text[1] == 0x98, text[2] == 0x90 || text[2] == 0x91,
      text.count == 3 || text[3].isHTMLSpace
    else { return 0 }
    return noteTask(isDone: text[2] == 0x91) ? 3 : 0
  }

  private mutating func endContainer() {
    endParagraph()
    endImpliedRow()
    guard containers.count > 1, let ended = containers.popLast() else { return }
    let last = containers.count - 1
    if [.list, .terms, .quote, .table].contains(ended.kind) { depth -= 1 }
    switch ended.kind {
    case .quote: if !ended.blocks.isEmpty { append(.quote(ended.blocks)) }
    case .list, .terms:
      let items = ended.list.items.filter { !$0.blocks.isEmpty || $0.isDone != nil }
      if !items.isEmpty { append(.list(.init(start: ended.list.start, items: items))) }
    case .item:
      let item = MarkdownDocument.Item(blocks: ended.blocks, isDone: ended.list.items.first?.isDone)
      containers[last].list.items.append(item)
    case .row:
      containers[last].table.add(ended.table)
      ended.blocks.forEach { append($0) }
    case .table:
      ended.blocks.forEach { append($0) }
      ended.table.blocks(&document).forEach { append($0) }
    case .root, .cell, .note: break
    }
  }

  // MARK: - Tables

  private mutating func startTablePart(_ name: HTMLName, _ reader: borrowing HTMLReader) -> End {
    guard code == nil, headings == 0 else { return startBlock() }
    switch (name, containers.last?.kind) {
    case (.tr, .table): return startContainer(.row)
    case (.tr, .row) where containers.last?.isImplied ?? false:
      endImpliedRow()
      return startContainer(.row)
    case (.td, .row), (.th, .row), (.td, .table), (.th, .table):
      endParagraph()
      if containers.last?.kind == .table { containers.append(Container(kind: .row, isImplied: true)) }
      let values = reader.attributeValues(["colspan", "rowspan", "align"])
      containers[containers.count - 1].table.startCell(isHeader: name == .th, values)
      containers.append(Container(kind: .cell))
      return .cell
    default: return startBlock()
    }
  }

  /// Ends a row without a tag, which the next row or the end of the table ends.
  private mutating func endImpliedRow() {
    guard containers.last?.isImplied ?? false, let row = containers.popLast() else { return }
    containers[containers.count - 1].table.add(row.table)
    row.blocks.forEach { append($0) }
  }

  private mutating func endCell() {
    endParagraph()
    guard let ended = containers.popLast() else { return }
    containers[containers.count - 1].table.endCell(ended.blocks)
  }

  // MARK: - Other content

  private mutating func startSilence() -> End {
    silence += 1
    return .silence
  }

  private mutating func source(_ reader: borrowing HTMLReader) -> End {
    let source = value(names.src, of: reader)
    if let source, media?.url.isEmpty == true { media?.url = source }
    return .nothing
  }

  /// Adds a link to a film or a sound, with its title or the last part of its path as the text.
  private mutating func endMedia() {
    silence -= 1
    guard let target = media, !target.url.isEmpty, code == nil else { return media = nil }
    let (url, title) = (target.url, target.title)
    media = nil
    document.links.append(.init(url: url))
    let outer = link
    link = document.links.count - 1
    let path = url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last.map(String.init) ?? url
    let start = document.bytes.count
    document.bytes += (title.isEmpty ? path : title).utf8.map { $0.isHTMLSpace ? ASCII.space : $0 }
    addText(from: start)
    isAfterSpace = false
    link = outer
    endsWord()
  }

  /// Adds a formula: its source between dollar signs, else its text.
  ///
  /// The source is code, so that no renderer reads it as Markdown; GitHub and GitLab draw a formula in code so marked.
  private mutating func endFormula() {
    guard let (text, source) = formula else { return }
    formula = nil
    let isSource = source.contains { !$0.isHTMLSpace }
    if isSource, code == nil { add("$") }
    let start = document.bytes.count
    let outer = style
    if isSource { style.insert(.code) }
    for byte in isSource ? source : text {
      if !byte.isHTMLSpace {
        document.bytes.append(byte)
      } else if !isSpace(at: start) {
        document.bytes.append(ASCII.space)
      }
    }
    if isSource, document.bytes.last == ASCII.space { document.bytes.removeLast() }
    isAfterSpace = document.bytes.last == ASCII.space
    if code == nil { addText(from: start) }
    style = outer
    if isSource, code == nil { add("$") }
  }

  private func isSpace(at start: Int) -> Bool { document.bytes.count == start || document.bytes.last == ASCII.space }

  // MARK: - Quotations

  /// Writes the mark that browsers show before a quotation in the text: inside of another one the single one.
  private mutating func startQuotation() -> End {
    guard silence == 0, code == nil else { return .nothing }
    add(quotations.isMultiple(of: 2) ? "“" : "‘")
    quotations += 1
    return .quotation
  }

  private mutating func endQuotation() {
    quotations -= 1
    if silence == 0, code == nil { add(quotations.isMultiple(of: 2) ? "”" : "’") }
  }

  private mutating func startRubyMark() -> End {
    hasRubyMark = true
    return .nothing
  }

  private mutating func startRubyText() -> End {
    if !hasRubyMark, silence == 0, code == nil { add("(") }
    return .rubyText
  }
}

extension MarkdownDocument {
  /// Reads the body of a page, whose markup is safe, for other writers than that of Markdown.
  package init(reading body: [UInt8]) {
    self = MarkdownReader.document(reading: body)
  }
}
