import TamisCore

/// What a page says of the styles that a browser may apply, by a `meta` element in its head:
/// `<meta http-equiv="Content-Security-Policy" content="style-src 'self'">` (Content Security Policy Level 3, 6.3.4).
struct StylePolicy: Sendable {
  /// Whether sheets in the page may not be applied, and whether `style` attributes are not.
  private(set) var (forbidsSheets, forbidsAttributes) = (false, false)

  /// Makes a value for a page that forbids nothing.
  init() {}

  init(_ tree: borrowing HTMLTree) {
    let equivalent = tree.knownNumber(ofAttribute: "http-equiv")
    if equivalent < 0 { return }
    let first = tree.nodes[0].first
    let lastOfHead = tree.documentTags.isEmpty || first < 0 ? -1 : tree.lastOfHead(in: first)
    for node in tree.nodes.indices where tree.nodes[node].kind == .element && tree.htmlName(Int32(node)) == .meta {
      // Elsewhere it has no effect.
      let parent = tree.nodes[node].parent
      guard tree.htmlName(parent) == .head || node <= lastOfHead && parent == first,
        let name = tree.value(of: "http-equiv", Int32(node)), let content = tree.value(of: "content", Int32(node)),
        String(streamSafe: tree.bytes[name]).trimmed().asciiLowercased() == "content-security-policy"
      else { continue }
      let directives = Self.directives(String(streamSafe: tree.bytes[content]).asciiLowercased())
      forbidsSheets = forbidsSheets || Self.forbids("style-src-elem", directives)
      forbidsAttributes = forbidsAttributes || Self.forbids("style-src-attr", directives)
    }
  }

  /// The first directive of each name, with its words.
  private static func directives(_ policy: String) -> [String: [Substring]] {
    var directives: [String: [Substring]] = [:]
    for part in policy.split(separator: ";") {
      let words = part.split(whereSeparator: { $0.isASCII && $0.isWhitespace })
      guard let name = words.first.map(String.init), directives[name] == nil else { continue }
      directives[name] = Array(words.dropFirst())
    }
    return directives
  }

  /// Whether what is in the page is not allowed, at least not all of it: a word for one sheet ends that for all.
  private static func forbids(_ name: String, _ directives: [String: [Substring]]) -> Bool {
    guard let words = directives[name] ?? directives["style-src"] ?? directives["default-src"] else { return false }
    let isForSome = words.contains { $0.hasPrefix("'nonce-") || $0.hasPrefix("'sha") }
    return isForSome || !words.contains("'unsafe-inline'")
  }
}
