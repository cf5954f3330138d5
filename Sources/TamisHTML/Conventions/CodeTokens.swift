// To add a highlighter: its names to `kinds`; a case in Fixtures/Sanitizer/conventions.txt.

import TamisCore

extension HTMLTree {
  /// Names what the words of code are, in ten classes, by the classes of the usual highlighters.
  ///
  /// `<span class="hljs-comment">` becomes `<span class="tok-comment">`. A `span` for anything else goes, with its
  /// content left.
  ///
  /// Known are Pygments (Sphinx, MkDocs, Hugo, Jekyll, Pelican), highlight.js, Prism, GitHub, Pandoc, org-mode,
  /// SyntaxHighlighter, Crayon and CodeMirror, as of November 2026.
  mutating func nameCodeTokens() {
    guard knownNumber(ofAttribute: "class") >= 0 else { return }
    var (node, end): (Int32, Int32?) = (nodes[0].first, nil)
    while node >= 0 {
      if end == node { end = nil }
      let next = following(node)
      if end == nil, htmlName(node) == .pre || htmlName(node) == .code {
        end = following(node, isBehind: true)
      } else if end != nil, let kind = tokenKind(of: node) {
        set("class", store("tok-\(kind)".utf8), of: node)
      } else if end != nil, isPlain(node) {
        moveChildren(of: node, to: nodes[Int(node)].parent, before: node)
        remove(node)
      } else if end != nil, htmlName(node) == .span, !controls.contains(node) {
        // The rules can take its attributes, and then it says nothing.
        isRearranged = true
      }
      node = next
    }
  }

  private static let tokens: HTMLNames = [.b, .code, .em, .i, .span, .strong]

  /// Whether an element says only how its text is set.
  private func isPlain(_ node: Int32) -> Bool {
    htmlName(node) == .span && !controls.contains(node)
      && nodes[Int(node)].content.allSatisfy {
        ["class", "style"].contains(attributeTexts[Int(attributes[Int($0)].name)])
      }
  }

  private func tokenKind(of node: Int32) -> String? {
    guard Self.tokens.contains(htmlName(node)), let value = value(of: "class", node), value.count < 100 else {
      return nil
    }
    for word in bytes[value].split(whereSeparator: \.isHTMLSpace) {
      if let kind = Self.kinds[String(streamSafe: word)] { return kind }
    }
    return nil
  }

  /// The class of each name that a highlighter has, in capitals and small letters as they write it.
  private static let kinds: [String: String] = {
    var kinds: [String: String] = [:]
    func add(_ kind: String, _ names: String, _ starts: [String] = [""]) {
      for name in names.split(separator: " ") { for start in starts { kinds[start + name] = kind } }
    }
    // Pygments and Chroma, and what Pandoc has besides.
    add("comment", "c ch cm c1 cs cpf co do an")
    add("string", "s sa sb sc dl sd s2 se sh si sx sr s1 ss st vs ss")
    add("number", "m mb mf mh mi il mo fl bn")
    add("keyword", "k kd kn kp kr ow kw cf cp im")
    add("type", "kt nc nn ne dt bp nb bu")
    add("function", "nf fm fu nd")
    add("literal", "kc no cn")
    add("attribute", "na nt nv vi vc vg va at")
    add("inserted", "gi")
    add("deleted", "gd")
    let prism = ["", "token-", "hljs-", "cm-", "org-", "crayon-"]
    add("comment", "comment quote prolog doctype cdata comments comment-delimiter", prism)
    add("string", "string regex regexp char url attr-value attrvalue string-2 template-string doc", prism)
    add("number", "number value", prism)
    add("keyword", "keyword selector-tag atrule rule important meta preprocessor", prism)
    add("type", "type class-name builtin built_in name tag variable-2 variable-3", prism)
    add("function", "function title functions function-name def", prism)
    add("literal", "literal boolean constant constants symbol atom null nil", prism)
    add("attribute", "attr attribute attr-name property variable variable-name template-variable", prism)
    add("inserted", "inserted addition inserted-sign", prism)
    add("deleted", "deleted deletion deleted-sign", prism)
    // GitHub.
    add("comment", "c", ["pl-", "crayon-"])
    add("string", "s pds sr", ["pl-", "crayon-"])
    add("keyword", "k", ["pl-"])
    add("literal", "c1", ["pl-"])
    add("function", "en e", ["pl-", "crayon-"])
    add("type", "ent", ["pl-"])
    add("attribute", "e v", ["pl-"])
    add("inserted", "mi1", ["pl-"])
    add("deleted", "md", ["pl-"])
    add("keyword", "st r", ["crayon-"])
    add("type", "t", ["crayon-"])
    add("number", "cn", ["crayon-"])
    for kind in Set(kinds.values) { kinds["tok-" + kind] = kind }
    return kinds
  }()
}
