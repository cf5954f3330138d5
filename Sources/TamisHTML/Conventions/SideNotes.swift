import TamisCore

extension HTMLTree {
  /// Puts notes that stand within the text, where style sheets move or hide them, behind it.
  ///
  ///     Text<label for="sn-1"></label><input type="checkbox" id="sn-1"><span class="sidenote">Note.</span>    Tufte
  ///     Text<sup class="modern-footnotes-footnote">1</sup><span class="modern-footnotes-footnote__note">     WordPress
  ///     Text<d-footnote>Note.</d-footnote>                                                                   Distill
  ///     Text<span class="ltx_note"><sup>1</sup><span class="ltx_note_outer"><span class="ltx_note_content">  LaTeXML
  ///
  /// All become `Text<sup><a href="#note-1" id="noteref-1">1</a></sup>`, and a last item
  /// `<li id="note-1">Note. <a href="#noteref-1">↩</a>` of a list of notes.
  ///
  /// - Parameter hasLinks: whether the marks and the notes lead to each other; where ids go, they cannot.
  mutating func moveSideNotes(hasLinks: Bool) {
    separateTableNotes()
    let isFound = !Self.noteClasses.isDisjoint(with: classNames)
    guard isFound || Self.noteElements.contains(where: { knownNumber(ofElement: $0) >= 0 }) else { return }
    var found = sideNotes()
    guard let first = found.first, let root = root(of: first.mark) else { return }
    let wholes = tooltipRows(of: found)
    for index in found.indices { found[index].row = wholes[found[index].mark] }
    let table = found.compactMap(\.row).first.flatMap { ancestor(of: $0, .table) } ?? -1
    let place = table < 0 ? root : nodes[Int(table)].parent
    let list = insert(.ol, [("class", store("footnotes".utf8))], into: place, before: table)
    let name = hasLinks ? freeName() : nil
    for (index, note) in found.enumerated() { move(note, number: index + 1, to: list, named: name) }
    if table >= 0, rows(of: table).isEmpty { remove(table) }
  }

  private mutating func sideNotes() -> [SideNote] {
    let columns = columnNotes()
    var notes: [SideNote] = []
    for node in nodes.indices.map({ Int32($0) }) where notes.count < Self.mostNotes {
      if let note = sideNote(node, columns) { notes.append(note) }
      // The note of this mark is elsewhere, and a second mark is all that this one has to show.
      if let mark = sideMark(node) { controls.insert(mark) }
    }
    return notes
  }

  private func sideMark(_ node: Int32) -> Int32? {
    guard htmlName(node) == .span, classes(of: node).contains("ltx_role_footnotemark") else { return nil }
    return descendant(of: node, with: "ltx_note_outer")
  }

  /// A note within the text.
  private struct SideNote {
    /// The element in whose place the mark stands.
    var mark: Int32
    /// The element around the note.
    var content: Int32
    /// The row of a table at the end that has the note as well.
    var row: Int32?
  }

  private static let sideNotes: Set = ["sidenote", "marginnote", "margin-aside", "modern-footnotes-footnote__note"]
  private static let marks: Set = ["margin-toggle", "sidenote-number", "modern-footnotes-footnote"]
  private static let noteClasses = sideNotes.union([
    "column-container", "footnote_referrer", "ltx_note", "ltx_role_footnotemark",
  ])
  private static let noteElements: Set = ["d-footnote", "dt-fn"]
  private static let noteLabels: Set = ["ltx_note_mark", "ltx_tag_note", "ltx_note_type"]
  private static let mostNotes = 1000

  private func sideNote(_ node: Int32, _ columns: [ArraySlice<UInt8>: Int32]) -> SideNote? {
    guard let note = noteElements(node, columns), isInText(node), !isHidden(note.mark), !isHidden(note.content),
      text(in: note.content, most: 200).contains(where: { !$0.isHTMLSpace })
    else { return nil }
    return note
  }

  /// The elements whose content is no text of the page, or in which no list can take the place of a note.
  private static let closed: HTMLNames = [
    .button, .code, .iframe, .noembed, .noframes, .object, .pre, .select, .template, .textarea,
  ]

  /// Whether a node is in text of the page.
  private func isInText(_ node: Int32) -> Bool {
    var node = nodes[Int(node)].parent
    while node > 0, nodes[Int(node)].kind == .element {
      if nodes[Int(node)].namespace != .html { return false }
      if let name = htmlName(node), Self.closed.contains(name) { return false }
      node = nodes[Int(node)].parent
    }
    return true
  }

