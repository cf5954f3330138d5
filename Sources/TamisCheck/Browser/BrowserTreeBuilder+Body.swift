import TamisCore
import TamisSanitizer

/// The body of a page (HTML Standard, 13.2.6.4.4 and 13.2.6.4.7).
extension BrowserTreeBuilder {
  mutating func inBody(_ token: Token) {
    switch token {
    case .text(let text):
      let text = text.filter { $0 != 0 }
      if text.isEmpty { return }
      if !text.allSatisfy(\.isHTMLSpace) { allowsFrameset = false }
      reconstructFormatting()
      insertText(text)
    case .start(let name, let attributes, let isSelfClosing):
      if Self.shown.contains(name), !(name == "input" && Self.isHidden(attributes)) { allowsFrameset = false }
      startInBody(name, attributes, isSelfClosing)
    case .end(let name): endInBody(name, token)
    case .comment, .doctype: break
    }
  }

  // MARK: - Start tags

  private mutating func startInBody(_ name: String, _ attributes: Attributes, _ isSelfClosing: Bool) {
    if startInHead(name, attributes) || startRaw(name, attributes) || startInSelect(name, attributes) { return }
    switch name {
    case "html": addAttributes(attributes, to: open[0], name)
    case "body":
      let body = open.dropFirst().first.flatMap { tree.isHTML($0, ["body"]) ? $0 : nil }
      if isPage, body == nil { return noteIgnored(name) }
      if body != nil { allowsFrameset = false }
      addAttributes(attributes, to: body ?? open[0], name)
    case "frameset": replaceBodyWithFrameset(attributes)
    case "head", "frame", "caption", "col", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr":
      noteIgnored(name)
    case _ where Self.blocks.contains(name), "pre", "listing":
      endParagraph()
      insert(name, attributes)
      dropsLineFeed = name == "pre" || name == "listing"
    case _ where Self.headings.contains(name):
      endParagraph()
      if isCurrent(Self.headings) {
        note(.structure, "<\(name)> ends <\(tree.name(current))>")
        pop()
      }
      insert(name, attributes)
    case "form": startForm(attributes)
    case "li": startItem(name, attributes, ["li"])
    case "dd", "dt": startItem(name, attributes, ["dd", "dt"])
    case "button":
      if isInScope(["button"]) {
        note(.structure, "<button> ends the button in which it stands")
        endImplied()
        popUntil(["button"])
      }
      reconstructFormatting()
      insert(name, attributes)
    case _ where Self.formattings.contains(name): startFormatting(name, attributes)
    case "applet", "marquee", "object":
      reconstructFormatting()
      insert(name, attributes)
      formatting.append(.marker)
    case "table":
      if !isInQuirksMode { endParagraph() }
      insert(name, attributes)
      mode = .table
    case "area", "br", "embed", "img", "keygen", "wbr":
      reconstructFormatting()
      insertVoid(name, attributes)
    case "image":
      note(.structure, "<image> is read as <img>")
      startInBody("img", attributes, isSelfClosing)
    case "param", "source", "track": insertVoid(name, attributes)
    case "rb", "rtc", "rp", "rt":
      if isInScope(["ruby"]) { endImplied(except: name == "rp" || name == "rt" ? "rtc" : "") }
      insert(name, attributes)
    case "math", "svg":
      reconstructFormatting()
      insert(name, attributes, namespace: name == "svg" ? .svg : .math)
      if isSelfClosing { pop() }
    default:
      reconstructFormatting()
      insert(name, attributes)
    }
  }

  /// Adds the attributes that an element of the page does not have.
  ///
  /// The page around a fragment is unknown, so that all are added to it.
  private mutating func addAttributes(_ attributes: Attributes, to node: Int, _ name: String) {
    noteIgnored(name)
    if isOpen("template") { return }
    guard isPage || node != BrowserTree.root, let element = tree.element(node) else {
      tree.pageAttributes += attributes
      return
    }
    tree.setAttributes(element.attributes + attributes.filter { element.value($0.name) == nil }, of: node)
  }

  static func isHidden(_ attributes: Attributes) -> Bool {
    attributes.first { $0.name == "type" }?.value.asciiLowercased() == "hidden"
  }

  /// Elements that show something, so that no frameset can take the place of the body.
  private static let shown: Set = [
    "applet", "area", "br", "button", "dd", "dt", "embed", "hr", "iframe", "image", "img", "input", "keygen", "li",
    "listing", "marquee", "object", "pre", "select", "table", "textarea", "wbr", "xmp",
  ]

