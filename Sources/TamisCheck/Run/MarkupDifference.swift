import TamisCore

/// The first difference between two pieces of markup, described by elements rather than by lines.
package struct MarkupDifference: Sendable, Hashable {
  /// The open elements, outermost first.
  package private(set) var path: [String] = []
  /// The pieces of markup before the difference, at most two, equal in both.
  package private(set) var before: [String] = []
  /// The expected tag or text; nil for the end.
  package private(set) var expected: String?
  /// The actual tag or text; nil for the end.
  package private(set) var given: String?
  /// The expected piece after that; nil for the end.
  package private(set) var expectedNext: String?
  /// The actual piece after that; nil for the end.
  package private(set) var givenNext: String?
  /// The exact differences when both are start tags of one element, or both are texts.
  package private(set) var details: [String] = []

  /// Compares two pieces of markup that differ.
  package init(expected: String, given: String) {
    let (left, right) = (MarkupPieces.split(expected), MarkupPieces.split(given))
    let first =
      zip(left, right).enumerated().first { !$1.0.utf8.elementsEqual($1.1.utf8) }?.offset
      ?? min(left.count, right.count)
    for piece in left[..<first] {
      if let name = MarkupPieces.endTag(piece) {
        if let index = path.lastIndex(of: name) { path.removeSubrange(index...) }
      } else if let tag = MarkupPieces.startTag(piece), !piece.hasSuffix("/>") {
        path.append(tag.name)
      }
    }
    before = left[..<first].suffix(2).map(String.init)
    self.expected = first < left.count ? String(left[first]) : nil
    self.given = first < right.count ? String(right[first]) : nil
    expectedNext = first + 1 < left.count ? String(left[first + 1]) : nil
    givenNext = first + 1 < right.count ? String(right[first + 1]) : nil
    details = Self.details(expected: self.expected, given: self.given)
  }

  private static func details(expected: String?, given: String?) -> [String] {
    guard let expected, let given else { return [] }
    guard let left = MarkupPieces.startTag(expected[...]), let right = MarkupPieces.startTag(given[...]) else {
      return expected.hasPrefix("<") || given.hasPrefix("<") ? [] : textDetails(expected: expected, given: given)
    }
    guard left.name == right.name else { return [] }
    var details: [String] = []
    for (name, value) in left.attributes {
      guard let other = right.attributes.first(where: { $0.name == name })?.value else {
        details.append("\(name): \(Self.shown(value)) -> none")
        continue
      }
      if !other.utf8.elementsEqual(value.utf8) {
        details.append("\(name): \(Self.shown(value, beside: other)) -> \(Self.shown(other, beside: value))")
      }
    }
    for (name, value) in right.attributes where !left.attributes.contains(where: { $0.name == name }) {
      details.append("\(name): none -> \(Self.shown(value))")
    }
    return details
  }

  /// Returns a value, with characters as numbers when it would look like the other one.
  private static func shown(_ value: String, beside other: String = "") -> String {
    if value.isEmpty { return "\"\"" }
    guard value == other else { return value }
    return value.unicodeScalars.map { $0.isASCII ? String($0) : "\\u{\(String($0.value, radix: 16))}" }.joined()
  }

  /// Returns where two texts begin to differ.
  private static func textDetails(expected: String, given: String) -> [String] {
    let common = zip(expected.unicodeScalars, given.unicodeScalars).prefix { $0 == $1 }.count
    func part(_ text: String) -> String {
      let text = text.unicodeScalars
      let start = max(0, common - 12)
      let piece = Substring(text.dropFirst(start).prefix(common - start + 24))
      let shown = expected == given ? Self.shown(String(piece), beside: String(piece)) : TerminalText.whole(piece)
      return "'\(start > 0 ? "…" : "")\(shown)\(text.count > start + piece.unicodeScalars.count ? "…" : "")'"
    }
    return ["after \(common) characters: \(part(expected)) -> \(part(given))"]
  }
}

/// A splitter of markup into tags and texts, without any interpretation.
enum MarkupPieces {
  /// Returns the pieces in order; together they are the markup.
  static func split(_ markup: String) -> [Substring] {
    var pieces: [Substring] = []
    var rest = markup[...]
    while let first = rest.utf8.first {
      let end = first == UInt8(ascii: "<") ? endOfTag(rest) : rest.utf8.firstIndex(of: UInt8(ascii: "<"))
      pieces.append(rest[..<(end ?? rest.endIndex)])
      rest = rest[(end ?? rest.endIndex)...]
    }
    return pieces
  }

  /// Returns the index after the first `>` outside of quotes.
  private static func endOfTag(_ tag: Substring) -> String.Index? {
    var quote: UInt8?
    let bytes = tag.utf8
    for index in bytes.indices {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: ">") {
        return bytes.index(after: index)
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      }
    }
    return nil
  }

  /// Returns the name in an end tag, or nil for anything else.
  static func endTag(_ piece: Substring) -> String? {
    piece.utf8.starts(with: "</".utf8) ? Substring(piece.utf8.dropFirst(2).prefix { $0 != 0x3E }).trimmed() : nil
  }

  /// Returns the name and the attributes of a start tag, with values as written, or nil for anything else.
  static func startTag(_ piece: Substring) -> (name: String, attributes: [(name: String, value: String)])? {
    var rest = piece.utf8[...]
    guard rest.popFirst() == UInt8(ascii: "<"), rest.first?.isASCIILetter == true else { return nil }
    if rest.last == UInt8(ascii: ">") { rest = rest.dropLast() }
    func take(while matches: (UInt8) -> Bool) -> String {
      let taken = rest.prefix(while: matches)
      rest = rest[taken.endIndex...]
      return String(Substring(taken))
    }
    let name = take { !$0.isHTMLSpace && $0 != UInt8(ascii: "/") }
    var attributes: [(name: String, value: String)] = []
    while true {
      rest = rest.drop { $0.isHTMLSpace || $0 == UInt8(ascii: "/") }
      guard let first = rest.popFirst() else { return (name, attributes) }
      let attribute = String(decoding: [first], as: UTF8.self) + take { !$0.isHTMLSpace && $0 != UInt8(ascii: "=") }
      var value = ""
      if rest.first == UInt8(ascii: "=") {
        rest = rest.dropFirst()
        if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
          rest = rest.dropFirst()
          let mark = String(decoding: [quote], as: UTF8.self)
          value = mark + take { $0 != quote } + mark
          rest = rest.dropFirst()
        } else {
          value = take { !$0.isHTMLSpace }
        }
      }
      attributes.append((attribute, value))
    }
  }
}
