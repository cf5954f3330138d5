/// The document that a browser builds of any markup, for tests.
package struct BrowserReading: Sendable {
  /// What it builds, written by its own rules.
  package let html: String
  /// What in it runs, if something does.
  package let running: String?
  /// Where it is first another thing than what is written, in words.
  package let oddity: String?

  /// Reads a fragment.
  package init(_ html: String) {
    let tree = BrowserTreeBuilder.tree(of: html)
    (self.html, running, oddity) = (tree.html, tree.running, tree.oddity?.message)
  }
}
