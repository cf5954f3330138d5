import TamisCore
import TamisSanitizer

/// A builder of the tree that a browser builds of a fragment or a page (HTML Standard, 13.2.6, as of 2026).
struct BrowserTreeBuilder {
  typealias Token = BrowserTokenizer.Token
  typealias Element = BrowserTree.Element
  typealias Attributes = [(name: String, value: String)]

  enum Mode {
    case body, rawText, table, caption, columns, tableBody, row, cell, template
    // Around the body of a page.
    case initial, beforeHTML, beforeHead, head, headNoscript, afterHead
    case afterBody, frameset, afterFrameset, afterAfterBody, afterAfterFrameset
  }

  /// The differences between browsers and between their settings.
  struct Options {
    /// Whether scripts run, so that the content of `noscript` is text.
    var hasScripting = true
    /// Whether CDATA sections are read in elements of SVG and MathML that hold HTML: in all browsers but WebKit.
    var readsSectionsBesideHTML = true
  }

  enum Formatting {
    case marker
    case element(Int)

    var node: Int? { if case .element(let node) = self { node } else { nil } }
  }

  var tree: BrowserTree
  var tokenizer: BrowserTokenizer
  let isPage: Bool
  private let options: Options
  var mode = Mode.body
  /// The mode after raw text.
  private(set) var modeBehind = Mode.body
  var templateModes: [Mode] = []
  /// The open elements, beginning with the root of the fragment, or with `html`.
  var open = [BrowserTree.root]
  /// The number of open HTML elements of each name, which saves searches for names that are not open.
  private var openNames: [String: Int] = [:]
  var formatting: [Formatting] = []
  var form: Int?
  var head: Int?
  /// Whether a frameset may still take the place of the body.
  var allowsFrameset = true
  var isInQuirksMode = false
  /// Whether misplaced content of a table is moved before it.
  var isFostering = false
  /// Whether a line feed that comes next is dropped.
  var dropsLineFeed = false

  /// Returns the tree of a fragment in an element.
  static func tree(
    of html: String, in context: Element = Element(name: "div", namespace: .html), _ options: Options = Options()
  ) -> BrowserTree {
    var builder = BrowserTreeBuilder(html, isPage: false, in: context, options)
    builder.begin(in: context)
    builder.run()
    return builder.tree
  }

  /// Returns the tree of a page.
  static func page(_ html: String, _ options: Options = Options()) -> BrowserTree {
    var builder = BrowserTreeBuilder(html, isPage: true, in: Element(name: "", namespace: .html), options)
    builder.mode = .initial
    builder.run()
    return builder.tree
  }

  private init(_ html: String, isPage: Bool, in root: Element, _ options: Options) {
    (tree, tokenizer) = (BrowserTree(in: root), BrowserTokenizer(html))
    (self.isPage, self.options) = (isPage, options)
  }

  var hasScripting: Bool { options.hasScripting }

  /// Sets what the element around a fragment determines (13.4).
  private mutating func begin(in context: Element) {
    guard context.namespace == .html else { return }
    switch context.name {
    case "title", "textarea": tokenizer.content = .text(until: context.name)
    case "style", "xmp", "iframe", "noembed", "noframes": tokenizer.content = .rawText(until: context.name)
    case "noscript" where hasScripting: tokenizer.content = .rawText(until: context.name)
    case "script": tokenizer.content = .script(until: context.name)
    case "plaintext": tokenizer.content = .plain
    case "template": templateModes.append(.template)
    case "form": form = BrowserTree.root
    default: break
    }
    resetMode()
  }

