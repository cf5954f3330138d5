import TamisCore
import TamisHTML

/// A fragment that is being read, with the walker's numbers for its names.
struct MarkupSource: ~Copyable {
  var reader = HTMLReader()
  /// The walker's numbers by the reader's.
  private var elements: [Int] = []
  private var attributes: [Int] = []
  /// What matters of elements by the reader's numbers.
  private var kinds: [HiddenParts.Kind] = []
  private var hidden = HiddenParts()
  private var invisible = InvisibleText()
  /// Whether each node is a text that was written; empty when no text was searched for invisible characters.
  private var written: [Bool] = []
  private var selected = SelectedParts()
  /// The notes whose marks are left out.
  private var orphans: Set<Int32> = []

  /// Starts reading a fragment, and adds its names to the tables.
  ///
  /// - Parameters:
  ///   - html: the fragment.
  ///   - limits: the limits of its tags.
  ///   - tables: the tables.
  ///   - conventions: the conventions by which its tree is changed.
  ///   - findsHidden: whether its hidden parts are to be known.
  ///   - selection: the parts to read; nil for all.
  mutating func read(
    _ html: borrowing Span<UInt8>, limits: Limits, _ tables: inout RuleTables, conventions: Conventions,
    findsHidden: Bool, selection: PreparedSelection? = nil
  ) {
    reader.readFragment(html, limits: limits, conventions: findsHidden ? conventions.union(.sheets) : conventions)
    for name in elements.count..<reader.builder.tree.elementNames.count {
      let text = reader.builder.tree.text(ofElement: Int32(name))
      elements.append(tables.number(ofElement: text))
      kinds.append(HiddenParts.Kind(text))
    }
    for name in attributes.count..<reader.builder.tree.attributeNames.count {
      attributes.append(tables.number(ofAttribute: reader.builder.tree.attributeTexts[name]))
    }
    // What was hidden in another tree says nothing of this one.
    if findsHidden { reader.find(&hidden, kinds) } else { hidden = HiddenParts() }
    selected = SelectedParts()
    if let selection { selected.find(in: reader.builder.tree, selection) }
    findOrphans(tables)
    invisible = InvisibleText()
    if InvisibleText.mayBe(in: reader.builder.tree) {
      let leftOut = reader.builder.tree.nodes.indices.map { isLeftOut(Int32($0), tables) }
      invisible.find(in: reader.builder.tree, kinds, leftOut: leftOut)
    }
    forgetWritten()
  }

  /// Finds the notes whose marks are left out, and lists that have no others.
  private mutating func findOrphans(_ tables: borrowing RuleTables) {
    orphans = []
    var lists: [Int32: Bool] = [:]
    for (mark, item) in reader.builder.tree.movedNotes {
      var node = mark
      while node > 0, !isLeftOut(node, tables), !orphans.contains(node) {
        node = reader.builder.tree.nodes[Int(node)].parent
      }
      if node > 0 { orphans.insert(item) }
      let list = reader.builder.tree.nodes[Int(item)].parent
      lists[list] = lists[list] != false && node > 0
    }
    orphans.formUnion(lists.filter(\.value).keys)
  }

  private mutating func forgetWritten() { written = invisible.searched.map { _ in false } }

  /// Begins again with the fragment that was read last.
  mutating func rewind() {
    forgetWritten()
    reader.rewind()
  }

  /// Records that the last text was written.
  mutating func noteWritten() { if !written.isEmpty { written[Int(reader.entered)] = true } }

  /// Whether other texts were written than were searched for invisible characters; those are searched now.
  ///
  /// Marks of direction belong together across texts, so that only all texts that are written tell what goes.
  mutating func wantsSearch() -> Bool {
    guard written != invisible.searched else { return false }
    let nodes = reader.builder.tree.nodes
    let leftOut = nodes.indices.map { nodes[$0].kind == .text && !written[$0] }
    invisible.find(in: reader.builder.tree, kinds, leftOut: leftOut)
    return true
  }

