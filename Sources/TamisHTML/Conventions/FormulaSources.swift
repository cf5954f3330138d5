// To add a service that draws formulas: a row of `services`; a case in Fixtures/Sanitizer/formulas.txt.

import TamisCore
import TamisTeX

extension HTMLTree {
  /// Sets formulas of which the TeX is there, where a script or a picture would show it, as MathML.
  ///
  ///     <script type="math/tex; mode=display">x^2</script>                MathJax 2
  ///     <img class="latex" alt="x^2" src="https://s0.wp.com/latex.php?…">  WordPress, CodeCogs, MediaWiki, Zhihu
  ///     <span class="math inline">x^2</span>                              Pandoc
  ///     <span class="mjx-math" aria-label="x^2">                          MathJax 2 in LessWrong
  ///     <span class="ql-formula" data-value="x^2">                        Quill
  ///
  /// A picture of TeX that is not known stays as it is; other TeX becomes `code`.
  mutating func setFormulas(_ limits: Limits) {
    for node in nodes.indices.map({ Int32($0) }) where nodes[Int(node)].parent >= 0 {
      if nodes[Int(node)].namespace == .math { annotate(node) }
      guard !duplicates.contains(node), let source = formulaSource(of: node) else { continue }
      switch htmlName(node) {
      case .img?:
        guard let math = math(source, limits) else { continue }
        insert(math, into: nodes[Int(node)].parent, before: node)
        remove(node)
      case .script?:
        let (math, drawing) = (math(source, limits), drawing(before: node))
        // MathML that was drawn lacks the TeX, so that it stays only where the TeX is not known.
        if math == nil, let drawing, hasFormula(drawing) { continue }
        if let drawing { duplicates.insert(drawing) }
        if let preview = element(before: drawing ?? node), classes(of: preview).contains("mathjax_preview") {
          duplicates.insert(preview)
        }
        insert(math, orCode: source.tex, into: nodes[Int(node)].parent, before: node)
        remove(node)
      case .code?, .pre?:
        insert(math(source, limits), orCode: source.tex, into: nodes[Int(node)].parent, before: node)
        remove(node)
      default:
        children(of: node).forEach { remove($0) }
        insert(math(source, limits), orCode: source.tex, into: node)
      }
    }
  }

  /// Adds the TeX of `<math alttext="x^{2}">` as its annotation, which Markdown has of a formula.
  private mutating func annotate(_ math: Int32) {
    guard nodes[Int(math)].kind == .element, nodes[Int(math)].name == Int32(HTMLName.math.rawValue),
      nodes[Int(math)].first >= 0, let tex = value(of: "alttext", math), TeXText.looksLikeFormula(bytes[tex]),
      !children(of: math).contains(where: { elementText($0) == "semantics" })
    else { return }
    let content = children(of: math)
    let semantics = insert(math: "semantics", [], into: math, before: -1)
    let row = insert(math: "mrow", [], into: semantics, before: -1)
    for child in content {
      remove(child)
      insert(child, into: row)
    }
    let encoding = store("application/x-tex".utf8)
    append(
      String(streamSafe: bytes[tex]),
      to: insert(math: "annotation", [("encoding", encoding)], into: semantics, before: -1))
  }

  /// TeX, and whether it stands in a line of its own.
  struct FormulaSource {
    var tex: String
    var isDisplayed: Bool
  }

  /// Returns a formula as MathML; nil when its TeX is not known, or longer than ``Limits/formulaBytes``.
  mutating func math(_ source: FormulaSource, _ limits: Limits) -> MathNode? {
    if source.tex.utf8.count > limits.formulaBytes {
      isFormulaCut = true
      return nil
    }
    return TeXParser.math(source.tex, isDisplayed: source.isDisplayed)
  }

  /// Inserts a formula, or its TeX as code when that is not known.
  mutating func insert(_ math: MathNode?, orCode tex: String, into parent: Int32, before next: Int32 = -1) {
    if let math { return insert(math, into: parent, before: next) }
    append(tex, to: insert(.code, into: parent, before: next))
  }

