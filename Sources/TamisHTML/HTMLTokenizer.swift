import TamisCore

/// A tokenizer according to the HTML Standard (13.2.5).
///
/// A token consists of pieces of the source, or of the tokenizer's own buffer where the source has to be changed:
/// capitals in names, character references, U+0000. Most text is therefore never copied. A token is valid until the
/// next one is requested.
///
/// The source must be UTF-8 with normalized newlines (13.2.3.5; ``HTMLInput``). Parse errors are not reported.
package struct HTMLTokenizer: ~Copyable {
  /// The kind of a token.
  package enum Token: Sendable {
    case startTag, endTag, text, comment, doctype, end
  }

  /// The kind of the current part of the source, which tree construction sets after some start tags.
  package enum Content: Sendable {
    /// Markup.
    case data
    /// Text with character references, until the end tag of the last start tag (`title`, `textarea`).
    case rcdata
    /// Text until that end tag (`style`, `xmp`, `iframe`, …).
    case rawText
    /// A script, in which `<!--` can hide an end tag.
    case scriptData
    /// Text until the end of the source.
    case plaintext
    /// A CDATA section of SVG or MathML.
    case cdata

    /// Creates the kind of content of an element without scripting, by its name in lower case.
    init(of element: String) {
      switch element {
      case "title", "textarea": self = .rcdata
      case "style", "xmp", "iframe", "noembed", "noframes": self = .rawText
      case "script": self = .scriptData
      case "plaintext": self = .plaintext
      default: self = .data
      }
    }
  }

  /// A part of the source or of the tokenizer's buffer.
  package struct Piece: Sendable {
    package var range: Range<Int>
    /// Whether the piece is in the buffer.
    package var isOwn = false

    package static let none = Piece(range: 0..<0)
  }

  /// An attribute of a start tag.
  package struct Attribute: Sendable {
    package var name: Piece
    package var value: Piece
  }

  /// The content of a `DOCTYPE` (13.2.5).
  package struct Doctype: Sendable {
    package var name: Piece?
    package var publicID: Piece?
    package var systemID: Piece?
    package var forcesQuirks = false
  }

  /// The kind of the content that follows; set by tree construction.
  package var content = Content.data
  /// Whether `<![CDATA[` begins a section, because the adjusted current node is an element of SVG or MathML.
  package var allowsCDATA = false
  /// The name of the last start tag, in lower case, whose end tag ends ``Content/rcdata`` and the like.
  package var lastStartTag: [UInt8] = []

  /// The name of a tag, in lower case.
  package private(set) var name = Piece.none
  /// The attributes of a start tag, without those whose name is used before.
  package private(set) var attributes: [Attribute] = []
  /// Whether a start tag ends with `/>`.
  package private(set) var isSelfClosing = false
  /// The text of a text token or a comment.
  ///
  /// U+0000 in ``Content/data`` and ``Content/cdata`` is a token of its own.
  package private(set) var text = Piece.none
  package private(set) var doctype = Doctype()
  /// The offset of a tag, comment or declaration that has no end; nil when there is none.
  ///
  /// It includes the rest of the source.
  package internal(set) var unfinished: Int?
  /// The offset of the next token.
  package private(set) var index = 0
  /// The tokenizer's buffer.
  package private(set) var buffer: [UInt8] = []

  /// The end of the current text other than markup, which is searched for once.
  private var limit = -1
  /// See ``HTMLOptions/mostAttributes``.
  var mostAttributes = Int.max
  /// See ``HTMLOptions/cleansReferences``.
  var cleansReferences = false

  /// Creates a tokenizer.
  package init() {}

  /// Begins at an offset of a source; buffers keep their capacity.
  mutating func begin(at index: Int = 0) {
    (content, allowsCDATA, isSelfClosing, self.index, unfinished, limit) = (.data, false, false, index, nil, -1)
    (name, text, doctype) = (.none, .none, Doctype())
    lastStartTag.removeAll(keepingCapacity: true)
    attributes.removeAll(keepingCapacity: true)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Returns the next token.
  package mutating func next(_ source: borrowing Span<UInt8>) -> Token {
    emptyBuffer()
    while index < source.count {
      let token: Token? =
        switch content {
        case .data: markup(source)
        default: boundedText(source)
        }
      if let token { return token }
      emptyBuffer()
    }
    return .end
  }

  /// Empties the buffer; most tokens have put nothing into it, and a call to empty it would cost more than this test.
  private mutating func emptyBuffer() { if !buffer.isEmpty { buffer.removeAll(keepingCapacity: true) } }

  private mutating func removeAttributes() { if !attributes.isEmpty { attributes.removeAll(keepingCapacity: true) } }

  // MARK: - Markup

  private mutating func markup(_ source: borrowing Span<UInt8>) -> Token? {
    guard source[index] == UInt8(ascii: "<") else { return run(source, decodes: true, until: source.count) }
    let next = index + 1 < source.count ? source[index + 1] : 0
    if next.isASCIILetter { return tag(source, at: index + 1, .startTag) }
    switch next {
    case UInt8(ascii: "/"):
      let third = index + 2 < source.count ? source[index + 2] : 0
      if third.isASCIILetter { return tag(source, at: index + 2, .endTag) }
      if index + 2 >= source.count { return run(source, decodes: true, until: source.count, skipping: 2) }
      if third == UInt8(ascii: ">") {
        index += 3
        return nil
      }
      return bogusComment(source, from: index + 2)
    case UInt8(ascii: "!"): return declaration(source)
    case UInt8(ascii: "?"): return bogusComment(source, from: index + 1)
    default: return run(source, decodes: true, until: source.count, skipping: 1)
    }
  }

  /// Reads text up to the next `<`, reference or U+0000.
  ///
  /// - Parameters:
  ///   - source: the document or fragment.
  ///   - decodes: whether character references are decoded.
  ///   - end: the offset at which the text ends at the latest.
  ///   - skipped: the number of bytes at the beginning that are text, whatever they are.
  /// - Returns: the text, a reference or a U+0000, whichever comes first.
  private mutating func run(
    _ source: borrowing Span<UInt8>, decodes: Bool, until end: Int, skipping skipped: Int = 0
  ) -> Token {
    var position = index + skipped
    while position < end {
      position = ByteScan.indexOfHTMLText(in: source, from: position)
      if position >= end { break }
      switch source[position] {
      case UInt8(ascii: "&"):
        if decodes {
          if position > index { return textToken(to: position) }
          if let reference = CharacterReference.match(source, at: position, isInAttribute: false) {
            return self.reference(reference)
          }
        }
        position += 1
      case 0:
        if position > index { return textToken(to: position) }
        return textToken(to: position + 1)
      default:
        // In markup a `<` ends the run; elsewhere `end` does.
        if content == .data, position > index || skipped == 0 { return textToken(to: position) }
        position += 1
      }
    }
    return textToken(to: end)
  }

  private mutating func textToken(to end: Int) -> Token {
    text = Piece(range: index..<end)
    index = end
    return .text
  }

  private mutating func reference(_ reference: CharacterReference) -> Token {
    reference.append(to: &buffer, cleaned: cleansReferences)
    text = Piece(range: 0..<buffer.count, isOwn: true)
    index += reference.length
    return .text
  }

  // MARK: - Tags

  /// Reads a tag whose name begins at an offset; nil when the source ends in it.
  private mutating func tag(_ source: borrowing Span<UInt8>, at begin: Int, _ kind: Token) -> Token? {
    removeAttributes()
    isSelfClosing = false
    var position = begin
    while position < source.count, !Self.endsName(source[position]) { position += 1 }
    name = lowered(source, begin..<position)
    guard let end = readAttributes(source, position) else {
      unfinished = index
      index = source.count
      return nil
    }
    index = end
    (content, limit) = (.data, -1)
    if kind == .endTag {
      removeAttributes()
    } else {
      lastStartTag.removeAll(keepingCapacity: true)
      if name.isOwn { lastStartTag += buffer[name.range] } else { lastStartTag.append(source, name.range) }
    }
    return kind
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    byte.isHTMLSpace || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
  }

  /// Reads up to the end of a tag; returns the offset after it, nil when the source ends first.
  private mutating func readAttributes(_ source: borrowing Span<UInt8>, _ begin: Int) -> Int? {
    var position = begin
    while position < source.count {
      let byte = source[position]
      if byte.isHTMLSpace {
        position += 1
      } else if byte == UInt8(ascii: ">") {
        return position + 1
      } else if byte == UInt8(ascii: "/") {
        position += 1
        if position < source.count, source[position] == UInt8(ascii: ">") {
          isSelfClosing = true
          return position + 1
        }
      } else {
        guard let next = readAttribute(source, position) else { return nil }
        position = next
      }
    }
    return nil
  }

  private mutating func readAttribute(_ source: borrowing Span<UInt8>, _ begin: Int) -> Int? {
    // A name may begin with `=`.
    var position = begin + 1
    while position < source.count, !Self.endsName(source[position]), source[position] != UInt8(ascii: "=") {
      position += 1
    }
    let name = begin..<position
    while position < source.count, source[position].isHTMLSpace { position += 1 }
    guard position < source.count, source[position] == UInt8(ascii: "=") else {
      add(source, name, Piece(range: position..<position))
      return position
    }
    position += 1
    while position < source.count, source[position].isHTMLSpace { position += 1 }
    guard position < source.count else { return nil }
    let quote = source[position]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let end = ByteScan.index(of: quote, in: source, from: position + 1)
      guard end < source.count else { return nil }
      add(source, name, value(source, position + 1..<end))
      return end + 1
    }
    let first = position
    while position < source.count, !source[position].isHTMLSpace, source[position] != UInt8(ascii: ">") {
      position += 1
    }
    guard position < source.count else { return nil }
    add(source, name, value(source, first..<position))
    return position
  }

  private mutating func add(_ source: borrowing Span<UInt8>, _ range: Range<Int>, _ value: Piece) {
    let isBeyond = attributes.count >= mostAttributes
    if isBeyond, range.count > 6 { return }
    let name = lowered(source, range)
    // Beyond the limit, only what may hide the element.
    if isBeyond, !isNamed("style", name, source), !isNamed("hidden", name, source) { return }
    for known in attributes where isEqual(known.name, name, source) { return }
    attributes.append(Attribute(name: name, value: value))
  }

  private func isNamed(_ text: StaticString, _ name: Piece, _ source: borrowing Span<UInt8>) -> Bool {
    guard name.range.count == text.utf8CodeUnitCount else { return false }
    for (offset, index) in name.range.enumerated() {
      if (name.isOwn ? buffer[index] : source[index]) != text.utf8Start[offset] { return false }
    }
    return true
  }

  private func isEqual(_ one: Piece, _ other: Piece, _ source: borrowing Span<UInt8>) -> Bool {
    guard one.range.count == other.range.count else { return false }
    for offset in 0..<one.range.count {
      let (a, b) = (one.range.lowerBound + offset, other.range.lowerBound + offset)
      if (one.isOwn ? buffer[a] : source[a]) != (other.isOwn ? buffer[b] : source[b]) { return false }
    }
    return true
  }

  /// Returns a name in lower case, with U+FFFD for U+0000.
  private mutating func lowered(_ source: borrowing Span<UInt8>, _ range: Range<Int>) -> Piece {
    var isLower = true
    for position in range where source[position] == 0 || source[position] &- 0x41 < 26 { isLower = false }
    if isLower { return Piece(range: range) }
    let begin = buffer.count
    for position in range {
      if source[position] == 0 { buffer += Self.replacement } else { buffer.append(source[position].asciiLowercased) }
    }
    return Piece(range: begin..<buffer.count, isOwn: true)
  }

  private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

  /// Returns the value of an attribute with its references decoded.
  private mutating func value(_ source: borrowing Span<UInt8>, _ range: Range<Int>) -> Piece {
    var position = range.lowerBound
    while position < range.upperBound, source[position] != UInt8(ascii: "&"), source[position] != 0 { position += 1 }
    if position == range.upperBound { return Piece(range: range) }
    let begin = buffer.count
    var copied = range.lowerBound
    while position < range.upperBound {
      let byte = source[position]
      if byte == UInt8(ascii: "&"), let reference = CharacterReference.match(source, at: position, isInAttribute: true)
      {
        buffer.append(source, copied..<position)
        reference.append(to: &buffer, cleaned: cleansReferences)
        position += reference.length
        copied = position
      } else if byte == 0 {
        buffer.append(source, copied..<position)
        buffer += Self.replacement
        position += 1
        copied = position
      } else {
        position += 1
      }
    }
    buffer.append(source, copied..<range.upperBound)
    return Piece(range: begin..<buffer.count, isOwn: true)
  }

  // MARK: - Text up to an end tag or `]]>`

  private mutating func boundedText(_ source: borrowing Span<UInt8>) -> Token? {
    if limit < index {
      limit =
        switch content {
        case .scriptData: scriptEnd(source)
        case .cdata: ByteScan.index(of: "]]>", in: source, from: index) ?? source.count
        case .plaintext: source.count
        default: end(of: source)
        }
    }
    if limit == index {
      if content != .cdata { return tag(source, at: index + 2, .endTag) }
      index += 3
      (content, limit) = (.data, -1)
      return nil
    }
    if content == .cdata || source[index] != 0 { return run(source, decodes: content == .rcdata, until: limit) }
    buffer += Self.replacement
    text = Piece(range: 0..<buffer.count, isOwn: true)
    index += 1
    return .text
  }

  private func end(of source: borrowing Span<UInt8>) -> Int {
    var end = index
    while end < source.count {
      end = ByteScan.index(of: UInt8(ascii: "<"), in: source, from: end)
      if end < source.count, endsHere(source, at: end) { return end }
      end += 1
    }
    return source.count
  }

  /// Whether the end tag of the last start tag is at an offset.
  private func endsHere(_ source: borrowing Span<UInt8>, at position: Int) -> Bool {
    let after = position + 2 + lastStartTag.count
    guard after < source.count, !lastStartTag.isEmpty, source[position] == UInt8(ascii: "<"),
      source[position + 1] == UInt8(ascii: "/"), Self.endsName(source[after])
    else { return false }
    for offset in 0..<lastStartTag.count where source[position + 2 + offset].asciiLowercased != lastStartTag[offset] {
      return false
    }
    return true
  }

  // MARK: - Scripts

  /// Returns the offset of the end tag of a script (13.2.5.15 to 13.2.5.30).
  ///
  /// `<!--` begins a part in which `<script` begins another part that has an end tag of its own.
  private func scriptEnd(_ source: borrowing Span<UInt8>) -> Int {
    var (position, isEscaped, isDoubled) = (index, false, false)
    while position < source.count {
      if isEscaped {
        while position < source.count, source[position] != UInt8(ascii: "<"), source[position] != UInt8(ascii: "-") {
          position += 1
        }
      } else {
        position = ByteScan.index(of: UInt8(ascii: "<"), in: source, from: position)
      }
      if position >= source.count { break }
      if isEscaped, ByteScan.stands("-->", in: source, at: position) {
        (isEscaped, isDoubled) = (false, false)
        position += 3
      } else if endsHere(source, at: position) {
        if !isDoubled { return position }
        isDoubled = false
        position += 2
      } else if !isEscaped, ByteScan.stands("<!--", in: source, at: position) {
        isEscaped = true
        // The dashes may belong to a `-->` as well.
        position += 2
      } else {
        if isEscaped, !isDoubled, beginsScript(source, at: position) { isDoubled = true }
        position += 1
      }
    }
    return source.count
  }

  private func beginsScript(_ source: borrowing Span<UInt8>, at position: Int) -> Bool {
    position + 7 < source.count && standsIgnoringCase("<script", source, at: position)
      && Self.endsName(source[position + 7])
  }

  // MARK: - Declarations and comments

  private mutating func declaration(_ source: borrowing Span<UInt8>) -> Token? {
    let begin = index + 2
    if ByteScan.stands("--", in: source, at: begin) { return comment(source, from: begin + 2) }
    if standsIgnoringCase("doctype", source, at: begin) {
      readDoctype(source, begin + 7)
      return .doctype
    }
    if allowsCDATA, ByteScan.stands("[CDATA[", in: source, at: begin) {
      index = begin + 7
      content = .cdata
      return nil
    }
    return bogusComment(source, from: begin)
  }

  private func standsIgnoringCase(_ word: StaticString, _ source: borrowing Span<UInt8>, at position: Int) -> Bool {
    guard position + word.utf8CodeUnitCount <= source.count else { return false }
    return word.withUTF8Buffer { wanted in
      for offset in wanted.indices where source[position + offset].asciiLowercased != wanted[offset] { return false }
      return true
    }
  }

  private mutating func comment(_ source: borrowing Span<UInt8>, from begin: Int) -> Token {
    if begin < source.count, source[begin] == UInt8(ascii: ">") {
      return comment(source, begin..<begin, next: begin + 1)
    }
    if ByteScan.stands("->", in: source, at: begin) { return comment(source, begin..<begin, next: begin + 2) }
    var position = begin
    while let dashes = ByteScan.index(of: "--", in: source, from: position) {
      if ByteScan.stands("-->", in: source, at: dashes) { return comment(source, begin..<dashes, next: dashes + 3) }
      if ByteScan.stands("--!>", in: source, at: dashes) { return comment(source, begin..<dashes, next: dashes + 4) }
      if dashes + 2 == source.count || dashes + 3 == source.count && source[dashes + 2] == UInt8(ascii: "!") {
        unfinished = index
        return comment(source, begin..<dashes, next: source.count)
      }
      position = dashes + 1
    }
    unfinished = index
    let endsInDash = source.count > begin && source[source.count - 1] == UInt8(ascii: "-")
    return comment(source, begin..<max(begin, source.count - (endsInDash ? 1 : 0)), next: source.count)
  }

  private mutating func bogusComment(_ source: borrowing Span<UInt8>, from begin: Int) -> Token {
    let end = ByteScan.index(of: UInt8(ascii: ">"), in: source, from: begin)
    if end == source.count { unfinished = index }
    return comment(source, begin..<end, next: min(end + 1, source.count))
  }

  private mutating func comment(_ source: borrowing Span<UInt8>, _ range: Range<Int>, next: Int) -> Token {
    text = replacingNUL(source, range)
    index = next
    return .comment
  }

  /// Returns a part of the source, with U+FFFD for U+0000.
  private mutating func replacingNUL(_ source: borrowing Span<UInt8>, _ range: Range<Int>) -> Piece {
    guard ByteScan.index(of: 0, in: source.extracting(range), from: 0) < range.count else {
      return Piece(range: range)
    }
    let begin = buffer.count
    for position in range {
      if source[position] == 0 { buffer += Self.replacement } else { buffer.append(source[position]) }
    }
    return Piece(range: begin..<buffer.count, isOwn: true)
  }

  // MARK: - DOCTYPE

  /// Reads a `DOCTYPE` after that keyword (13.2.5.53 to 13.2.5.68).
  private mutating func readDoctype(_ source: borrowing Span<UInt8>, _ begin: Int) {
    doctype = Doctype()
    var position = skipSpace(source, begin)
    defer {
      if position > source.count { unfinished = index }
      index = min(position, source.count)
    }
    guard position < source.count, source[position] != UInt8(ascii: ">") else {
      doctype.forcesQuirks = true
      position += 1
      return
    }
    let first = position
    while position < source.count, !source[position].isHTMLSpace, source[position] != UInt8(ascii: ">") {
      position += 1
    }
    doctype.name = lowered(source, first..<position)
    position = skipSpace(source, position)
    if position < source.count, source[position] != UInt8(ascii: ">") {
      if standsIgnoringCase("public", source, at: position) {
        readIdentifiers(source, &position, isPublic: true)
      } else if standsIgnoringCase("system", source, at: position) {
        readIdentifiers(source, &position, isPublic: false)
      } else {
        doctype.forcesQuirks = true
      }
      position = skipSpace(source, position)
    }
    if position >= source.count { doctype.forcesQuirks = true }
    // The rest up to `>` has no meaning, and neither has a missing `>`.
    position = ByteScan.index(of: UInt8(ascii: ">"), in: source, from: min(position, source.count)) + 1
  }

  private func skipSpace(_ source: borrowing Span<UInt8>, _ begin: Int) -> Int {
    var position = begin
    while position < source.count, source[position].isHTMLSpace { position += 1 }
    return position
  }

  private mutating func readIdentifiers(_ source: borrowing Span<UInt8>, _ position: inout Int, isPublic: Bool) {
    position = skipSpace(source, position + 6)
    guard let first = identifier(source, &position) else {
      doctype.forcesQuirks = true
      return
    }
    if isPublic { doctype.publicID = first } else { doctype.systemID = first }
    guard !doctype.forcesQuirks, isPublic else { return }
    position = skipSpace(source, position)
    guard position < source.count, source[position] != UInt8(ascii: ">") else { return }
    doctype.systemID = identifier(source, &position)
    if doctype.systemID == nil { doctype.forcesQuirks = true }
  }

  /// Reads an identifier in quotation marks; nil when there is none.
  ///
  /// An identifier that is cut off by `>` or by the end of the source forces quirks.
  private mutating func identifier(_ source: borrowing Span<UInt8>, _ position: inout Int) -> Piece? {
    guard position < source.count, source[position] == UInt8(ascii: "\"") || source[position] == UInt8(ascii: "'")
    else {
      return nil
    }
    let (quote, begin) = (source[position], position + 1)
    position = ByteScan.index(of: quote, or: UInt8(ascii: ">"), in: source, from: begin)
    let piece = replacingNUL(source, begin..<position)
    if position < source.count, source[position] == quote { position += 1 } else { doctype.forcesQuirks = true }
    return piece
  }

  // MARK: - Pieces

  /// Returns a piece as text.
  func string(_ piece: Piece, of source: borrowing Span<UInt8>) -> String {
    piece.isOwn ? String(streamSafe: buffer[piece.range]) : String(source, piece.range)
  }
}

