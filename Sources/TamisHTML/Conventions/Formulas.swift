import TamisCore

extension HTMLTree {
  /// Shows the sources of formulas that scripts would draw: `<script type="math/tex">x^2</script>` becomes
  /// `<code>x^2</code>`.
  ///
  /// MathJax 2 keeps TeX and AsciiMath so, and pages without scripts would lose it. A source behind the formula that
  /// was drawn of it stays a script.
  mutating func showFormulaSources() {
    for node in nodes.indices.map({ Int32($0) })
    where formulaMode(ofScript: node) != nil && drawing(before: node) == nil {
      rename(node, .code, keeping: [])
    }
  }

  /// Finds what is shown of a formula beside its MathML: scripts have set it twice, once for readers that speak, and
  /// the form that is seen is unreadable without their style sheets.
  ///
  /// KaTeX and MediaWiki have it right behind the MathML, hidden from readers that speak. MathJax has it beside a box
  /// of MathML for assistance, and a preview that is not displayed before. Other hidden elements may be arrows or
  /// links, and stay.
  mutating func findDrawnFormulas() {
    guard nodes.contains(where: { $0.kind == .element && $0.name == Int32(HTMLName.math.rawValue) }) else { return }
    for node in nodes.indices.map({ Int32($0) }) where isDrawnForm(node) || isOtherAnnotation(node) {
      duplicates.insert(node)
      // MediaWiki hides the MathML behind which it has a picture.
      if let source = element(before: node), htmlName(node) == .img { remove(["style"], of: source) }
    }
  }

  /// Whether a node says in another language than TeX what the element before it says of a formula.
  private func isOtherAnnotation(_ node: Int32) -> Bool {
    guard nodes[Int(node)].namespace == .math, let name = elementText(node) else { return false }
    if name == "annotation-xml" { return isBehindElement(inSemantics: node) }
    guard name == "annotation", let encoding = value(of: "encoding", node) else { return false }
    return !ByteScan.contains(Array("tex".utf8), in: bytes[encoding].map(\.asciiLowercased)[...])
      && isBehindElement(inSemantics: node)
  }

  /// Whether a node is in `semantics` behind an element, whatever is around it there, since rules can take that away.
  private func isBehindElement(inSemantics node: Int32) -> Bool {
    var (node, isBehind) = (node, false)
    while node > 0, nodes[Int(node)].namespace == .math {
      isBehind = isBehind || element(before: node) != nil
      node = nodes[Int(node)].parent
      if elementText(node) == "semantics" { return isBehind }
    }
    return false
  }

  private static let assistance: Set = ["mjx-assistive-mml", "mjx_assistive_mathml"]

  private func isDrawnForm(_ node: Int32) -> Bool {
    guard nodes[Int(node)].kind == .element, !isFormula(node) else { return false }
    let (isHidden, parent) = (isHiddenFromReaders(node), nodes[Int(node)].parent)
    let isBox = parent > 0 && text(ofElement: nodes[Int(parent)].name) == "mjx-container"
    if isHidden || isBox, !isAssistance(node), siblings(of: node).contains(where: { isAssistance($0) }) { return true }
    let classes = classes(of: node)
    if classes.contains("mathjax_preview"), let style = value(of: "style", node) {
      return HidingStyle(bytes[style]).display == "none"
    }
    if htmlName(node) == .nobr, isHidden { return self.classes(of: parent).contains("mathjax") }
    return isHidden && classes.contains { $0.hasPrefix("katex-html") || $0.hasPrefix("mwe-math-fallback") }
      && isBehindFormula(node)
  }

  private func isFormula(_ node: Int32) -> Bool { nodes[Int(node)].name == Int32(HTMLName.math.rawValue) }

  private func isHiddenFromReaders(_ node: Int32) -> Bool {
    value(of: "aria-hidden", node).map { bytes[$0].elementsEqual("true".utf8) } ?? false
  }

  private func isAssistance(_ node: Int32) -> Bool {
    guard nodes[Int(node)].kind == .element else { return false }
    return Self.assistance.contains(text(ofElement: nodes[Int(node)].name))
      || !Self.assistance.isDisjoint(with: classes(of: node))
  }

  /// The siblings around a node: a drawing and its assistance are beside each other.
  private func siblings(of node: Int32) -> [Int32] {
    [nodes[Int(node)].previous, nodes[Int(node)].next].filter { $0 >= 0 }
  }

