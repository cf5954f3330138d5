import TamisCore

extension HTMLTree {
  /// Writes numbers and signs above or below the line with characters of their own: `10<sup>6</sup>` becomes `10⁶`,
  /// `H<sub>2</sub>O` becomes `H₂O`.
  ///
  /// Where the elements do not stay, `106` is another number. What has no such characters is written as `e^(x+1)` and
  /// `x_max`; letters above the line are abbreviations, and stay.
  mutating func raiseText() {
    for node in nodes.indices.map({ Int32($0) }) {
      guard let name = htmlName(node), name == .sup || name == .sub, nodes[Int(node)].parent >= 0 else { continue }
      let text = nodes[Int(node)].first
      guard text >= 0, nodes[Int(text)].kind == .text, nodes[Int(text)].next < 0, count(ofText: text) < Self.longest
      else { continue }
      let signs = String(streamSafe: self.text(in: node, most: Self.longest)).trimmed()
      if let text = Self.raised(signs, isAbove: name == .sup) { replace(node, withText: store(text.utf8)) }
    }
  }

  /// Returns how a text above or below the line is written on it; nil when it can stand as it is, as `th` in `5th`.
  private static func raised(_ text: String, isAbove: Bool) -> String? {
    let raised = text.compactMap { isAbove ? superscripts[$0] : subscripts[$0] }
    if !raised.isEmpty, raised.count == text.count { return String(raised) }
    if isAbove, text.count == 1, let letter = text.first.flatMap({ letters[$0] }) { return String(letter) }
    let isWord = text.allSatisfy { $0.isLetter }
    guard text.allSatisfy({ $0.isASCII }), text.contains(where: { $0.isLetter || $0.isNumber }), !(isAbove && isWord)
    else { return nil }
    let isOne = text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." }
    return (isAbove ? "^" : "_") + (isOne ? text : "(\(text))")
  }

  /// The maximum size in bytes of a text that is written so.
  private static let longest = 16

  // Unicode, Superscripts and Subscripts (U+2070) and Latin-1.
  private static let superscripts = Dictionary(uniqueKeysWithValues: zip("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ"))
  // Unicode, Phonetic Extensions and Spacing Modifier Letters.
  private static let letters = Dictionary(
    uniqueKeysWithValues: zip("abcdefghijklmoprstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"))
  private static let subscripts = Dictionary(uniqueKeysWithValues: zip("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎"))
}