  /// Inserts elements of MathML.
  mutating func insert(_ node: MathNode, into parent: Int32, before next: Int32) {
    let location = nodes[Int(next < 0 ? parent : next)].location
    let element = insert(
      math: node.name.rawValue, node.attributes.map { ($0.name, store($0.value.utf8)) }, into: parent, before: next)
    if !node.text.isEmpty {
      insertText(store(node.text.utf8), into: element, before: -1, isMoved: false, at: location)
    }
    for child in node.children { insert(child, into: element, before: -1) }
  }

  // MARK: - Where the TeX is

  private func formulaSource(of node: Int32) -> FormulaSource? {
    switch htmlName(node) {
    case .script?:
      guard let mode = formulaMode(ofScript: node), mode.isTeX else { return nil }
      return source(Array(text(in: node, most: .max)), isDisplayed: mode.isDisplayed)
    case .img?: return source(ofPicture: node)
    case .span?, .div?, .code?, .pre?: return source(ofBox: node)
    case nil where nodes[Int(node)].kind == .element:
      guard elementText(node) == "mjx-container", !hasFormula(node),
        let tex = value(of: "data-latex", node)
      else { return nil }
      return source(bytes[tex], isDisplayed: value(of: "display", node) != nil)
    default: return nil
    }
  }

  private func source(_ bytes: some Sequence<UInt8>, isDisplayed: Bool) -> FormulaSource? {
    var (tex, isDisplayed) = (String(streamSafe: Array(bytes)).trimmed(), isDisplayed)
    // kramdown has it in a comment of TeX, for parsers of XML.
    if tex.hasPrefix("% <![CDATA["), tex.hasSuffix("%]]>") { tex = String(tex.dropFirst(11).dropLast(4)).trimmed() }
    for (open, close) in [("\\[", "\\]"), ("\\(", "\\)"), ("$$", "$$"), ("$", "$")]
    where tex.hasPrefix(open) && tex.hasSuffix(close) && tex.utf8.count > 4 {
      tex = String(tex.dropFirst(open.count).dropLast(close.count)).trimmed()
      isDisplayed = isDisplayed || open == "\\[" || open == "$$"
      break
    }
    return tex.isEmpty ? nil : FormulaSource(tex: tex, isDisplayed: isDisplayed)
  }

  private func source(ofBox node: Int32) -> FormulaSource? {
    let classes = classes(of: node)
    for (name, attribute) in [("ql-formula", "data-value"), ("ztext-math", "data-tex")] where classes.contains(name) {
      if let value = value(of: attribute, node) { return source(bytes[value], isDisplayed: false) }
    }
    if let style = value(of: "data-math-style", node), classes.contains("js-render-math") {
      return source(text(in: node, most: .max), isDisplayed: bytes[style].elementsEqual("display".utf8))
    }
    if htmlName(node) == .code || htmlName(node) == .pre { return nil }
    if classes.contains("wp-katex-eq") {
      let isDisplayed = value(of: "data-display", node).map { bytes[$0].elementsEqual("true".utf8) } ?? false
      return source(text(in: node, most: .max), isDisplayed: isDisplayed)
    }
    if classes.contains("mjx-math"), let label = value(of: "aria-label", node) {
      let isDisplayed = self.classes(of: nodes[Int(node)].parent).contains("mjx-display")
      return source(bytes[label], isDisplayed: isDisplayed)
    }
    let isMath = classes.contains("math") && (classes.contains("inline") || classes.contains("display"))
    let isStem = classes.contains("content") && self.classes(of: nodes[Int(node)].parent).contains("stemblock")
    guard isMath || isStem || classes.contains("arithmatex") else { return nil }
    let (isText, text) = (children(of: node).allSatisfy { nodes[Int($0)].kind == .text }, text(in: node, most: .max))
    let start = text.drop { $0.isHTMLSpace }
    if !isText || ["$", "\\begin"].contains(where: { start.starts(with: $0.utf8) }) { return nil }
    if !isMath, !["\\(", "\\["].contains(where: { start.starts(with: $0.utf8) }) { return nil }
    return source(text, isDisplayed: classes.contains("display"))
  }