extension CharacterReference {
  /// Returns the reference at an ampersand; nil when the ampersand is text.
  ///
  /// - Parameters:
  ///   - source: the markup or the value of an attribute, in UTF-8.
  ///   - start: the offset of the ampersand.
  ///   - isInAttribute: whether the source is the value of an attribute, in which a name without its semicolon counts
  ///     only when no letter, digit or `=` follows.
  /// - Returns: the reference with its length; nil when the ampersand is text.
  fileprivate static func match(_ source: borrowing Span<UInt8>, at start: Int, isInAttribute: Bool)
    -> CharacterReference?
  {
    guard start + 1 < source.count else { return nil }
    if source[start + 1] == UInt8(ascii: "#") { return numeric(source, at: start) }
    let name = start + 1
    var end = name
    while end < source.count, end - name < NamedReferenceIndex.longestName, source[end].isASCIIAlphanumeric { end += 1 }
    if end < source.count, source[end] == UInt8(ascii: ";"),
      let found = NamedReferenceIndex.shared.find(source, name..<end)
    {
      return CharacterReference(first: found.first, second: found.second, length: end + 1 - start)
    }
    // Searches for the longest name that is valid without its semicolon.
    var last = min(end, name + NamedReferenceIndex.longestUnclosedName)
    while last > name + 1 {
      if let found = NamedReferenceIndex.shared.find(source, name..<last), found.countsUnclosed {
        let next = last < source.count ? source[last] : 0
        if isInAttribute, next == UInt8(ascii: "=") || next.isASCIIAlphanumeric { return nil }
        return CharacterReference(first: found.first, second: found.second, length: last - start)
      }
      last -= 1
    }
    return nil
  }

  /// Appends the characters of the reference, in UTF-8.
  ///
  /// - Parameters:
  ///   - bytes: the bytes to which they are appended.
  ///   - cleaned: whether to append only what ``HTMLInput`` lets pass.
  func append(to bytes: inout [UInt8], cleaned: Bool) {
    for scalar in [first, second] {
      guard let scalar, let character = cleaned ? HTMLInput.character(for: scalar) : scalar else { continue }
      bytes.append(scalar: character)
    }
  }
}
