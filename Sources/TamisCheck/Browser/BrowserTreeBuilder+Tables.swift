import TamisCore
import TamisSanitizer

/// Content of tables and templates (HTML Standard, 13.2.6.4.9 to 13.2.6.4.16).
extension BrowserTreeBuilder {
  private static let sections: Set = ["tbody", "tfoot", "thead"]
  private static let parts: Set = ["caption", "col", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr"]

  mutating func inTable(_ token: Token) {
    switch token {
    case .text(let text):
      if text.allSatisfy(\.isHTMLSpace) { insertText(text) } else { foster(token) }
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
    case "input" where attributes.first { $0.name == "type" }?.value.asciiLowercased() == "hidden":
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

  mutating func inCaption(_ token: Token) {
    switch token {
    case .end("caption"): endCell("caption", behind: .table)
    case .start(let name, _, _) where Self.parts.contains(name):
      if endCell("caption", behind: .table) { process(token, in: mode) }
    case .end("table"): if endCell("caption", behind: .table) { process(token, in: mode) }
    case .end(let name) where Self.parts.contains(name) || name == "body" || name == "html": noteStray(name)
    default: inBody(token)
    }
  }

  mutating func inColumns(_ token: Token) {
    switch token {
    case .text(let text) where text.allSatisfy(\.isHTMLSpace): insertText(text)
    case .start("col", let attributes, _): insertVoid("col", attributes)
    case .start("template", let attributes, _): _ = startInHead("template", attributes)
    case .end("template"): endTemplate()
    case .end("col"): noteStray("col")
    default:
      guard isCurrent(["colgroup"]) else {
        return note(.structure, "something is ignored inside <\(tree.name(current))>")
      }
      pop()
      mode = .table
      if case .end("colgroup") = token { return }
      process(token, in: mode)
    }
  }

  mutating func inTableBody(_ token: Token) {
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

  mutating func inRow(_ token: Token) {
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

  mutating func inCell(_ token: Token) {
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

  mutating func inTemplate(_ token: Token) {
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
