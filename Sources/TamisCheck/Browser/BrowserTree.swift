import TamisCore
package import TamisHTML
import TamisSanitizer

/// The tree that a browser builds from a fragment or from a page.
package struct BrowserTree: Sendable {
  /// An element or a text.
  struct Node: Sendable {
    var content: Content
    var parent: Int?
    var children: [Int] = []
  }

  enum Content: Sendable {
    case element(Element)
    case text([UInt8])
    case comment([UInt8])
    /// A doctype, by its name.
    case doctype(String)
  }

  struct Element: Sendable {
    /// The name in lower case.
    var name: String
    var namespace: Policy.Namespace
    /// The attributes, with names in lower case.
    var attributes: [(name: String, value: String)] = []
    /// Whether the element has no tag in the markup: browsers add sections and rows of tables, and reopen elements.
    var isSupplied = false

    func value(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
  }

  /// The place into which the markup is put.
  enum Place: Sendable {
    /// The content of a `div`.
    case fragment
    /// A whole page.
    case page
  }

  /// All nodes; the first is the element around the fragment, or the document.
  private(set) var nodes: [Node]
  /// The attributes that `html` and `body` tags add to those of the page.
  private(set) var pageAttributes: [(name: String, value: String)] = []
  /// Whether the fragment ends inside a tag, which is dropped unless later text closes it.
  private(set) var endsInTag = false
  /// The first difference between the tree and the markup.
  package let fault: NestingFault?

  static let root = 0

  /// Reads markup as a browser with scripts does.
  ///
  /// - Parameters:
  ///   - html: the markup.
  ///   - place: the place into which it is put.
  ///   - readsSectionsBesideHTML: false for WebKit, see ``HTMLOptions/readsSectionsBesideHTML``.
  init(_ html: String, in place: Place, readsSectionsBesideHTML: Bool = true) {
    var options = HTMLOptions(hasScripting: true)
    (options.notesFaults, options.readsSectionsBesideHTML, options.deepest) = (true, readsSectionsBesideHTML, 513)
    var builder = HTMLTreeBuilder()
    builder.read(Self.withLineFeeds(html).span, in: place == .fragment ? "div" : nil, .html, options)
    fault = builder.fault
    if let offset = builder.unfinished { endsInTag = Self.beginsTag(builder.tree.bytes, offset) }
    nodes = []
    let root = place == .fragment ? builder.tree.nodes[0].first : 0
    nodes = Self.nodes(below: root, of: builder.tree)
    pageAttributes = builder.pageAttributes.flatMap { Self.attributes($0, of: builder.tree) }
  }

  /// Reads a fragment.
  package init(_ html: String) { self.init(html, in: .fragment) }

  /// Returns a source with line feeds as newlines (HTML Standard, 13.2.3.5).
  private static func withLineFeeds(_ html: String) -> [UInt8] {
    var bytes = Array(html.utf8)
    guard bytes.contains(ASCII.carriageReturn) else { return bytes }
    bytes = bytes.indices.compactMap { index in
      if bytes[index] != ASCII.carriageReturn { return bytes[index] }
      return index + 1 < bytes.count && bytes[index + 1] == ASCII.lineFeed ? nil : ASCII.lineFeed
    }
    return bytes
  }

  private static func beginsTag(_ bytes: [UInt8], _ offset: Int) -> Bool {
    var index = offset + 1
    if index < bytes.count, bytes[index] == UInt8(ascii: "/") { index += 1 }
    return index < bytes.count && bytes[index].isASCIILetter
  }

  private static func nodes(below root: Int32, of tree: borrowing HTMLTree) -> [Node] {
    var nodes = [Node(content: .element(Element(name: "", namespace: .html)))]
    // The nodes of the one tree by those of the other; a node comes behind its parent.
    var waiting = [(tree.nodes[Int(root)].first, 0)]
    while let (first, parent) = waiting.popLast() {
      var next = first
      while next >= 0 {
        nodes.append(Node(content: content(of: next, of: tree), parent: parent))
        nodes[parent].children.append(nodes.count - 1)
        waiting.append((tree.nodes[Int(next)].first, nodes.count - 1))
        next = tree.nodes[Int(next)].next
      }
    }
    return nodes
  }

  private static func content(of index: Int32, of tree: borrowing HTMLTree) -> Content {
    let node = tree.nodes[Int(index)]
    switch node.kind {
    case .document, .doctype: return .doctype(tree.doctype?.name ?? "")
    case .text: return .text(text(index, of: tree))
    case .comment: return .comment(text(index, of: tree))
    case .element:
      let namespace: Policy.Namespace =
        switch node.namespace {
        case .html: .html
        case .svg: .svg
        case .math: .math
        }
      return .element(
        Element(
          name: tree.text(ofElement: node.name), namespace: namespace,
          attributes: attributes(node.content, of: tree), isSupplied: node.origin != .tag))
    }
  }

  private static func text(_ node: Int32, of tree: borrowing HTMLTree) -> [UInt8] {
    var (text, piece) = ([UInt8](), tree.nodes[Int(node)].content.lowerBound)
    while piece >= 0 {
      text += tree.bytes[tree.pieces[Int(piece)].range]
      piece = tree.pieces[Int(piece)].next
    }
    return text
  }

  private static func attributes(
    _ range: Range<Int32>, of tree: borrowing HTMLTree
  ) -> [(name: String, value: String)] {
    var attributes: [(name: String, value: String)] = []
    for index in range {
      let attribute = tree.attributes[Int(index)]
      let value = String(decoding: tree.bytes[attribute.value], as: UTF8.self)
      attributes.append((tree.attributeTexts[Int(attribute.name)], value))
    }
    return attributes
  }

  func element(_ node: Int) -> Element? {
    if case .element(let element) = nodes[node].content { element } else { nil }
  }

  func name(_ node: Int) -> String { element(node)?.name ?? "" }

  func isHTML(_ node: Int, _ names: Set<String>) -> Bool {
    guard let element = element(node), element.namespace == .html else { return false }
    return names.contains(element.name)
  }

  /// All nodes but the root in document order, each with its depth.
  var inOrder: [(node: Int, depth: Int)] {
    var order: [(node: Int, depth: Int)] = []
    var waiting = nodes[Self.root].children.reversed().map { ($0, 1) }
    while let (node, depth) = waiting.popLast() {
      order.append((node, depth))
      waiting += nodes[node].children.reversed().map { ($0, depth + 1) }
    }
    return order
  }

  // MARK: - Writing

  /// The fragment as serialized by a browser (`innerHTML`; HTML Standard, 13.3).
  package var html: String {
    var output: [UInt8] = []
    var open: [(node: Int, depth: Int)] = []
    func end(from depth: Int) {
      while let last = open.last, last.depth >= depth {
        output += "</\(name(last.node))>".utf8
        open.removeLast()
      }
    }
    for (node, depth) in inOrder {
      end(from: depth)
      switch nodes[node].content {
      case .text(let text):
        let parent = nodes[node].parent ?? Self.root
        if isHTML(parent, Self.rawText) { output += text } else { Self.escape(text, isValue: false, into: &output) }
      case .comment(let text): output += Array("<!--".utf8) + text + Array("-->".utf8)
      case .doctype(let doctype): output += "<!DOCTYPE \(doctype)>".utf8
      case .element(let element):
        output += "<\(element.name)".utf8
        for (name, value) in element.attributes {
          output += " \(name)=\"".utf8
          Self.escape(Array(value.utf8), isValue: true, into: &output)
          output.append(UInt8(ascii: "\""))
        }
        output.append(UInt8(ascii: ">"))
        if beginsWithLineFeed(node) { output.append(ASCII.lineFeed) }
        if !(element.namespace == .html && HTMLName.isVoid(element.name)) { open.append((node, depth)) }
      }
    }
    end(from: 0)
    return String(decoding: output, as: UTF8.self)
  }

  /// Whether the text begins with a line feed, which browsers drop when they parse it again.
  private func beginsWithLineFeed(_ node: Int) -> Bool {
    guard isHTML(node, ["pre", "listing", "textarea"]), let first = nodes[node].children.first,
      case .text(let text) = nodes[first].content
    else { return false }
    return text.first == ASCII.lineFeed
  }

  private static func escape(_ text: [UInt8], isValue: Bool, into output: inout [UInt8]) {
    for (index, byte) in text.enumerated() {
      switch byte {
      case UInt8(ascii: "&"): output += "&amp;".utf8
      case UInt8(ascii: "\"") where isValue: output += "&quot;".utf8
      case ASCII.carriageReturn: output += "&#13;".utf8
      case UInt8(ascii: "<"): output += "&lt;".utf8
      case UInt8(ascii: ">"): output += "&gt;".utf8
      case 0xA0 where index > 0 && text[index - 1] == 0xC2:
        output.removeLast()
        output += "&nbsp;".utf8
      default: output.append(byte)
      }
    }
  }

  /// The elements whose text is not escaped.
  static let rawText: Set = ["style", "script", "xmp", "iframe", "noembed", "noframes", "plaintext", "noscript"]
}
