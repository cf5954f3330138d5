import TamisCore

/// The ids and the words of classes of a page's elements, by number.
final class PageWords: Sendable {
  let ids: NameIndex
  let classes: NameIndex
  /// The numbers of the names of elements and attributes.
  let elements: NameIndex
  let attributes: NameIndex
  /// Whether an element of the page has each of these names; others are known from earlier pages.
  private let isElementThere: [Bool]
  private let isAttributeThere: [Bool]
  /// Whether both match in any case (Quirks Mode Standard, 3).
  let ignoresCase: Bool
  /// The id of each node; -1 for none.
  private let idOfNode: [Int32]
  /// The end in ``words`` of each node's classes.
  private let ends: [Int32]
  private let words: [Int32]
  private let names: [NameFilter]

  /// Makes a value for a page of which nothing is known.
  init() {
    (ids, classes, elements, attributes) = (NameIndex(), NameIndex(), NameIndex(), NameIndex())
    (isElementThere, isAttributeThere, ignoresCase) = ([], [], false)
    (idOfNode, ends, words, self.names) = ([], [], [], [])
  }

  init(_ tree: borrowing HTMLTree) {
    (elements, attributes) = (tree.elementNames, tree.attributeNames)
    ignoresCase = tree.isInQuirksMode || !tree.documentTags.isEmpty && !tree.hasDoctype
    var (hasElement, hasAttribute) = ([Bool](), [Bool]())
    hasElement = Array(repeating: false, count: elements.count)
    // Those that a fragment has not are around it.
    for name in [HTMLName.html, .head, .body] { hasElement[name.rawValue] = true }
    hasAttribute = Array(repeating: false, count: attributes.count)
    for attribute in tree.attributes { hasAttribute[Int(attribute.name)] = true }
    var names = Names(tree, ignoresCase: ignoresCase)
    for node in tree.nodes.indices {
      if tree.nodes[node].kind == .element {
        hasElement[Int(tree.nodes[node].name)] = true
        names.add(tree.nodes[node].content, node, tree)
      }
      // The root of a fragment stands for the elements whose tags a fragment has not.
      if Int32(node) == tree.nodes[0].first { for tag in tree.documentTags { names.add(tag, node, tree) } }
      let first = Int(names.ends.last ?? 0)
      names.ends.append(Int32(names.words.count))
      let name = tree.nodes[node].kind == .element ? tree.nodes[node].name : -1
      names.filters.append(NameFilter(name, id: names.idOfNode[node], classes: names.words[first...]))
    }
    (isElementThere, isAttributeThere) = (hasElement, hasAttribute)
    (ids, classes, idOfNode) = (names.ids, names.classes, names.idOfNode)
    (ends, words, self.names) = (names.ends, names.words, names.filters)
  }

  /// What is read of the attributes.
  private struct Names {
    var (ids, classes) = (NameIndex(), NameIndex())
    var idOfNode: [Int32]
    var ends: [Int32] = []
    var words: [Int32] = []
    var filters: [NameFilter] = []
    let (id, list): (Int32, Int32)
    let ignoresCase: Bool

    init(_ tree: borrowing HTMLTree, ignoresCase: Bool) {
      (id, list) = (tree.knownNumber(ofAttribute: "id"), tree.knownNumber(ofAttribute: "class"))
      idOfNode = Array(repeating: -1, count: tree.nodes.count)
      ends.reserveCapacity(tree.nodes.count)
      filters.reserveCapacity(tree.nodes.count)
      self.ignoresCase = ignoresCase
    }

    mutating func add(_ content: Range<Int32>, _ node: Int, _ tree: borrowing HTMLTree) {
      for index in content {
        let attribute = tree.attributes[Int(index)]
        if attribute.name == id {
          if !attribute.value.isEmpty {
            idOfNode[node] = PageWords.number(tree.bytes, attribute.value, ignoresCase, &ids)
          }
        } else if attribute.name == list {
          addWords(tree.bytes, attribute.value)
        }
      }
    }

    private mutating func addWords(_ bytes: [UInt8], _ value: Range<Int>) {
      var start = value.lowerBound
      while start < value.upperBound {
        if bytes[start].isHTMLSpace {
          start += 1
          continue
        }
        var stop = start
        while stop < value.upperBound, !bytes[stop].isHTMLSpace { stop += 1 }
        words.append(PageWords.number(bytes, start..<stop, ignoresCase, &classes))
        start = stop
      }
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

  /// The name, the id and the classes of a node.
  func names(of node: Int32) -> NameFilter { names[Int(node)] }

  /// A list of names.
  enum List { case ids, classes, elements, attributes }

  /// The number of a name in one of the lists; -1 when no element has it.
  func number(of name: [UInt8], of list: List) -> Int32 { number(of: name, 0..<name.count, in: list) }

  /// The number of a name in a sheet; -1 when no element has it.
  func number(of css: [UInt8], _ name: Range<Int>, in list: List) -> Int32 {
    let foldsCase = ignoresCase || list == .elements || list == .attributes
    if foldsCase, css[name].contains(where: { (0x41...0x5A).contains($0) }) {
      return number(of: css[name].map(\.asciiLowercased), of: list)
    }
    let number: Int? =
      switch list {
      case .ids: ids.number(of: css.span, name)
      case .classes: classes.number(of: css.span, name)
      case .elements: elements.number(of: css.span, name).flatMap { isElementThere[$0] ? $0 : nil }
      case .attributes: attributes.number(of: css.span, name).flatMap { isAttributeThere[$0] ? $0 : nil }
      }
    return number.map(Int32.init) ?? -1
  }

  /// The number of the classes of a node.
  func classCount(of node: Int32) -> Int { Int(ends[Int(node)]) - (node == 0 ? 0 : Int(ends[Int(node) - 1])) }

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
