import TamisCore

/// Right-to-left letters, by their bytes in UTF-8: U+0590 to U+08FF, and the presentation forms.
enum RightToLeft {
  /// Whether a text contains a right-to-left letter.
  static func isIn(_ text: [UInt8]) -> Bool {
    var index = ByteScan.indexOfHighByte(in: text.span, from: 0)
    while index < text.count {
      if begins(at: index, text) { return true }
      index = ByteScan.indexOfHighByte(in: text.span, from: index + 1)
    }
    return false
  }

  /// Whether a right-to-left letter begins at an index.
  static func begins(at index: Int, _ text: [UInt8]) -> Bool {
    let first = text[index]
    if first < 0xD6 { return false }
    if first <= 0xDF { return true }
    guard first == 0xE0 || first == 0xEF, index + 2 < text.count else { return false }
    let (second, third) = (text[index + 1], text[index + 2])
    // U+0800 to U+08FF.
    if first == 0xE0 { return (0xA0...0xA3).contains(second) }
    // U+FB1D to U+FDFF, U+FE70 to U+FEFC; ligatures, variation selectors and full-width signs begin with the same byte.
    switch second {
    case 0xAC: return third >= 0x9D
    case 0xAD...0xB7, 0xBA: return true
    case 0xB9: return third >= 0xB0
    case 0xBB: return third <= 0xBC
    default: return false
    }
  }
}
