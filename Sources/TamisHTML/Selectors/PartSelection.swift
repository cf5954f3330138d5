import TamisCore

/// The parts of documents to read, by selectors: all but some elements, or only some.
package struct PartSelection: Sendable, Hashable {
  /// The elements that are left out with their content.
  package var remove: [CSSSelector]
  /// The elements outside of which nothing is read, unless a document has none of them; empty for whole documents.
  package var only: [CSSSelector]

  /// Creates a selection.
  ///
  /// - Parameters:
  ///   - remove: the elements that are left out with their content.
  ///   - only: the elements outside of which nothing is read.
  package init(remove: [CSSSelector] = [], only: [CSSSelector] = []) { (self.remove, self.only) = (remove, only) }

  /// Whether documents are read as a whole.
  package var isEmpty: Bool { remove.isEmpty && only.isEmpty }

  /// All selectors, by the numbers that ``SelectionUse/matched`` contains.
  package var all: [CSSSelector] { remove + only }
}

/// A selection prepared for any number of documents.
package struct PreparedSelection: Sendable {
  /// The selection.
  package let selection: PartSelection
  fileprivate let index: SelectorIndex
  /// The reason for leaving out a part, for each selector of elements that are left out, and at the end for what is
  /// outside.
  private let reasons: [String]

  /// Prepares a selection; nil when it is empty.
  package init?(_ selection: PartSelection) {
    if selection.isEmpty { return nil }
    self.selection = selection
    index = SelectorIndex(selection.all)
    reasons =
      selection.remove.map { "remove: \($0)" } + ["only: " + selection.only.map(\.description).joined(separator: ", ")]
  }

  /// Returns the setting and its selector by which a part is left out.
  fileprivate func reason(_ number: Int32) -> String { reasons[Int(number)] }

  /// The number of the reason for leaving out what is outside.
  fileprivate var outside: Int32 { Int32(reasons.count - 1) }
}

/// The effect of a selection on documents.
package struct SelectionUse: Sendable {
  /// The number of documents.
  package private(set) var documents = 0
  /// The numbers of the selectors that an element has matched (``PartSelection/all``).
  package fileprivate(set) var matched: Set<Int> = []
  /// Names of elements as a selector has them: `aside`, `.promo`, `#about`; the first ones, for suggestions.
  package private(set) var names: Set<String> = []

  /// The maximum number of names, and the maximum length of one in bytes.
  private static let (mostNames, longestName) = (1000, 64)

  /// Makes a value without documents.
  package init() {}

  /// Makes the value for one document.
  fileprivate init(matched: Set<Int>, names: Set<String>) {
    (documents, self.matched, self.names) = (1, matched, names)
  }

  /// Adds documents.
  package mutating func add(_ other: SelectionUse) {
    documents += other.documents
    matched.formUnion(other.matched)
    for name in other.names { note(name) }
  }

  /// Notes the name of an element.
  fileprivate mutating func note(_ name: String) {
    if names.count < Self.mostNames, name.utf8.count <= Self.longestName { names.insert(name) }
  }

  /// Returns a name of a selector that no document has, and the nearest one of the documents; nil when none is near.
  ///
  /// - Parameter selector: a selector that no element has matched.
  /// - Returns: the names.
  package func near(_ selector: CSSSelector) -> (wrong: String, near: String)? {
    for part in selector.alternatives.joined() {
      let wanted = (part.name.map { [$0] } ?? []) + (part.id.map { ["#\($0)"] } ?? []) + part.classes.map { ".\($0)" }
      for name in wanted where !names.contains(name) {
        let known = names.filter { $0.first == name.first || name.first != "." && name.first != "#" }
        if let near = NearestName.of(name, among: known.sorted()) { return (name, near) }
      }
    }
    return nil
  }
}

