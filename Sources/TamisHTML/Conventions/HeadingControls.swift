import TamisCore

extension HTMLTree {
  /// Leaves out what is for those who edit or share the page: `[edit]` of MediaWiki, and links of a heading, a caption
  /// or a term to itself with only a sign as their text, such as `<a class="headerlink" href="#pumps">¶</a>`.
  mutating func leaveOutHeadingControls() {
    var scan = HeadingScan()
    visit(&scan)
    for (node, heading) in scan.found {
      if htmlName(node) != .a {
        if !Self.editSections.isDisjoint(with: classes(of: node)) { leaveOut(node) }
      } else if heading >= 0 ? isPermalink(node, in: heading) : isSignOfPlace(node) {
        leaveOut(node)
      }
    }
  }

  private static let editSections: Set = ["mw-editsection", "editsection", "secedit", "mw-editsection-like"]
  private static let permalinks: Set = [
    "anchor", "anchor-link", "anchorjs-link", "direct-link", "hash-link", "header-anchor", "header-link", "headerlink",
    "heading-anchor", "heading-link", "permalink", "post-permalink", "self-link", "toc-anchor",
  ]
  /// The maximum length of the words of a link of such a class, such as `Link to this heading`, in bytes.
  private static let mostWords = 40
  private static let signClasses: Set = ["copiable-link", "headerlink", "pilcrow"]

  /// Whether a link behind a caption, a term or a paragraph leads to it, as Sphinx, RFCs and Texinfo have it: `¶`.
  private func isSignOfPlace(_ link: Int32) -> Bool {
    guard !Self.signClasses.isDisjoint(with: classes(of: link)) else { return false }
    let words = String(streamSafe: text(in: link, most: Self.mostWords + 1))
    return words.unicodeScalars.allSatisfy(Self.isSign)
  }

  private func isPermalink(_ link: Int32, in heading: Int32) -> Bool {
    guard let href = value(of: "href", link), bytes[href].contains(UInt8(ascii: "#")), !holdsPicture(link) else {
      return false
    }
    let words = String(streamSafe: text(in: link, most: Self.mostWords + 1)).collapsingSpace()
    let isSign = !words.isEmpty && words.unicodeScalars.allSatisfy(Self.isSign)
    if isSign || Self.names.contains(words.asciiLowercased()) { return true }
    // The heading has other words than those of its link.
    guard String(streamSafe: text(in: heading, most: 200)).collapsingSpace() != words else { return false }
    return words.isEmpty || words.utf8.count <= Self.mostWords && !Self.permalinks.isDisjoint(with: classes(of: link))
  }

  /// The words that a heading's link to itself may have instead of a sign.
  private static let names: Set = ["link", "permalink", "anchor"]

  /// Whether a character is a sign for a link; icon fonts use the private use area.
  private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "#", "¶", "§", "∞", "◆", "⚓", "🔗", "\u{FE0E}", "\u{FE0F}", "\u{200B}"..."\u{200D}", "\u{2060}", "\u{FEFF}",
      "\u{E000}"..."\u{F8FF}":
      true
    default: scalar.properties.isWhitespace
    }
  }

  private func holdsPicture(_ node: Int32) -> Bool {
    children(of: node).contains { htmlName($0) == .img || holdsPicture($0) }
  }

  /// Leaves out a node; an anchor stays without its content.
  private mutating func leaveOut(_ node: Int32) {
    guard ["id", "name"].contains(where: { value(of: $0, node) != nil }), htmlName(node) == .a else {
      controls.insert(node)
      return
    }
    rename(node, .a, keeping: ["id", "name"])
    controls.formUnion(children(of: node))
  }
}

/// The elements that can be controls, with the headings that they are in.
private struct HeadingScan: HTMLTreeVisitor {
  /// The elements in document order; `heading` is -1 outside of headings.
  private(set) var found: [(node: Int32, heading: Int32)] = []
  private var heading: Int32 = -1

  mutating func enter(_ node: Int32, of tree: borrowing HTMLTree) -> Bool {
    guard let name = tree.htmlName(node) else { return tree.nodes[Int(node)].kind == .element }
    if name == .a || name == .span || name == .div { found.append((node, heading)) }
    if HTMLNames.headings.contains(name) { heading = node }
    return true
  }

  mutating func leave(_ node: Int32, of tree: borrowing HTMLTree) { if node == heading { heading = -1 } }
}
