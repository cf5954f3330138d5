import TamisCore

extension HTMLTree {
  /// Leaves out what is for those who edit or share the page: `[edit]` of MediaWiki, and links of a heading, a caption
  /// or a term to itself with only a sign as their text, such as `<a class="headerlink" href="#pumps">¶</a>`.
  mutating func leaveOutHeadingControls() {
    for node in nodes.indices.map({ Int32($0) }) {
      guard let name = htmlName(node), name == .a || name == .span || name == .div else { continue }
      if name != .a {
        if !Self.editSections.isDisjoint(with: classes(of: node)) { leaveOut(node) }
      } else if let heading = heading(around: node) {
        if isPermalink(node, in: heading) { leaveOut(node) }
      } else if isSignOfPlace(node) {
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
  /// The maximum number of elements between a heading and its control.
  private static let reach = 3

  private func heading(around node: Int32) -> Int32? {
    var node = nodes[Int(node)].parent
    for _ in 0..<Self.reach where node > 0 {
      if let name = htmlName(node), HTMLNames.headings.contains(name) { return node }
      node = nodes[Int(node)].parent
    }
    return nil
  }

  /// Whether a link behind a caption, an equation or a term leads to it, as Sphinx has it: `¶`.
  private func isSignOfPlace(_ link: Int32) -> Bool {
    guard classes(of: link).contains("headerlink") else { return false }
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
    case "#", "¶", "§", "∞", "⚓", "🔗", "\u{FE0E}", "\u{FE0F}", "\u{200B}"..."\u{200D}", "\u{2060}", "\u{FEFF}",
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
