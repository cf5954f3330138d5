import TamisCore
import TamisSanitizer

/// Content of SVG and MathML (HTML Standard, 13.2.6.5).
extension BrowserTreeBuilder {
  /// Whether a token is read by the rules of SVG and MathML.
  func isForeign(_ token: Token) -> Bool {
    let element = currentElement
    if element.namespace == .html { return false }
    let isText = if case .text = token { true } else { false }
    guard case .start(let name, _, _) = token else {
      return !(isText && (isTextIntegrationPoint(element) || isIntegrationPoint(element)))
    }
    if isTextIntegrationPoint(element) { return name == "mglyph" || name == "malignmark" }
    if element.namespace == .math, element.name == "annotation-xml", name == "svg" { return false }
    return !isIntegrationPoint(element)
  }

  private func isTextIntegrationPoint(_ element: Element) -> Bool {
    element.namespace == .math && ["mi", "mo", "mn", "ms", "mtext"].contains(element.name)
  }

  private func isIntegrationPoint(_ element: Element) -> Bool {
    if element.namespace == .svg { return ["foreignobject", "desc", "title"].contains(element.name) }
    guard element.namespace == .math, element.name == "annotation-xml" else { return false }
    return ["text/html", "application/xhtml+xml"].contains(element.value("encoding")?.asciiLowercased())
  }

  mutating func foreign(_ token: Token) {
    switch token {
    case .text, .comment: break
    case .start(let name, let attributes, let isSelfClosing):
      let isFontOfHTML = name == "font" && attributes.contains { ["color", "face", "size"].contains($0.name) }
      if Self.breaksOut.contains(name) || isFontOfHTML {
        note(.structure, "<\(name)> ends <\(tree.name(current))>")
        leaveForeign()
        return process(token, in: mode)
      }
      insert(name, attributes, namespace: currentElement.namespace)
      if isSelfClosing { pop() }
    case .end("br"), .end("p"):
      note(.structure, "an end tag of HTML ends <\(tree.name(current))>")
      leaveForeign()
      process(token, in: mode)
    case .end(let name): endForeign(name, token)
    }
  }

  private mutating func leaveForeign() {
    while open.count > 1, currentElement.namespace != .html, !isTextIntegrationPoint(currentElement),
      !isIntegrationPoint(currentElement)
    {
      pop()
    }
  }

  private mutating func endForeign(_ name: String, _ token: Token) {
    for index in open.indices.dropFirst().reversed() {
      guard let element = tree.element(open[index]) else { return }
      if element.namespace == .html { return process(token, in: mode) }
      if element.name == name {
        if index < open.count - 1 { note(.balance, "<\(tree.name(current))> is not ended before </\(name)>") }
        pop(from: index)
        return
      }
    }
    noteStray(name)
  }

  private static let breaksOut: Set = [
    "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed", "h1", "h2", "h3",
    "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr", "ol", "p", "pre", "ruby", "s",
    "small", "span", "strong", "strike", "sub", "sup", "table", "tt", "u", "ul", "var",
  ]
}
