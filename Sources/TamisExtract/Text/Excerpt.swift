import TamisCore

/// Makes an excerpt from the first sentences of a text.
enum Excerpt {
  /// The maximum number of characters of an excerpt, without the ellipsis.
  static let length = 280

  /// The beginning of a text, without the title.
  ///
  /// Many bodies repeat the title first; a text with nothing else has no excerpt.
  static func cut(_ text: String, under title: String) -> String {
    guard !title.isEmpty, text.first == title.first else { return cut(text) }
    var rest = text.utf8[...]
    for word in title.utf8.split(separator: UInt8(ascii: " ")) {
      rest = rest.drop { $0.isHTMLSpace }
      guard rest.starts(with: word) else { return cut(text) }
      rest = rest.dropFirst(word.count)
    }
    let behind = Substring(rest)
    // The title must be a sentence of its own: `Fog` is not the title in `Foggy days` or `Fog is thick`.
    guard let next = behind.first else { return "" }
    // An ellipsis ends a title, but an excerpt would look cut off.
    let isEnded = title.last == "…" || title.last.map { $0.unicodeScalars.allSatisfy(isSentenceEnd) } ?? false
    if isEnded || marks.contains(next) || isNewSentence(behind, under: title) {
      return cut(String(behind.drop { $0.isWhitespace || marks.contains($0) }))
    }
    return cut(text)
  }

  private static let marks: Set<Character> = [".", "!", "?", ":", "–", "—", "|", "。", "！", "？", "；", "："]

  /// Whether a scalar is a mark that ends a sentence.
  private static func isSentenceEnd(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ".", "!", "?", "。", "！", "？", "؟": true
    default: false
    }
  }

  /// Whether the text after a long title and a space is a new sentence: it begins with a capital or an ideograph.
  private static func isNewSentence(_ text: Substring, under title: String) -> Bool {
    guard text.first?.isWhitespace == true, let letter = text.first(where: { !$0.isWhitespace }) else { return false }
    if letter.unicodeScalars.first.map({ $0.value >= 0x3040 }) == true { return true }
    return letter.isUppercase && title.utf8.count { $0 == UInt8(ascii: " ") } >= 3
  }

  /// The text up to the last sentence that fits; else up to the last word that fits, with an ellipsis.
  static func cut(_ text: String) -> String {
    // The beginning of a long text is enough, unless its characters have very many combining marks.
    let beginning = text.utf8.index(text.startIndex, offsetBy: 8 * length, limitedBy: text.endIndex)
    if let beginning, beginning < text.endIndex {
      let head = String(text.unicodeScalars[..<beginning]).collapsingSpace()
      if head.index(afterCharacters: length + 2) != nil { return cut(collapsed: head) }
    }
    return cut(collapsed: text.collapsingSpace())
  }

  private static func cut(collapsed text: String) -> String {
    guard let minimum = text.index(afterCharacters: length / 2), let limit = text.index(afterCharacters: length),
      limit < text.endIndex
    else { return text }
    if let end = lastCharacter(of: text, in: minimum..<limit, where: isSentenceEnd) {
      let isEnd = end.upperBound == limit || text[end.upperBound] == " "
      if isEnd || "。！？".unicodeScalars.contains(text.unicodeScalars[end.lowerBound]) {
        return String(text[..<end.upperBound])
      }
    }
    let space = lastCharacter(of: text, in: minimum..<limit) { $0 == " " }
    return text[..<(space?.lowerBound ?? limit)].trimmed() + "…"
  }

  /// Returns the last character that is one scalar of a kind, without combining marks.
  ///
  /// Scalars are searched, and only those of the kind are checked to be characters: segmenting a text costs ten times
  /// as much.
  private static func lastCharacter(
    of text: String, in range: Range<String.Index>, where isWanted: (Unicode.Scalar) -> Bool
  ) -> Range<String.Index>? {
    let scalars = text.unicodeScalars
    var end = range.upperBound
    while end > range.lowerBound {
      let start = scalars.index(before: end)
      if isWanted(scalars[start]), String.Index(start, within: text) != nil, String.Index(end, within: text) != nil {
        return start..<end
      }
      end = start
    }
    return nil
  }
}
