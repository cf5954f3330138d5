/// An element whose start tag is written and whose end tag is not.
struct OpenElement {
  /// The number that identifies the start tag in the source; a reopened element keeps that of the first.
  var id: Int
  var element: Int
  var namespace: Policy.Namespace
  var traits: ElementTraits
  var role: ElementRole
  /// The range of the start tag in the output.
  var startTag: Range<Int>
  /// Whether only text may be inside.
  var isTextOnly: Bool
  /// The fact collector's content count when the element was opened.
  var contentStart: Int
  /// The index of the link's target in the walker's targets; -1 for none.
  var target: Int
  /// Whether the element is written only where text needs it.
  ///
  /// A browser has the element around the blocks too, in which it has the same meaning.
  var isPostponed = false

  mutating func moveStartTag(by distance: Int) {
    startTag = startTag.lowerBound + distance..<startTag.upperBound + distance
  }
}

/// The stack of open elements (HTML Standard, 13.2.4.2), with the queries that browsers make on it.
struct OpenElements {
  private(set) var stack: [OpenElement] = []
  /// The number of open formatting elements.
  private(set) var formattingCount = 0
  /// The number of open table cells and captions.
  private(set) var markerCount = 0
  /// The length of the start tags of all open elements that are not blocks.
  private(set) var inlineBytes = 0
  /// The number of open elements that may not have blocks in them.
  private(set) var phrasingOnlyCount = 0
  /// The number of open SVG and MathML elements.
  private(set) var foreignCount = 0

  var count: Int { stack.count }
  var current: OpenElement? { stack.last }

  mutating func removeAll() {
    stack.removeAll(keepingCapacity: true)
    formattingCount = 0
    markerCount = 0
    phrasingOnlyCount = 0
    foreignCount = 0
    inlineBytes = 0
  }

  mutating func push(_ element: OpenElement) {
    stack.append(element)
    if element.namespace == .html {
      if element.traits.contains(.formatting) { formattingCount += 1 }
      if element.traits.contains(.marker) { markerCount += 1 }
      if element.traits.contains(.phrasingOnly) { phrasingOnlyCount += 1 }
      if !element.traits.contains(.block) { inlineBytes += element.startTag.count }
    } else {
      foreignCount += 1
    }
  }

  mutating func pop() -> OpenElement? {
    guard let element = stack.popLast() else { return nil }
    if element.namespace == .html {
      if element.traits.contains(.formatting) { formattingCount -= 1 }
      if element.traits.contains(.marker) { markerCount -= 1 }
      if element.traits.contains(.phrasingOnly) { phrasingOnlyCount -= 1 }
      if !element.traits.contains(.block) { inlineBytes -= element.startTag.count }
    } else {
      foreignCount -= 1
    }
    return element
  }

  /// Adjusts the ranges after a tag was removed from the output.
  mutating func moveStartTags(behind tag: Range<Int>) {
    for index in stack.indices where stack[index].startTag.lowerBound >= tag.upperBound {
      stack[index].moveStartTag(by: -tag.count)
    }
  }

  /// The index of the element with this id; nil when it is already closed.
  func index(ofID id: Int) -> Int? { stack.lastIndex { $0.id == id } }

  /// The index of the paragraph that a block would close; nil when there is none.
  ///
  /// The nearest paragraph is closed, unless a table, a cell or a button comes first.
  var paragraphInScope: Int? {
    for index in stack.indices.reversed() {
      if stack[index].role == .paragraph { return index }
      if stack[index].traits.contains(.paragraphScope) || stack[index].namespace != .html { return nil }
    }
    return nil
  }

  /// The index of the link that a new link would close; nil when there is none.
  ///
  /// The nearest link is closed, unless a cell or a caption comes first.
  var linkInScope: Int? {
    for index in stack.indices.reversed() {
      if stack[index].role == .link, stack[index].namespace == .html { return index }
      if stack[index].traits.contains(.marker) { return nil }
    }
    return nil
  }

  /// The index of the item that a new one (`li`, or `dd` and `dt`) would close; nil when there is none.
  func itemInScope(_ role: ElementRole) -> Int? {
    for index in stack.indices.reversed() {
      if stack[index].role == role { return index }
      if stack[index].traits.contains(.special) || stack[index].namespace != .html { return nil }
    }
    return nil
  }

  /// The index of the innermost element of this role in scope (HTML Standard, 13.2.4.2); nil when there is none.
  func nearest(_ role: ElementRole) -> Int? {
    for index in stack.indices.reversed() {
      if stack[index].role == role { return index }
      if stack[index].role == .table || stack[index].traits.contains(.marker) || stack[index].namespace != .html {
        return nil
      }
    }
    return nil
  }

  /// The index of the table whose structure, not one of its cells, contains the current position; nil for none.
  ///
  /// Browsers use the innermost table part, whatever was opened since (HTML Standard, 13.2.6.4.9).
  var tableAround: Int? {
    guard let part = stack.lastIndex(where: { $0.role == .table || $0.role.isTablePart }),
      stack[part].role.isTableStructure
    else { return nil }
    return stack[...part].lastIndex { $0.role == .table }
  }

  /// Whether an element of this role is open anywhere.
  func contains(_ role: ElementRole) -> Bool { stack.contains { $0.role == role } }

  /// The number of elements that stay open when a table part of this role begins; nil when no table is open.
  ///
  /// Browsers clear the stack back to the part's proper parent (HTML Standard, 13.2.6.4.9 to 13.2.6.4.15).
  func depthForTablePart(_ role: ElementRole) -> Int? {
    guard let table = stack.lastIndex(where: { $0.role == .table && $0.namespace == .html }) else { return nil }
    var depth = table + 1
    func descend(_ parent: ElementRole) {
      if depth < stack.count, stack[depth].role == parent { depth += 1 }
    }
    switch role {
    case .column: descend(.columnGroup)
    case .row: descend(.tableSection)
    case .cell:
      descend(.tableSection)
      descend(.row)
    default: break
    }
    return depth
  }
}
