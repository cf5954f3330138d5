import TamisCore

/// Escaping of text as markup.
enum HTMLText {
  /// Returns a text that reads the same as plain text and as HTML, since titles in RSS are read both ways.
  ///
  /// Only text that HTML would parse as a tag or a reference is escaped.
  static func harmless(_ text: String) -> String {
    let bytes = Array(text.utf8)
    let span = bytes.span
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    for index in bytes.indices {
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      switch bytes[index] {
      case UInt8(ascii: "<") where next.isASCIILetter || "/!?".utf8.contains(next): output += "&lt;".utf8
      case UInt8(ascii: "&") where CharacterReference.match(span, at: index) != nil: output += "&amp;".utf8
      case let byte: output.append(byte)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Appends text with `&`, `<`, `>`, `"` and `'` escaped, so that it is also safe in an attribute.
  ///
  /// Bytes are compared, not characters: a quotation mark followed by a combining accent is another character to Swift,
  /// but not to a browser.
  static func append(_ text: String, to output: inout [UInt8]) {
    let bytes = text.utf8.span
    var start = 0
    while true {
      let index = ByteScan.indexOfHTMLQuotedEscape(in: bytes, from: start)
      output.append(bytes, start..<index)
      guard index < bytes.count else { return }
      switch bytes[index] {
      case UInt8(ascii: "&"): output += "&amp;".utf8
      case UInt8(ascii: "<"): output += "&lt;".utf8
      case UInt8(ascii: ">"): output += "&gt;".utf8
      case UInt8(ascii: "\""): output += "&quot;".utf8
      case UInt8(ascii: "'"): output += "&#39;".utf8
      case let byte where byte.isHTMLSpace: output.append(byte)
      // Controls other than white space are not allowed in a page.
      default: break
      }
      start = index + 1
    }
  }
}
