import TamisCore

/// A tokenizer of any markup that works like a browser's (HTML Standard, 13.2.5).
///
/// The tokenizer shares no code with the sanitizer's parser. ``BrowserTreeBuilder`` interprets the tokens, and sets how
/// the next bytes are read: as markup, as text up to an end tag, or as text up to the end.
struct BrowserTokenizer {
  enum Token {
    case start(name: String, attributes: [Attribute], isSelfClosing: Bool)
    case end(name: String)
    /// Text with character references decoded.
    case text([UInt8])
    case comment([UInt8])
    case doctype(Doctype)
  }

  struct Doctype: Sendable {
    var name = ""
    var publicID: String?
    var systemID: String?
    /// Whether it is not complete, so that browsers read the page in quirks mode.
    var forcesQuirks = false
  }

  typealias Attribute = (name: String, value: String)

  /// The mode for the next bytes.
  enum Content {
    case markup
    /// Text up to this element's end tag, with character references.
    case text(until: String)
    /// Text up to this element's end tag, without character references.
    case rawText(until: String)
    /// Text as in ``rawText(until:)``, with the comment rules of scripts.
    case script(until: String)
    /// Text up to the end.
    case plain
  }

  /// A construct that was not closed at the end of the bytes.
  enum Unended: String {
    case tag = "a tag"
    case comment = "a comment"
    case section = "a CDATA section"
  }

  var content = Content.markup
  /// Whether a CDATA section may begin here, which is only inside SVG and MathML.
  var allowsSections = false
  private(set) var unended: Unended?
  private let bytes: [UInt8]
  private(set) var index = 0

