import TamisCore
import TamisSanitizer

/// The document that a browser builds from any markup, for tests.
package struct BrowserReading: Sendable {
  /// The document as serialized by a browser.
  package let html: String
  /// The part that runs script, if there is one.
  package let running: String?
  /// The first difference between the document and the markup, in words.
  package let oddity: String?

  /// Reads a fragment.
  package init(_ html: String) {
    let tree = BrowserTreeBuilder.tree(of: html)
    (self.html, running, oddity) = (tree.html, tree.running, tree.oddity?.message)
  }
}

/// The tree as html5lib's tests of the tree construction write it, for tests.
extension BrowserReading {
  /// Returns a line for each line of a document's or fragment's tree, with names in lower case.
  ///
  /// - Parameters:
  ///   - html: the document or fragment.
  ///   - context: the element around the fragment, such as `td` or `svg desc`; nil for a document.
  ///   - hasScripting: whether scripts run.
  /// - Returns: the lines; a value with line feeds has several.
  package static func lines(of html: String, in context: String?, hasScripting: Bool) -> [String] {
    let options = BrowserTreeBuilder.Options(hasScripting: hasScripting)
    guard let parts = context?.split(separator: " "), let name = parts.last?.lowercased() else {
      return lines(BrowserTreeBuilder.page(html, options))
    }
    let namespace = parts.count == 1 ? Policy.Namespace.html : Policy.Namespace(rawValue: String(parts[0])) ?? .html
    return lines(BrowserTreeBuilder.tree(of: html, in: .init(name: name, namespace: namespace), options))
  }

  private static func lines(_ tree: BrowserTree) -> [String] {
    var lines: [String] = []
    var waiting = tree.nodes[BrowserTree.root].children.reversed().map { ($0, 0) }
    while let (node, depth) = waiting.popLast() {
      let indent = "| " + String(repeating: "  ", count: depth)
      let isTemplate = tree.isHTML(node, ["template"])
      switch tree.nodes[node].content {
      case .text(let text): lines.append("\(indent)\"\(String(decoding: text, as: UTF8.self))\"")
      case .comment(let text): lines.append("\(indent)<!-- \(String(decoding: text, as: UTF8.self)) -->")
      case .doctype(let doctype):
        let ids = [doctype.publicID, doctype.systemID].map { " \"\($0 ?? "")\"" }.joined()
        let hasIDs = doctype.publicID != nil || doctype.systemID != nil
        lines.append("\(indent)<!DOCTYPE \(doctype.name)\(hasIDs ? ids : "")>")
      case .element(let element):
        let namespace = element.namespace == .html ? "" : "\(element.namespace.rawValue) "
        lines.append("\(indent)<\(namespace)\(element.name)>")
        lines += element.attributes.map { "\(indent)  \($0.name)=\"\($0.value)\"" }.sorted()
        if isTemplate { lines.append("\(indent)  content") }
      }
      waiting += tree.nodes[node].children.reversed().map { ($0, depth + (isTemplate ? 2 : 1)) }
    }
    return lines.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
  }
}

/// The elements around each piece of text, for tests that compare a source with its output.
extension BrowserReading {
  /// The treatment of an element that is not compared.
  package enum Verdict { case kept, unwrapped, dropped }

  /// A run of text without white space that is in the same elements.
  package struct Run: Hashable, CustomStringConvertible {
    package fileprivate(set) var text: [UInt8]
    /// The names of the enclosing formatting elements and links.
    package let formatting: Set<String>
    /// The names of the other enclosing elements, outermost first.
    package let blocks: [String]

    package var description: String {
      "'\(String(decoding: text, as: UTF8.self))' in \(blocks) with \(formatting.sorted())"
    }
  }

  /// The elements whose nesting order does not matter (HTML Standard, 4.5).
  private static let formatting: Set<String> = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd",
    "mark", "nobr",
    "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var",
  ]

  /// Returns the text that a browser builds from a fragment, with the enclosing elements.
  package static func runs(of html: String) -> [Run] { runs(of: BrowserTreeBuilder.tree(of: html)) }

  /// Returns the text that a browser builds from a fragment without some of its elements, with the enclosing elements.
  ///
  /// - Parameters:
  ///   - html: the fragment.
  ///   - verdict: returns the treatment of elements of a name.
  /// - Returns: the text, and whether it can be written as markup. It cannot when a removed element separated elements
  ///   that end each other.
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
    // The remaining nodes with their enclosing elements.
    var waiting = tree.nodes[BrowserTree.root].children.reversed().map { ($0, Set<String>(), [String]()) }
    while let (node, around, outer) = waiting.popLast() {
      switch tree.nodes[node].content {
      case .comment, .doctype: continue
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
