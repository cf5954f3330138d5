/// The insertion modes around the body (13.2.6.4.1 to 13.2.6.4.6, 13.2.6.4.18 to 13.2.6.4.23), and of templates.
extension HTMLTreeBuilder {
  mutating func initial(_ token: Token) {
    switch token.kind {
    case .space: break
    case .doctype:
      tree.insert(tree.addDoctype(), into: 0)
      mode = .beforeHTML
    default:
      tree.isInQuirksMode = true
      mode = .beforeHTML
      process(token, mode)
    }
  }

  mutating func beforeHTML(_ token: Token) {
    switch token.kind {
    case .space: break
    case .start where token.known == .html:
      insertRoot(token)
    case .end where !([.head, .body, .html, .br] as HTMLNames).contains(token.known): break
    default:
      insertRoot(Token(kind: .start, name: Int32(HTMLName.html.rawValue), origin: .implied, location: token.location))
      process(token, mode)
    }
  }

  private mutating func insertRoot(_ token: Token) {
    let root = tree.addElement(token.name, .html, token.attributes, token.origin, at: token.location)
    tree.insert(root, into: 0)
    stack = [root]
    mode = .beforeHead
  }

  mutating func beforeHead(_ token: Token) {
    switch token.kind {
    case .space: break
    case .start where token.known == .head:
      head = insert(token)
      mode = .inHead
    case .end where !([.head, .body, .html, .br] as HTMLNames).contains(token.known): break
    default:
      head = insert(.head, .implied, at: token.location)
      mode = .inHead
      process(token, mode)
    }
  }

  mutating func inHead(_ token: Token) {
    switch token.kind {
    case .space: insertText(token)
    case .start: startInHead(token)
    case .end where token.known == .head:
      pop()
      mode = .afterHead
    case .end where token.known == .template: endTemplate()
    case .end where !([.body, .html, .br] as HTMLNames).contains(token.known): break
    default: leaveHead(token)
    }
  }

  private mutating func startInHead(_ token: Token) {
    switch token.known {
    case .base, .basefont, .bgsound, .link, .meta:
      insert(token)
      pop()
    case .title: insertText(token, as: .rcdata)
    case .noframes, .style: insertText(token, as: .rawText)
    case .noscript where hasScripting: insertText(token, as: .rawText)
    case .noscript:
      insert(token)
      mode = .inHeadNoscript
    case .script: insertText(token, as: .scriptData)
    case .template:
      insert(token)
      formatting.append(Self.marker)
      framesetIsOK = false
      mode = .inTemplate
      templateModes.append(.inTemplate)
    case .head: break
    default: leaveHead(token)
    }
  }

  private mutating func leaveHead(_ token: Token) {
    pop()
    mode = .afterHead
    process(token, mode)
  }

  private mutating func endTemplate() {
    guard hasOpen(.template) else { return }
    generateImpliedEnds(of: .allImpliedEnds)
    popUntil(.template)
    clearFormatting()
    _ = templateModes.popLast()
    resetMode()
  }

  mutating func inHeadNoscript(_ token: Token) {
    switch token.kind {
    case .end where token.known == .noscript:
      pop()
      mode = .inHead
    case .space: inHead(token)
    case .start where ([.basefont, .bgsound, .link, .meta, .noframes, .style] as HTMLNames).contains(token.known):
      inHead(token)
    case .start where token.known == .head || token.known == .noscript: break
    case .end where token.known != .br: break
    default:
      pop()
      mode = .inHead
      process(token, mode)
    }
  }

  mutating func afterHead(_ token: Token) {
    switch token.kind {
    case .space: insertText(token)
    case .start where token.known == .body:
      insert(token)
      framesetIsOK = false
      mode = .inBody
    case .start where token.known == .frameset:
      insert(token)
      mode = .inFrameset
    case .start where HTMLNames.headElements.contains(token.known):
      if head >= 0 { stack.append(head) }
      inHead(token)
      if let index = stack.lastIndex(of: head) { stack.remove(at: index) }
    case .end where token.known == .template: inHead(token)
    case .start where token.known == .head: break
    case .end where !([.body, .html, .br] as HTMLNames).contains(token.known): break
    default:
      insert(.body, .implied, at: token.location)
      mode = .inBody
      process(token, mode)
    }
  }

  mutating func inTemplate(_ token: Token) {
    switch token.kind {
    case .text, .space, .null, .comment, .doctype: inBody(token)
    case .start where HTMLNames.headElements.contains(token.known), .end where token.known == .template: inHead(token)
    case .start:
      let next: Mode =
        switch token.known {
        case .caption, .colgroup, .tbody, .tfoot, .thead: .inTable
        case .col: .inColumnGroup
        case .tr: .inTableBody
        case .td, .th: .inRow
        default: .inBody
        }
      if !templateModes.isEmpty { templateModes[templateModes.count - 1] = next }
      mode = next
      process(token, mode)
    case .end: break
    case .endOfSource:
      guard hasOpen(.template) else { return }
      popUntil(.template)
      clearFormatting()
      _ = templateModes.popLast()
      resetMode()
      process(token, mode)
    }
  }

  mutating func afterBody(_ token: Token) {
    switch token.kind {
    case .space: inBody(token)
    case .endOfSource: break
    case .end where token.known == .html: if context < 0 { mode = .afterAfterBody }
    default:
      mode = .inBody
      process(token, mode)
    }
  }

  mutating func inFrameset(_ token: Token) {
    switch token.kind {
    case .space: insertText(token)
    case .start where token.known == .frameset: insert(token)
    case .end where token.known == .frameset:
      if stack.count == 1 { return }
      pop()
      if context < 0, !isCurrent(.frameset) { mode = .afterFrameset }
    case .start where token.known == .frame:
      insert(token)
      pop()
    case .start where token.known == .noframes: inHead(token)
    default: break
    }
  }

  mutating func afterFrameset(_ token: Token) {
    switch token.kind {
    case .space: insertText(token)
    case .end where token.known == .html: mode = .afterAfterFrameset
    case .start where token.known == .noframes: inHead(token)
    default: break
    }
  }

  mutating func afterAfterBody(_ token: Token) {
    switch token.kind {
    case .space: inBody(token)
    case .endOfSource: break
    default:
      mode = .inBody
      process(token, mode)
    }
  }

  mutating func afterAfterFrameset(_ token: Token) {
    switch token.kind {
    case .space: inBody(token)
    case .start where token.known == .noframes: inHead(token)
    default: break
    }
  }
}