  private func isHidden(_ node: Int32) -> Bool {
    if value(of: "hidden", node) != nil { return true }
    guard let style = value(of: "style", node), bytes[style].count < 1000 else { return false }
    return HidingStyle(bytes[style]).display == "none"
  }

  private func noteElements(_ node: Int32, _ columns: [ArraySlice<UInt8>: Int32]) -> SideNote? {
    guard nodes[Int(node)].kind == .element, nodes[Int(node)].parent > 0 else { return nil }
    guard let name = htmlName(node) else {
      return elementText(node).map(Self.noteElements.contains) == true ? SideNote(mark: node, content: node) : nil
    }
    if name == .a, !columns.isEmpty, let href = value(of: "href", node) {
      return columns[bytes[href].dropFirst()].map { SideNote(mark: node, content: $0) }
    }
    guard name == .span || name == .small, nodes[Int(node)].first >= 0 else { return nil }
    let classes = classes(of: node)
    if !Self.sideNotes.isDisjoint(with: classes) { return SideNote(mark: node, content: node) }
    if classes.contains("ltx_note"), !classes.contains("ltx_role_footnotemark") {
      return descendant(of: node, with: "ltx_note_content").map { SideNote(mark: node, content: $0) }
    }
    if classes.contains("footnote_referrer") {
      return descendant(of: node, with: "footnote_tooltip").map { SideNote(mark: node, content: $0) }
    }
    return nil
  }

  /// Returns a child of an element, or of one of its children, that has a class.
  private func descendant(of node: Int32, with name: String, reach: Int = 2) -> Int32? {
    for child in children(of: node) where htmlName(child) == .span {
      if classes(of: child).contains(name) { return child }
      if reach > 1, let found = descendant(of: child, with: name, reach: reach - 1) { return found }
    }
    return nil
  }

  /// Returns the notes that Quarto sets in the margin beside the block of their marks, by their ids.
  ///
  ///     <div class="column-margin column-container"><div id="fn1"><p><sup>1</sup> Note.
  private func columnNotes() -> [ArraySlice<UInt8>: Int32] {
    var notes: [ArraySlice<UInt8>: Int32] = [:]
    for node in nodes.indices.map({ Int32($0) }) where htmlName(node) == .div {
      guard classes(of: node).contains("column-container") else { continue }
      for child in children(of: node) {
        if let id = value(of: "id", child), !id.isEmpty { notes[bytes[id]] = child }
      }
    }
    return notes
  }

  /// Returns the block around the blocks of the text, to whose end notes go: the body, or the article.
  private func root(of note: Int32) -> Int32? {
    var (node, root): (Int32, Int32?) = (nodes[Int(note)].parent, nil)
    while node > 0 {
      if nodes[Int(node)].parent <= 0 || htmlName(node) == .article || htmlName(node) == .body { return node }
      root = node
      node = nodes[Int(node)].parent
    }
    return root
  }

  /// Returns the beginning of ids that no element of the page has: `note`, `sidenote`, `sidesidenote`.
  private func freeName() -> String {
    var name = "note"
    let ids = nodes.indices.flatMap { node in ["id", "name"].compactMap { value(of: $0, Int32(node)) } }
    while name.utf8.count < 100, ids.contains(where: { bytes[$0].starts(with: name.utf8) }) { name = "side" + name }
    return name
  }

  /// Returns where the mark of a note stands: in its place, or behind the link around it.
  private func place(of note: SideNote) -> (parent: Int32, next: Int32) {
    var (link, node) = (Int32(-1), nodes[Int(note.mark)].parent)
    while node > 0 {
      if htmlName(node) == .a { link = node }
      node = nodes[Int(node)].parent
    }
    return link < 0
      ? (nodes[Int(note.mark)].parent, note.mark) : (nodes[Int(link)].parent, nodes[Int(link)].next)
  }

