import TamisCore

/// A tag in a document, read tolerantly where it is not valid XML.
struct Tag {
  enum Kind {
    case start, end, empty
  }

  /// An attribute, with an empty value where it has none.
  struct Attribute {
    var name: Range<Int>
    var value: Range<Int>
  }

  var kind: Kind
  /// The offset of the `<`.
  let start: Int
  /// The offset after the `>`, or where the tag ends without it.
  var end: Int
  let name: Range<Int>
  /// The hash of the name in lower case.
  let hash: UInt64
  /// The attributes, the first of each name.
  var attributes: [Attribute] = []
  /// The first fault by the rules of XML; references in values are not checked.
  var fault: StaticString?
  /// Whether there is white space before the name.
  let isSpaced: Bool
  /// Whether the tag has its `>`.
  var hasEnd = false
  /// Whether all attributes have values.
  var hasValues = true

  func role(_ input: [UInt8]) -> ElementRole {
    let local = localName(input)
    return ElementRole(local: String(streamSafe: input[local]), isPrefixed: local.lowerBound > name.lowerBound)
  }

  /// The name without its prefix.
  func localName(_ input: [UInt8]) -> Range<Int> {
    (input[name].firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? name.lowerBound)..<name.upperBound
  }
}

/// A reader of one tag, up to a bound.
///
/// A value without its quotes, or the second of them, ends at white space or `>`, as in HTML; a tag without its `>`
/// ends before the next `<`. Every byte is read a fixed number of times.
struct TagReader {
  private let bound: Int
  private let mostAttributes: Int
  private var index: Int
  /// Hashes of the attributes' names as written.
  private var names: [UInt64] = []

  /// The longest value that is reported, in bytes.
  private static let longestValue = 8 << 20

  /// Reads the tag at `start`, or returns nil when there is no name.
  static func read(_ input: borrowing Span<UInt8>, from start: Int, bound: Int, mostAttributes: Int) -> Tag? {
    var reader = TagReader(bound: bound, mostAttributes: mostAttributes, index: start + 1)
    guard var tag = reader.readName(input, from: start) else { return nil }
    while reader.readPart(of: &tag, input) {}
    return tag
  }

