import TamisCore

/// The characters of a text that would deceive its reader, and the marks of direction that are open in a link.
///
/// Tag characters (U+E0000 to U+E007F) go from all text but the flags that consist of them (UTS 51, ED-14a). From the
/// text of a link go overrides (U+202D, U+202E), which make any letters look like others; embeddings and isolates that
/// it leaves open are ended with it (UAX 9, 2).
struct TextMarks {
  /// The number of open links; a link in a drawing can be inside another.
  private var linkDepth = 0
  private var embeddings = 0
  private var isolates = 0
  /// The offset in the output behind a flag to which tag characters may belong; -1 when there is none.
  private var flagEnd = -1
  /// What was removed from the last text; nil for nothing.
  private(set) var removed: StaticString?

  mutating func beginLink() { linkDepth += 1 }

  /// Ends a link, and returns the marks that end what its text has begun.
  mutating func endLink() -> [UInt8] {
    linkDepth -= 1
    guard linkDepth == 0, embeddings + isolates > 0 else { return [] }
    let ends = String(repeating: "\u{2069}", count: isolates) + String(repeating: "\u{202C}", count: embeddings)
    (embeddings, isolates) = (0, 0)
    return Array(ends.utf8)
  }

  /// Returns a text without what deceives; nil when it stays as it is.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - end: the number of bytes that are written already.
  /// - Returns: the text that is left.
  mutating func read(_ text: borrowing Span<UInt8>, after end: Int) -> [UInt8]? {
    removed = nil
    // U+202A to U+2069 begin with E2, tag characters with F3, the flag with F0.
    let isPlain =
      ByteScan.index(of: 0xF3, or: linkDepth > 0 ? 0xE2 : 0xF3, in: text, from: 0) == text.count
    let mayEndWithFlag = text.count >= 4 && text[text.count - 4] == 0xF0
    if isPlain, !mayEndWithFlag { return nil }
    var kept: [UInt8] = []
    var isInFlag = flagEnd == end
    var whole: [UInt8] = []
    whole.append(text, 0..<text.count)
    var index = 0
    while index < whole.count {
      let lead = whole[index]
      let length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
      let bytes = whole[index..<min(whole.count, index + length)]
      index += length
      let value = InvisibleCharacters.scalar(bytes) ?? 0
      if !stays(value, isInFlag) { continue }
      isInFlag = value == 0x1F3F4 || isInFlag && (0xE0000..<0xE007F).contains(value)
      kept += bytes
    }
    flagEnd = isInFlag ? end + kept.count : -1
    return kept.count == whole.count ? nil : kept
  }

  private mutating func stays(_ scalar: UInt32, _ isInFlag: Bool) -> Bool {
    switch scalar {
    case 0xE0000...0xE007F where !isInFlag:
      removed = "tag characters"
      return false
    case 0x202D...0x202E where linkDepth > 0:
      removed = "a direction override"
      return false
    case 0x202A, 0x202B: if linkDepth > 0 { embeddings += 1 }
    case 0x202C: embeddings = max(0, embeddings - 1)
    case 0x2066...0x2068: if linkDepth > 0 { isolates += 1 }
    case 0x2069: isolates = max(0, isolates - 1)
    default: break
    }
    return true
  }
}
