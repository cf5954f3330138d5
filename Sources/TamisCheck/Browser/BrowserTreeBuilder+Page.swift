import TamisCore
import TamisSanitizer

/// What is around the body of a page: doctype, head, frameset, and what stands behind (HTML Standard, 13.2.6.4.1 to
/// 13.2.6.4.6 and 13.2.6.4.17 to 13.2.6.4.23).
extension BrowserTreeBuilder {
  mutating func inPage(_ token: Token, _ mode: Mode) {
    if case .text(let text) = token { return pageText(text, mode) }
    if case .doctype(let doctype) = token { return pageDoctype(doctype, mode) }
    if case .start("html", _, _) = token, ![.initial, .beforeHTML].contains(mode) { return inBody(token) }
    switch mode {
    case .initial, .beforeHTML: beforeHTML(token)
    case .beforeHead: beforeHead(token)
    case .head: inHead(token)
    case .headNoscript: inHeadNoscript(token)
    case .afterHead: afterHead(token)
    case .afterBody, .afterAfterBody: afterBody(token, mode)
    case .frameset: inFrameset(token)
    default: afterFrameset(token, mode)
    }
  }

  private mutating func pageDoctype(_ doctype: BrowserTokenizer.Doctype, _ mode: Mode) {
    guard mode == .initial else { return }
    tree.append(.doctype(doctype), to: BrowserTree.root)
    isInQuirksMode = doctype.causesQuirks
    self.mode = .beforeHTML
  }

  /// Handles text, of which white space has a meaning of its own before and behind a body.
  private mutating func pageText(_ text: [UInt8], _ mode: Mode) {
    let white = Array(text.prefix(while: \.isHTMLSpace))
    let rest = Array(text[white.count...])
    switch mode {
    case .initial, .beforeHTML, .beforeHead: break
    case .head, .headNoscript, .afterHead: if !white.isEmpty { insertText(white) }
    case .frameset, .afterFrameset:
      let spaces = text.filter(\.isHTMLSpace)
      return spaces.isEmpty ? () : insertText(spaces)
    case .afterAfterFrameset:
      let spaces = text.filter(\.isHTMLSpace)
      return spaces.isEmpty ? () : inBody(.text(spaces))
    default:
      if !rest.isEmpty { self.mode = .body }
      return inBody(.text(text))
    }
    if !rest.isEmpty { supply(after: mode, for: .text(rest)) }
  }

  /// Supplies the element without which a token cannot stand in a mode, and processes the token.
  private mutating func supply(after mode: Mode, for token: Token) {
    supply(after: mode)
    process(token, in: self.mode)
  }

  private mutating func supply(after mode: Mode) {
    switch mode {
    case .initial:
      isInQuirksMode = true
      self.mode = .beforeHTML
    case .beforeHTML: beginHTML([])
    case .beforeHead:
      head = insert("head", isSupplied: true)
      self.mode = .head
    case .head:
      pop()
      self.mode = .afterHead
    case .headNoscript:
      pop()
      self.mode = .head
    default:
      insert("body", isSupplied: true)
      self.mode = .body
    }
  }

  /// Supplies what a page has though its end comes first.
  mutating func endPage() {
    if mode == .rawText {
      pop()
      mode = modeBehind
    }
    while isOpen("template") { endTemplate() }
    while [.initial, .beforeHTML, .beforeHead, .head, .headNoscript, .afterHead].contains(mode) { supply(after: mode) }
  }

  private mutating func beginHTML(_ attributes: Attributes) {
    let node = tree.make(Element(name: "html", namespace: .html, attributes: attributes))
    tree.insert(node, into: BrowserTree.root)
    open = [node]
    mode = .beforeHead
  }

  private static let endsThatSupply: Set = ["head", "body", "html", "br"]

  private mutating func beforeHTML(_ token: Token) {
    switch token {
    case .start("html", let attributes, _) where mode == .beforeHTML: beginHTML(attributes)
    case .end(let name) where mode == .beforeHTML && !Self.endsThatSupply.contains(name): noteStray(name)
    default: supply(after: mode, for: token)
    }
  }

  private mutating func beforeHead(_ token: Token) {
    switch token {
    case .start("head", let attributes, _):
      head = insert("head", attributes)
      mode = .head
    case .end(let name) where !Self.endsThatSupply.contains(name): noteStray(name)
    default: supply(after: .beforeHead, for: token)
    }
  }

  private mutating func inHead(_ token: Token) {
    switch token {
    case .start("head", _, _): noteIgnored("head")
    case .start("noscript", let attributes, _) where !hasScripting:
      insert("noscript", attributes)
      mode = .headNoscript
    case .start(let name, let attributes, _):
      if !startInHead(name, attributes) { supply(after: .head, for: token) }
    case .end("head"): supply(after: .head)
    case .end("template"): endTemplate()
    case .end(let name) where !Self.endsThatSupply.contains(name): noteStray(name)
    default: supply(after: .head, for: token)
    }
  }

  private mutating func inHeadNoscript(_ token: Token) {
    switch token {
    case .start("head", _, _), .start("noscript", _, _): noteIgnored("head")
    case .start(let name, _, _) where ["basefont", "bgsound", "link", "meta", "noframes", "style"].contains(name):
      inHead(token)
    case .end("noscript"): supply(after: .headNoscript)
    case .end(let name) where name != "br": noteStray(name)
    default: supply(after: .headNoscript, for: token)
    }
  }

  private static let headElements: Set = [
    "base", "basefont", "bgsound", "link", "meta", "noframes", "script", "style", "template", "title",
  ]

