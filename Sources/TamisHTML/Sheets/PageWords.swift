import TamisCore

/// The ids and the words of classes of a page's elements, by number.
final class PageWords {
  private(set) var ids = NameIndex()
  private(set) var classes = NameIndex()
  /// The numbers of the names of elements and attributes.
  private(set) var elements = NameIndex()
  private(set) var attributes = NameIndex()
  /// Whether an element of the page has each of these names; others are known from earlier pages.
  private var isElementThere: [Bool] = []
  private var isAttributeThere: [Bool] = []
  /// Whether both match in any case (Quirks Mode Standard, 3).
  private(set) var ignoresCase = false
  /// The id of each node; -1 for none.
  private var idOfNode: [Int32] = []
  /// The end in ``words`` of each node's classes.
  private var ends: [Int32] = []
  private var words: [Int32] = []

  /// The maximum length in bytes of an attribute whose words are read.
  private static let longest = 4096

  init() {}

  init(_ tree: borrowing HTMLTree) {
    (elements, attributes) = (tree.elementNames, tree.attributeNames)
    ignoresCase = tree.isInQuirksMode || !tree.documentTags.isEmpty && !tree.hasDoctype
    let (id, classes) = (tree.knownNumber(ofAttribute: "id"), tree.knownNumber(ofAttribute: "class"))
    idOfNode = Array(repeating: -1, count: tree.nodes.count)
    ends.reserveCapacity(tree.nodes.count)
    isElementThere = Array(repeating: false, count: elements.count)
    // The root of a fragment stands for both.
    for name in [HTMLName.html, .body] { isElementThere[name.rawValue] = true }
    isAttributeThere = Array(repeating: false, count: attributes.count)
    for attribute in tree.attributes { isAttributeThere[Int(attribute.name)] = true }
    for node in tree.nodes.indices {
      if tree.nodes[node].kind == .element { isElementThere[Int(tree.nodes[node].name)] = true }
      if tree.nodes[node].kind == .element { add(tree.nodes[node].content, node, tree, id, classes) }
      // The root of a fragment stands for the elements whose tags a fragment has not.
      if Int32(node) == tree.nodes[0].first { for tag in tree.documentTags { add(tag, node, tree, id, classes) } }
      ends.append(Int32(words.count))
    }
  }

  private func add(_ content: Range<Int32>, _ node: Int, _ tree: borrowing HTMLTree, _ id: Int32, _ classes: Int32) {
    for index in content {
      let attribute = tree.attributes[Int(index)]
      if attribute.name == id {
        if !attribute.value.isEmpty { idOfNode[node] = Self.number(tree.bytes, attribute.value, ignoresCase, &ids) }
      } else if attribute.name == classes {
        addWords(tree.bytes, attribute.value)
      }
    }
  }

  private func addWords(_ bytes: [UInt8], _ value: Range<Int>) {
    var start = value.lowerBound
    let end = min(value.upperBound, start + Self.longest)
    while start < end {
      if bytes[start].isHTMLSpace {
        start += 1
        continue
      }
      var stop = start
      while stop < end, !bytes[stop].isHTMLSpace { stop += 1 }
      words.append(Self.number(bytes, start..<stop, ignoresCase, &classes))
      start = stop
    }
  }

  private static func number(
    _ bytes: [UInt8], _ range: Range<Int>, _ ignoresCase: Bool, _ names: inout NameIndex
  ) -> Int32 {
    if ignoresCase, bytes[range].contains(where: { (0x41...0x5A).contains($0) }) {
      let lower = bytes[range].map(\.asciiLowercased)
      return number(lower, 0..<lower.count, false, &names)
    }
    if let known = names.number(of: bytes.span, range) { return Int32(known) }
    names.add(String(streamSafe: bytes[range]))
    return Int32(names.count - 1)
  }

  /// The id of a node; -1 for none.
  func id(of node: Int32) -> Int32 { idOfNode[Int(node)] }

  /// The classes of a node.
  func classes(of node: Int32) -> ArraySlice<Int32> {
    words[Int(node == 0 ? 0 : ends[Int(node) - 1])..<Int(ends[Int(node)])]
  }

  /// A list of names.
  enum List { case ids, classes, elements, attributes }

  /// The number of a name in one of the lists; -1 when no element has it.
  func number(of name: [UInt8], of list: List) -> Int32 {
    let foldsCase = ignoresCase || list == .elements || list == .attributes
    if foldsCase, name.contains(where: { (0x41...0x5A).contains($0) }) {
      return find(name.map(\.asciiLowercased), in: list)
    }
    return find(name, in: list)
  }

  private func find(_ name: [UInt8], in list: List) -> Int32 {
    let range = 0..<name.count
    let number: Int? =
      switch list {
      case .ids: ids.number(of: name.span, range)
      case .classes: classes.number(of: name.span, range)
      case .elements: elements.number(of: name.span, range).flatMap { isElementThere[$0] ? $0 : nil }
      case .attributes: attributes.number(of: name.span, range).flatMap { isAttributeThere[$0] ? $0 : nil }
      }
    return number.map(Int32.init) ?? -1
  }

  /// Whether a node has a class.
  func has(_ word: Int32, _ node: Int32) -> Bool {
    var index = node == 0 ? 0 : Int(ends[Int(node) - 1])
    let end = Int(ends[Int(node)])
    while index < end {
      if words[index] == word { return true }
      index += 1
    }
    return false
  }
}