  private mutating func run() {
    while tree.nodes.count < BrowserTree.mostNodes, open.count < BrowserTree.mostOpen {
      let element = currentElement
      tokenizer.allowsSections =
        element.namespace != .html
        && (options.readsSectionsBesideHTML || !isTextIntegrationPoint(element) && !isIntegrationPoint(element))
      guard let token = tokenizer.next() else { break }
      process(token)
    }
    if tree.nodes.count >= BrowserTree.mostNodes {
      tree.unread = "it has more than \(BrowserTree.mostNodes) nodes; the rest is not judged"
    } else if open.count >= BrowserTree.mostOpen {
      tree.unread = "it is nested more than \(BrowserTree.mostOpen) deep; the rest is not judged"
    }
    tree.endsInTag = tokenizer.unended == .tag
    if let unended = tokenizer.unended {
      note(.balance, "\(unended.rawValue) is not ended")
    } else if let node = open.dropFirst().last(where: { !tree.isHTML($0, Self.endsByItself) }) {
      note(.balance, "<\(tree.name(node))> is not ended")
    }
    endPage()
  }

  /// Records the first difference between the tree and the markup.
  mutating func note(_ kind: BrowserTree.Oddity.Kind, _ message: String) {
    if tree.oddity == nil { tree.oddity = BrowserTree.Oddity(kind: kind, message: message) }
  }

  // MARK: - Tokens

  private mutating func process(_ token: Token) {
    guard case .text(var text) = token else {
      dropsLineFeed = false
      if case .comment(let text) = token { return insertComment(text) }
      return isForeign(token) ? foreign(token) : process(token, in: mode)
    }
    if dropsLineFeed, text.first == ASCII.lineFeed { text.removeFirst() }
    dropsLineFeed = false
    let isForeign = isForeign(token)
    // NUL is removed from text in markup, and replaced elsewhere.
    if isForeign || isRaw, text.contains(0) {
      if text.contains(where: { $0 != 0 && !$0.isHTMLSpace }) { allowsFrameset = false }
      text = text.flatMap { $0 != 0 ? [$0] : Array("\u{FFFD}".utf8) }
    } else if isForeign, !text.allSatisfy(\.isHTMLSpace) {
      allowsFrameset = false
    }
    if text.isEmpty { return }
    if isForeign {
      insertText(text)
    } else {
      process(.text(text), in: mode)
    }
  }

  private mutating func insertComment(_ text: [UInt8]) {
    switch mode {
    case .initial, .beforeHTML, .afterAfterBody, .afterAfterFrameset:
      tree.append(.comment(text), to: BrowserTree.root)
    case .afterBody: tree.append(.comment(text), to: open[0])
    default:
      let (parent, sibling) = insertionPoint(for: current)
      tree.append(.comment(text), to: parent, before: sibling)
    }
  }

  /// Whether the current element contains only text.
  private var isRaw: Bool { if case .plain = tokenizer.content { true } else { mode == .rawText } }

  mutating func process(_ token: Token, in mode: Mode) {
    switch mode {
    case .body: inBody(token)
    case .rawText: inRawText(token)
    case .table: inTable(token)
    case .caption: inCaption(token)
    case .columns: inColumns(token)
    case .tableBody: inTableBody(token)
    case .row: inRow(token)
    case .cell: inCell(token)
    case .template: inTemplate(token)
    default: inPage(token, mode)
    }
  }

  private mutating func inRawText(_ token: Token) {
    switch token {
    case .text(let text): insertText(text)
    case .end:
      pop()
      mode = modeBehind
    default: break
    }
  }

  /// Inserts an element whose content is text up to its end tag.
  mutating func insertRaw(_ name: String, _ attributes: Attributes, _ content: BrowserTokenizer.Content) {
    insert(name, attributes)
    tokenizer.content = content
    modeBehind = mode
    mode = .rawText
  }

  // MARK: - Elements

  var current: Int { open[open.count - 1] }

  private var currentElement: Element { tree.element(current) ?? Element(name: "div", namespace: .html) }

  mutating func push(_ node: Int) {
    open.append(node)
    if let element = tree.element(node), element.namespace == .html { openNames[element.name, default: 0] += 1 }
  }

  mutating func pop() {
    guard open.count > 1, let node = open.popLast() else { return }
    if let element = tree.element(node), element.namespace == .html { openNames[element.name, default: 1] -= 1 }
  }

  /// Ends all elements from an index on.
  mutating func pop(from index: Int) { while open.count > max(1, index) { pop() } }

