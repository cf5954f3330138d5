package import TamisCore

extension Markdown {
  /// A block of plain text before or after the text of a post; all its characters are escaped.
  package enum Line: Sendable {
    /// A heading with its level, and the http(s) URL that it leads to; nil for none.
    case heading(Int, String, url: String? = nil)
    /// A paragraph.
    case paragraph(String)
    /// A list of texts with the http(s) URLs that they lead to; nil for none.
    case list([(text: String, url: String?)])
  }

  /// Writes HTML as a part of a longer document, below a heading of its own.
  ///
  /// The headings of the HTML stand below the last heading before it, in the same order of levels. A heading at the
  /// beginning of the HTML that repeats this one is left out. Links to places in the HTML lead to the page that the
  /// heading leads to, since places have no names in Markdown; footnotes are such links, since other parts have some
  /// with the same numbers.
  ///
  /// - Parameters:
  ///   - html: the HTML, from a sanitizer.
  ///   - options: the form of the output.
  ///   - before: the blocks before the HTML.
  ///   - after: the blocks after the HTML.
  package init(_ html: SanitizedHTML, options: Options = Options(), before: [Line], after: [Line] = []) {
    var document = MarkdownReader.document(of: html, keepsPictures: options.pictures != .drop, readsFootnotes: false)
    if case .heading(let level, let title, let url)? = before.last(where: \.isHeading) {
      document.removeHeading(title, leadingTo: url)
      document.moveHeadings(below: level)
      if let url { document.leadToPage(url) }
    }
    let blocks = document.blocks
    document.blocks = []
    let first = before.flatMap { document.blocks(of: $0) }
    let last = after.flatMap { document.blocks(of: $0) }
    document.blocks = first + blocks + last
    self.init(document, options)
  }
}

extension Markdown.Line {
  fileprivate var isHeading: Bool { if case .heading = self { true } else { false } }
}

extension MarkdownDocument {
  // MARK: - Plain text

  /// Returns the block of a line; none for one without visible text.
  fileprivate mutating func blocks(of line: Markdown.Line) -> [Block] {
    switch line {
    case .heading(let level, let text, let url):
      let pieces = pieces(text, url)
      return pieces.isEmpty ? [] : [.heading(level, pieces)]
    case .paragraph(let text):
      let pieces = pieces(text, nil)
      return pieces.isEmpty ? [] : [.paragraph(pieces)]
    case .list(let texts):
      let items = texts.map { pieces($0.text, $0.url) }.filter { !$0.isEmpty }
      return items.isEmpty ? [] : [.list(List(items: items.map { Item(blocks: [.paragraph($0)]) }))]
    }
  }

  /// Returns a text on one line; empty for one without visible characters.
  private mutating func pieces(_ text: String, _ url: String?) -> [Inline] {
    let start = bytes.count
    bytes += String(String.UnicodeScalarView(text.unicodeScalars.map(Self.printable))).collapsingSpace().utf8
    var piece = Inline(kind: .text(start..<bytes.count))
    guard isVisible([piece]) else { return [] }
    if let url, url.beginsAsHTTP {
      links.append(Target(url: url))
      piece.link = links.count - 1
    }
    return [piece]
  }

  /// Returns a character, or a space for one that a sanitizer would not leave: a control, or U+FEFF.
  private static func printable(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: " "
    default: scalar
    }
  }

  // MARK: - Headings and links of a part

  /// Makes links to places in the document links to the page that it is from, whose names for them are not known here.
  fileprivate mutating func leadToPage(_ url: String) {
    for index in links.indices where links[index].url.hasPrefix("#") { links[index].url = url }
  }

  /// Removes the first block when it is a heading with the letters and digits of a title, and no other link than to a
  /// URL.
  fileprivate mutating func removeHeading(_ title: String, leadingTo url: String?) {
    guard case .heading(_, let inlines)? = blocks.first else { return }
    let isPlain = inlines.allSatisfy { inline in
      inline.range != nil && (inline.link < 0 || links[inline.link].url == url)
    }
    guard isPlain, case let words = Self.words(title), !words.isEmpty else { return }
    let text = inlines.reduce(into: "") { text, inline in
      if let range = inline.range { text += String(decoding: bytes[range], as: UTF8.self) }
    }
    if Self.words(text) == words { blocks.removeFirst() }
  }

  private static func words(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// Moves all headings by one number of levels, so that the highest stands below a level.
  fileprivate mutating func moveHeadings(below level: Int) {
    guard let highest = Self.highest(in: blocks) else { return }
    blocks = Self.moved(blocks, by: level + 1 - highest)
  }

  private static func highest(in blocks: [Block]) -> Int? {
    blocks.compactMap { block in
      switch block {
      case .heading(let level, _): level
      case .quote(let blocks): highest(in: blocks)
      case .list(let list): list.items.compactMap { highest(in: $0.blocks) }.min()
      default: nil
      }
    }.min()
  }

  private static func moved(_ blocks: [Block], by levels: Int) -> [Block] {
    blocks.map { block in
      switch block {
      case .heading(let level, let inlines): return .heading(min(6, level + levels), inlines)
      case .quote(let blocks): return .quote(moved(blocks, by: levels))
      case .list(var list):
        for index in list.items.indices { list.items[index].blocks = moved(list.items[index].blocks, by: levels) }
        return .list(list)
      default: return block
      }
    }
  }
}