  /// Returns whether the fragment has elements that can become pictures, and links with a `#`.
  func summary(_ tables: borrowing RuleTables) -> (hasPictures: Bool, hasFragmentLinks: Bool) {
    var summary = (hasPictures: false, hasFragmentLinks: false)
    for index in reader.builder.tree.nodes.indices where reader.builder.tree.nodes[index].kind == .element {
      let entry = tables.elements[elements[Int(reader.builder.tree.nodes[index].name)]]
      if entry.role == .image || entry.standsFor == .image {
        summary.hasPictures = true
      } else if entry.role == .link, !summary.hasFragmentLinks {
        summary.hasFragmentLinks = reader.builder.tree.nodes[index].content.contains { index in
          let attribute = reader.builder.tree.attributes[Int(index)]
          return attributes[Int(attribute.name)] == tables.known.href
            && reader.builder.tree.bytes[attribute.value].contains(UInt8(ascii: "#"))
        }
      }
    }
    return summary
  }

  /// Whether the last element that began is in a `picture`.
  func isInPicture(_ tables: borrowing RuleTables) -> Bool {
    let parent = reader.builder.tree.nodes[Int(reader.builder.tree.nodes[Int(reader.entered)].parent)]
    return parent.kind == .element && tables.elements[elements[Int(parent.name)]].role == .picture
  }

  /// Whether a text has anything but white space and what nobody sees.
  func isVisible(_ range: Range<Int>) -> Bool {
    if let (text, _) = visible(range) { return !WhiteSpace.isHTMLSpace(text.span) }
    return !WhiteSpace.isHTMLSpace(reader.builder.tree.bytes.span.extracting(range))
  }

  /// Whether a node is a control of the page, or shows again what is there.
  private func isSpare(_ node: Int32) -> Bool {
    reader.builder.tree.controls.contains(node) || reader.builder.tree.duplicates.contains(node)
  }

  /// Whether an element goes with its content.
  private func isLeftOut(_ node: Int32, _ tables: borrowing RuleTables) -> Bool {
    let element = reader.builder.tree.nodes[Int(node)]
    if hidden.contains(node) || isSpare(node) || selected.reason(for: node) != nil { return true }
    if element.kind != .element { return false }
    let entry = tables.elements[elements[Int(element.name)]]
    return entry.verdict(in: entry.root == nil ? Policy.Namespace(element.namespace) : .html) == .drop
  }

  /// Returns the reason why the last element that began, or the last text, is left out; nil when it is read.
  var omission: (rule: Removal.Rule, selector: String?)? {
    if let selector = selected.reason(for: reader.entered) { return (.selector, selector) }
    if hidden.contains(reader.entered) || orphans.contains(reader.entered) { return (.hidden, nil) }
    if reader.builder.tree.duplicates.contains(reader.entered) { return (.duplicate, nil) }
    return reader.builder.tree.controls.contains(reader.entered) ? (.control, nil) : nil
  }

  /// The effect of the selection.
  var selectionUse: SelectionUse { selected.use }

  /// Returns a text without what nobody sees, and the kind of that; nil when it has nothing such.
  func visible(_ range: Range<Int>) -> (text: [UInt8], what: InvisibleScanner.What)? {
    invisible.visible(range, of: reader.builder.tree.bytes)
  }

  /// The walker's number of an element.
  func number(ofElement name: Int32) -> Int { elements[Int(name)] }

  /// Returns the bytes of a run of text.
  func bytes(_ range: Range<Int>) -> ArraySlice<UInt8> { reader.builder.tree.bytes[range] }

  /// Returns a run of text.
  func text(_ range: Range<Int>) -> String { String(reader.builder.tree.bytes.span, range) }

  /// Adds the attributes of the last begun element to a list.
  ///
  /// - Parameters:
  ///   - list: the list.
  ///   - omitted: the number of an attribute that is left out; -1 for none.
  func addAttributes(to list: inout AttributeList, without omitted: Int) {
    for index in reader.attributes {
      let attribute = reader.builder.tree.attributes[Int(index)]
      let number = attributes[Int(attribute.name)]
      if number != omitted { list.addOriginal(number, reader.builder.tree.bytes.span.extracting(attribute.value)) }
    }
  }
}

extension Policy.Namespace {
  init(_ namespace: HTMLTree.Namespace) {
    switch namespace {
    case .html: self = .html
    case .svg: self = .svg
    case .math: self = .math
    }
  }
}
