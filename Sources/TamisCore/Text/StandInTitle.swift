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
    guard title.utf8.count <= 40, mayBeOne(title) else { return false }
    let lower = title.lowercased()
    let core = lower.trimmingEnds { "()[]<>{}-–—*\"'“”«»#.:!".contains($0) || $0.isWhitespace || $0.isNumber }
    return titles.contains(core) || titles.contains(lower)
  }

  /// The beginnings of the titles that are ASCII: three bytes each.
  private static let beginnings = Set(titles.map { beginning(of: $0.utf8.drop { !$0.isASCIILetter }) })

  /// Whether the first letters allow the title to be one, which rules out most titles at little cost.
  private static func mayBeOne(_ title: String) -> Bool {
    let letters = title.utf8.drop { $0 < 0x80 && !$0.isASCIILetter }
    guard let first = letters.first, first < 0x80 else { return !letters.isEmpty }
    return beginnings.contains(beginning(of: letters))
  }

  private static func beginning(of letters: some Sequence<UInt8>) -> UInt32 {
    letters.prefix(3).reduce(0) { $0 << 8 | UInt32($1.asciiLowercased) }
  }
}

extension String {
  fileprivate func trimmingEnds(_ isDropped: (Character) -> Bool) -> String {
    let rest = drop(while: isDropped)
    guard let last = rest.lastIndex(where: { !isDropped($0) }) else { return "" }
    return String(rest[...last])
  }
}
