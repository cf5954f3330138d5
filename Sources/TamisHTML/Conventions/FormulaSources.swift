import TamisCore

extension HTMLTree {
  /// Shows the sources of formulas that scripts would draw: `<script type="math/tex">x^2</script>` becomes
  /// `<code>x^2</code>`.
  ///
  /// MathJax 2 keeps TeX and AsciiMath so, and pages without scripts would lose it. A source behind the formula that
  /// was drawn of it stays a script.
  mutating func showFormulaSources() {
    let type = knownNumber(ofAttribute: "type")
    guard type >= 0 else { return }
    for index in nodes.indices where isFormulaSource(index, type) && !isDrawn(index) {
      rename(Int32(index), .code, keeping: [])
    }
  }

  private func isFormulaSource(_ index: Int, _ type: Int32) -> Bool {
    let node = nodes[index]
    guard node.kind == .element, node.namespace == .html, HTMLName(rawValue: Int(node.name)) == .script else {
      return false
    }
    return node.content.contains { attribute in
      let attribute = attributes[Int(attribute)]
      let value = bytes[attribute.value].prefix { $0 != UInt8(ascii: ";") && !$0.isHTMLSpace }.map(\.asciiLowercased)
      return attribute.name == type
        && ["math/tex", "math/latex", "math/asciimath"].contains { value.elementsEqual($0.utf8) }
    }
  }

  /// Whether the element before a node is MathJax's drawing of a formula, and has text.
  private func isDrawn(_ index: Int) -> Bool {
    var previous = Int(nodes[index].previous)
    while previous >= 0, nodes[previous].kind != .element { previous = Int(nodes[previous].previous) }
    let classes = knownNumber(ofAttribute: "class")
    guard previous >= 0, nodes[previous].first >= 0, classes >= 0 else { return false }
    return nodes[previous].content.contains { attribute in
      let attribute = attributes[Int(attribute)]
      guard attribute.name == classes else { return false }
      return bytes[attribute.value].split(whereSeparator: \.isHTMLSpace).contains {
        $0.starts(with: "MathJax".utf8) && !$0.elementsEqual("MathJax_Preview".utf8)
      }
    }
  }
}
