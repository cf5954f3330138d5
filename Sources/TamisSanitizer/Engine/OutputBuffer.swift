import TamisCore

/// The only writer of markup; text and values that are appended here are escaped here.
struct OutputBuffer {
  private(set) var bytes: [UInt8] = []
  /// The offset of the last written tag; nil when there is none.
  ///
  /// The offset is stored because a search would take time proportional to the length of the tag.
  private var lastTag: Int?
  /// The end of the last text that is not white space.
  ///
  /// The offset is stored for ``isBlank(from:)``, because a search would take time proportional to the output since
  /// then.
  private var textEnd = 0

  var count: Int { bytes.count }

  /// The size in bytes of the memory that is kept for the next output.
  var keptBytes: Int { bytes.capacity }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    lastTag = nil
    textEnd = 0
  }

  /// Appends a part of a text that is `<name`.
  mutating func openStartTag(_ text: [UInt8], _ part: Range<Int>) {
    lastTag = bytes.count
    bytes.append(text.span, part)
  }

  mutating func closeStartTag(isVoid: Bool) {
    if isVoid {
      bytes.append(UInt8(ascii: " "))
      bytes.append(UInt8(ascii: "/"))
    }
    bytes.append(UInt8(ascii: ">"))
  }

  /// Appends an attribute.
  ///
  /// - Parameters:
  ///   - beginning: the part of the attribute before its value.
  ///   - value: the value.
  mutating func attribute(_ beginning: borrowing Span<UInt8>, _ value: borrowing Span<UInt8>) {
    bytes.append(beginning, 0..<beginning.count)
    escape(value, inAttribute: true)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends a part of a text that is `</name>`.
  mutating func endTag(_ text: [UInt8], _ part: Range<Int>) {
    lastTag = bytes.count
    bytes.append(text.span, part)
  }

  mutating func text(_ text: borrowing Span<UInt8>) {
    let start = bytes.count
    escape(text, inAttribute: false)
    noteText(from: start)
  }

  /// Returns the size of a text as it is written, in bytes.
  static func size(ofText text: borrowing Span<UInt8>) -> Int {
    var buffer = OutputBuffer()
    buffer.text(text)
    return buffer.count
  }

  /// Appends text that needs no escaping.
  mutating func plainText(_ text: borrowing Span<UInt8>) {
    let start = bytes.count
    bytes.append(text, 0..<text.count)
    noteText(from: start)
  }

  /// Updates the end of the text after text was written from `start` on, without white space at its end.
  private mutating func noteText(from start: Int) {
    var end = bytes.count
    while end > start, bytes[end - 1].isHTMLSpace { end -= 1 }
    if end > start { textEnd = end }
  }

  /// The range of the last written tag's name, when nothing was written after that tag; else nil.
  var endingTagName: Range<Int>? {
    guard bytes.last == UInt8(ascii: ">"), let lastTag else { return nil }
    let start = bytes[lastTag + 1] == UInt8(ascii: "/") ? lastTag + 2 : lastTag + 1
    let end = bytes[start...].firstIndex { $0 == ASCII.space || $0 == UInt8(ascii: ">") }
    return end.map { start..<$0 }
  }

  /// Whether only tags and white space were written from `start` on.
  func isBlank(from start: Int) -> Bool { textEnd <= start }

  /// The markup without white space at both ends.
  func trimmed() -> ArraySlice<UInt8> {
    guard let first = bytes.firstIndex(where: { !$0.isHTMLSpace }),
      let last = bytes.lastIndex(where: { !$0.isHTMLSpace })
    else { return [] }
    return bytes[first...last]
  }

  /// Appends text with `&`, `<`, `>`, U+00A0 (C2 A0), and `"` in values replaced by references; other runs are copied.
  private mutating func escape(_ text: borrowing Span<UInt8>, inAttribute: Bool) {
    var runStart = 0
    var index = 0
    while true {
      index = ByteScan.indexOfHTMLEscape(in: text, from: index)
      if index == text.count { break }
      let reference: StaticString
      var length = 1
      switch text[index] {
      case UInt8(ascii: "&"): reference = "&amp;"
      case UInt8(ascii: "<"): reference = "&lt;"
      case UInt8(ascii: ">"): reference = "&gt;"
      case UInt8(ascii: "\"") where inAttribute: reference = "&quot;"
      case 0xC2 where index + 1 < text.count && text[index + 1] == 0xA0:
        reference = "&nbsp;"
        length = 2
      default:
        index += 1
        continue
      }
      bytes.append(text, runStart..<index)
      reference.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
      index += length
      runStart = index
    }
    bytes.append(text, runStart..<index)
  }
}
