import TamisCore
import TamisHTML

/// Decides whether libtidy has something to repair in filtered markup, and may be given it.
///
/// libtidy 5.6.0 does not terminate for `<table><thead><p></p><table><dd>` (its issues 380 and 1021 are of that kind).
/// For each element that it moves it takes time in proportion to the size, and it repeats open inline elements in each
/// block inside them.
struct RepairBounds: HTMLTreeVisitor {
  private struct Open {
    var traits: ElementTraits
    var role: ElementRole
    /// The size of the tags of the inline elements down to this one.
    var inlineBytes: Int
    /// Whether it may not hold blocks, or an element around it may not.
    var isPhrasing: Bool
    /// The same without formatting, which browsers reopen in blocks (HTML Standard, 13.2.4.3).
    var isNarrow: Bool
  }

  private var open: [Open] = []
  /// Whether a table or a definition list has something that is not allowed there.
  private var isMisplaced = false
  /// The number of elements and texts that libtidy moves.
  private var moves = 0
  /// Whether libtidy has something to repair: a block where none may be, or content of a list in no item.
  private(set) var hasFault = false
  /// The number of bytes of repeated tags.
  private var growth = 0

  /// Whether libtidy may be given the markup that was visited, in bounded time and memory.
  func allowRepair(ofSize size: Int) -> Bool {
    !isMisplaced && size + growth <= Walker.sizeLimit(ofInput: size) && moves * size <= TidyRepairer.maximumWork
  }

  mutating func enter(_ node: Int32, of tree: borrowing HTMLTree) -> Bool {
    switch tree.nodes[Int(node)].kind {
    case .text:
      if open.last?.traits.contains(.plainList) == true, !tree.isBlank(text: node) {
        (moves, hasFault) = (moves + 1, true)
      }
      return false
    case .element: break
    default: return false
    }
    // The root, which is not written.
    guard let parent = open.last else {
      open.append(Open(traits: [], role: .plain, inlineBytes: 0, isPhrasing: false, isNarrow: false))
      return true
    }
    let name = tree.text(ofElement: tree.nodes[Int(node)].name)
    var element = parent
    (element.traits, element.role) = (.of(name), .of(name))
    element.isPhrasing = parent.isPhrasing || element.traits.contains(.phrasingOnly)
    element.isNarrow =
      parent.isNarrow || element.traits.contains(.phrasingOnly) && !element.traits.contains(.formatting)
    if element.traits.contains(.block) {
      growth += parent.inlineBytes
    } else {
      element.inlineBytes += name.utf8.count + 2 + tree.attributeBytes(of: node)
    }
    // A row that a browser supplies has no tag.
    if element.role == .row, tree.nodes[Int(node)].origin == .implied { isMisplaced = true }
    place(element, in: parent)
    open.append(element)
    return true
  }

  mutating func leave(_ node: Int32, of tree: borrowing HTMLTree) { open.removeLast() }

  private mutating func place(_ element: Open, in parent: Open) {
    if element.traits.contains(.closesParagraph), parent.isPhrasing {
      (moves, hasFault) = (moves + 1, hasFault || parent.isNarrow)
    }
    if parent.traits.contains(.plainList), element.role != .listItem { (moves, hasFault) = (moves + 1, true) }
    if element.role == .definition, !parent.traits.contains(.holdsDefinitions) { isMisplaced = true }
    if parent.role.isTableStructure, !element.role.isTablePart { isMisplaced = true }
    let isDiv = element.traits.contains(.holdsDefinitions) && !element.traits.contains(.definitionList)
    if parent.traits.contains(.definitionList), element.role != .definition, !isDiv { isMisplaced = true }
  }
}
