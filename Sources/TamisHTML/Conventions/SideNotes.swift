import TamisCore

extension HTMLTree {
  /// Puts notes that stand within the text, where style sheets move them aside, behind it.
  ///
  ///     Text<label for="sn-1"></label><input type="checkbox" id="sn-1"><span class="sidenote">Note.</span>    Tufte
  ///     Text<sup class="modern-footnotes-footnote">1</sup><span class="modern-footnotes-footnote__note">     WordPress
  ///
  /// Both become `Text<sup><a href="#note-1" id="noteref-1">1</a></sup>`, and a last item
  /// `<li id="note-1">Note. <a href="#noteref-1">↩</a>` of a list of notes.
  mutating func moveSideNotes() {
    let notes = nodes.indices.map { Int32($0) }.filter {
      htmlName($0) == .span && nodes[Int($0)].parent > 0 && !Self.sideNotes.isDisjoint(with: classes(of: $0))
    }
    guard let first = notes.first, notes.count <= Self.mostNotes, let root = root(of: first) else { return }
    let list = insert(.ol, [("class", store("footnotes".utf8))], into: root)
    for (index, note) in notes.enumerated() { move(note, number: index + 1, to: list) }
  }

  private static let sideNotes: Set = ["sidenote", "marginnote", "modern-footnotes-footnote__note"]
  private static let marks: Set = ["margin-toggle", "sidenote-number", "modern-footnotes-footnote"]
  private static let mostNotes = 1000

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

  private mutating func move(_ note: Int32, number: Int, to list: Int32) {
    // The mark of a note is before it: a number, or a label with its box.
    var before = nodes[Int(note)].previous
    while before >= 0, nodes[Int(before)].kind == .element, !Self.marks.isDisjoint(with: classes(of: before)) {
      let mark = before
      before = nodes[Int(mark)].previous
      remove(mark)
    }
    let raised = insert(.sup, into: nodes[Int(note)].parent, before: note)
    link(String(number), from: "noteref-\(number)", to: "note-\(number)", in: raised)
    let item = insert(.li, [("id", store("note-\(number)".utf8))], into: list)
    moveChildren(of: note, to: item)
    append(" ", to: item)
    link("↩", from: nil, to: "noteref-\(number)", in: item)
    remove(note)
  }

  private mutating func link(_ text: String, from id: String?, to target: String, in parent: Int32) {
    let named = id.map { [("id", store($0.utf8))] } ?? []
    append(text, to: insert(.a, [("href", store("#\(target)".utf8))] + named, into: parent))
  }

  /// Appends a text to the content of an element.
  mutating func append(_ text: String, to node: Int32) {
    insertText(store(text.utf8), into: node, before: -1, isMoved: false, at: nodes[Int(node)].location)
  }
}
