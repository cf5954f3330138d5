import TamisCore

extension HTMLTree {
  /// Leaves out what copies code, or says of a bar above it what the code says: `<pre>…<button>Copy</button></pre>`,
  /// `<div class="code-toolbar"><pre>…</pre><div class="toolbar">…</div></div>` of Prism.
  mutating func leaveOutCodeButtons() {
    for node in nodes.indices.map({ Int32($0) }) {
      switch htmlName(node) {
      case .button: if isInCode(node) || isCopying(node) { controls.insert(node) }
      case .a, .span, .div: if isCopying(node) || isToolbar(node) { controls.insert(node) }
      default: break
      }
    }
  }

  private static let copying: Set = [
    "btn-copy", "clean-btn", "code-copy", "code-copy-button", "copy-btn", "copy-button", "copy-code", "copy-code-button",
    "copy-to-clipboard-button", "copybtn", "hljs-copy-button", "md-clipboard", "snippet-copy",
  ]

  private func isCopying(_ node: Int32) -> Bool { !Self.copying.isDisjoint(with: classes(of: node)) }

  private func isToolbar(_ node: Int32) -> Bool {
    let parent = nodes[Int(node)].parent
    return parent > 0 && htmlName(node) == .div && classes(of: node).contains("toolbar")
      && classes(of: parent).contains("code-toolbar")
  }
}