/// The parts of a document that a selection leaves out.
package struct SelectedParts: Sendable {
  private var selection: PreparedSelection?
  /// The number of the reason why each node is left out, -1 for the others; empty when all are read.
  private var omissions: [Int32] = []
  /// The effect of the selection.
  package private(set) var use = SelectionUse()

  /// Makes a value that leaves out nothing.
  package init() {}

  /// Returns the setting and its selector by which a node is left out; nil when it is read.
  package func reason(for node: Int32) -> String? {
    guard !omissions.isEmpty, omissions[Int(node)] >= 0 else { return nil }
    return selection?.reason(omissions[Int(node)])
  }

  /// Finds the parts of a tree that a selection leaves out.
  ///
  /// - Parameters:
  ///   - tree: the tree.
  ///   - selection: the selection.
  package mutating func find(in tree: borrowing HTMLTree, _ selection: PreparedSelection) {
    (self.selection, omissions, use) = (selection, [], SelectionUse(matched: [], names: []))
    var (elements, attributes) = ([Int32](), [Int32]())
    for name in selection.index.elementNames { elements.append(tree.knownNumber(ofElement: name)) }
    for name in selection.index.attributeNames { attributes.append(tree.knownNumber(ofAttribute: name)) }
    let matcher = SelectorMatcher(selection.index, elements: elements, attributes: attributes)
    guard matcher.canMatch else { return }
    var pass = SelectionPass(selection, matcher, nodeCount: tree.nodes.count)
    tree.visit(&pass)
    use = pass.use
    if !use.matched.isEmpty { omissions = pass.result(tree) }
  }
}

/// One pass over a tree that finds the elements to leave out, and those to which the output is limited.
private struct SelectionPass: HTMLTreeVisitor {
  /// The relation of a node to the elements outside of which nothing is read.
  private enum Place: UInt8 { case outside, around, inside }

  private let selection: PreparedSelection
  private var matcher: SelectorMatcher
  private var omissions: [Int32]
  private var places: [Place]
  /// The number of open elements, and the number of them when the outermost element to keep began.
  private var depth = 0
  private var insideFrom: Int?
  private(set) var use = SelectionUse(matched: [], names: [])

  init(_ selection: PreparedSelection, _ matcher: SelectorMatcher, nodeCount: Int) {
    (self.selection, self.matcher) = (selection, matcher)
    omissions = Array(repeating: -1, count: nodeCount)
    places = Array(repeating: .outside, count: selection.selection.only.isEmpty ? 0 : nodeCount)
  }

  mutating func enter(_ index: Int32, of tree: borrowing HTMLTree) -> Bool {
    if insideFrom != nil { places[Int(index)] = .inside }
    let node = tree.nodes[Int(index)]
    guard node.kind == .element else { return false }
    let attributes = comparedAttributes(of: node, tree)
    let selectors = matcher.enter(node.name, attributes)
    let removed = selection.selection.remove.count
    use.matched.formUnion(selectors)
    use.note(tree.text(ofElement: node.name))
    for name in matcher.names(in: attributes) { use.note(name) }
    if let first = selectors.first, first < removed {
      omissions[Int(index)] = Int32(first)
      matcher.leave()
      return false
    }
    if insideFrom == nil, !selectors.isEmpty {
      insideFrom = depth
      places[Int(index)] = .inside
      markAncestors(of: node, tree)
    }
    depth += 1
    return true
  }

  mutating func leave(_ index: Int32, of tree: borrowing HTMLTree) {
    matcher.leave()
    depth -= 1
    if depth == insideFrom { insideFrom = nil }
  }

  /// Marks the elements around one that is kept, up to those that are marked already.
  private mutating func markAncestors(of node: HTMLTree.Node, _ tree: borrowing HTMLTree) {
    var parent = node.parent
    while parent >= 0, places[Int(parent)] == .outside {
      places[Int(parent)] = .around
      parent = tree.nodes[Int(parent)].parent
    }
  }

  private func comparedAttributes(of node: HTMLTree.Node, _ tree: borrowing HTMLTree) -> [SelectorMatcher.Attribute] {
    var list: [SelectorMatcher.Attribute] = []
    for index in node.content {
      let attribute = tree.attributes[Int(index)]
      if matcher.compares(attribute.name) { list.append((attribute.name, tree.bytes[attribute.value])) }
    }
    return list
  }

  /// Returns the number of the reason why each node is left out, -1 for the others.
  func result(_ tree: borrowing HTMLTree) -> [Int32] {
    guard places.contains(.inside) else { return omissions }
    var omissions = omissions
    for index in tree.nodes.indices where places[index] == .outside && omissions[index] < 0 {
      let isBlank = tree.nodes[index].kind == .text && tree.isBlank(text: Int32(index))
      if !isBlank { omissions[index] = selection.outside }
    }
    return omissions
  }
}
