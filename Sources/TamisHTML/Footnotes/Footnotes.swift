import TamisCore

/// The footnotes of a fragment: short links to a later element that links back.
///
/// Blog engines, wikis, word processors and Markdown renderers all write footnotes so, whatever their elements and
/// classes are. A note is the element with the target's id, or the block around an anchor with it. A target that does
/// not link back counts when the classes of both ends say that it is a footnote.
package struct Footnotes {
  /// The role of an element.
  package enum Role: Equatable {
    case none
    /// A reference to the note of this number, from 0 in the order of the first references.
    case reference(Int)
    /// A note.
    case note(Int)
    /// A link from a note to a reference.
    case backlink
    /// The line between the text and its notes.
    case separator
  }

  /// The texts of the first references to the notes, without brackets, with which a note may begin.
  package private(set) var labels: [String] = []
  private var roles: [Int32: Role] = [:]
  /// The notes and all elements around them.
  private var around: Set<Int32> = []

  /// Makes a value without any.
  package init() {}

  /// Finds the footnotes of a tree.
  ///
  /// - Parameters:
  ///   - tree: the tree.
  ///   - isPage: whether the tree is that of a page, whose links to itself may have its address.
  package init(in tree: borrowing HTMLTree, isPage: Bool = false) {
    guard tree.attributeNames.number(of: "href") != nil else { return }
    var links = OwnLinks(tree, isPage: isPage)
    tree.visit(&links)
    for link in links.list where link.label != nil { read(link, links, tree) }
  }

  /// Returns the role of an element.
  package func role(of node: Int32) -> Role { roles.isEmpty ? .none : roles[node] ?? .none }

  private mutating func read(_ link: OwnLinks.Link, _ links: OwnLinks, _ tree: borrowing HTMLTree) {
    guard role(of: link.node) == .none, let target = links.anchors[link.target], links.isOrdered(link.node, target),
      let note = Self.note(of: target, in: tree), !links.isInside(link.node, note)
    else { return }
    let back = Self.ids(around: link.node, in: tree).flatMap { links.sources(of: $0) }.filter {
      links.isInside($0, note)
    }
    if back.isEmpty, !Self.saysFootnote(link.node, tree) || !Self.saysFootnote(note, tree) { return }
    guard let number = number(of: note, label: link.label ?? "", tree) else { return }
    roles[link.node] = .reference(number)
    if let raised = Self.brackets(around: link.node, in: tree) { roles[raised] = .reference(number) }
    for node in back { roles[node] = .backlink }
  }

  /// Returns the number of a note, which may be new; nil when it is around another, or in one.
  private mutating func number(of note: Int32, label: String, _ tree: borrowing HTMLTree) -> Int? {
    if case .note(let number) = role(of: note) { return number }
    var outer = note
    while outer > 0 {
      if case .note = role(of: outer) { return nil }
      outer = tree.nodes[Int(outer)].parent
    }
    if around.contains(note) { return nil }
    roles[note] = .note(labels.count)
    labels.append(label)
    outer = note
    while outer > 0, around.insert(outer).inserted { outer = tree.nodes[Int(outer)].parent }
    if labels.count == 1, let line = Self.line(before: note, in: tree) { roles[line] = .separator }
    return labels.count - 1
  }

  // MARK: - Elements

  private static let blocks: Set<HTMLName> = [.li, .p, .div, .dd, .aside, .section, .blockquote]
  private static let inlines: Set<HTMLName> = [.a, .b, .em, .font, .i, .small, .span, .strong, .sup, .u]

  private static func name(of node: Int32, _ tree: borrowing HTMLTree) -> HTMLName? {
    HTMLName(rawValue: Int(tree.nodes[Int(node)].name))
  }

  /// Returns the block that is a note, by the element that has its id.
  private static func note(of target: Int32, in tree: borrowing HTMLTree) -> Int32? {
    var node = target
    while node > 0, let name = name(of: node, tree) {
      if blocks.contains(name) { return node }
      if !inlines.contains(name) { return nil }
      node = tree.nodes[Int(node)].parent
    }
    return nil
  }

  /// Returns the ids of a reference: its own, and those of inline elements around it, in it, and right before it.
  private static func ids(around link: Int32, in tree: borrowing HTMLTree) -> [ArraySlice<UInt8>] {
    var ids = OwnLinks.ids(of: link, tree)
    var node = tree.nodes[Int(link)].parent
    while node > 0, let name = name(of: node, tree), inlines.contains(name) {
      ids += OwnLinks.ids(of: node, tree)
      if tree.nodes[Int(node)].previous > 0 { ids += OwnLinks.ids(of: tree.nodes[Int(node)].previous, tree) }
      node = tree.nodes[Int(node)].parent
    }
    for node in [tree.nodes[Int(link)].first, tree.nodes[Int(link)].previous] where node > 0 {
      ids += OwnLinks.ids(of: node, tree)
    }
    return ids
  }

  /// Returns the `sup` that has nothing but a reference in brackets, as Asciidoctor writes it: `<sup>[<a>1</a>]</sup>`.
  private static func brackets(around link: Int32, in tree: borrowing HTMLTree) -> Int32? {
    let raised = tree.nodes[Int(link)].parent
    guard raised > 0, name(of: raised, tree) == .sup else { return nil }
    let (previous, next) = (tree.nodes[Int(link)].previous, tree.nodes[Int(link)].next)
    guard previous >= 0, next >= 0, tree.nodes[Int(previous)].kind == .text, tree.nodes[Int(next)].kind == .text,
      tree.nodes[Int(raised)].first == previous, tree.nodes[Int(raised)].last == next
    else { return nil }
    let text = tree.text(in: raised, most: 100).filter { !$0.isHTMLSpace }
    return text.first == UInt8(ascii: "[") && text.last == UInt8(ascii: "]") && text.count <= 6 ? raised : nil
  }

  /// Whether the classes of an element, or of one of two around it, say that it is a footnote.
  private static func saysFootnote(_ node: Int32, _ tree: borrowing HTMLTree) -> Bool {
    var node = node
    for _ in 0..<3 where node > 0 {
      if let classes = tree.value(of: "class", node), ByteScan.contains(Array("footnote".utf8), in: tree.bytes[classes])
      {
        return true
      }
      node = tree.nodes[Int(node)].parent
    }
    return false
  }

  /// Returns the rule before the first note, or before the list or the section that begins with it.
  private static func line(before note: Int32, in tree: borrowing HTMLTree) -> Int32? {
    var node = note
    while node > 0 {
      var previous = tree.nodes[Int(node)].previous
      while previous >= 0, tree.nodes[Int(previous)].kind == .text, tree.isBlank(text: previous) {
        previous = tree.nodes[Int(previous)].previous
      }
      if previous >= 0 { return name(of: previous, tree) == .hr ? previous : nil }
      node = tree.nodes[Int(node)].parent
    }
    return nil
  }
}
