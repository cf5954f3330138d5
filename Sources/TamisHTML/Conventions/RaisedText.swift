import TamisCore

extension HTMLTree {
  /// Writes numbers and signs above or below the line with characters of their own: `10<sup>6</sup>` becomes `10⁶`,
  /// `H<sub>2</sub>O` becomes `H₂O`.
  ///
  /// Where the elements do not stay, `106` is another number. Text that has no such characters stays as it is.
  mutating func raiseText() {
    for node in nodes.indices.map({ Int32($0) }) {
      guard let name = htmlName(node), name == .sup || name == .sub, nodes[Int(node)].parent >= 0 else { continue }
      let text = nodes[Int(node)].first
      guard text >= 0, nodes[Int(text)].kind == .text, nodes[Int(text)].next < 0, count(ofText: text) < Self.longest
      else { continue }
      let signs = String(streamSafe: self.text(in: node, most: Self.longest)).trimmed()
      let raised = signs.compactMap { name == .sup ? Self.superscripts[$0] : Self.subscripts[$0] }
      if !raised.isEmpty, raised.count == signs.count { replace(node, withText: store(String(raised).utf8)) }
    }
  }

  /// The maximum size in bytes of a text that is written so.
  private static let longest = 16

  // Unicode, Superscripts and Subscripts (U+2070) and Latin-1.
  private static let superscripts = Dictionary(uniqueKeysWithValues: zip("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ"))
  private static let subscripts = Dictionary(uniqueKeysWithValues: zip("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎"))
}
