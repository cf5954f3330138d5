import TamisCore
import TamisSanitizer

/// The tree that a browser builds from a fragment or from a page.
struct BrowserTree: Sendable {
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
    case doctype(BrowserTokenizer.Doctype)
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

  /// All nodes; the first is the element around the fragment, or the document.
  private(set) var nodes: [Node]
  /// The attributes that `html` and `body` tags add to those of the page.
  var pageAttributes: [(name: String, value: String)] = []
  /// Whether the fragment ends inside a tag, which is dropped unless later text closes it.
  var endsInTag = false
  /// The first difference between the tree and the markup.
  var oddity: Oddity?
  /// The reason why an unread part may run script; nil when the tree is complete.
  var unread: String?

  /// A difference between the tree and the markup.
  struct Oddity: Sendable {
    enum Kind: Sendable {
      /// A tag is missing or superfluous.
      case balance
      /// Something is moved, left out or duplicated.
      case structure
    }
    var kind: Kind
    var message: String
  }

  static let root = 0

  /// Creates a tree in an element, or in a document if its name is empty.
  init(in root: Element) { nodes = [Node(content: .element(root))] }

  /// The maximum number of nodes.
  static let mostNodes = 500_000
  /// The maximum nesting depth; each tag costs time in proportion to it, and Chromium's limit is 512.
  static let mostOpen = 4096

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

  // MARK: - Building

  /// Creates an element without a parent.
  mutating func make(_ element: Element) -> Int {
    nodes.append(Node(content: .element(element)))
    return nodes.count - 1
  }

  /// Adds a comment or a doctype as the last child of a parent, or before one of the children.
  mutating func append(_ content: Content, to parent: Int, before sibling: Int? = nil) {
    nodes.append(Node(content: content))
    insert(nodes.count - 1, into: parent, before: sibling)
  }

  /// Adds a node as the last child of a parent, or before one of the children.
  mutating func insert(_ node: Int, into parent: Int, before sibling: Int? = nil) {
    detach(node)
    nodes[node].parent = parent
    if let sibling, let index = nodes[parent].children.lastIndex(of: sibling) {
      nodes[parent].children.insert(node, at: index)
    } else {
      nodes[parent].children.append(node)
    }
  }

  mutating func detach(_ node: Int) {
    guard let parent = nodes[node].parent else { return }
    if let index = nodes[parent].children.lastIndex(of: node) { nodes[parent].children.remove(at: index) }
    nodes[node].parent = nil
  }

  /// Moves all children of a node into another.
  mutating func moveChildren(of node: Int, to parent: Int) {
    let moved = nodes[node].children
    nodes[node].children = []
    for child in moved { nodes[child].parent = parent }
    nodes[parent].children += moved
  }

  /// Adds text, merging it with adjacent text.
  mutating func insertText(_ text: [UInt8], into parent: Int, before sibling: Int? = nil) {
    let children = nodes[parent].children
    let index = sibling.flatMap { children.lastIndex(of: $0) } ?? children.count
    if index > 0, case .text(let before) = nodes[children[index - 1]].content {
      nodes[children[index - 1]].content = .text(before + text)
      return
    }
    nodes.append(Node(content: .text(text)))
    insert(nodes.count - 1, into: parent, before: sibling)
  }

  mutating func setAttributes(_ attributes: [(name: String, value: String)], of node: Int) {
    guard case .element(var element) = nodes[node].content else { return }
    element.attributes = attributes
    nodes[node].content = .element(element)
  }

  // MARK: - Writing

  /// The fragment as serialized by a browser (`innerHTML`; HTML Standard, 13.3).
  var html: String {
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
      case .doctype(let doctype): output += "<!DOCTYPE \(doctype.name)>".utf8
      case .element(let element):
        output += "<\(element.name)".utf8
        for (name, value) in element.attributes {
          output += " \(name)=\"".utf8
          Self.escape(Array(value.utf8), isValue: true, into: &output)
          output.append(UInt8(ascii: "\""))
        }
        output.append(UInt8(ascii: ">"))
        if beginsWithLineFeed(node) { output.append(ASCII.lineFeed) }
        if !(element.namespace == .html && Self.void.contains(element.name)) { open.append((node, depth)) }
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
  static let void: Set = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen", "link",
    "meta",
    "param", "source", "track", "wbr",
  ]
}