  private mutating func move(_ note: SideNote, number: Int, to list: Int32, named name: String?) {
    // The mark of a note is before it: a number, or a label with its box.
    var before = nodes[Int(note.mark)].previous
    while before >= 0, nodes[Int(before)].kind == .element, !Self.marks.isDisjoint(with: classes(of: before)) {
      let mark = before
      before = nodes[Int(mark)].previous
      remove(mark)
    }
    let place = place(of: note)
    let raised = insert(.sup, into: place.parent, before: place.next)
    if let name {
      link(String(number), from: "\(name)ref-\(number)", to: "\(name)-\(number)", in: raised)
    } else {
      append(String(number), to: raised)
    }
    let id = name.map { [("id", store("\($0)-\(number)".utf8))] } ?? []
    let item = insert(.li, id, into: list)
    movedNotes.append((raised, item))
    let content = note.row.flatMap { children(of: $0).last { isCell($0) } } ?? note.content
    for child in children(of: content) where !Self.noteLabels.isDisjoint(with: classes(of: child)) { remove(child) }
    removeNumber(of: content)
    moveChildren(of: content, to: item)
    if let name {
      append(" ", to: item)
      link("↩", from: nil, to: "\(name)ref-\(number)", in: item)
    }
    remove(note.mark)
    if let row = note.row { remove(row) }
    if htmlName(content) == .div { remove(content) }
  }

  /// Removes the raised number with which a note in the margin begins.
  private mutating func removeNumber(of note: Int32) {
    let first = nodes[Int(note)].first
    guard first >= 0, htmlName(first) == .p, let number = children(of: first).first, htmlName(number) == .sup else {
      return
    }
    if text(in: number, most: 8).allSatisfy({ $0.isASCIIDigit || $0.isHTMLSpace }) { remove(number) }
  }

  private mutating func link(_ text: String, from id: String?, to target: String, in parent: Int32) {
    let named = id.map { [("id", store($0.utf8))] } ?? []
    append(text, to: insert(.a, [("href", store("#\(target)".utf8))] + named, into: parent))
  }

  /// Appends a text to the content of an element.
  mutating func append(_ text: String, to node: Int32) {
    insertText(store(text.utf8), into: node, before: -1, isMoved: false, at: nodes[Int(node)].location)
  }

  // MARK: - Notes in tables

  /// Returns the rows with the whole notes of which tooltips beside the marks have the beginning, by these marks:
  /// the plug-in "Footnotes" of WordPress names both `…_1_1_1`.
  private func tooltipRows(of notes: [SideNote]) -> [Int32: Int32] {
    guard notes.contains(where: { $0.mark != $0.content }) else { return [:] }
    var marks: [ArraySlice<UInt8>: Int32] = [:]
    for note in notes {
      guard let id = value(of: "id", note.content), bytes[id].starts(with: Self.tooltipID) else { continue }
      marks[bytes[id].dropFirst(Self.tooltipID.count)] = note.mark
    }
    var rows: [Int32: Int32] = [:]
    for node in nodes.indices.map({ Int32($0) }) where !marks.isEmpty {
      guard let id = value(of: "id", node), bytes[id].starts(with: Self.rowID) else { continue }
      guard let mark = marks[bytes[id].dropFirst(Self.rowID.count)], let row = ancestor(of: node, .tr) else { continue }
      rows[mark] = row
    }
    return rows
  }

  private static let tooltipID = Array("footnote_plugin_tooltip_text_".utf8)
  private static let rowID = Array("footnote_plugin_reference_".utf8)

  /// Returns an element, or one of three around it, that has a name.
  private func ancestor(of node: Int32, _ name: HTMLName) -> Int32? {
    var node = node
    for _ in 0..<4 where node > 0 {
      if htmlName(node) == name { return node }
      node = nodes[Int(node)].parent
    }
    return nil
  }

  private static let tableNotes: Set = ["citation", "footnote"]

  /// Makes blocks of notes that are tables of a row, as docutils wrote them before 0.18:
  /// `<table class="docutils footnote" id="id2"><tr><td><a href="#id1">[1]</a><td>Note.</table>`.
  private mutating func separateTableNotes() {
    if Self.tableNotes.isDisjoint(with: classNames) { return }
    for table in nodes.indices.map({ Int32($0) }) where htmlName(table) == .table && nodes[Int(table)].parent > 0 {
      guard !Self.tableNotes.isDisjoint(with: classes(of: table)) else { continue }
      let rows = rows(of: table)
      guard rows.count == 1, let id = value(of: "id", table) else { continue }
      let cells = children(of: rows[0]).filter { isCell($0) }
      guard cells.count == 2 else { continue }
      let attributes = [("id", id), ("class", store("footnote".utf8))]
      let block = insert(.div, attributes, into: nodes[Int(table)].parent, before: table)
      moveChildren(of: cells[0], to: block)
      append(" ", to: block)
      moveChildren(of: cells[1], to: block)
      remove(table)
    }
  }
}