  /// Parts of the addresses of services that draw formulas, with the name of the parameter that holds the TeX; without
  /// one it is all behind the question mark.
  ///
  /// As of November 2026, from what WordPress and its plug-ins, MediaWiki, GitHub and forums write.
  private static let services: [(address: String, parameter: String)] = [
    ("/latex.php?", "latex="), ("codecogs.com/", ""), ("zhihu.com/equation?", "tex="), ("/render/math?", "math="),
    ("math.now.sh", "from="), ("chart?cht=tx", "chl="), ("/mathtex.cgi?", ""), ("/mimetex.cgi?", ""),
    ("/media/math/render/", "none"), ("quicklatex.com-", "none"), ("i.upmath.me/", "none"),
    ("math.vercel.app", "from="),
  ]

  private static let pictureClasses: Set = [
    "latex", "math", "tex", "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display",
  ]

  private func source(ofPicture node: Int32) -> FormulaSource? {
    let address = value(of: "src", node).map { bytes[$0] } ?? []
    let service = Self.services.first { ByteScan.contains(Array($0.address.utf8), in: address) }
    let classes = classes(of: node)
    guard service != nil || !Self.pictureClasses.isDisjoint(with: classes) else { return nil }
    let isDisplayed = classes.contains("mwe-math-fallback-image-display")
    if let alt = value(of: "alt", node), let source = source(bytes[alt], isDisplayed: isDisplayed) {
      return TeXText.looksLikeFormula(Array(source.tex.utf8)[...]) ? source : nil
    }
    guard let service, service.parameter != "none" else { return nil }
    let query = address.drop { $0 != UInt8(ascii: "?") }.dropFirst()
    let parts = service.parameter.isEmpty ? [query] : query.split(separator: UInt8(ascii: "&"))
    guard let part = parts.first(where: { $0.starts(with: service.parameter.utf8) }) else { return nil }
    let tex = String(streamSafe: Self.percentDecoded(part.dropFirst(service.parameter.utf8.count)))
    return source(tex.split(separator: "&space;").joined(separator: " ").utf8, isDisplayed: false)
  }

  private static func percentDecoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var (decoded, rest): ([UInt8], ArraySlice<UInt8>) = ([], text)
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        decoded.append(value)
        rest = rest.dropFirst(2)
      } else {
        decoded.append(byte == UInt8(ascii: "+") ? ASCII.space : byte)
      }
    }
    return decoded
  }

  // MARK: - Scripts

  /// The kind of formula in a script; nil when it holds none.
  func formulaMode(ofScript node: Int32) -> (isTeX: Bool, isDisplayed: Bool)? {
    guard htmlName(node) == .script, let type = value(of: "type", node) else { return nil }
    let words = bytes[type].map(\.asciiLowercased).split { $0 == UInt8(ascii: ";") || $0.isHTMLSpace }
    guard let kind = words.first.map({ String(decoding: $0, as: UTF8.self) }) else { return nil }
    let isDisplayed = words.dropFirst().contains { $0.elementsEqual("mode=display".utf8) }
    if kind == "math/asciimath" { return (false, false) }
    return kind == "math/tex" || kind == "math/latex" ? (true, isDisplayed) : nil
  }

  /// What MathJax has drawn, in characters of its own fonts, of the formula in the script behind it.
  func drawing(before script: Int32) -> Int32? {
    guard let element = element(before: script), nodes[Int(element)].first >= 0 else { return nil }
    let isDrawing = classes(of: element).contains { $0.hasPrefix("mathjax") && $0 != "mathjax_preview" }
    return isDrawing ? element : nil
  }

  /// The element before a node among its siblings.
  func element(before node: Int32) -> Int32? {
    var previous = nodes[Int(node)].previous
    while previous >= 0, nodes[Int(previous)].kind != .element { previous = nodes[Int(previous)].previous }
    return previous >= 0 ? previous : nil
  }

  private func hasFormula(_ root: Int32) -> Bool {
    let end = following(root, isBehind: true)
    var node = nodes[Int(root)].first
    while node >= 0, node != end {
      if nodes[Int(node)].kind == .element, nodes[Int(node)].namespace == .math { return true }
      node = following(node)
    }
    return false
  }
}
