import TamisCore

/// Undoes the escaping of CDATA sections: `&lt;![CDATA[words]]&gt;` in XML, or a section in a string of JSON.
///
/// A section in HTML is a comment that ends at the first `>`, except in SVG and MathML.
enum EscapedSections {
  private static let start: StaticString = "<![CDATA["
  private static let end: StaticString = "]]>"

  /// Returns the text without the marks of sections.
  ///
  /// - Parameters:
  ///   - text: the text of a field.
  ///   - isHTML: whether it is HTML, where sections also stand inside; other text may be about them, and is one section
  ///     or more as a whole.
  /// - Returns: the text; unchanged when it has no section.
  static func undone(_ text: String, isHTML: Bool) -> String {
    guard isHTML || text.utf8.first == UInt8(ascii: "<") else { return text }
    var copy = text
    return copy.withUTF8 { undone($0.span, isHTML: isHTML) } ?? text
  }

  private static func undone(_ text: borrowing Span<UInt8>, isHTML: Bool) -> String? {
    let isWhole = ByteScan.stands(start, in: text, at: 0)
    if !isWhole, !isHTML { return nil }
    var output: [UInt8] = []
    var (copied, index) = (0, 0)
    while true {
      // A bracket is much rarer in HTML than a sign of tags.
      index = ByteScan.index(of: UInt8(ascii: "["), in: text, from: index)
      guard index < text.count else { break }
      index += 1
      let section = index - 3
      guard section >= copied, ByteScan.stands(start, in: text, at: section) else { continue }
      if !isWhole, copied == 0, hasForeign(text) { return nil }
      let content = section + start.utf8CodeUnitCount
      var stop = content
      while stop < text.count, !ByteScan.stands(end, in: text, at: stop) {
        stop = ByteScan.index(of: UInt8(ascii: "]"), in: text, from: stop + 1)
      }
      output.append(text, copied..<section)
      output.append(text, content..<min(stop, text.count))
      copied = min(text.count, stop + end.utf8CodeUnitCount)
      index = copied
    }
    if copied == 0 { return nil }
    output.append(text, copied..<text.count)
    return String(streamSafe: output).trimmed()
  }

  /// Whether a text has a drawing or a formula, which may contain sections.
  private static func hasForeign(_ text: borrowing Span<UInt8>) -> Bool {
    var index = 0
    while true {
      index = ByteScan.index(of: UInt8(ascii: "<"), in: text, from: index) + 1
      if index >= text.count { return false }
      if ByteScan.stands("svg", in: text, at: index) || ByteScan.stands("math", in: text, at: index) { return true }
    }
  }
}
