import TamisCore

/// Writes the pieces of a paragraph, a heading or a cell, so that renderers read the same text in the same form.
///
/// The rules are those of CommonMark, and stay within what other renderers agree on: characters that form markup are
/// escaped by a backslash where all renderers know that escape, else by a character reference; the marks of emphasis
/// stand only where they open and close for all of them (CommonMark 0.31.2, 6.2), and punctuation at the edge of
/// emphasis is moved out of it otherwise.
struct InlineWriter {
  typealias Inline = MarkdownDocument.Inline
  typealias Style = MarkdownDocument.Style

  /// The block that the pieces are in.
  enum Context { case paragraph, heading, cell }

  private let document: MarkdownDocument
  private let options: Markdown.Options
  private let context: Context
  /// What a further line of the paragraph begins with.
  private let prefix: [UInt8]
  private(set) var output: [UInt8]
  /// The position in the output at which the text of the line begins.
  private var lineStart: Int
  /// Whether the pieces are the text of a link.
  private var isInLink = false
  /// The links and pictures by reference, in the order of their numbers.
  private var references: References
  /// The position in the output behind the last reference to a footnote or a definition.
  private var referenceEnd = -1
  /// The position in the output up to which no address goes on.
  private var addressEnd = 0

  /// Creates a writer that appends to an output.
  init(
    _ document: MarkdownDocument, _ options: Markdown.Options, _ context: Context, prefix: [UInt8],
    output: consuming [UInt8], references: References
  ) {
    (self.document, self.options, self.context, self.prefix) = (document, options, context, prefix)
    (self.output, self.references) = (output, references)
    lineStart = self.output.count
  }

  /// Writes pieces, and returns the output and the references.
  consuming func writing(_ inlines: [Inline]) -> (output: [UInt8], references: References) {
    write(normalized(inlines)[...], without: [], next: .boundary)
    return (output, references)
  }

  /// What follows a piece in the output.
  private enum Neighbor {
    /// White space, punctuation, or the end of the line.
    case boundary
    /// A mark of emphasis.
    case mark
    /// A letter, a digit, or a symbol of which renderers disagree.
    case word
  }

  // MARK: - Groups

  /// Returns the pieces without white space and line breaks at the ends, and with white space in pieces of its own, in
  /// no other form than what is around it: `<b>a </b>b` is `<b>a</b> b`.
  private func normalized(_ inlines: [Inline]) -> [Inline] {
    var pieces: [Inline] = []
    for inline in inlines {
      guard let range = inline.range else {
        pieces.append(inline)
        continue
      }
      let core = document.withoutSpaces(range)
      for part in [range.lowerBound..<core.lowerBound, core, core.upperBound..<range.upperBound] where !part.isEmpty {
        // Renderers strip white space at the edges of code.
        let style = part == core ? inline.style : inline.style.subtracting(.code)
        pieces.append(Inline(kind: .text(part), style: style, link: inline.link))
      }
    }
    while let last = pieces.last, isBlank(last) { pieces.removeLast() }
    pieces.removeFirst(pieces.prefix(while: isBlank).count)
    // The form of white space is also that of the text before it, and then that of the text after it.
    for isForward in [true, false] {
      var text = Inline(kind: .lineBreak)
      for index in isForward ? Array(pieces.indices) : pieces.indices.reversed() {
        if isBlank(pieces[index]) {
          pieces[index].style.formIntersection(text.style)
          if pieces[index].link != text.link { pieces[index].link = -1 }
        } else if pieces[index].range == nil {
          // A picture has no form of its own.
          pieces[index].style.formIntersection(text.style)
        } else {
          text = pieces[index]
        }
      }
    }
    return pieces
  }

  private func isBlank(_ inline: Inline) -> Bool {
    switch inline.kind {
    case .text(let range): document.withoutSpaces(range).isEmpty
    case .lineBreak: true
    case .picture, .note: false
    }
  }

  /// The forms from the outermost to the innermost.
  private static let order: [Style] = [.link, .strong, .emphasis, .strike, .code]

  private func styles(_ inline: Inline, without done: Style) -> Style {
    var style = inline.style
    if inline.link >= 0 { style.insert(.link) }
    return style.subtracting(done)
  }

