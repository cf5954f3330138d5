import TamisCore

/// Formulas as scripts have set them: in MathML for readers that read it aloud, and once more in letters for the eye.
///
/// Who shows the MathML must not show the rest, which is meant to be seen instead of it and is nothing without its style sheet.
extension Walker {
  /// As far behind a formula as its second form begins, in bytes of tags.
  private static let reach = 200

  /// Whether an element is the second form of a formula: hidden from readers, right behind the MathML, or one of MathJax 2's, which
  /// stand before it.
  mutating func repeatsFormula(_ entry: RuleTables.Element) -> Bool {
    guard entry.number != formulas.math else { return false }
    guard formulas.end >= 0 else { return isBeforeFormula(entry) }
    guard attributes.original(formulas.ariaHidden)?.elementsEqual("true".utf8) == true else {
      return isBeforeFormula(entry)
    }
    let distance = output.count - formulas.end
    return (0...Self.reach).contains(distance) && output.isBlank(from: formulas.end) || isBeforeFormula(entry)
  }

  private func isBeforeFormula(_ entry: RuleTables.Element) -> Bool {
    if entry.role == .nobr { return attributes.original(formulas.ariaHidden)?.elementsEqual("true".utf8) == true }
    guard let names = attributes.original(tables.known.class) else { return false }
    return names.elementsEqual("MathJax_Preview".utf8)
  }

  /// Whether what is open is not read in its line: the reading of a ruby text, the source of a formula.
  var isAside: Bool {
    guard let current = open.current, current.role == .rubyPart || current.namespace == .math else { return false }
    return formulas.asides.contains(current.element)
  }
}

/// What a walker knows about formulas.
struct Formulas {
  /// The numbers of names.
  private(set) var math = 0
  private(set) var ariaHidden = 0
  private(set) var asides: [Int] = []
  /// Where the last one ends in the output, -1 when there was none.
  var end = -1

  init() {}

  init(_ tables: inout RuleTables) {
    math = tables.number(ofElement: "math")
    ariaHidden = tables.number(ofAttribute: "aria-hidden")
    asides = ["rt", "rp", "annotation"].map { tables.number(ofElement: $0) }
  }
}
