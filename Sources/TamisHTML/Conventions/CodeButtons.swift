import TamisCore

extension HTMLTree {
  /// Leaves out what copies code, or says beside it what its class says.
  ///
  ///     <pre>…<button>Copy</button></pre>
  ///     <div class="code-toolbar"><pre>…</pre><div class="toolbar">…</div></div>    Prism
  ///     <div class="language-js"><span class="lang">js</span><pre>…</pre></div>     VitePress
  mutating func leaveOutCodeButtons() {
    let isNamed = !Self.named.isDisjoint(with: classNames)
    for node in nodes.indices.map({ Int32($0) }) {
      switch htmlName(node) {
      case .button: if isInCode(node) || isBesideCode(node) || isCopying(node) { controls.insert(node) }
      case .a, .p, .span, .div:
        guard isNamed else { continue }
        if isCopying(node) || isToolbar(node) || isLabel(node) && isBesideCode(node) { controls.insert(node) }
      default: break
      }
    }
  }

  private static let copying: Set = [
    "btn-copy", "clean-btn", "code-copy", "code-copy-button", "copy-btn", "copy-button", "copy-code",
    "copy-code-button",
    "copy-to-clipboard-button", "copybtn", "copybutton", "clipboard-button", "highlight__panel", "hljs-copy-button",
    "md-clipboard", "snippet-copy", "test-arrow",
  ]

  private static let labels: Set = [
    "code-lang", "code-language", "lang", "language", "language-name", "line-numbers-wrapper",
  ]
  /// The classes without which nothing but buttons is looked at.
  private static let named = copying.union(labels).union(["toolbar"])

  /// Whether an element says the language of code, which its class says, or the numbers of all lines.
  private func isLabel(_ node: Int32) -> Bool {
    !Self.labels.isDisjoint(with: classes(of: node)) && text(in: node, most: 100).count < 30
      || classes(of: node).contains("line-numbers-wrapper")
  }

  /// Whether code is among the two elements before or behind another.
  private func isBesideCode(_ node: Int32) -> Bool {
    var (before, behind): (Int32?, Int32?) = (node, node)
    for _ in 0..<2 {
      before = before.flatMap { element(before: $0) }
      behind = behind.flatMap { element(behind: $0) }
      if [before, behind].contains(where: { $0.map { htmlName($0) == .pre } ?? false }) { return true }
    }
    return false
  }

  private func element(behind node: Int32) -> Int32? {
    var next = nodes[Int(node)].next
    while next >= 0, nodes[Int(next)].kind != .element { next = nodes[Int(next)].next }
    return next >= 0 ? next : nil
  }

  private func isCopying(_ node: Int32) -> Bool { !Self.copying.isDisjoint(with: classes(of: node)) }

  private func isToolbar(_ node: Int32) -> Bool {
    let parent = nodes[Int(node)].parent
    return parent > 0 && htmlName(node) == .div && classes(of: node).contains("toolbar")
      && classes(of: parent).contains("code-toolbar")
  }
}
