import TamisCore

/// The links of a fragment to its own anchors, and these anchors.
struct OwnLinks: HTMLTreeVisitor {
  /// A link to an anchor.
  struct Link {
    var node: Int32
    var target: ArraySlice<UInt8>
    /// The text without brackets, when it can be that of a reference to a footnote: numbers, signs, or a few letters.
    var label: String?
  }

  /// The links in document order.
  private(set) var list: [Link] = []
  /// The elements by their ids; the first counts.
  private(set) var anchors: [ArraySlice<UInt8>: Int32] = [:]
  /// The links by their targets.
  private var links: [ArraySlice<UInt8>: [Int32]] = [:]
  /// The places of nodes in document order, and those of the last nodes in them.
  private var places: [(first: Int32, last: Int32)]
  private var place: Int32 = 0
  /// The index of the open link.
  private var open: Int?
  private var text: [UInt8] = []
  private let href: Int32
  private let idNames: [Int32]

  /// The maximum number of links to one anchor that are looked at.
  private static let mostSources = 16
  /// The maximum number of bytes of a label with its brackets.
  private static let longestLabel = 24

  private let isPage: Bool

  init(_ tree: borrowing HTMLTree, isPage: Bool) {
    self.isPage = isPage
    places = Array(repeating: (0, 0), count: tree.nodes.count)
    href = tree.knownNumber(ofAttribute: "href")
    idNames = ["id", "name"].compactMap { tree.attributeNames.number(of: $0).map(Int32.init) }
  }

  /// Returns whether a node comes before another.
  func isOrdered(_ node: Int32, _ other: Int32) -> Bool { places[Int(node)].first < places[Int(other)].first }

  /// Returns whether a node is in another, or is that node.
  func isInside(_ node: Int32, _ other: Int32) -> Bool {
    (places[Int(other)].first...places[Int(other)].last).contains(places[Int(node)].first)
  }

  /// Returns the first links to an anchor.
  func sources(of id: ArraySlice<UInt8>) -> [Int32] { links[id] ?? [] }

  /// Returns the id and the name of an element.
  static func ids(of node: Int32, _ tree: borrowing HTMLTree) -> [ArraySlice<UInt8>] {
    guard tree.nodes[Int(node)].kind == .element else { return [] }
    return ["id", "name"].compactMap { tree.value(of: $0, node).map { tree.bytes[$0] } }
  }

  // MARK: - Reading

  mutating func enter(_ index: Int32, of tree: borrowing HTMLTree) -> Bool {
    place += 1
    places[Int(index)] = (place, place)
    let node = tree.nodes[Int(index)]
    switch node.kind {
    case .text:
      if open != nil, text.count <= Self.longestLabel { text += Self.beginning(of: node, tree) }
      return false
    case .element:
      for number in node.content { read(tree.attributes[Int(number)], of: index, node, tree) }
      return true
    case .document, .doctype, .comment: return false
    }
  }

  mutating func leave(_ index: Int32, of tree: borrowing HTMLTree) {
    places[Int(index)].last = place
    guard let link = open, list[link].node == index else { return }
    list[link].label = text.count <= Self.longestLabel ? Self.label(String(decoding: text, as: UTF8.self)) : nil
    open = nil
  }

  private mutating func read(
    _ attribute: HTMLTree.Attribute, of index: Int32, _ node: HTMLTree.Node, _ tree: borrowing HTMLTree
  ) {
    let value = tree.bytes[attribute.value]
    if idNames.contains(attribute.name), !value.isEmpty {
      if anchors[value] == nil { anchors[value] = index }
    } else if attribute.name == href, HTMLName(rawValue: Int(node.name)) == .a,
      let mark = value.firstIndex(of: UInt8(ascii: "#")), isPage || mark == value.startIndex, mark + 1 < value.endIndex
    {
      let target = value[(mark + 1)...]
      list.append(Link(node: index, target: target))
      if links[target, default: []].count < Self.mostSources { links[target, default: []].append(index) }
      (open, text) = (list.count - 1, [])
    }
  }

  private static func beginning(of node: HTMLTree.Node, _ tree: borrowing HTMLTree) -> [UInt8] {
    var (text, piece): ([UInt8], Int32) = ([], node.content.lowerBound)
    while piece >= 0, text.count <= longestLabel {
      text += tree.bytes[tree.pieces[Int(piece)].range].prefix(longestLabel + 1)
      piece = tree.pieces[Int(piece)].next
    }
    return text
  }

  /// Returns the label of a reference in a text; nil when the text is more than a label.
  static func label(_ text: String) -> String? {
    let label = text.trimmed().drop { "[(".contains($0) }.trimmed()
    var core = Substring(label)
    while let last = core.last, "]).:".contains(last) { core.removeLast() }
    let word = core.split(separator: " ").last ?? ""
    let isLabel =
      !word.isEmpty && word.unicodeScalars.count <= 4
      && word.unicodeScalars.allSatisfy { signs.contains($0) || $0.properties.numericType != nil || $0.isASCIILetter }
      && (word.count == core.count
        || ["fn", "n", "nb", "note", "ref"].contains(core.prefix { $0 != " " }.lowercased()))
    return isLabel && (word.count <= 3 || word.allSatisfy(\.isNumber)) ? String(core) : nil
  }

  private static let signs: Set<Unicode.Scalar> = ["*", "†", "‡", "§", "¶", "‖", "※"]
}

extension Unicode.Scalar {
  fileprivate var isASCIILetter: Bool { value < 0x80 && UInt8(value).isASCIILetter }
}