  /// Recounts the open elements after changes other than at the end.
  mutating func recount() {
    openNames = [:]
    for element in open.dropFirst().compactMap({ tree.element($0) }) where element.namespace == .html {
      openNames[element.name, default: 0] += 1
    }
  }

  func isOpen(_ name: String) -> Bool { openNames[name] ?? 0 > 0 }

  /// Whether the innermost open element is one of these; the element around a fragment is none.
  func isCurrent(_ names: Set<String>) -> Bool { current != BrowserTree.root && tree.isHTML(current, names) }

  @discardableResult mutating func insert(
    _ name: String, _ attributes: Attributes = [], namespace: Policy.Namespace = .html, isSupplied: Bool = false
  ) -> Int {
    let element = Element(name: name, namespace: namespace, attributes: attributes, isSupplied: isSupplied)
    let node = tree.make(element)
    let (parent, sibling) = insertionPoint(for: current)
    if sibling != nil, !isSupplied { note(.structure, "<\(name)> is moved before the table") }
    tree.insert(node, into: parent, before: sibling)
    push(node)
    return node
  }

  /// Inserts an element that has no content.
  mutating func insertVoid(_ name: String, _ attributes: Attributes) {
    insert(name, attributes)
    pop()
  }

  mutating func insertText(_ text: [UInt8]) {
    let (parent, sibling) = insertionPoint(for: current)
    if sibling != nil { note(.structure, "text is moved before the table") }
    tree.insertText(text, into: parent, before: sibling)
  }

  /// Returns where a child of an element goes: before the table, when it is not allowed inside (13.2.6.1).
  func insertionPoint(for target: Int) -> (parent: Int, before: Int?) {
    guard isFostering, target != BrowserTree.root, tree.isHTML(target, ["table", "tbody", "tfoot", "thead", "tr"])
    else {
      return (target, nil)
    }
    let table = open.lastIndex { tree.isHTML($0, ["table"]) }
    if let template = open.lastIndex(where: { tree.isHTML($0, ["template"]) }), template > table ?? -1 {
      return (open[template], nil)
    }
    guard let table, table > 0 else { return (open[0], nil) }
    if let parent = tree.nodes[open[table]].parent { return (parent, open[table]) }
    return (open[table - 1], nil)
  }

  // MARK: - Scopes

  /// Whether one of the elements is open, with no boundary of the scope inside it (13.2.4.2).
  func isInScope(_ names: Set<String>, _ scope: Scope = .standard) -> Bool {
    guard names.contains(where: isOpen) else { return false }
    for node in open.reversed() {
      guard let element = tree.element(node) else { continue }
      if element.namespace == .html {
        if names.contains(element.name) { return true }
        if scope.boundaries.contains(element.name) { return false }
      } else if scope.endsAtForeign, Self.isForeignBoundary(element) {
        return false
      }
    }
    return false
  }

  /// The boundaries of the search for an open element.
  struct Scope {
    var boundaries: Set<String>
    var endsAtForeign = true

    static let standard = Scope(boundaries: [
      "applet", "caption", "html", "table", "td", "th", "marquee", "object", "select", "template",
    ])
    static let button = Scope(boundaries: standard.boundaries.union(["button"]))
    static let list = Scope(boundaries: standard.boundaries.union(["ol", "ul"]))
    static let table = Scope(boundaries: ["html", "table", "template"], endsAtForeign: false)
  }

  static func isForeignBoundary(_ element: Element) -> Bool {
    switch element.namespace {
    case .math: ["mi", "mo", "mn", "ms", "mtext", "annotation-xml"].contains(element.name)
    case .svg: ["foreignobject", "desc", "title"].contains(element.name)
    default: false
    }
  }

  mutating func popUntil(_ names: Set<String>) {
    while open.count > 1 {
      let isLast = isCurrent(names)
      pop()
      if isLast { return }
    }
  }

  private mutating func clearStack(to names: Set<String>) {
    while open.count > 1, !isCurrent(names) { pop() }
  }

  mutating func endImplied(except name: String = "") {
    while open.count > 1, isCurrent(Self.impliedEnds), tree.name(current) != name { pop() }
  }