  /// Writes pieces in groups of one form.
  ///
  /// The order of forms is fixed, however they are nested in the HTML, so that the same text has one way to be written.
  private mutating func write(_ inlines: ArraySlice<Inline>, without done: Style, next: Neighbor) {
    var index = inlines.startIndex
    while index < inlines.endIndex {
      guard let style = outermost(inlines[index], without: done) else {
        writePiece(inlines[index])
        index += 1
        continue
      }
      var end = index + 1
      while end < inlines.endIndex, outermost(inlines[end], without: done) == style,
        style != .link || inlines[end].link == inlines[index].link
      { end += 1 }
      let following = neighbor(inlines, after: end - 1, next, without: done)
      writeGroup(Array(inlines[index..<end]), style, without: done, next: following)
      index = end
    }
  }

  private func outermost(_ inline: Inline, without done: Style) -> Style? {
    let open = styles(inline, without: done)
    return Self.order.first(where: open.contains)
  }

  private mutating func writeGroup(_ inlines: [Inline], _ style: Style, without done: Style, next: Neighbor) {
    endAddress()
    switch style {
    case .link: writeLink(inlines, without: done)
    case .code: writeCode(inlines)
    default: writeEmphasis(inlines, style, without: done, next: next)
    }
  }

  // MARK: - Emphasis

  /// Writes a group between marks, as far as its edges allow these.
  private mutating func writeEmphasis(_ inlines: [Inline], _ style: Style, without done: Style, next: Neighbor) {
    var inlines = inlines[...]
    let inner = done.union(style)
    // What is moved out at the beginning is written at once, what is moved out at the end afterwards.
    while let first = inlines.first, !opens(first, without: inner) { moveOutFirst(&inlines, without: inner, next) }
    var after: [Inline] = []
    var closing = next
    while let last = inlines.last, !closes(last, without: inner, next: closing) {
      moveOutLast(&inlines, to: &after)
      closing = after.last.map { edge($0, without: inner) } ?? next
    }
    if !inlines.isEmpty {
      let mark = mark(style, next: closing)
      output += mark
      write(inlines, without: inner, next: mark.isEmpty ? closing : .mark)
      if closing != .boundary { endAddress() }
      output += mark
    }
    write(Array(after.reversed())[...], without: inner, next: next)
  }

  /// Returns the mark of a style; empty when it would not be read as one.
  private func mark(_ style: Style, next: Neighbor) -> [UInt8] {
    switch style {
    case .strong: return endsWith(UInt8(ascii: "*")) ? [] : Array("**".utf8)
    case .strike: return endsWith(UInt8(ascii: "~")) ? [] : Array("~~".utf8)
    default:
      // An underscore opens and closes at the edges of words only.
      if previous != .word, next != .word { return endsWith(UInt8(ascii: "_")) ? [] : [UInt8(ascii: "_")] }
      return endsWith(UInt8(ascii: "*")) || next == .mark ? [] : [UInt8(ascii: "*")]
    }
  }

  /// Whether the output ends with a mark that is not escaped.
  private func endsWith(_ mark: UInt8) -> Bool {
    output.last == mark && output.dropLast().reversed().prefix { $0 == UInt8(ascii: "\\") }.count.isMultiple(of: 2)
  }

  /// The end of the output as a neighbor of a mark.
  private var previous: Neighbor {
    if output.count <= lineStart { return .boundary }
    return Self.neighbor(UTF8Scalar.last(of: output[lineStart...]))
  }

  /// Whether a mark before a piece opens emphasis.
  private func opens(_ inline: Inline, without done: Style) -> Bool {
    if inline.isLineBreak || isSpace(inline, atStart: true) { return false }
    return previous != .word || styles(inline, without: done).isEmpty && isWord(inline, atStart: true)
  }

  /// Whether a mark behind a piece closes emphasis.
  private func closes(_ inline: Inline, without done: Style, next: Neighbor) -> Bool {
    if inline.isLineBreak || isSpace(inline, atStart: false) { return false }
    return next != .word || styles(inline, without: done).isEmpty && isWord(inline, atStart: false)
  }

  /// Writes the first character, or a first piece in another form, in front of emphasis.
  private mutating func moveOutFirst(_ inlines: inout ArraySlice<Inline>, without done: Style, _ next: Neighbor) {
    guard var first = inlines.first else { return }
    if styles(first, without: done).isEmpty, let range = first.range, !range.isEmpty {
      let length = UTF8Scalar.lengthOfFirst(document.bytes[range])
      escape(range.lowerBound..<range.lowerBound + length)
      first.kind = .text(range.lowerBound + length..<range.upperBound)
      if range.count > length { inlines[inlines.startIndex] = first } else { inlines.removeFirst() }
      return
    }
    inlines.removeFirst()
    write([first], without: done, next: inlines.first.map { edge($0, without: done) } ?? next)
  }

