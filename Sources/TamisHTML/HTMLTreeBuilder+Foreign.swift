import TamisCore

/// The rules for SVG and MathML (13.2.6.5).
extension HTMLTreeBuilder {
  func isMathTextPoint(_ index: Int32) -> Bool {
    let node = tree.nodes[Int(index)]
    return node.namespace == .math && HTMLNames.mathText.contains(HTMLName(rawValue: Int(node.name)))
  }

  /// Whether the adjusted current node is an element of SVG or MathML that holds HTML.
  var holdsHTML: Bool { adjustedCurrent.map { isMathTextPoint($0) || isHTMLPoint($0) } ?? false }

  func isHTMLPoint(_ index: Int32) -> Bool {
    let node = tree.nodes[Int(index)]
    switch (node.namespace, HTMLName(rawValue: Int(node.name))) {
    case (.svg, .foreignobject), (.svg, .desc), (.svg, .title): return true
    case (.math, .annotationXML):
      guard let value = tree.value(of: "encoding", index) else { return false }
      let encoding = tree.bytes[value].map(\.asciiLowercased)
      return encoding.elementsEqual("text/html".utf8) || encoding.elementsEqual("application/xhtml+xml".utf8)
    default: return false
    }
  }

  mutating func foreign(_ token: Token) {
    switch token.kind {
    case .null:
      var replaced = token
      replaced.text = tree.storeReplacement()
      insertText(replaced)
    case .space: insertText(token)
    case .text:
      insertText(token)
      framesetIsOK = false
    case .comment: insertComment(token)
    case .doctype, .endOfSource: break
    case .start: startForeign(token)
    case .end: endForeign(token)
    }
  }

  private mutating func startForeign(_ token: Token) {
    if HTMLNames.breakingOut.contains(token.known) || token.known == .font && hasFontAttribute(token) {
      return breakOut(token)
    }
    guard let current = adjustedCurrent else { return }
    insert(token, tree.nodes[Int(current)].namespace)
    if token.isSelfClosing { pop() }
  }

  private mutating func breakOut(_ token: Token) {
    while let node = stack.last, tree.nodes[Int(node)].namespace != .html, !isMathTextPoint(node), !isHTMLPoint(node),
      stack.count > 1
    {
      pop()
    }
    process(token, mode)
  }

  private func hasFontAttribute(_ token: Token) -> Bool {
    token.attributes.contains {
      ["color", "face", "size"].contains(tree.attributeTexts[Int(tree.attributes[Int($0)].name)])
    }
  }

  private mutating func endForeign(_ token: Token) {
    if token.known == .br || token.known == .p { return breakOut(token) }
    for index in stack.indices.reversed() {
      let node = tree.nodes[Int(stack[index])]
      if index < stack.count - 1, node.namespace == .html { return process(token, mode) }
      if node.namespace != .html, node.name == token.name {
        if index == 0 { return }
        stack.removeSubrange(index...)
        return
      }
      if index == 0 { return }
    }
  }
}