  private mutating func afterHead(_ token: Token) {
    switch token {
    case .start("body", let attributes, _):
      insert("body", attributes)
      allowsFrameset = false
      mode = .body
    case .start("frameset", let attributes, _):
      insert("frameset", attributes)
      mode = .frameset
    case .start(let name, _, _) where Self.headElements.contains(name):
      guard let head else { return }
      push(head)
      inHead(token)
      open.removeAll { $0 == head }
      recount()
    case .start("head", _, _): noteIgnored("head")
    case .end("template"): endTemplate()
    case .end(let name) where !Self.endsThatSupply.contains(name): noteStray(name)
    default: supply(after: .afterHead, for: token)
    }
  }

  private mutating func afterBody(_ token: Token, _ mode: Mode) {
    if case .end("html") = token, mode == .afterBody {
      self.mode = isPage ? .afterAfterBody : .afterBody
    } else {
      self.mode = .body
      process(token, in: .body)
    }
  }

  private mutating func inFrameset(_ token: Token) {
    switch token {
    case .start("frameset", let attributes, _): insert("frameset", attributes)
    case .start("frame", let attributes, _): insertVoid("frame", attributes)
    case .start("noframes", let attributes, _): _ = startInHead("noframes", attributes)
    case .end("frameset"):
      if open.count == 1 { return }
      pop()
      if isPage, !isCurrent(["frameset"]) { mode = .afterFrameset }
    default: break
    }
  }

  private mutating func afterFrameset(_ token: Token, _ mode: Mode) {
    switch token {
    case .start("noframes", let attributes, _): _ = startInHead("noframes", attributes)
    case .end("html") where mode == .afterFrameset: self.mode = .afterAfterFrameset
    default: break
    }
  }

  /// Puts a frameset in the place of a body that has shown nothing yet.
  mutating func replaceBodyWithFrameset(_ attributes: Attributes) {
    guard open.count > 1, tree.isHTML(open[1], ["body"]), allowsFrameset else { return noteIgnored("frameset") }
    tree.detach(open[1])
    pop(from: 1)
    insert("frameset", attributes)
    mode = .frameset
  }
}

extension BrowserTokenizer.Doctype {
  /// Whether a page that begins so is in quirks mode (13.2.6.4.1).
  var causesQuirks: Bool {
    let publicID = publicID?.asciiLowercased() ?? ""
    return forcesQuirks || name != "html" || Self.publicIDs.contains(publicID)
      || systemID?.asciiLowercased() == "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"
      || Self.beginnings.contains { publicID.hasPrefix("\($0)//") }
      || systemID == nil
        && ["frameset", "transitional"].contains { publicID.hasPrefix("-//w3c//dtd html 4.01 \($0)//") }
  }

  private static let publicIDs: Set = [
    "-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html",
  ]

  private static let beginnings = [
    "+//silmaril//dtd html pro v0r11 19970101", "-//as//dtd html 3.0 aswedit + extensions",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions", "-//ietf//dtd html 2.0 level 1",
    "-//ietf//dtd html 2.0 level 2", "-//ietf//dtd html 2.0 strict level 1", "-//ietf//dtd html 2.0 strict level 2",
    "-//ietf//dtd html 2.0 strict", "-//ietf//dtd html 2.0", "-//ietf//dtd html 2.1e", "-//ietf//dtd html 3.0",
    "-//ietf//dtd html 3.2 final", "-//ietf//dtd html 3.2", "-//ietf//dtd html 3", "-//ietf//dtd html level 0",
    "-//ietf//dtd html level 1", "-//ietf//dtd html level 2", "-//ietf//dtd html level 3",
    "-//ietf//dtd html strict level 0", "-//ietf//dtd html strict level 1", "-//ietf//dtd html strict level 2",
    "-//ietf//dtd html strict level 3", "-//ietf//dtd html strict", "-//ietf//dtd html",
    "-//metrius//dtd metrius presentational", "-//microsoft//dtd internet explorer 2.0 html strict",
    "-//microsoft//dtd internet explorer 2.0 html", "-//microsoft//dtd internet explorer 2.0 tables",
    "-//microsoft//dtd internet explorer 3.0 html strict", "-//microsoft//dtd internet explorer 3.0 html",
    "-//microsoft//dtd internet explorer 3.0 tables", "-//netscape comm. corp.//dtd html",
    "-//netscape comm. corp.//dtd strict html", "-//o'reilly and associates//dtd html 2.0",
    "-//o'reilly and associates//dtd html extended 1.0", "-//o'reilly and associates//dtd html extended relaxed 1.0",
    "-//sq//dtd html 2.0 hotmetal + extensions",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0", "-//spyglass//dtd html 2.0 extended",
    "-//sun microsystems corp.//dtd hotjava html", "-//sun microsystems corp.//dtd hotjava strict html",
    "-//w3c//dtd html 3 1995-03-24", "-//w3c//dtd html 3.2 draft", "-//w3c//dtd html 3.2 final",
    "-//w3c//dtd html 3.2", "-//w3c//dtd html 3.2s draft", "-//w3c//dtd html 4.0 frameset",
    "-//w3c//dtd html 4.0 transitional", "-//w3c//dtd html experimental 19960712",
    "-//w3c//dtd html experimental 970421", "-//w3c//dtd w3 html", "-//w3o//dtd w3 html 3.0",
    "-//webtechs//dtd mozilla html 2.0", "-//webtechs//dtd mozilla html",
  ]
}