  /// Moves the last character, or a last piece in another form, behind emphasis.
  private func moveOutLast(_ inlines: inout ArraySlice<Inline>, to after: inout [Inline]) {
    guard var last = inlines.popLast() else { return }
    guard !last.style.contains(.code), let range = last.range, !range.isEmpty else {
      return after.append(last)
    }
    let length = UTF8Scalar.lengthOfLast(document.bytes[range])
    var moved = last
    moved.kind = .text(range.upperBound - length..<range.upperBound)
    after.append(moved)
    last.kind = .text(range.lowerBound..<range.upperBound - length)
    if range.count > length { inlines.append(last) }
  }

  // MARK: - Neighbors

  private func neighbor(
    _ inlines: ArraySlice<Inline>, after index: Int, _ next: Neighbor, without done: Style
  ) -> Neighbor {
    index + 1 < inlines.endIndex ? edge(inlines[index + 1], without: done) : next
  }

  /// Returns how the written form of a piece begins.
  private func edge(_ inline: Inline, without done: Style) -> Neighbor {
    let styles = styles(inline, without: done)
    if !styles.isEmpty { return styles.isDisjoint(with: [.strong, .emphasis, .strike]) ? .boundary : .mark }
    guard let range = inline.range, !range.isEmpty else { return .boundary }
    return Self.neighbor(UTF8Scalar.first(of: document.bytes[range]))
  }

  private func isWord(_ inline: Inline, atStart: Bool) -> Bool {
    guard let range = inline.range, !range.isEmpty, !inline.style.contains(.code) else { return false }
    let bytes = document.bytes[range]
    return Self.isWord(atStart ? UTF8Scalar.first(of: bytes) : UTF8Scalar.last(of: bytes))
  }

  private func isSpace(_ inline: Inline, atStart: Bool) -> Bool {
    guard let range = inline.range else { return false }
    if range.isEmpty { return true }
    let bytes = document.bytes[range]
    return (atStart ? UTF8Scalar.first(of: bytes) : UTF8Scalar.last(of: bytes)).isSpace
  }

