import TamisCore

/// The hidden elements of a tree that come to be seen: what a reader opens, and what the scripts of a page show.
struct Revealing {
  private let isPage: Bool
  private let id: Int32
  private let role: Int32
  /// The ids of the elements that a control or a link of the tree opens.
  private var opened: Set<[UInt8]> = []
  /// The elements around those that a control opens: a script unfolds them together.
  private var holders: Set<Int32> = []
  /// Whether the page is streamed by React, whose parts arrive hidden and are put into their place by a script.
  private var isStreamed = false
  /// Whether the page is made by Webflow, whose elements fade in.
  private(set) var fadesIn = false
  /// The sizes in bytes of the texts in each node; empty for fragments.
  private var sizes: [Int] = []

  /// The size in bytes of a text that a page shows by a script, when it is also this part of all text: pages that show
  /// nothing before their scripts run have a box around nearly everything.
  private static let mainText = (bytes: 2_000, part: 10)

  /// Reads a tree.
  ///
  /// - Parameters:
  ///   - tree: the tree.
  ///   - isPage: whether the tree is that of a page, whose scripts run; those of a fragment do not.
  init(_ tree: borrowing HTMLTree, isPage: Bool) {
    (id, role) = (tree.knownNumber(ofAttribute: "id"), tree.knownNumber(ofAttribute: "role"))
    self.isPage = isPage
    var openers: [Int32] = []
    var hasControls = false
    for name in ["aria-controls", "commandfor", "data-bs-target", "data-target", "popovertarget"] {
      openers.append(tree.knownNumber(ofAttribute: name))
    }
    let onclick = tree.knownNumber(ofAttribute: "onclick")
    let (href, webflow) = (tree.knownNumber(ofAttribute: "href"), tree.knownNumber(ofAttribute: "data-wf-page"))
    for node in tree.nodes.indices where tree.nodes[node].kind == .element {
      let name = HTMLName(rawValue: Int(tree.nodes[node].name))
      for index in tree.nodes[node].content {
        let attribute = tree.attributes[Int(index)]
        let value = tree.bytes[attribute.value]
        if openers.contains(attribute.name), isPage || name == .button || name == .a {
          let ids = value.split(whereSeparator: \.isHTMLSpace)
          hasControls = hasControls || !ids.isEmpty
          for id in ids { opened.insert(Array(id.first == UInt8(ascii: "#") ? id.dropFirst() : id)) }
        } else if isPage, attribute.name == href, value.first == UInt8(ascii: "#"), value.count > 1 {
          opened.insert(Array(value.dropFirst()))
        } else if isPage {
          if attribute.name == onclick { openQuoted(value) }
          if attribute.name == webflow { fadesIn = true }
          if attribute.name == id, value.starts(with: "B:".utf8) { isStreamed = true }
        }
      }
    }
    if hasControls { findHolders(tree) }
    guard isPage else { return }
    var pass = TextSizes(sizes: Array(repeating: 0, count: tree.nodes.count))
    tree.visit(&pass)
    sizes = pass.sizes
  }

  /// The maximum length in bytes of a script whose strings are read.
  private static let longestScript = 500

  /// Notes the strings of a script as ids of elements that it opens: `openTab(event, 'prices')`.
  private mutating func openQuoted(_ script: ArraySlice<UInt8>) {
    guard script.count <= Self.longestScript else { return }
    let parts = script.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "\"") }
    for index in stride(from: 1, to: parts.count, by: 2) {
      opened.insert(Array(parts[index].first == UInt8(ascii: "#") ? parts[index].dropFirst() : parts[index]))
    }
  }

  /// Whether a button stands before an element, as one does that opens it.
  private func followsButton(_ index: Int32, _ tree: borrowing HTMLTree) -> Bool {
    var node = tree.nodes[Int(index)].previous
    while node >= 0, tree.nodes[Int(node)].kind != .element { node = tree.nodes[Int(node)].previous }
    return node >= 0 && tree.htmlName(node) == .button
  }

  /// The number of elements around one that is opened which are opened with it, such as Material's four.
  private static let mostHolders = 4

  private mutating func findHolders(_ tree: borrowing HTMLTree) {
    for node in tree.nodes.indices where tree.nodes[node].kind == .element {
      for index in tree.nodes[node].content where tree.attributes[Int(index)].name == id {
        guard opened.contains(Array(tree.bytes[tree.attributes[Int(index)].value])) else { continue }
        var holder = tree.nodes[node].parent
        for _ in 0..<Self.mostHolders where holder > 0 && tree.nodes[Int(holder)].first == tree.nodes[Int(holder)].last
        {
          holders.insert(holder)
          holder = tree.nodes[Int(holder)].parent
        }
      }
    }
  }

  /// Returns whether a hidden element comes to be seen.
  func reveals(_ index: Int32, of tree: borrowing HTMLTree) -> Bool {
    let size = sizes.isEmpty ? 0 : sizes[Int(index)]
    if size >= Self.mainText.bytes, size >= sizes[0] / Self.mainText.part { return true }
    if holders.contains(index) || isPage && followsButton(index, tree) { return true }
    for number in tree.nodes[Int(index)].content {
      let attribute = tree.attributes[Int(number)]
      let value = tree.bytes[attribute.value]
      if isPage, attribute.name == role, value.elementsEqual("tabpanel".utf8) { return true }
      if attribute.name == id, opened.contains(Array(value)) || isStreamed && value.starts(with: "S:".utf8) {
        return true
      }
    }
    return false
  }
}

/// A pass that adds up the sizes of texts.
private struct TextSizes: HTMLTreeVisitor {
  var sizes: [Int]

  mutating func enter(_ index: Int32, of tree: borrowing HTMLTree) -> Bool {
    let node = tree.nodes[Int(index)]
    switch node.kind {
    case .text: add(tree.count(ofText: index), to: node.parent)
    case .element:
      switch HTMLName(rawValue: Int(node.name)) {
      case .script, .style, .template: break
      default: return true
      }
    case .document, .doctype, .comment: break
    }
    return false
  }

  mutating func leave(_ index: Int32, of tree: borrowing HTMLTree) {
    add(sizes[Int(index)], to: tree.nodes[Int(index)].parent)
  }

  private mutating func add(_ size: Int, to parent: Int32) { sizes[Int(parent)] += size }
}
