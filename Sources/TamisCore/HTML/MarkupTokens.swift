/// The tokens of markup that the sanitizer wrote, in document order: the one reader of ``SanitizedHTML`` and of what pages
/// make of it.
///
/// It knows the grammar of that output alone: each `<` begins a tag, each value stands in double quotes, and there are no
/// comments. Markup of anyone else needs a parser. (The output contract has a reader of its own, so that one does not
/// repeat the other's mistakes.)
package struct MarkupTokens: Sequence, IteratorProtocol {
  /// A part of the markup.
  package enum Token {
    /// The range of a text, escaped; never empty.
    case text(Range<Int>)
    /// A tag.
    case tag(MarkupTag)
  }

  /// The markup.
  package let source: [UInt8]
  /// The offset of the next token; set it to pass over some.
  package var position: Int
  private let end: Int

  /// Reads markup, from an offset at which a token begins.
  ///
  /// - Parameter end: the offset at which texts are cut off, and from which on no tag is read; nil to read all.
  package init(_ source: [UInt8], from position: Int = 0, to end: Int? = nil) {
    (self.source, self.position, self.end) = (source, position, Swift.min(end ?? source.count, source.count))
  }

  /// The next token; nil at the end.
  package mutating func next() -> Token? {
    guard position < end else { return nil }
    if source[position] == UInt8(ascii: "<") {
      let tag = MarkupTag(source, at: position)
      position = tag.end
      return .tag(tag)
    }
    let start = position
    while position < end, source[position] != UInt8(ascii: "<") { position += 1 }
    return .text(start..<position)
  }

  /// The next tag, whatever text stands before it; nil at the end.
  package mutating func nextTag() -> MarkupTag? {
    while let token = next() {
      if case .tag(let tag) = token { return tag }
    }
    return nil
  }
}
