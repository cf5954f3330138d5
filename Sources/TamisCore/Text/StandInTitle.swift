/// Recognizes placeholder titles that programs write when an author has written none.
package enum StandInTitle {
  /// The titles in the languages of the publishing systems, in lower case, without brackets and numbers.
  private static let titles: Set<String> = [
    "untitled", "untitled post", "untitled document", "no title", "notitle", "(no subject)", "no subject",
    "default title",
    "ohne titel", "kein titel", "sans titre", "sin título", "sin titulo", "senza titolo",
    "sem título", "sem titulo", "zonder titel", "utan titel", "uten tittel", "bez tytułu", "bez názvu", "без названия",
    "без назви", "無題", "无标题", "無標題", "제목 없음", "başlıksız", "بدون عنوان", "ללא כותרת",
  ]

  /// Returns whether a title is such a placeholder: `Untitled`, `(no title)`, `Untitled-3`.
  package static func isOne(_ title: String) -> Bool {
    guard title.utf8.count <= 40 else { return false }
    let lower = title.lowercased()
    let core = lower.trimmingEnds { "()[]<>{}-–—*\"'“”«»#.:!".contains($0) || $0.isWhitespace || $0.isNumber }
    return titles.contains(core) || titles.contains(lower)
  }
}

extension String {
  fileprivate func trimmingEnds(_ isDropped: (Character) -> Bool) -> String {
    let rest = drop(while: isDropped)
    guard let last = rest.lastIndex(where: { !isDropped($0) }) else { return "" }
    return String(rest[...last])
  }
}