  mutating func endParagraph() {
    guard isInScope(["p"], .button) else { return }
    endImplied(except: "p")
    noteOpen(in: "p")
    popUntil(["p"])
  }

  /// Records when another element than `name` is innermost at its end.
  mutating func noteOpen(in name: String) {
    if !isCurrent([name]) { note(.balance, "<\(tree.name(current))> is not ended before </\(name)>") }
  }

  mutating func noteStray(_ name: String) { note(.balance, "</\(name)> ends nothing that is open") }

  mutating func noteIgnored(_ name: String) {
    note(.structure, "<\(name)> is ignored inside <\(tree.name(current))>")
  }

  // MARK: - Formatting

  /// Adds to the list of formatting elements, which has at most three equal ones (13.2.4.3).
  mutating func pushFormatting(_ node: Int) {
    guard let new = tree.element(node) else { return }
    var same: [Int] = []
    for (index, entry) in formatting.enumerated().reversed() {
      guard let other = entry.node.flatMap({ tree.element($0) }) else { break }
      if other.name == new.name, other.attributes.count == new.attributes.count,
        new.attributes.allSatisfy({ other.value($0.name) == $0.value })
      {
        same.append(index)
      }
    }
    if same.count >= 3 { formatting.remove(at: same[same.count - 1]) }
    formatting.append(.element(node))
  }

  /// Reopens formatting elements that the end of another element has ended.
  mutating func reconstructFormatting() {
    var first = formatting.count
    while first > 0, let node = formatting[first - 1].node, open.lastIndex(of: node) == nil { first -= 1 }
    for index in first..<formatting.count {
      guard let element = formatting[index].node.flatMap({ tree.element($0) }) else { continue }
      note(.structure, "<\(element.name)> goes on behind the element in which it was opened")
      formatting[index] = .element(insert(element.name, element.attributes, isSupplied: true))
    }
  }

  mutating func clearFormatting() {
    while let last = formatting.popLast() { if case .marker = last { return } }
  }

  /// Sets the mode that the open elements require (13.2.4.1).
  mutating func resetMode() {
    for (index, node) in open.enumerated().reversed() {
      guard let element = tree.element(node), element.namespace == .html else { continue }
      switch element.name {
      case "td" where index > 0, "th" where index > 0: mode = .cell
      case "head" where index > 0: mode = .head
      case "body": mode = .body
      case "frameset": mode = .frameset
      case "html": mode = head == nil ? .beforeHead : .afterHead
      case "tr": mode = .row
      case "tbody", "thead", "tfoot": mode = .tableBody
      case "caption": mode = .caption
      case "colgroup": mode = .columns
      case "table": mode = .table
      case "template": mode = templateModes.last ?? .template
      default: continue
      }
      return
    }
    mode = .body
  }

  // MARK: - Lists

  private static let impliedEnds: Set = ["dd", "dt", "li", "optgroup", "option", "p", "rb", "rp", "rt", "rtc"]
  static let endsByItself = impliedEnds.union(["tbody", "td", "tfoot", "th", "thead", "tr"])
  static let headings: Set = ["h1", "h2", "h3", "h4", "h5", "h6"]
  private static let special: Set = [
    "address", "applet", "area", "article", "aside", "base", "basefont", "bgsound", "blockquote", "body", "br",
    "button",
    "caption", "center", "col", "colgroup", "dd", "details", "dir", "div", "dl", "dt", "embed", "fieldset",
    "figcaption", "figure", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header",
    "hgroup", "hr", "html", "iframe", "img", "input", "keygen", "li", "link", "listing", "main", "marquee", "menu",
    "meta", "nav", "noembed", "noframes", "noscript", "object", "ol", "p", "param", "plaintext", "pre", "script",
    "search", "section", "select", "source", "style", "summary", "table", "tbody", "td", "template", "textarea",
    "tfoot",
    "th", "thead", "title", "tr", "track", "ul", "wbr", "xmp",
  ]

  func isSpecial(_ node: Int) -> Bool {
    guard let element = tree.element(node) else { return false }
    return element.namespace == .html ? Self.special.contains(element.name) : Self.isForeignBoundary(element)
  }
}