  /// Begins an element that is allowed in a head and means the same in a body.
  mutating func startInHead(_ name: String, _ attributes: Attributes) -> Bool {
    switch name {
    case "base", "basefont", "bgsound", "link", "meta": insertVoid(name, attributes)
    case "title": insertRaw(name, attributes, .text(until: name))
    case "noscript" where !hasScripting: return false
    case "noscript", "noframes", "style": insertRaw(name, attributes, .rawText(until: name))
    case "script": insertRaw(name, attributes, .script(until: name))
    case "template":
      insert(name, attributes)
      formatting.append(.marker)
      mode = .template
      templateModes.append(.template)
    default: return false
    }
    return true
  }

  private mutating func startRaw(_ name: String, _ attributes: Attributes) -> Bool {
    switch name {
    case "plaintext":
      endParagraph()
      insert(name, attributes)
      tokenizer.content = .plain
    case "textarea":
      insertRaw(name, attributes, .text(until: name))
      dropsLineFeed = true
    case "xmp":
      endParagraph()
      reconstructFormatting()
      insertRaw(name, attributes, .rawText(until: name))
    case "iframe", "noembed": insertRaw(name, attributes, .rawText(until: name))
    default: return false
    }
    return true
  }

  /// Begins an element that has a different meaning inside a select.
  private mutating func startInSelect(_ name: String, _ attributes: Attributes) -> Bool {
    let isInside = isInScope(["select"])
    switch name {
    // A fragment of a select.
    case "select" where tree.isHTML(BrowserTree.root, ["select"]),
      "input" where tree.isHTML(BrowserTree.root, ["select"]):
      noteIgnored(name)
    case "select" where isInside:
      note(.structure, "<select> ends the select in which it stands")
      popUntil(["select"])
    case "select":
      reconstructFormatting()
      insert(name, attributes)
    case "input":
      if isInside {
        note(.structure, "<input> ends the select in which it stands")
        popUntil(["select"])
      }
      reconstructFormatting()
      insertVoid(name, attributes)
    case "hr":
      endParagraph()
      if isInside { endImplied() }
      insertVoid(name, attributes)
    case "option", "optgroup":
      if isInside {
        endImplied(except: name == "option" ? "optgroup" : "")
      } else if isCurrent(["option"]) {
        pop()
      }
      reconstructFormatting()
      insert(name, attributes)
    default: return false
    }
    return true
  }

  private mutating func startForm(_ attributes: Attributes) {
    let isInTemplate = isOpen("template")
    if form != nil, !isInTemplate { return noteIgnored("form") }
    endParagraph()
    let node = insert("form", attributes)
    if !isInTemplate { form = node }
  }

  private mutating func startItem(_ name: String, _ attributes: Attributes, _ names: Set<String>) {
    for node in open.reversed() {
      if tree.isHTML(node, names) {
        let open = tree.name(node)
        endImplied(except: open)
        noteOpen(in: open)
        popUntil([open])
        break
      }
      if isSpecial(node), !tree.isHTML(node, ["address", "div", "p"]) { break }
    }
    endParagraph()
    insert(name, attributes)
  }

  private mutating func startFormatting(_ name: String, _ attributes: Attributes) {
    if name == "a" {
      let open = formatting.reversed().prefix { $0.node != nil }.compactMap(\.node).first { tree.name($0) == "a" }
      if let open {
        note(.structure, "<a> ends the link in which it stands")
        endFormatting("a")
        formatting.removeAll { $0.node == open }
        self.open.removeAll { $0 == open }
        recount()
      }
    }
    reconstructFormatting()
    if name == "nobr", isInScope(["nobr"]) {
      note(.structure, "<nobr> ends the one in which it stands")
      endFormatting("nobr")
      reconstructFormatting()
    }
    pushFormatting(insert(name, attributes))
  }

  // MARK: - End tags

  private mutating func endInBody(_ name: String, _ token: Token) {
    switch name {
    case "template": endTemplate()
    case "body", "html":
      guard isInScope(["body"]) else { return noteStray(name) }
      mode = .afterBody
      if name == "html" { process(token, in: mode) }
    case "form" where !isOpen("template"): endForm()
    case _ where Self.blocks.subtracting(["p"]).contains(name), "button", "listing", "pre", "select", "form":
      end(name, [name])
    case "p":
      if !isInScope(["p"], .button) {
        noteStray(name)
        insert("p")
      }
      endParagraph()
    case "li": end(name, [name], .list)
    case "dd", "dt": end(name, [name])
    case _ where Self.headings.contains(name): end(name, Self.headings)
    case _ where Self.formattings.contains(name): endFormatting(name)
    case "applet", "marquee", "object":
      if end(name, [name]) { clearFormatting() }
    case "br":
      allowsFrameset = false
      noteStray(name)
      startInBody("br", [], false)
    default: endOther(name)
    }
  }

  /// Ends the open elements up to one of the names.
  @discardableResult mutating func end(_ name: String, _ names: Set<String>, _ scope: Scope = .standard) -> Bool {
    guard isInScope(names, scope) else {
      noteStray(name)
      return false
    }
    endImplied(except: names.count == 1 ? name : "")
    noteOpen(in: name)
    popUntil(names)
    return true
  }