  /// The maximum number of elements between a formula and the elements beside its drawn form.
  private static let reach = 4

  /// Whether a formula ends before a node, with nothing but tags and white space between, or is around it.
  private func isBehindFormula(_ node: Int32) -> Bool {
    var (node, isBehind): (Int32, Bool?) = (node, nil)
    for _ in 0..<Self.reach where node > 0 {
      var before = nodes[Int(node)].previous
      while before >= 0, nodes[Int(before)].kind == .text, isBlank(text: before) {
        before = nodes[Int(before)].previous
      }
      if before >= 0, isBehind == nil { isBehind = endsFormula(before) }
      node = nodes[Int(node)].parent
      if node > 0, isFormula(node) { return true }
    }
    return isBehind ?? false
  }

  private func endsFormula(_ node: Int32) -> Bool {
    var node = node
    for _ in 0..<Self.reach where node >= 0 && nodes[Int(node)].kind == .element {
      if isFormula(node) { return true }
      node = nodes[Int(node)].last
    }
    return false
  }

  // MARK: - As text

  /// Puts the TeX of each formula in its place: `<math><semantics>…<annotation encoding="application/x-tex">x^2`
  /// becomes `x^2`.
  ///
  /// Without elements `<msup><mi>x</mi><mn>2</mn></msup>` would read `x2`. A formula without TeX has `^` and `_` before
  /// its scripts, `/` in its fractions, `√` before its roots, and parentheses around what is more than one element.
  ///
  /// - Parameter keepsSources: whether formulas with TeX stay as they are, for a writer that takes it.
  mutating func writeFormulas(keepsSources: Bool) {
    for node in nodes.indices.map({ Int32($0) })
    where nodes[Int(node)].kind == .element && isFormula(node) && nodes[Int(node)].parent >= 0 {
      var signs = FormulaSigns()
      visit(&signs, in: node)
      if signs.hasOtherElements || keepsSources && signs.source != nil { continue }
      if let source = signs.source {
        replace(node, withText: store(String(streamSafe: text(in: source, most: .max)).trimmed().utf8))
      } else if !keepsSources, let said = value(of: "alttext", node) {
        replace(node, withText: store(Array(bytes[said])))
      } else {
        for sign in signs.list {
          let location = nodes[Int(sign.parent)].location
          insertText(store(sign.text.utf8), into: sign.parent, before: sign.next, isMoved: false, at: location)
        }
      }
    }
  }
}

/// The source of a formula, and the signs that stand for its elements in a text.
private struct FormulaSigns: HTMLTreeVisitor {
  /// The annotation with the TeX.
  private(set) var source: Int32?
  /// Whether HTML or a drawing is in the formula, whose words its TeX need not say.
  private(set) var hasOtherElements = false
  /// The signs; `next` is the node that a sign stands before, -1 at the end of its element.
  private(set) var list: [(text: String, parent: Int32, next: Int32)] = []

  mutating func enter(_ node: Int32, of tree: borrowing HTMLTree) -> Bool {
    guard let name = tree.elementText(node) else { return false }
    if tree.nodes[Int(node)].namespace != .math { hasOtherElements = true }
    if name == "annotation", source == nil, let encoding = tree.value(of: "encoding", node),
      ByteScan.contains(Array("tex".utf8), in: tree.bytes[encoding].map(\.asciiLowercased)[...])
    {
      source = node
    }
    guard let signs = Self.signs[name] else { return true }
    for (child, sign) in zip(tree.children(of: node).filter { tree.elementText($0) != nil }, signs) {
      let isSeveral = tree.nodes[Int(child)].first != tree.nodes[Int(child)].last
      list.append((isSeveral ? sign + "(" : sign, node, child))
      if isSeveral { list.append((")", child, -1)) }
    }
    return true
  }

  private static let signs = [
    "msup": ["", "^"], "mover": ["", "^"], "msub": ["", "_"], "munder": ["", "_"], "msubsup": ["", "_", "^"],
    "munderover": ["", "_", "^"], "mfrac": ["", "/"], "mroot": ["√", " "], "msqrt": ["√"],
  ]

  mutating func leave(_ node: Int32, of tree: borrowing HTMLTree) {}
}
