import TamisCore

/// Formulas that scripts have rendered: once as MathML for screen readers, and once more visually.
///
/// When the MathML is shown, the visual form must not be: it repeats the formula and is unreadable without its style sheet.
extension Walker {
  /// The most bytes of tags between the MathML of a formula and its visual form.
  private static let reach = 200

  /// Whether an element is the visual form of a formula: hidden from screen readers, right after the MathML, or one of MathJax
  /// 2's, which come before it.
  mutating func repeatsFormula(_ entry: RuleTables.Element) -> Bool {
    guard entry.number != formulaNames.math else { return false }
    guard state.formulaEnd >= 0 else { return isBeforeFormula(entry) }
    guard attributes.original(formulaNames.ariaHidden)?.elementsEqual("true".utf8) == true else {
      return isBeforeFormula(entry)
    }
    let distance = output.count - state.formulaEnd
    return (0...Self.reach).contains(distance) && output.isBlank(from: state.formulaEnd) || isBeforeFormula(entry)
  }

  private mutating func isBeforeFormula(_ entry: RuleTables.Element) -> Bool {
    if entry.role == .nobr { return attributes.original(formulaNames.ariaHidden)?.elementsEqual("true".utf8) == true }
    guard let names = attributes.original(tables.known.class) else { return false }
    return names.elementsEqual("MathJax_Preview".utf8)
  }

  /// Whether the current text is not part of the line: a ruby annotation, or the source of a formula.
  var isAside: Bool {
    mutating get {
      guard let current = open.current,
        current.role == .rubyPart || current.role == .rubyText || current.namespace == .math
      else { return false }
      return formulaNames.asides.contains(current.element)
    }
  }
}

/// The numbers of the names by which formulas are recognized.
struct FormulaNames {
  let math: Int
  let ariaHidden: Int
  let asides: [Int]

  init(_ tables: inout RuleTables) {
    math = tables.number(ofElement: "math")
    ariaHidden = tables.number(ofAttribute: "aria-hidden")
    asides = ["rt", "rp", "annotation"].map { tables.number(ofElement: $0) }
  }
}