/// SVG and MathML (HTML Standard, 13.2.6.5).
extension BrowserTreeBuilder {
  /// Whether a token is parsed by the rules of SVG and MathML.
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

  private mutating func foreign(_ token: Token) {
    switch token {
    case .text, .comment, .doctype: break
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

/// Tables and templates (HTML Standard, 13.2.6.4.9 to 13.2.6.4.16).
extension BrowserTreeBuilder {
  private static let sections: Set = ["tbody", "tfoot", "thead"]
  private static let parts: Set = ["caption", "col", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr"]

  private mutating func inTable(_ token: Token) {
    switch token {
    case .text(let text):
      let text = text.filter { $0 != 0 }
      if text.allSatisfy(\.isHTMLSpace) { insertText(text) } else { foster(.text(text)) }
    case .doctype: break
    case .start(let name, let attributes, _): startInTable(name, attributes, token)
    case .end("table"): endTable()
    case .end("template"): endTemplate()
    case .end(let name) where Self.parts.contains(name) || name == "body" || name == "html": noteStray(name)
    default: foster(token)
    }
  }

  private mutating func startInTable(_ name: String, _ attributes: Attributes, _ token: Token) {
    switch name {
    case "caption":
      clearStack(to: ["table", "template"])
      formatting.append(.marker)
      insert(name, attributes)
      mode = .caption
    case "colgroup", "col":
      clearStack(to: ["table", "template"])
      insert("colgroup", name == "col" ? [] : attributes, isSupplied: name == "col")
      mode = .columns
      if name == "col" { process(token, in: mode) }
    case "tbody", "tfoot", "thead":
      clearStack(to: ["table", "template"])
      insert(name, attributes)
      mode = .tableBody
    case "td", "th", "tr":
      clearStack(to: ["table", "template"])
      insert("tbody", isSupplied: true)
      mode = .tableBody
      process(token, in: mode)
    case "table":
      note(.structure, "<table> ends the table in which it stands")
      guard isInScope(["table"], .table) else { return }
      popUntil(["table"])
      resetMode()
      process(token, in: mode)
    case "style", "script", "template": _ = startInHead(name, attributes)
    case "input" where Self.isHidden(attributes):
      insertVoid(name, attributes)
    case "form":
      noteIgnored(name)
      if form == nil, !isOpen("template") {
        form = insert(name, attributes)
        pop()
      }
    default: foster(token)
    }
  }

  private mutating func endTable() {
    guard isInTable(["table"]) else { return noteStray("table") }
    popUntil(["table"])
    resetMode()
  }

  private func isInTable(_ names: Set<String>) -> Bool { isInScope(names, .table) }

  private mutating func foster(_ token: Token) {
    let wasFostering = isFostering
    isFostering = true
    inBody(token)
    isFostering = wasFostering
  }

  private mutating func inCaption(_ token: Token) {
    switch token {
    case .end("caption"): endCell("caption", behind: .table)
    case .start(let name, _, _) where Self.parts.contains(name):
      if endCell("caption", behind: .table) { process(token, in: mode) }
    case .end("table"): if endCell("caption", behind: .table) { process(token, in: mode) }
    case .end(let name) where Self.parts.contains(name) || name == "body" || name == "html": noteStray(name)
    default: inBody(token)
    }
  }

  private mutating func inColumns(_ token: Token) {
    switch token {
    case .text(let text):
      let white = Array(text.prefix(while: \.isHTMLSpace))
      if !white.isEmpty { insertText(white) }
      if white.count < text.count { leaveColumns(for: .text(Array(text[white.count...]))) }
    case .doctype: break
    case .start("html", _, _): inBody(token)
    case .start("col", let attributes, _): insertVoid("col", attributes)
    case .start("template", let attributes, _): _ = startInHead("template", attributes)
    case .end("template"): endTemplate()
    case .end("col"): noteStray("col")
    default: leaveColumns(for: token)
    }
  }

  private mutating func leaveColumns(for token: Token) {
    guard isCurrent(["colgroup"]) else {
      return note(.structure, "something is ignored inside <\(tree.name(current))>")
    }
    pop()
    mode = .table
    if case .end("colgroup") = token { return }
    process(token, in: mode)
  }

  private mutating func inTableBody(_ token: Token) {
    let context = Self.sections.union(["template"])
    switch token {
    case .start("tr", let attributes, _):
      clearStack(to: context)
      insert("tr", attributes)
      mode = .row
    case .start("td", _, _), .start("th", _, _):
      clearStack(to: context)
      insert("tr", isSupplied: true)
      mode = .row
      process(token, in: mode)
    case .end(let name) where Self.sections.contains(name):
      guard isInTable([name]) else { return noteStray(name) }
      clearStack(to: context)
      pop()
      mode = .table
    case .start(let name, _, _) where Self.parts.contains(name), .end(let name) where name == "table":
      guard isInTable(Self.sections) else {
        if case .end = token { return noteStray(name) }
        return noteIgnored(name)
      }
      clearStack(to: context)
      pop()
      mode = .table
      process(token, in: mode)
    case .end(let name) where Self.parts.contains(name) || name == "body" || name == "html": noteStray(name)
    default: inTable(token)
    }
  }

  private mutating func inRow(_ token: Token) {
    switch token {
    case .start("td", let attributes, _):
      beginCell("td", attributes)
    case .start("th", let attributes, _):
      beginCell("th", attributes)
    case .end("tr"): if !endRow() { noteStray("tr") }
    case .start(let name, _, _) where Self.parts.contains(name):
      if endRow() { process(token, in: mode) } else { noteIgnored(name) }
    case .end("table"): if endRow() { process(token, in: mode) } else { noteStray("table") }
    case .end(let name) where Self.sections.contains(name):
      guard isInTable([name]), endRow() else { return noteStray(name) }
      process(token, in: mode)
    case .end(let name) where Self.parts.contains(name) || name == "body" || name == "html": noteStray(name)
    default: inTable(token)
    }
  }

  private mutating func beginCell(_ name: String, _ attributes: Attributes) {
    clearStack(to: ["tr", "template"])
    insert(name, attributes)
    mode = .cell
    formatting.append(.marker)
  }

  private mutating func endRow() -> Bool {
    guard isInTable(["tr"]) else { return false }
    clearStack(to: ["tr", "template"])
    pop()
    mode = .tableBody
    return true
  }

  private mutating func inCell(_ token: Token) {
    switch token {
    case .end("td"): endCell("td", behind: .row)
    case .end("th"): endCell("th", behind: .row)
    case .start(let name, _, _) where Self.parts.contains(name):
      if endOpenCell() { process(token, in: mode) }
    case .end(let name) where name == "table" || name == "tr" || Self.sections.contains(name):
      guard isInTable([name]) else { return noteStray(name) }
      if endOpenCell() { process(token, in: mode) }
    case .end(let name) where Self.parts.contains(name) || name == "body" || name == "html": noteStray(name)
    default: inBody(token)
    }
  }

  private mutating func endOpenCell() -> Bool { endCell(isInTable(["td"]) ? "td" : "th", behind: .row) }

  @discardableResult private mutating func endCell(_ name: String, behind next: Mode) -> Bool {
    guard isInTable([name]) else {
      noteStray(name)
      return false
    }
    endImplied()
    noteOpen(in: name)
    popUntil([name])
    clearFormatting()
    mode = next
    return true
  }

  private mutating func inTemplate(_ token: Token) {
    switch token {
    case .start(let name, let attributes, _):
      if startInHead(name, attributes) { return }
      let next: Mode =
        switch name {
        case "caption", "colgroup", "tbody", "tfoot", "thead": .table
        case "col": .columns
        case "tr": .tableBody
        case "td", "th": .row
        default: .body
        }
      _ = templateModes.popLast()
      templateModes.append(next)
      mode = next
      process(token, in: mode)
    case .end("template"): endTemplate()
    case .end(let name): noteStray(name)
    default: inBody(token)
    }
  }
}