  init(_ html: String) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(html.utf8.count)
    // CR LF and CR become LF (13.2.3.5).
    var wasReturn = false
    for byte in html.utf8 {
      if byte == ASCII.carriageReturn {
        bytes.append(ASCII.lineFeed)
      } else if byte != ASCII.lineFeed || !wasReturn {
        bytes.append(byte)
      }
      wasReturn = byte == ASCII.carriageReturn
    }
    self.bytes = bytes
  }

  /// Returns the next token, or nil at the end.
  mutating func next() -> Token? {
    guard index < bytes.count else { return nil }
    switch content {
    case .markup: return markup()
    case .text(let name): return text(before: rawEnd(name), isDecoded: true)
    case .rawText(let name): return text(before: rawEnd(name), isDecoded: false)
    case .script(let name): return text(before: scriptEnd(name), isDecoded: false)
    case .plain: return text(before: bytes.count, isDecoded: false)
    }
  }

  private mutating func markup() -> Token? {
    if bytes[index] == UInt8(ascii: "<"), index + 1 < bytes.count {
      switch bytes[index + 1] {
      case let byte where byte.isASCIILetter: return tag()
      case UInt8(ascii: "!"): return declaration()
      case UInt8(ascii: "?"): return bogusComment(from: index + 1)
      case UInt8(ascii: "/"):
        guard index + 2 < bytes.count else { break }
        if bytes[index + 2].isASCIILetter { return tag() }
        if bytes[index + 2] == UInt8(ascii: ">") {
          index += 3
          return next()
        }
        return bogusComment(from: index + 2)
      default: break
      }
    }
    let start = index
    // A '<' that does not begin a tag is text.
    repeat {
      index = bytes[(index + 1)...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    } while index < bytes.count && !mayBeginMarkup(index)
    return .text(decoded(start..<index))
  }

  /// Whether the '<' at a position begins something else than text.
  private func mayBeginMarkup(_ position: Int) -> Bool {
    guard position + 1 < bytes.count else { return false }
    let next = bytes[position + 1]
    return next.isASCIILetter || [UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "/")].contains(next)
  }

  /// Returns text up to a position, or reads markup when the position is reached.
  private mutating func text(before end: Int, isDecoded: Bool) -> Token? {
    guard end > index else {
      content = .markup
      return markup()
    }
    let range = index..<end
    index = end
    return .text(isDecoded ? decoded(range) : Array(bytes[range]))
  }

  // MARK: - Characters

  private func decoded(_ range: Range<Int>, isValue: Bool = false) -> [UInt8] {
    guard bytes[range].contains(UInt8(ascii: "&")) else { return Array(bytes[range]) }
    var output: [UInt8] = []
    var index = range.lowerBound
    let span = bytes.span
    while index < range.upperBound {
      if bytes[index] == UInt8(ascii: "&"), let reference = CharacterReference.match(span, at: index),
        index + reference.length <= range.upperBound
      {
        output.append(scalar: reference.first)
        if let second = reference.second { output.append(scalar: second) }
        index += reference.length
      } else if bytes[index] == UInt8(ascii: "&"), !isValue, let reference = oldReference(at: index) {
        output.append(scalar: reference.first)
        index += reference.length
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
    return output
  }

  /// Returns a reference with an HTML 2 name, which needs no semicolon in text: `&ltimg` is `<img`.
  private func oldReference(at start: Int) -> CharacterReference? {
    for length in (2...6).reversed() where start + length < bytes.count {
      let name = Array(bytes[start...(start + length)]) + [ASCII.space]
      guard name.dropFirst().dropLast().allSatisfy(\.isASCIIAlphanumeric) else { continue }
      if let reference = CharacterReference.match(name.span, at: 0) { return reference }
    }
    return nil
  }

  private func string(_ bytes: some Sequence<UInt8>) -> String {
    let text = String(decoding: Array(bytes), as: UTF8.self)
    return text.utf8.contains(0)
      ? String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 })) : text
  }

  // MARK: - Tags

  private mutating func tag() -> Token? {
    let isEnd = bytes[index + 1] == UInt8(ascii: "/")
    index += isEnd ? 2 : 1
    let start = index
    while index < bytes.count, !isTagDelimiter(bytes[index]) { index += 1 }
    let name = string(bytes[start..<index].map(\.asciiLowercased))
    var attributes: [Attribute] = []
    var names: Set<String> = []
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: ">"):
        index += 1
        return isEnd ? .end(name: name) : .start(name: name, attributes: attributes, isSelfClosing: false)
      case UInt8(ascii: "/") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: ">"):
        index += 2
        return isEnd ? .end(name: name) : .start(name: name, attributes: attributes, isSelfClosing: true)
      case UInt8(ascii: "/"): index += 1
      case let byte where byte.isHTMLSpace: index += 1
      default:
        // The first of several attributes with one name counts.
        if let attribute = attribute(), names.insert(attribute.name).inserted { attributes.append(attribute) }
      }
    }
    unended = .tag
    return nil
  }

  private func isTagDelimiter(_ byte: UInt8) -> Bool {
    byte.isHTMLSpace || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
  }

  private mutating func attribute() -> Attribute? {
    let start = index
    // A leading equals sign belongs to the name.
    repeat {
      index += 1
    } while index < bytes.count && !isTagDelimiter(bytes[index]) && bytes[index] != UInt8(ascii: "=")
    let name = string(bytes[start..<index].map(\.asciiLowercased))
    var next = index
    while next < bytes.count, bytes[next].isHTMLSpace { next += 1 }
    guard next < bytes.count, bytes[next] == UInt8(ascii: "=") else { return (name, "") }
    next += 1
    while next < bytes.count, bytes[next].isHTMLSpace { next += 1 }
    index = next
    guard next < bytes.count, bytes[next] != UInt8(ascii: ">") else { return (name, "") }
    if bytes[next] == UInt8(ascii: "\"") || bytes[next] == UInt8(ascii: "'") {
      let end = bytes[(next + 1)...].firstIndex(of: bytes[next]) ?? bytes.count
      index = min(end + 1, bytes.count)
      // An unclosed tag is dropped, so that the position does not matter.
      if end == bytes.count { index = bytes.count }
      return (name, string(decoded(next + 1..<end, isValue: true)))
    }
    while index < bytes.count, !bytes[index].isHTMLSpace, bytes[index] != UInt8(ascii: ">") { index += 1 }
    return (name, string(decoded(next..<index, isValue: true)))
  }

  // MARK: - Comments and sections

  private mutating func declaration() -> Token? {
    let rest = bytes[(index + 2)...]
    if rest.starts(with: "--".utf8) { return comment(from: index + 4) }
    if allowsSections, rest.starts(with: "[CDATA[".utf8) {
      let start = index + 9
      let end = find("]]>", from: start)
      if end == nil { unended = .section }
      index = end.map { $0 + 3 } ?? bytes.count
      return .text(Array(bytes[start..<(end ?? bytes.count)]))
    }
    if rest.prefix(7).map(\.asciiLowercased).elementsEqual("doctype".utf8) { return doctype(from: index + 9) }
    return bogusComment(from: index + 2)
  }

  private mutating func bogusComment(from start: Int) -> Token? {
    let end = bytes[start...].firstIndex(of: UInt8(ascii: ">"))
    if end == nil { unended = .comment }
    index = end.map { $0 + 1 } ?? bytes.count
    return .comment(Array(string(bytes[start..<(end ?? bytes.count)]).utf8))
  }

  private mutating func comment(from start: Int) -> Token? {
    for short in [">", "->"] where bytes[start...].starts(with: short.utf8) {
      index = start + short.utf8.count
      return .comment([])
    }
    let ends = ["-->", "--!>"].compactMap { end in find(end, from: start).map { (at: $0, behind: $0 + end.utf8.count) }
    }
    let end = ends.min { $0.at < $1.at }
    var text = bytes[min(start, bytes.count)..<(end?.at ?? bytes.count)]
    if end == nil {
      unended = .comment
      // What could have been the beginning of the end is none of the text.
      for ending in ["--!", "--", "-"] where text.reversed().starts(with: ending.utf8.reversed()) {
        text.removeLast(ending.utf8.count)
        break
      }
    }
    index = end?.behind ?? bytes.count
    return .comment(Array(string(text).utf8))
  }

  // MARK: - Doctypes

  /// Reads a doctype, which ends at the first `>` wherever that stands (13.2.5.53 to 13.2.5.68).
  private mutating func doctype(from start: Int) -> Token? {
    let end = bytes[start...].firstIndex(of: UInt8(ascii: ">"))
    var rest = bytes[start..<(end ?? bytes.count)]
    var doctype = Doctype()
    index = end.map { $0 + 1 } ?? bytes.count
    if end == nil { unended = .tag }
    rest = rest.drop(while: \.isHTMLSpace)
    let name = rest.prefix { !$0.isHTMLSpace }
    doctype.name = string(name.map(\.asciiLowercased))
    rest = rest[name.endIndex...].drop(while: \.isHTMLSpace)
    doctype.forcesQuirks = end == nil || name.isEmpty
    if rest.isEmpty { return .doctype(doctype) }
    let keyword = String(decoding: rest.prefix(6).map(\.asciiLowercased), as: UTF8.self)
    rest = rest.dropFirst(6).drop(while: \.isHTMLSpace)
    if keyword == "public" {
      doctype.publicID = identifier(&rest, &doctype)
      if doctype.publicID != nil, !rest.isEmpty { doctype.systemID = identifier(&rest, &doctype) }
    } else if keyword == "system" {
      doctype.systemID = identifier(&rest, &doctype)
    } else {
      doctype.forcesQuirks = true
    }
    return .doctype(doctype)
  }

  /// Returns the text in quotation marks; nil when there is none, or it does not end.
  private func identifier(_ rest: inout ArraySlice<UInt8>, _ doctype: inout Doctype) -> String? {
    guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      doctype.forcesQuirks = true
      rest = []
      return nil
    }
    let text = rest.dropFirst().prefix { $0 != quote }
    if text.endIndex == rest.endIndex { doctype.forcesQuirks = true }
    rest = rest[text.endIndex...].dropFirst().drop(while: \.isHTMLSpace)
    return string(text)
  }

  private func find(_ text: String, from start: Int) -> Int? {
    let wanted = Array(text.utf8)
    var index = start
    while let found = bytes[min(index, bytes.count)...].firstIndex(of: wanted[0]) {
      if bytes[found...].starts(with: wanted) { return found }
      index = found + 1
    }
    return nil
  }

  // MARK: - Raw text

  /// Returns the position of the end tag of a raw text element, or the end.
  private func rawEnd(_ name: String) -> Int {
    var position = index
    while let found = find("</", from: position) {
      if isTag(name, at: found + 2) { return found }
      position = found + 2
    }
    return bytes.count
  }

  private func isTag(_ name: String, at start: Int) -> Bool {
    let end = start + name.utf8.count
    return end < bytes.count && isTagDelimiter(bytes[end])
      && bytes[start..<end].lazy.map(\.asciiLowercased).elementsEqual(name.utf8)
  }

  /// Returns the same for a script, which may contain another between `<!--` and `-->` (13.2.5.17 to 13.2.5.31).
  private func scriptEnd(_ name: String) -> Int {
    var position = index
    var (isEscaped, isTwiceEscaped) = (false, false)
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "-"), isEscaped, bytes[position...].starts(with: "-->".utf8) {
        (isEscaped, isTwiceEscaped) = (false, false)
        position += 3
      } else if bytes[position] != UInt8(ascii: "<") {
        position += 1
      } else if !isEscaped, bytes[position...].starts(with: "<!--".utf8) {
        isEscaped = true
        // The hyphens may also be those of the end: `<!-->`.
        position += 2
      } else if bytes[position...].starts(with: "</".utf8), isTag(name, at: position + 2) {
        if !isTwiceEscaped { return position }
        isTwiceEscaped = false
        position += 2
      } else {
        if isEscaped, isTag(name, at: position + 1) { isTwiceEscaped = true }
        position += 1
      }
    }
    return bytes.count
  }
}
