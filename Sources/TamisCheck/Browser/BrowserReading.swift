import TamisCore

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

/// What is around each piece of text, for tests that compare a source with what was made of it.
extension BrowserReading {
  /// What becomes of an element that is not compared.
  package enum Verdict { case kept, unwrapped, dropped }

  /// Bytes of text without white space that have the same around them.
  package struct Run: Hashable, CustomStringConvertible {
    package fileprivate(set) var text: [UInt8]
    /// The names of formatting elements and links around it.
    package let formatting: Set<String>
    /// The names of the other elements around it, from the outermost.
    package let blocks: [String]

    package var description: String {
      "'\(String(decoding: text, as: UTF8.self))' in \(blocks) with \(formatting.sorted())"
    }
  }

  /// Elements of which it does not matter which is in which (HTML Standard, 4.5).
  private static let formatting: Set<String> = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd",
    "mark", "nobr",
    "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var",
  ]

  /// The text of what a browser builds of a fragment, with what is around it.
  package static func runs(of html: String) -> [Run] { runs(of: BrowserTreeBuilder.tree(of: html)) }

  /// The text of what a browser builds of a fragment without some of its elements, with what is around it.
  ///
  /// - Parameter verdict: what becomes of an element of this name.
  /// - Returns: the text, and whether markup can be written of which a browser builds it: not where what is left out had kept
  ///   elements apart that end each other.
  package static func runs(of html: String, _ verdict: (String) -> Verdict) -> (runs: [Run], canBeWritten: Bool) {
    var tree = BrowserTreeBuilder.tree(of: html)
    for (node, _) in tree.inOrder {
      guard let element = tree.element(node), let parent = tree.nodes[node].parent else { continue }
      switch verdict(element.name) {
      case .kept: continue
      case .dropped: break
      case .unwrapped:
        for child in tree.nodes[node].children { tree.insert(child, into: parent, before: node) }
      }
      tree.detach(node)
    }
    let runs = runs(of: tree)
    return (runs, runs == Self.runs(of: tree.html))
  }

  private static func runs(of tree: BrowserTree) -> [Run] {
    var runs: [Run] = []
    // Each node to come, with what is around it.
    var waiting = tree.nodes[BrowserTree.root].children.reversed().map { ($0, Set<String>(), [String]()) }
    while let (node, around, outer) = waiting.popLast() {
      switch tree.nodes[node].content {
      case .text(let bytes):
        let text = bytes.filter { !$0.isHTMLSpace }
        if text.isEmpty { continue }
        if let last = runs.last, last.formatting == around, last.blocks == outer {
          runs[runs.count - 1].text += text
        } else {
          runs.append(Run(text: text, formatting: around, blocks: outer))
        }
      case .element(let element):
        let isFormatting = formatting.contains(element.name)
        let (names, blocks) = isFormatting ? (around.union([element.name]), outer) : (around, outer + [element.name])
        waiting += tree.nodes[node].children.reversed().map { ($0, names, blocks) }
      }
    }
    return runs
  }
}