  private mutating func readName(_ input: borrowing Span<UInt8>, from start: Int) -> Tag? {
    var (isEnd, isSpaced) = (false, false)
    while index < bound, input[index].isHTMLSpace || (input[index] == UInt8(ascii: "/") && !isEnd) {
      if input[index] == UInt8(ascii: "/") { isEnd = true } else { isSpaced = true }
      index += 1
    }
    let first = index
    var hash = NameHash.empty
    while index < bound, !Self.endsName(input[index]) {
      hash = NameHash.adding(input[index].asciiLowercased, to: hash)
      index += 1
    }
    guard XMLCharacter.isName(input, first..<index) else { return nil }
    var tag = Tag(
      kind: isEnd ? .end : .start, start: start, end: bound, name: first..<index, hash: hash, isSpaced: isSpaced)
    if isSpaced { tag.fault = "there is white space before the name of this tag" }
    return tag
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    byte.isHTMLSpace || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "<")
      || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }

  /// Reads an attribute or the end of the tag; returns false after the end.
  private mutating func readPart(of tag: inout Tag, _ input: borrowing Span<UInt8>) -> Bool {
    let before = index
    skipSpace(input)
    guard index < bound, input[index] != UInt8(ascii: "<") else {
      tag.end = index
      tag.note("this tag has no end")
      return false
    }
    switch input[index] {
    case UInt8(ascii: ">"):
      index += 1
      (tag.end, tag.hasEnd) = (index, true)
      return false
    case UInt8(ascii: "/"):
      let slash = index
      index += 1
      skipSpace(input)
      guard index < bound, input[index] == UInt8(ascii: ">"), tag.kind != .end else {
        tag.note("there is a stray / in this tag")
        return true
      }
      if index > slash + 1 { tag.note("there is white space between / and > in this tag") }
      tag.kind = .empty
      return true
    default:
      if index == before { tag.note("there is no white space before this attribute") }
      readAttribute(of: &tag, input)
      return true
    }
  }

  private mutating func readAttribute(of tag: inout Tag, _ input: borrowing Span<UInt8>) {
    if tag.kind == .end { tag.note("an end tag has no attributes") }
    let first = index
    index += 1
    var hash = NameHash.adding(input[first], to: NameHash.empty)
    while index < bound, !Self.endsName(input[index]) {
      hash = NameHash.adding(input[index], to: hash)
      index += 1
    }
    let name = first..<index
    skipSpace(input)
    var value = index..<index
    if index < bound, input[index] == UInt8(ascii: "=") {
      index += 1
      skipSpace(input)
      value = readValue(of: &tag, input)
    } else {
      tag.note("this attribute has no value")
      tag.hasValues = false
    }
    guard XMLCharacter.isName(input, name) else { return tag.note("this attribute has no name that XML knows") }
    guard value.count <= Self.longestValue else {
      return tag.note("this attribute is too long")
    }
    guard !names.contains(hash) else { return tag.note("this tag has the same attribute twice") }
    guard names.count < mostAttributes else {
      return tag.note("this tag has too many attributes; the rest is not read")
    }
    names.append(hash)
    tag.attributes.append(Tag.Attribute(name: name, value: value))
  }

  private mutating func readValue(of tag: inout Tag, _ input: borrowing Span<UInt8>) -> Range<Int> {
    if index < bound, input[index] == UInt8(ascii: "\"") || input[index] == UInt8(ascii: "'") {
      if let value = quotedValue(input) {
        index = value.upperBound + 1
        if ByteScan.index(of: UInt8(ascii: "<"), in: input.extracting(value), from: 0)
          < value.count
        {
          tag.note("a < in a value must be written &lt;")
        }
        return value
      }
      index += 1
    }
    tag.note("this value has no quotes around it")
    let first = index
    while index < bound, !input[index].isHTMLSpace, input[index] != UInt8(ascii: ">"), input[index] != UInt8(ascii: "<")
    {
      index += 1
    }
    // The slash of an empty element is not part of the value.
    if index < bound, index > first, input[index] == UInt8(ascii: ">"), input[index - 1] == UInt8(ascii: "/") {
      index -= 1
    }
    return Self.unquoted(first..<index, input)
  }

  /// Returns the value from this quote to the next of its kind, if that one ends it.
  ///
  /// The second quote ends the value when white space, `/` or `>` follows, unless tags are in between; when the next
  /// attribute follows at once, only if the value does not look like the rest of this tag or like other tags.
  private func quotedValue(_ input: borrowing Span<UInt8>) -> Range<Int>? {
    let value = index + 1..<min(bound, ByteScan.index(of: input[index], in: input, from: index + 1))
    guard value.upperBound < bound else { return nil }
    var firstAngle: UInt8 = 0
    var hasBoth = false
    for position in value where input[position] == UInt8(ascii: "<") || input[position] == UInt8(ascii: ">") {
      if firstAngle == 0 { firstAngle = input[position] } else if firstAngle != input[position] { hasBoth = true }
    }
    if hasBoth, firstAngle == UInt8(ascii: ">") { return nil }
    let next = value.upperBound + 1 < bound ? input[value.upperBound + 1] : UInt8(ascii: ">")
    if next.isHTMLSpace || next == UInt8(ascii: "/") || next == UInt8(ascii: ">") { return value }
    let endsInEquals = !value.isEmpty && input[value.upperBound - 1] == UInt8(ascii: "=")
    return next.isASCIILetter && firstAngle == 0 && !endsInEquals ? value : nil
  }

  /// Returns a value without typographic quotes around it, or a single unmatched quote.
  private static func unquoted(_ value: Range<Int>, _ input: borrowing Span<UInt8>) -> Range<Int> {
    func isCurly(_ start: Int) -> Bool {
      start >= value.lowerBound && start + 3 <= value.upperBound && input[start] == 0xE2 && input[start + 1] == 0x80
        && (0x98...0x9F).contains(input[start + 2])
    }
    var (first, last) = (value.lowerBound, value.upperBound)
    if isCurly(first) { first += 3 }
    if last - 3 >= first, isCurly(last - 3) { last -= 3 }
    if last > first, input[last - 1] == UInt8(ascii: "\"") || input[last - 1] == UInt8(ascii: "'") { last -= 1 }
    return first..<last
  }

  private mutating func skipSpace(_ input: borrowing Span<UInt8>) {
    while index < bound, input[index].isHTMLSpace { index += 1 }
  }
}

extension Tag {
  /// Records a fault unless there is one already.
  fileprivate mutating func note(_ message: StaticString) { fault = fault ?? message }
}

/// The search for the `>` that ends a tag; a `>` in a quoted value does not count.
struct TagEnd {
  private let start: Int
  /// The offset after the `>`, once found.
  private(set) var index: Int
  private(set) var isFound = false
  private var quote: UInt8?
  private var isAfterEquals = false

  /// Begins at the `<` of a tag.
  init(from start: Int) {
    self.start = start
    index = start + 1
  }

  /// Returns the same search after the tag has moved in the buffer.
  func moved(to start: Int) -> TagEnd {
    var copy = TagEnd(from: start)
    copy.index = start + (index - self.start)
    (copy.quote, copy.isAfterEquals) = (quote, isAfterEquals)
    return copy
  }

  /// Continues the search, or returns false when more input is needed.
  mutating func search(_ input: borrowing Span<UInt8>, most: Int) -> Bool {
    while index < input.count {
      let byte = input[index]
      if byte == UInt8(ascii: "<") || index - start > most { return true }
      index += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: ">") {
        isFound = true
        return true
      } else if isAfterEquals, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
        isAfterEquals = false
      } else if !byte.isHTMLSpace {
        isAfterEquals = byte == UInt8(ascii: "=")
      }
    }
    return false
  }
}
