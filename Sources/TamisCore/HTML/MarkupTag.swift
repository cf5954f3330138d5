/// A tag of markup that the sanitizer wrote, as ranges of its source.
///
/// See ``MarkupTokens``.
package struct MarkupTag: Sendable {
  /// The name, in lower case outside SVG and MathML.
  package let name: String
  /// Whether this is an end tag.
  package let isEnd: Bool
  /// The offset of the `<`.
  package let start: Int
  /// The offset after the name.
  package let nameEnd: Int
  /// The offset of the end of the attributes: before `>` or ` />`.
  package let contentEnd: Int
  /// The offset after the `>`.
  package let end: Int

  /// Reads the tag that begins at an offset.
  package init(_ source: [UInt8], at start: Int) {
    self.start = start
    isEnd = start + 1 < source.count && source[start + 1] == UInt8(ascii: "/")
    var index = start + (isEnd ? 2 : 1)
    let nameStart = index
    while index < source.count, source[index] > 0x20, source[index] != UInt8(ascii: ">"),
      source[index] != UInt8(ascii: "/")
    {
      index += 1
    }
    nameEnd = index
    name = String(streamSafe: source[nameStart..<index])
    // A quoted value may contain a `>`.
    var isQuoted = false
    while index < source.count, isQuoted || source[index] != UInt8(ascii: ">") {
      if source[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      index += 1
    }
    var content = index
    if content > nameEnd, source[content - 1] == UInt8(ascii: "/") { content -= 1 }
    while content > nameEnd, source[content - 1] == ASCII.space { content -= 1 }
    contentEnd = content
    end = min(index + 1, source.count)
  }

  /// An attribute of a tag, as ranges of the source.
  package struct Attribute {
    /// The name.
    package let name: Range<Int>
    /// The value without its quotation marks, escaped; empty when there is none.
    package let value: Range<Int>
    /// The range of the whole attribute, with the space before it.
    package let whole: Range<Int>
  }

  /// Calls `body` with each attribute, in document order.
  package func eachAttribute(_ source: [UInt8], _ body: (Attribute) -> Void) {
    var index = nameEnd
    while let next = attribute(source, at: index) {
      index = next.whole.upperBound
      if !next.name.isEmpty { body(next) }
    }
  }

  /// Returns the range of an attribute's value; nil when the tag has no such attribute.
  package func value(_ name: StaticString, _ source: [UInt8]) -> Range<Int>? {
    var index = nameEnd
    while let next = attribute(source, at: index) {
      if name.withUTF8Buffer({ source[next.name].elementsEqual($0) }) { return next.value }
      index = next.whole.upperBound
    }
    return nil
  }

  /// Returns the range of the first URL of `srcset`; nil when the tag has none.
  package func firstCandidate(_ source: [UInt8]) -> Range<Int>? {
    guard let set = value("srcset", source) else { return nil }
    let start = source[set].firstIndex { $0 != ASCII.space && $0 != UInt8(ascii: ",") } ?? set.upperBound
    var end = source[start..<set.upperBound].firstIndex(of: ASCII.space) ?? set.upperBound
    while end > start, source[end - 1] == UInt8(ascii: ",") { end -= 1 }
    return start < end ? start..<end : nil
  }

  /// Returns the attribute that begins at an offset; nil at the end of the attributes.
  private func attribute(_ source: [UInt8], at start: Int) -> Attribute? {
    var index = start
    while index < contentEnd, source[index] == ASCII.space { index += 1 }
    guard index < contentEnd else { return nil }
    let nameStart = index
    while index < contentEnd, source[index] != UInt8(ascii: "="), source[index] != ASCII.space { index += 1 }
    let name = nameStart..<index
    guard index < contentEnd, source[index] == UInt8(ascii: "=") else {
      return Attribute(name: name, value: index..<index, whole: start..<index)
    }
    let valueStart = min(index + 2, contentEnd)
    index = valueStart
    while index < contentEnd, source[index] != UInt8(ascii: "\"") { index += 1 }
    return Attribute(name: name, value: valueStart..<index, whole: start..<min(index + 1, contentEnd))
  }
}

extension MarkupTag {
  /// The level of a heading, 1 to 6; nil for other elements.
  package var headingLevel: UInt8? {
    let name = name.utf8
    guard name.count == 2, name.first == UInt8(ascii: "h"), let digit = name.last, (0x31...0x36).contains(digit) else {
      return nil
    }
    return digit - 0x30
  }
}
