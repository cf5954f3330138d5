import TamisCore

extension HTMLTree {
  /// Says the language of code as the HTML Standard advises (4.5.15), where a program says it otherwise:
  /// `<figure class="highlight python"><pre>` becomes `<figure class="highlight python"><pre class="language-python">`.
  mutating func nameLanguages() {
    for node in nodes.indices.map({ Int32($0) }) where htmlName(node) == .pre {
      let code = children(of: node).first { htmlName($0) == .code }
      let inside = [code, node].compactMap { $0 }
      if inside.contains(where: { classes(of: $0).contains { $0.hasPrefix("language-") } }) { continue }
      guard let said = (inside + boxes(around: node)).first(where: { language(of: $0) != nil }),
        let language = language(of: said)
      else { continue }
      let old = value(of: "class", node).map { Array(bytes[$0]) + [ASCII.space] } ?? []
      set("class", store(old + "language-\(language)".utf8), of: node)
    }
  }

  /// The boxes around code, such as the cell, table and figure of Hexo, that are about nothing else.
  private func boxes(around code: Int32) -> [Int32] {
    var (boxes, node): ([Int32], Int32) = ([], nodes[Int(code)].parent)
    while node > 0, boxes.count < 9, let name = htmlName(node), Self.boxNames.contains(name) {
      boxes.append(node)
      node = nodes[Int(node)].parent
    }
    return boxes
  }

  private static let boxNames: HTMLNames = [.code, .div, .figure, .pre, .table, .tbody, .td, .tr]
  private static let attributeNames = [
    "data-lang", "data-language", "data-enlighter-language", "data-code-lang", "lang", "language",
  ]
  /// The beginnings of class names that a language follows: Prism and highlight.js, google-code-prettify, GitHub,
  /// Sphinx, org-mode, Crayon, LaTeXML,
  /// MediaWiki.
  private static let prefixes = [
    "language-", "lang-", "highlight-source-", "highlight-", "src-", "lang:", "brush:",
    "ltx_lst_language_", "mw-highlight-lang-",
  ]
  /// The class names that a language follows as the next one: SyntaxHighlighter, pandoc, highlight.js.
  private static let words: Set = ["brush:", "sourcecode", "hljs", "syntaxhighlighter"]
  /// What stands at the place of a language and is none.
  private static let noLanguages: Set = [
    "", "chroma", "default", "text", "plain", "plaintext", "none", "no-highlight", "nohighlight", "notranslate",
    "rouge",
    "wrapper", "box", "block", "container", "lines", "inline", "auto", "undefined", "null",
  ]

  private func language(of node: Int32) -> String? {
    for name in Self.attributeNames {
      if let value = value(of: name, node), value.count < 40,
        let language = Self.language(String(streamSafe: bytes[value]).asciiLowercased())
      {
        return language
      }
    }
    let classes = classes(of: node)
    for (index, word) in classes.enumerated() {
      if let prefix = Self.prefixes.first(where: { word.hasPrefix($0) }), prefix.utf8.count < word.utf8.count {
        return Self.language(String(word.dropFirst(prefix.count)))
      }
      guard index + 1 < classes.count else { continue }
      // Hexo and Octopress say `highlight python` of the figure, dev.to of the code.
      if Self.words.contains(word) || word == "highlight" && (htmlName(node) == .figure || htmlName(node) == .pre) {
        return Self.language(classes[index + 1])
      }
    }
    return nil
  }

  private static func language(_ word: String) -> String? {
    let name = word.prefix { $0 != ";" && $0 != "," }
    let isName = name.utf8.allSatisfy { $0.isASCIIAlphanumeric || "+#._-".utf8.contains($0) } && name.utf8.count <= 40
    return isName && !noLanguages.contains(String(name)) ? String(name) : nil
  }
}
