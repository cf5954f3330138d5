import TamisCore

/// The first sentences of a text.
enum Excerpt {
  /// Characters an excerpt has at most, the ellipsis left out.
  static let length = 280

  /// The text up to the last sentence that fits, else up to the last word that does, then with an ellipsis.
  static func cut(_ text: String) -> String {
    // Of a long text the beginning is enough, unless its characters are monsters of many marks.
    let beginning = text.utf8.index(text.startIndex, offsetBy: 8 * length, limitedBy: text.endIndex)
    if let beginning, beginning < text.endIndex {
      let head = String(text.unicodeScalars[..<beginning]).collapsingSpace()
      if head.count > length + 1 { return cut(collapsed: head) }
    }
    return cut(collapsed: text.collapsingSpace())
  }

  private static func cut(collapsed: String) -> String {
    guard let limit = collapsed.index(collapsed.startIndex, offsetBy: length, limitedBy: collapsed.endIndex),
      limit < collapsed.endIndex
    else { return collapsed }
    let head = collapsed[..<limit]
    let minimum = collapsed.index(collapsed.startIndex, offsetBy: length / 2)
    if let end = head.lastIndex(where: { ".!?。！？؟".contains($0) }), end >= minimum {
      let next = head.index(after: end)
      if next == head.endIndex || head[next] == " " || "。！？".contains(head[end]) { return String(head[...end]) }
    }
    let words = head.lastIndex(of: " ").flatMap { $0 >= minimum ? head[..<$0] : nil } ?? head
    return words.trimmed() + "…"
  }
}
