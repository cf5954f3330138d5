/// The insertion modes in tables (13.2.6.4.9 to 13.2.6.4.15).
extension HTMLTreeBuilder {
  mutating func inTable(_ token: Token) {
    switch token.kind {
    case .text, .space, .null:
      guard isCurrent(HTMLNames.fosterTargets.union([.template])) else { return foster(token) }
      tableText = []
      originalMode = mode
      mode = .inTableText
      process(token, mode)
    case .start: startInTable(token)
    case .end: endInTable(token)
    case .comment, .doctype, .endOfSource: inBody(token)
    }
  }

  private mutating func startInTable(_ token: Token) {
    switch token.known {
    case .caption:
      clear(to: .tableScope)
      formatting.append(Self.marker)
      insert(token)
      mode = .inCaption
    case .colgroup:
      clear(to: .tableScope)
      insert(token)
      mode = .inColumnGroup
    case .col:
      clear(to: .tableScope)
      insert(.colgroup, .implied, at: token.location)
      mode = .inColumnGroup
      process(token, mode)
    case .tbody, .tfoot, .thead:
      clear(to: .tableScope)
      insert(token)
      mode = .inTableBody
    case .td, .th, .tr:
      clear(to: .tableScope)
      insert(.tbody, .implied, at: token.location)
      mode = .inTableBody
      process(token, mode)
    case .table:
      guard isInScope(.table, .tableScope) else { return }
      popUntil(.table)
      resetMode()
      process(token, mode)
    case .style, .script, .template: inHead(token)
    case .input where isHidden(token):
      insert(token)
      pop()
    case .form:
      if hasOpen(.template) || form >= 0 { return }
      form = insert(token)
      pop()
    default: foster(token)
    }
  }

  private mutating func endInTable(_ token: Token) {
    switch token.known {
    case .table:
      guard isInScope(.table, .tableScope) else { return }
      popUntil(.table)
      resetMode()
    case .body, .caption, .col, .colgroup, .html, .tbody, .td, .tfoot, .th, .thead, .tr: break
    case .template: inHead(token)
    default: foster(token)
    }
  }

  /// Handles a token as "in body", but moves before the table what would go into its structure.
  private mutating func foster(_ token: Token) {
    fostersContent = true
    inBody(token)
    fostersContent = false
  }

  mutating func inTableText(_ token: Token) {
    switch token.kind {
    case .null: break
    case .text, .space: tableText.append(token)
    default:
      let texts = tableText
      tableText = []
      if texts.contains(where: { $0.kind == .text }) {
        for text in texts { foster(text) }
      } else {
        for text in texts { insertText(text) }
      }
      mode = originalMode
      process(token, mode)
    }
  }

  mutating func inCaption(_ token: Token) {
    if token.isEnd(.caption) {
      _ = endCaption()
    } else if token.isStart(.tableParts) || token.isEnd(.table) {
      if endCaption() { process(token, mode) }
    } else if token.isEnd(HTMLNames.tableParts.union([.body, .html])) {
      return
    } else {
      inBody(token)
    }
  }

  private mutating func endCaption() -> Bool {
    guard isInScope(.caption, .tableScope) else { return false }
    generateImpliedEnds()
    popUntil(.caption)
    clearFormatting()
    mode = .inTable
    return true
  }

  mutating func inColumnGroup(_ token: Token) {
    switch token.kind {
    case .space: insertText(token)
    case .start where token.known == .col:
      insert(token)
      pop()
    case .start where token.known == .template, .end where token.known == .template: inHead(token)
    case .end where token.known == .colgroup:
      guard isCurrent(.colgroup) else { return }
      pop()
      mode = .inTable
    case .end where token.known == .col: break
    case .endOfSource: inBody(token)
    default:
      guard isCurrent(.colgroup) else { return }
      pop()
      mode = .inTable
      process(token, mode)
    }
  }

  mutating func inTableBody(_ token: Token) {
    if token.isStart(.tr) {
      clear(to: .bodyContexts)
      insert(token)
      mode = .inRow
    } else if token.isStart(.th) || token.isStart(.td) {
      clear(to: .bodyContexts)
      insert(.tr, .implied, at: token.location)
      mode = .inRow
      process(token, mode)
    } else if token.isEnd(.sections), let name = token.known {
      guard isInScope(name, .tableScope) else { return }
      clear(to: .bodyContexts)
      pop()
      mode = .inTable
    } else if token.isStart(HTMLNames.sections.union([.caption, .col, .colgroup])) || token.isEnd(.table) {
      guard isInScope(.sections, .tableScope) else { return }
      clear(to: .bodyContexts)
      pop()
      mode = .inTable
      process(token, mode)
    } else if token.isEnd([.body, .caption, .col, .colgroup, .html, .td, .th, .tr]) {
      return
    } else {
      inTable(token)
    }
  }

  mutating func inRow(_ token: Token) {
    if token.isStart(.th) || token.isStart(.td) {
      clear(to: .rowContexts)
      insert(token)
      mode = .inCell
      formatting.append(Self.marker)
    } else if token.isEnd(.tr) {
      _ = endRow()
    } else if token.isStart(HTMLNames.sections.union([.caption, .col, .colgroup, .tr])) || token.isEnd(.table) {
      if endRow() { process(token, mode) }
    } else if token.isEnd(.sections), let name = token.known {
      guard isInScope(name, .tableScope) else { return }
      if endRow() { process(token, mode) }
    } else if token.isEnd([.body, .caption, .col, .colgroup, .html, .td, .th]) {
      return
    } else {
      inTable(token)
    }
  }

  private mutating func endRow() -> Bool {
    guard isInScope(.tr, .tableScope) else { return false }
    clear(to: .rowContexts)
    pop()
    mode = .inTableBody
    return true
  }

  mutating func inCell(_ token: Token) {
    if token.isEnd(.td) || token.isEnd(.th), let name = token.known {
      guard isInScope(name, .tableScope) else { return }
      generateImpliedEnds()
      popUntil(name)
      clearFormatting()
      mode = .inRow
    } else if token.isStart(.tableParts) {
      guard isInScope([.td, .th], .tableScope) else { return }
      closeCell()
      process(token, mode)
    } else if token.isEnd([.body, .caption, .col, .colgroup, .html]) {
      return
    } else if token.isEnd(HTMLNames.sections.union([.table, .tr])), let name = token.known {
      guard isInScope(name, .tableScope) else { return }
      closeCell()
      process(token, mode)
    } else {
      inBody(token)
    }
  }

  private mutating func closeCell() {
    generateImpliedEnds()
    popUntil([.td, .th])
    clearFormatting()
    mode = .inRow
  }
}
