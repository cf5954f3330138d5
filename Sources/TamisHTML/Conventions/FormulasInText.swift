import TamisCore
import TamisTeX

extension HTMLTree {
  /// Sets formulas that stand between marks in a text, for a script that would show them, as MathML.
  ///
  ///     so \(x^2\) is    \[ x^2 \]    $$x^2$$    $x^2$    \begin{align} a &= b \end{align}
  ///
  /// Both marks must be in one text, outside of code, and between them must be what looks like a formula
  /// (``TeXText``); `\(n\)` is one where there are others. What does and is not known
  /// becomes `code` with its marks; between dollars it stays.
  mutating func setFormulasInText(_ limits: Limits) {
    guard TeXText.mayBe(in: bytes) else { return }
    var (node, verbatim): (Int32, (end: Int32, kind: Verbatim)?) = (nodes[0].first, nil)
    var (marks, codeMarks) = (TeXText.Marks(), TeXText.Marks())
    var texts: [(node: Int32, text: [UInt8], parts: [TeXText.Part])] = []
    while node >= 0 {
      if verbatim?.end == node { verbatim = nil }
      let next = following(node)
      if nodes[Int(node)].kind == .text {
        switch verbatim?.kind {
        case nil:
          let text = text(of: node)
          if TeXText.mayBe(in: text) { texts.append((node, text, TeXText.formulas(in: text))) }
        case .code: codeMarks.add(text(of: node)[...])
        case .other: marks.add(text(of: node)[...])
        case .noText: break
        }
      } else if verbatim == nil, nodes[Int(node)].kind == .element, let kind = verbatimKind(node) {
        verbatim = (following(node, isBehind: true), kind)
      }
      node = next
    }
    let isSure = texts.contains { $0.parts.contains(where: \.isSure) } || hasTeX
    for (node, text, parts) in texts {
      setFormulas(parts.filter { isSure || $0.isSure }, of: text, node, limits, &marks)
    }
    (hasFormulaMarks, hasFormulaMarksInCode) = (marks.mayBeFormula, codeMarks.mayBeFormula)
  }

  /// Elements in which nothing is a formula: those for code, those whose text nobody reads, and others.
  private enum Verbatim { case code, noText, other }

  private static let verbatim: HTMLNames = [
    .listing, .noscript, .option, .plaintext, .select, .template, .textarea, .title, .tt, .xmp,
  ]

  private func verbatimKind(_ node: Int32) -> Verbatim? {
    if nodes[Int(node)].namespace != .html { return .other }
    let name = htmlName(node)
    if name == .code || name == .pre { return .code }
    if name == .script || name == .style { return .noText }
    if name == nil { return ["kbd", "samp"].contains(elementText(node)) ? .code : nil }
    return Self.verbatim.contains(name) ? .other : nil
  }

  /// Whether a formula has its TeX.
  private var hasTeX: Bool {
    nodes.indices.contains { nodes[$0].namespace == .math && elementText(Int32($0)) == "annotation" }
  }

  private mutating func setFormulas(
    _ parts: [TeXText.Part], of text: [UInt8], _ node: Int32, _ limits: Limits, _ marks: inout TeXText.Marks
  ) {
    var rest = 0
    for part in parts {
      let tex = String(streamSafe: text[part.tex]).trimmed()
      let math = math(FormulaSource(tex: tex, isDisplayed: part.isDisplayed), limits)
      if math == nil, part.isInDollars { continue }
      marks.add(text[rest..<part.whole.lowerBound])
      insertText(in: node, text[rest..<part.whole.lowerBound])
      rest = part.whole.upperBound
      insert(math, orCode: String(streamSafe: text[part.whole]), into: nodes[Int(node)].parent, before: node)
    }
    marks.add(text[rest...])
    if rest == 0 { return }
    insertText(in: node, text[rest...])
    remove(node)
  }

  /// Inserts a part of a text before it.
  private mutating func insertText(in node: Int32, _ part: ArraySlice<UInt8>) {
    if part.isEmpty { return }
    insertText(
      store(part), into: nodes[Int(node)].parent, before: node, isMoved: false, at: nodes[Int(node)].location)
  }

  private func text(of node: Int32) -> [UInt8] {
    var (text, piece): ([UInt8], Int32) = ([], nodes[Int(node)].content.lowerBound)
    while piece >= 0 {
      text += bytes[pieces[Int(piece)].range]
      piece = pieces[Int(piece)].next
    }
    return text
  }
}
