/// Escaping and unescaping of text in markup, as the sanitizer writes it.
package enum MarkupText {
  private static let references: [(written: [UInt8], text: [UInt8])] = [
    (Array("&amp;".utf8), [0x26]), (Array("&lt;".utf8), [0x3C]), (Array("&gt;".utf8), [0x3E]),
    (Array("&quot;".utf8), [0x22]), (Array("&nbsp;".utf8), [0xC2, 0xA0]),
  ]

  /// Returns the text with the character references that the sanitizer writes replaced by their characters.
  package static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.contains(UInt8(ascii: "&")) else { return Array(text) }
    var output: [UInt8] = []
    var rest = text
    while let byte = rest.first {
      if byte == UInt8(ascii: "&"), let found = references.first(where: { rest.starts(with: $0.written) }) {
        output += found.text
        rest = rest.dropFirst(found.written.count)
      } else {
        output.append(byte)
        rest = rest.dropFirst()
      }
    }
    return output
  }

  /// Returns the end of the complete part of truncated markup: before an unclosed tag or character reference.
  ///
  /// The markup must be the sanitizer's, in which `<` and `>` only delimit tags and `&` only begins references.
  package static func wholeEnd(of markup: ArraySlice<UInt8>) -> Int {
    var end = markup.endIndex
    for (first, last) in [(UInt8(ascii: "<"), UInt8(ascii: ">")), (UInt8(ascii: "&"), UInt8(ascii: ";"))] {
      if let sign = markup[..<end].lastIndex(where: { $0 == first || $0 == last }), markup[sign] == first { end = sign }
    }
    return end
  }

  /// Appends text to markup that is to be sanitized, escaped for content and for quoted values.
  package static func append(_ text: borrowing Span<UInt8>, to output: inout [UInt8]) {
    for index in 0..<text.count {
      switch text[index] {
      case UInt8(ascii: "&"): output += "&amp;".utf8
      case UInt8(ascii: "<"): output += "&lt;".utf8
      case UInt8(ascii: ">"): output += "&gt;".utf8
      case UInt8(ascii: "\""): output += "&quot;".utf8
      case let byte: output.append(byte)
      }
    }
  }
}
