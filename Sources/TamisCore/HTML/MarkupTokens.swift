/// The tokens of markup that the sanitizer wrote, in document order.
///
/// All code that reads ``SanitizedHTML``, or pages made from it, uses this reader. It handles only the grammar of that
/// output: each `<` begins a tag, each value is in double quotes, and there are no comments. Other markup needs a
/// parser. (The output contract has its own reader, so that it does not repeat mistakes of this one.)
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
  /// The offset of the next token; settable, to skip tokens.
  package var position: Int
  private let end: Int

  /// Makes a reader that starts at an offset at which a token begins.
  ///
  /// - Parameters:
  ///   - source: the markup, in UTF-8.
  ///   - position: the offset of the first token.
  ///   - end: the offset at which texts are cut off, and from which on no tag is read; nil to read all.
  package init(_ source: [UInt8], from position: Int = 0, to end: Int? = nil) {
    (self.source, self.position, self.end) = (source, position, Swift.min(end ?? source.count, source.count))
  }

  /// Returns the next token; nil at the end.
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

  /// Returns the next tag, skipping the text before it; nil at the end.
  package mutating func nextTag() -> MarkupTag? {
    while let token = next() {
      if case .tag(let tag) = token { return tag }
    }
    return nil
  }
}
