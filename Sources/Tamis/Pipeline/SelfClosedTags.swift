import TamisCore

/// Finds elements of HTML that were closed as in XML, such as `<script src="a.js"/>`.
///
/// Browsers ignore that slash, so that all text up to an end tag, or to the end, belongs to such an element (HTML
/// Standard, 13.2.6.4) and is not shown.
enum SelfClosedTags {
  private static let names = ["iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"]

  /// Returns the name of the first such element that is followed by text which it takes away; nil when there is none.
  static func firstTakingText(in html: String) -> String? {
    var html = html
    return html.withUTF8 { first(in: $0.span) }
  }

  private static func first(in html: borrowing Span<UInt8>) -> String? {
    var index = 0
    while true {
      index = ByteScan.index(of: UInt8(ascii: "<"), in: html, from: index)
      guard index < html.count else { return nil }
      index += 1
      if ByteScan.stands("!--", in: html, at: index) {
        while index < html.count, !ByteScan.stands("-->", in: html, at: index) {
          index = ByteScan.index(of: UInt8(ascii: "-"), in: html, from: index + 1)
        }
        continue
      }
      guard let name = names.first(where: { stands($0, in: html, at: index) }) else { continue }
      let end = endOfTag(in: html, from: index + name.utf8.count)
      guard end < html.count else { return nil }
      index = end + 1
      // An element with a real end tag is skipped, since its content is no markup.
      let stop = endTag(of: name, in: html, from: index)
      if html[end - 1] == UInt8(ascii: "/"), hasText(html, index..<stop) { return name }
      index = stop
    }
  }

  /// Whether a name is here, and ends here.
  private static func stands(_ name: String, in html: borrowing Span<UInt8>, at start: Int) -> Bool {
    guard start + name.utf8.count < html.count else { return false }
    for (offset, byte) in name.utf8.enumerated() where html[start + offset].asciiLowercased != byte { return false }
    let next = html[start + name.utf8.count]
    return next.isHTMLSpace || next == UInt8(ascii: "/") || next == UInt8(ascii: ">")
  }

  /// Returns the index of the `>` of a tag, outside of quoted values.
  private static func endOfTag(in html: borrowing Span<UInt8>, from start: Int) -> Int {
    var (index, quote) = (start, UInt8(0))
    while index < html.count {
      let byte = html[index]
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        break
      }
      index += 1
    }
    return index
  }

  /// Returns the index of the end tag of an element, or the end.
  private static func endTag(of name: String, in html: borrowing Span<UInt8>, from start: Int) -> Int {
    var index = start
    while true {
      index = ByteScan.index(of: UInt8(ascii: "<"), in: html, from: index)
      guard index < html.count else { return html.count }
      if index + 1 < html.count, html[index + 1] == UInt8(ascii: "/"), stands(name, in: html, at: index + 2) {
        return index
      }
      index += 1
    }
  }

  /// Whether something besides tags and white space is in a part of markup.
  private static func hasText(_ html: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
    var isInTag = false
    for index in range {
      let byte = html[index]
      if byte == UInt8(ascii: "<") { isInTag = true }
      if !isInTag, !byte.isHTMLSpace { return true }
      if byte == UInt8(ascii: ">") { isInTag = false }
    }
    return false
  }
}
