/// Letters that run from right to left, by their bytes in UTF-8: U+0590 to U+08FF, and the presentation forms.
enum RightToLeft {
  /// Whether any of them is in a text.
  static func isIn(_ text: [UInt8]) -> Bool { text.indices.contains { begins(at: $0, text) } }

  /// Whether one begins at a place.
  static func begins(at index: Int, _ text: [UInt8]) -> Bool {
    let first = text[index]
    if first < 0xD6 { return false }
    if first <= 0xDF { return true }
    guard first == 0xE0 || first == 0xEF, index + 1 < text.count else { return false }
    // U+0800 to U+08FF; U+FB00 to U+FEFF: full-width signs of Chinese and Japanese begin with the same byte.
    return first == 0xE0 ? (0xA0...0xA3).contains(text[index + 1]) : (0xAC...0xBB).contains(text[index + 1])
  }
}