  /// Whether a character is no punctuation and no white space for any renderer.
  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x80 { return UInt8(scalar.value).isASCIIAlphanumeric }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      return true
    default: return false
    }
  }

  /// Returns what a character is to a mark beside it: symbols outside of ASCII are punctuation for some renderers only.
  private static func neighbor(_ scalar: Unicode.Scalar) -> Neighbor {
    if scalar.value < 0x80 { return UInt8(scalar.value).isASCIIAlphanumeric ? .word : .boundary }
    switch scalar.properties.generalCategory {
    case .spaceSeparator, .dashPunctuation, .openPunctuation, .closePunctuation, .connectorPunctuation,
      .initialPunctuation, .finalPunctuation, .otherPunctuation:
      return .boundary
    default: return .word
    }
  }

  // MARK: - Pieces

  private mutating func writePiece(_ inline: Inline) {
    switch inline.kind {
    case .text(let range): escape(range)
    case .picture(let number):
      endAddress()
      writePicture(document.pictures[number])
    case .lineBreak: breakLine()
    case .note(let number):
      endAddress()
      output += "[^\(number + 1)]".utf8
      referenceEnd = output.count
    }
  }

  private mutating func breakLine() {
    while output.count > lineStart, output.last == ASCII.space { output.removeLast() }
    guard context == .paragraph else { return output.append(ASCII.space) }
    output += "  \n".utf8
    output += prefix
    lineStart = output.count
  }

  private mutating func writeLink(_ inlines: [Inline], without done: Style) {
    beginBrackets()
    isInLink = true
    write(inlines[...], without: done.union(.link), next: .boundary)
    isInLink = false
    var target = document.links[inlines[0].link]
    // The title of a picture that is named by a word is that of the link around it.
    if target.title.isEmpty, options.pictures == .links {
      for case .picture(let number) in inlines.map(\.kind) where target.title.isEmpty {
        let picture = document.pictures[number]
        if picture.target.title != picture.alternative { target.title = picture.target.title }
      }
    }
    close(with: target)
  }

  /// Writes the bracket of a link; an exclamation mark in front of it would make a picture.
  private mutating func beginBrackets() {
    if endsWith(UInt8(ascii: "!")) {
      output.removeLast()
      output += "\\!".utf8
    }
    output.append(UInt8(ascii: "["))
  }

  private mutating func writePicture(_ picture: MarkdownDocument.Picture) {
    switch options.pictures {
    case .links:
      let isNamed = picture.alternative.contains { !$0.isWhitespace }
      let text = isNamed ? picture.alternative : "picture"
      // A picture may be inside of its URL, a page may not.
      if isInLink || picture.target.url.prefix(5).lowercased() == "data:" { return escapeLine(text) }
      beginBrackets()
      escapeLine(text)
    case .keep, .drop:
      output += "![".utf8
      escapeLine(picture.alternative)
    }
    close(with: picture.target)
  }

  /// Writes the end of a link or a picture.
  private mutating func close(with target: MarkdownDocument.Target) {
    output.append(UInt8(ascii: "]"))
    switch options.links {
    // A definition has a URL.
    case .reference where target.url.isEmpty: output += "()".utf8
    case .inline: output += "(\(LinkTarget.text(of: target)))".utf8
    case .reference:
      output += "[\(references.number(of: target))]".utf8
      referenceEnd = output.count
    }
    addressEnd = output.count
  }

  private mutating func writeCode(_ inlines: [Inline]) {
    var code: [UInt8] = []
    for inline in inlines {
      if let range = inline.range { code += document.bytes[range] } else { code.append(ASCII.space) }
    }
    // Two pieces of code beside each other would be one with other marks.
    if output.last == UInt8(ascii: "`") { escape(code) } else { writeCode(code) }
  }

  private mutating func writeCode(_ code: [UInt8]) {
    let fence = Array(repeating: UInt8(ascii: "`"), count: CodeFence.longestRun(in: code[...]) + 1)
    let isPadded = code.first == fence[0] || code.last == fence[0]
    output += fence
    if isPadded { output.append(ASCII.space) }
    for byte in LineEnds.spaced(code) {
      if byte == UInt8(ascii: "|"), context == .cell { output.append(UInt8(ascii: "\\")) }
      output.append(byte)
    }
    if isPadded { output.append(ASCII.space) }
    output += fence
    addressEnd = output.count
  }

  // MARK: - Escapes

  /// Makes addresses at the end of the output plain text: markup follows, with no space before it.
  ///
  /// Renderers that make links of bare addresses read all characters up to a space or `<` as the address, also the
  /// backtick of `https://a.example/`, behind which code would be markup (GFM 6.9).
  private mutating func endAddress() {
    let isReference = output.count == referenceEnd
    let end = min(max(lineStart, addressEnd), output.count)
    let run = Array(output[(output[end...].lastIndex(of: ASCII.space) ?? end)...])
    output.removeLast(run.count)
    for (index, byte) in run.enumerated() {
      if byte == UInt8(ascii: ":"), run[index...].starts(with: "://".utf8) {
        output += "&#58;".utf8
      } else if byte == UInt8(ascii: "."), run[..<index].suffix(3).map(\.asciiLowercased) == Array("www".utf8) {
        output += "&#46;".utf8
      } else {
        output.append(byte)
      }
    }
    addressEnd = output.count
    if isReference { referenceEnd = output.count }
  }

  private mutating func escape(_ range: Range<Int>) { escape(document.bytes[range]) }

  private mutating func escape(_ bytes: [UInt8]) { escape(bytes[...]) }

  /// Writes text of an attribute as one line.
  private mutating func escapeLine(_ text: String) { escape(Array(text.collapsingSpace().utf8)) }

  private mutating func escape(_ bytes: ArraySlice<UInt8>) {
    var index = bytes.startIndex
    while index < bytes.endIndex {
      // Most text is copied as it is.
      var end = index
      while end < bytes.endIndex, Escapes.isPlain[Int(bytes[end])] { end += 1 }
      if end > index, output.count > lineStart, output.count != referenceEnd {
        output += bytes[index..<end]
        index = end
        continue
      }
      let byte = bytes[index]
      if let length = LineEnds.length(at: index, in: bytes) {
        output.append(ASCII.space)
        index += length
        continue
      }
      index += 1
      // A line begins with no white space, and a line break in a heading or a cell is a space.
      if byte == ASCII.space, output.count == lineStart || output.last == ASCII.space { continue }
      if output.count == referenceEnd, let escaped = Escapes.behindReference(byte) {
        output += escaped
        continue
      }
      if !Escapes.mayNeedEscape[Int(byte)] {
        output.append(byte)
      } else {
        let escaped = Escapes.text(
          of: byte, before: output.last, rest: bytes[index...], line: output[lineStart...], in: context)
        output += escaped
      }
    }
  }
}