  private mutating func endForm() {
    let node = form
    form = nil
    guard let node, isInScope(["form"]), open.contains(node) else { return noteStray("form") }
    endImplied()
    if current != node { note(.balance, "<\(tree.name(current))> is not ended before </form>") }
    open.removeAll { $0 == node }
    recount()
  }

  mutating func endTemplate() {
    guard isOpen("template") else { return noteStray("template") }
    while open.count > 1, isCurrent(Self.endsByItself.union(["caption", "colgroup"])) { pop() }
    noteOpen(in: "template")
    popUntil(["template"])
    clearFormatting()
    _ = templateModes.popLast()
    resetMode()
  }

  private mutating func endOther(_ name: String) {
    for node in open.dropFirst().reversed() {
      if tree.isHTML(node, [name]) {
        endImplied(except: name)
        if current != node { note(.balance, "<\(tree.name(current))> is not ended before </\(name)>") }
        if let index = open.lastIndex(of: node) { pop(from: index) }
        return
      }
      if isSpecial(node) { break }
    }
    noteStray(name)
  }

  // MARK: - Formatting that ends out of turn

  /// Ends a formatting element in which others may be open (13.2.6.4.7, the adoption agency algorithm).
  mutating func endFormatting(_ name: String) {
    if isCurrent([name]), !formatting.contains(where: { $0.node == current }) { return pop() }
    for _ in 0..<8 {
      let entry = formatting.indices.reversed().prefix { formatting[$0].node != nil }
        .first { formatting[$0].node.map { tree.name($0) } == name }
      guard let entry, let node = formatting[entry].node else { return endOther(name) }
      guard let level = open.lastIndex(of: node) else {
        noteStray(name)
        formatting.remove(at: entry)
        return
      }
      guard isInScope(of: node) else { return noteStray(name) }
      if current != node { note(.balance, "<\(tree.name(current))> is not ended before </\(name)>") }
      guard let block = open[(level + 1)...].firstIndex(where: isSpecial) else {
        pop(from: level)
        formatting.remove(at: entry)
        return
      }
      adopt(node, at: level, entry: entry, block: open[block])
    }
  }

  private func isInScope(of node: Int) -> Bool {
    for other in open.reversed() {
      if other == node { return true }
      if tree.isHTML(other, Scope.standard.boundaries) || tree.element(other).map(Self.isForeignBoundary) == true {
        return false
      }
    }
    return false
  }

  /// Gives a block, and the elements between it and the ended formatting element, copies of the latter.
  private mutating func adopt(_ node: Int, at level: Int, entry: Int, block: Int) {
    let ancestor = open[level - 1]
    var bookmark = entry
    var last = block
    var index = open.lastIndex(of: block) ?? open.count - 1
    var count = 0
    while true {
      count += 1
      index -= 1
      let inner = open[index]
      if inner == node { break }
      var position = formatting.firstIndex { $0.node == inner }
      if count > 3, let found = position {
        formatting.remove(at: found)
        if found < bookmark { bookmark -= 1 }
        position = nil
      }
      guard let position, let element = tree.element(inner) else {
        open.remove(at: index)
        continue
      }
      let copy = tree.make(
        Element(name: element.name, namespace: .html, attributes: element.attributes, isSupplied: true))
      formatting[position] = .element(copy)
      open[index] = copy
      if last == block { bookmark = position + 1 }
      tree.insert(last, into: copy)
      last = copy
    }
    let wasFostering = isFostering
    isFostering = true
    let (parent, sibling) = insertionPoint(for: ancestor)
    isFostering = wasFostering
    tree.insert(last, into: parent, before: sibling)
    guard let element = tree.element(node) else { return }
    let copy = tree.make(
      Element(name: element.name, namespace: .html, attributes: element.attributes, isSupplied: true))
    tree.moveChildren(of: block, to: copy)
    tree.insert(copy, into: block)
    if let old = formatting.firstIndex(where: { $0.node == node }) {
      formatting.remove(at: old)
      if old < bookmark { bookmark -= 1 }
    }
    formatting.insert(.element(copy), at: min(bookmark, formatting.count))
    open.removeAll { $0 == node }
    if let below = open.lastIndex(of: block) { open.insert(copy, at: below + 1) }
    recount()
  }

  // MARK: - Lists

  static let formattings: Set = [
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
  ]
  static let blocks: Set = [
    "address", "article", "aside", "blockquote", "center", "details", "dialog", "dir", "div", "dl", "fieldset",
    "figcaption", "figure", "footer", "header", "hgroup", "main", "menu", "nav", "ol", "p", "search", "section",
    "summary", "ul",
  ]
}
