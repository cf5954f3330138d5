import TamisCore

/// The language that the `html` start tag of a page declares.
///
/// The language is read from the bytes, since the reader of the body skips that tag.
package enum PageLanguage {
  /// The maximum number of bytes before the `html` start tag.
  private static let mostBytes = 1 << 16

  /// Returns the value of `lang` or `xml:lang` as written; empty when there is none.
  package static func declared(in page: borrowing Span<UInt8>) -> String {
    let count = min(page.count, mostBytes)
    var index = 0
    while index + 5 < count {
      guard page[index] == 0x3C, isName(page, at: index + 1), page[index + 5].isHTMLSpace else {
        index += 1
        continue
      }
      let found = value(page, from: index + 5, to: count)
      if !found.value.isEmpty { return found.value }
      index = found.end
    }
    return ""
  }

  private static func isName(_ page: borrowing Span<UInt8>, at start: Int) -> Bool {
    page[start] | 0x20 == 0x68 && page[start + 1] | 0x20 == 0x74 && page[start + 2] | 0x20 == 0x6D
      && page[start + 3] | 0x20 == 0x6C
  }

  /// Reads the attributes of a start tag.
  private static func value(_ page: borrowing Span<UInt8>, from start: Int, to end: Int) -> (value: String, end: Int) {
    var index = start
    var best = ""
    while index < end, page[index] != 0x3E {
      if page[index].isHTMLSpace || page[index] == 0x2F {
        index += 1
        continue
      }
      let name = index
      while index < end, !page[index].isHTMLSpace, page[index] != 0x3D, page[index] != 0x3E { index += 1 }
      let nameText = text(page, name..<index).asciiLowercased()
      while index < end, page[index].isHTMLSpace { index += 1 }
      guard index < end, page[index] == 0x3D else { continue }
      index += 1
      while index < end, page[index].isHTMLSpace { index += 1 }
      guard index < end else { break }
      let quote = page[index]
      let isQuoted = quote == 0x22 || quote == 0x27
      if isQuoted { index += 1 }
      let value = index
      while index < end, isQuoted ? page[index] != quote : !page[index].isHTMLSpace && page[index] != 0x3E {
        index += 1
      }
      if nameText == "lang" || nameText == "xml:lang" && best.isEmpty { best = text(page, value..<index) }
      if isQuoted { index += 1 }
    }
    return (best, index)
  }

  private static func text(_ page: borrowing Span<UInt8>, _ range: Range<Int>) -> String {
    var bytes: [UInt8] = []
    bytes.append(page, range.lowerBound..<min(range.upperBound, range.lowerBound + 100))
    return String(streamSafe: bytes)
  }
}
