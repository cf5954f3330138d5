import TamisCore

/// The insertion modes "in body" (13.2.6.4.7) and "text".
extension HTMLTreeBuilder {
  mutating func inBody(_ token: Token) {
    switch token.kind {
    case .null, .doctype, .comment: break
    case .space:
      reconstructFormatting()
      insertText(token)
    case .text:
      reconstructFormatting()
      insertText(token)
      framesetIsOK = false
    case .start: startInBody(token)
    case .end: endInBody(token)
    case .endOfSource: if !templateModes.isEmpty { inTemplate(token) }
    }
  }

  // MARK: - Start tags

  private mutating func startInBody(_ token: Token) {
    guard let name = token.known else { return startOther(token) }
    switch name {
    case _ where HTMLNames.headElements.contains(name): inHead(token)
    case .body:
      if context >= 0 { addAttributes(of: token, to: stack[0]) }
      guard stack.count > 1, self.name(stack[1]) == .body, !hasOpen(.template) else { return }
      framesetIsOK = false
      addAttributes(of: token, to: stack[1])
    case .frameset: replaceBody(by: token)
    case _ where HTMLNames.blocks.contains(name):
      closeParagraphInScope()
      insert(token)
    case _ where HTMLNames.headings.contains(name):
      closeParagraphInScope()
      if isCurrent(.headings) { pop() }
      insert(token)
    case .pre, .listing:
      closeParagraphInScope()
      insert(token)
      dropsLineFeed = true
      framesetIsOK = false
    case .form: startForm(token)
    case .li: startItem(token, ends: [.li])
    case .dd, .dt: startItem(token, ends: [.dd, .dt])
    case .plaintext:
      closeParagraphInScope()
      insert(token)
      tokenizer.content = .plaintext
    case .button:
      if isInScope(.button) {
        generateImpliedEnds()
        popUntil(.button)
      }
      reconstructFormatting()
      insert(token)
      framesetIsOK = false
    case .a: startLink(token)
    case .nobr:
      reconstructFormatting()
      if isInScope(.nobr) {
        adopt(token, .nobr)
        reconstructFormatting()
      }
      noteFormatting(insert(token))
    case _ where HTMLNames.formatting.contains(name):
      reconstructFormatting()
      noteFormatting(insert(token))
    default: startMore(token, name)
    }
  }

  /// Adds to `html` or `body` the attributes of a later tag of it.
  ///
  /// The root of a fragment is not an element of the source and gets none (``HTMLTree/documentTags``).
  mutating func addAttributes(of token: Token, to node: Int32) {
    if context < 0 {
      tree.addMissing(token.attributes, to: node, most: tokenizer.mostAttributes)
    } else if tree.documentTags.count < 2 {
      tree.documentTags.append(token.attributes)
    }
  }

  private mutating func startMore(_ token: Token, _ name: HTMLName) {
    switch name {
    case .applet, .marquee, .object:
      reconstructFormatting()
      insert(token)
      formatting.append(Self.marker)
      framesetIsOK = false
    case .table:
      if !tree.isInQuirksMode { closeParagraphInScope() }
      insert(token)
      framesetIsOK = false
      mode = .inTable
    case .area, .br, .embed, .img, .keygen, .wbr:
      reconstructFormatting()
      insert(token)
      pop()
      framesetIsOK = false
    case .input: startInput(token)
    case .param, .source, .track:
      insert(token)
      pop()
    case .hr:
      closeParagraphInScope()
      if isInScope(.select) { generateImpliedEnds() }
      insert(token)
      pop()
      framesetIsOK = false
    case .image:
      var renamed = token
      renamed.name = Int32(HTMLName.img.rawValue)
      startInBody(renamed)
    case .textarea:
      insertText(token, as: .rcdata)
      dropsLineFeed = true
      framesetIsOK = false
    case .xmp:
      closeParagraphInScope()
      reconstructFormatting()
      framesetIsOK = false
      insertText(token, as: .rawText)
    case .iframe:
      framesetIsOK = false
      insertText(token, as: .rawText)
    case .noembed: insertText(token, as: .rawText)
    case .noscript where hasScripting: insertText(token, as: .rawText)
    case .select: startSelect(token)
    case .option, .optgroup: startOption(token, name)
    case .rb, .rtc, .rp, .rt: startRuby(token, name)
    case .math, .svg:
      reconstructFormatting()
      insert(token, name == .math ? .math : .svg)
      if token.isSelfClosing { pop() }
    case .caption, .col, .colgroup, .frame, .head, .tbody, .td, .tfoot, .th, .thead, .tr: break
    default: startOther(token)
    }
  }

  private mutating func startRuby(_ token: Token, _ name: HTMLName) {
    if isInScope(.ruby) {
      if name == .rb || name == .rtc { generateImpliedEnds() } else { generateImpliedEnds(except: .rtc) }
    }
    insert(token)
  }

  private mutating func startOther(_ token: Token) {
    reconstructFormatting()
    insert(token)
  }

  private mutating func startForm(_ token: Token) {
    let isInTemplate = hasOpen(.template)
    if form >= 0, !isInTemplate { return }
    closeParagraphInScope()
    let node = insert(token)
    if !isInTemplate { form = node }
  }

  /// Starts an item, ending the item that would otherwise contain it.
  private mutating func startItem(_ token: Token, ends names: HTMLNames) {
    framesetIsOK = false
    for node in stack.reversed() {
      let name = name(node)
      if names.contains(name), let name {
        generateImpliedEnds(except: name)
        popUntil(name)
        break
      }
      if isSpecial(node), name != .address, name != .div, name != .p { break }
    }
    closeParagraphInScope()
    insert(token)
  }

  private mutating func startLink(_ token: Token) {
    if let known = lastFormatting(.a) {
      let node = formatting[known]
      adopt(token, .a)
      deactivate(node)
      stack.removeAll { $0 == node }
    }
    reconstructFormatting()
    noteFormatting(insert(token))
  }

  private mutating func startInput(_ token: Token) {
    if context >= 0, name(context) == .select { return }
    if isInScope(.select) { popUntil(.select) }
    reconstructFormatting()
    insert(token)
    pop()
    if !isHidden(token) { framesetIsOK = false }
  }

  func isHidden(_ token: Token) -> Bool {
    for index in token.attributes {
      let attribute = tree.attributes[Int(index)]
      if tree.attributeTexts[Int(attribute.name)] == "type" {
        return tree.bytes[attribute.value].lazy.map(\.asciiLowercased).elementsEqual("hidden".utf8)
      }
    }
    return false
  }

  private mutating func startSelect(_ token: Token) {
    if context >= 0, name(context) == .select { return }
    if isInScope(.select) { return popUntil(.select) }
    reconstructFormatting()
    insert(token)
    framesetIsOK = false
  }

  private mutating func startOption(_ token: Token, _ name: HTMLName) {
    if isInScope(.select) {
      generateImpliedEnds(except: name == .option ? .optgroup : nil)
    } else if isCurrent(.option) {
      pop()
    }
    reconstructFormatting()
    insert(token)
  }

  private mutating func replaceBody(by token: Token) {
    guard stack.count > 1, name(stack[1]) == .body, framesetIsOK else { return }
    tree.remove(stack[1])
    stack.removeSubrange(1...)
    insert(token)
    mode = .inFrameset
  }

  // MARK: - End tags

  private mutating func endInBody(_ token: Token) {
    guard let name = token.known else { return otherEnd(token) }
    switch name {
    case .template: inHead(token)
    case .body, .html:
      guard isInScope(.body) else { return }
      mode = .afterBody
      if name == .html { process(token, mode) }
    case _ where HTMLNames.endedBlocks.contains(name):
      guard isInScope(name) else { return }
      generateImpliedEnds()
      popUntil(name)
    case .form: endForm()
    case .p:
      if !isInScope(.p, .buttonScope) { insert(.p, .tag, at: token.location) }
      closeParagraph()
    case .li:
      guard isInScope(.li, .listItemScope) else { return }
      generateImpliedEnds(except: .li)
      popUntil(.li)
    case .dd, .dt:
      guard isInScope(name) else { return }
      generateImpliedEnds(except: name)
      popUntil(name)
    case _ where HTMLNames.headings.contains(name):
      guard isInScope(.headings) else { return }
      generateImpliedEnds()
      popUntil(.headings)
    case _ where HTMLNames.formatting.contains(name): adopt(token, name)
    case .applet, .marquee, .object:
      guard isInScope(name) else { return }
      generateImpliedEnds()
      popUntil(name)
      clearFormatting()
    case .br:
      reconstructFormatting()
      insert(.br, .tag, at: token.location)
      pop()
      framesetIsOK = false
    default: otherEnd(token)
    }
  }

  private mutating func endForm() {
    if hasOpen(.template) {
      guard isInScope(.form) else { return }
      generateImpliedEnds()
      return popUntil(.form)
    }
    let node = form
    form = -1
    guard node >= 0, isInScope(node: node) else { return }
    generateImpliedEnds()
    if let index = stack.lastIndex(of: node) { stack.remove(at: index) }
  }

  // MARK: - Text

  mutating func inText(_ token: Token) {
    switch token.kind {
    case .text, .space, .null: insertText(token)
    case .endOfSource:
      pop()
      mode = originalMode
      process(token, mode)
    default:
      pop()
      mode = originalMode
    }
  }
}

/// The list of active formatting elements (13.2.4.3) and the adoption agency (13.2.6.4.7).
extension HTMLTreeBuilder {
  static let marker: Int32 = -1

  /// Adds a formatting element to the list.
  ///
  /// Of four equal elements since the last marker the first is removed, and so is the first of too many
  /// (``mostFormatting``).
  private mutating func noteFormatting(_ node: Int32) {
    var (count, alike, first) = (0, 0, 0)
    for index in formatting.indices.reversed() {
      let other = formatting[index]
      if other == Self.marker { break }
      count += 1
      let (one, two) = (tree.nodes[Int(node)], tree.nodes[Int(other)])
      if one.name == two.name, one.namespace == two.namespace, tree.haveEqualAttributes(node, other) {
        (alike, first) = (alike + 1, index)
      }
    }
    if mostFormatting <= 0 { return }
    if alike >= 3 {
      deactivate(at: first)
    } else if count >= mostFormatting {
      deactivate(at: formatting.count - count)
    }
    formatting.append(node)
    tree.noteActive(node, true)
  }

  /// Removes the element at an index from the list.
  private mutating func deactivate(at index: Int) { tree.noteActive(formatting.remove(at: index), false) }

  /// Removes an element from the list, if it is there.
  private mutating func deactivate(_ node: Int32) {
    if let index = activeIndex(of: node) { deactivate(at: index) }
  }

  /// Returns the index of an element in the list, searching from the end, where open elements are.
  private func activeIndex(of node: Int32) -> Int? {
    tree.nodes[Int(node)].isActive ? formatting.lastIndex(of: node) : nil
  }

  /// Reopens the formatting elements that were open when an element around them ended.
  private mutating func reconstructFormatting() {
    guard let last = formatting.last, last != Self.marker, !stack.contains(last) else { return }
    var index = formatting.count - 1
    while index > 0, formatting[index - 1] != Self.marker, !stack.contains(formatting[index - 1]) { index -= 1 }
    while index < formatting.count {
      guard allowsCopy else {
        isLimited = true
        return
      }
      replace(at: index, by: insert(clone(formatting[index])))
      index += 1
    }
  }

  private mutating func replace(at index: Int, by node: Int32) {
    tree.noteActive(formatting[index], false)
    tree.noteActive(node, true)
    formatting[index] = node
  }

  private mutating func clone(_ node: Int32) -> Token {
    // Readers of the tree read the attributes of each copy.
    copyCount += 1 + tree.attributeBytes(of: node) / 64
    tree.noteCopy(of: node)
    let node = tree.nodes[Int(node)]
    return Token(kind: .start, name: node.name, attributes: node.content, origin: .copy, location: node.location)
  }

  mutating func clearFormatting() {
    while let last = formatting.popLast(), last != Self.marker { tree.noteActive(last, false) }
  }

  private func lastFormatting(_ name: HTMLName) -> Int? {
    for index in formatting.indices.reversed() {
      if formatting[index] == Self.marker { return nil }
      if self.name(formatting[index]) == name { return index }
    }
    return nil
  }

  /// The adoption agency algorithm.
  private mutating func adopt(_ token: Token, _ subject: HTMLName) {
    if isCurrent(subject), let node = stack.last, !tree.nodes[Int(node)].isActive { return pop() }
    for _ in 0..<8 {
      guard let entry = lastFormatting(subject) else { return otherEnd(token) }
      let element = formatting[entry]
      guard let position = stack.lastIndex(of: element) else {
        deactivate(at: entry)
        return
      }
      if !isInScope(node: element) { return }
      guard let furthest = stack[(position + 1)...].firstIndex(where: { isSpecial($0) }) else {
        stack.removeSubrange(position...)
        deactivate(at: entry)
        return
      }
      adopt(element, at: position, entry, furthest)
    }
  }

  private mutating func adopt(_ element: Int32, at position: Int, _ entry: Int, _ furthest: Int) {
    let (block, ancestor) = (stack[furthest], stack[position - 1])
    // The index for the clone: after an entry, or where the element was.
    var bookmark = entry
    var (last, index) = (block, furthest)
    for count in 1... {
      index -= 1
      var node = stack[index]
      if node == element { break }
      var known = activeIndex(of: node)
      if count > 3, let forgotten = known {
        deactivate(at: forgotten)
        if forgotten < bookmark { bookmark -= 1 }
        known = nil
      }
      guard let known else {
        stack.remove(at: index)
        continue
      }
      let copy = clone(node)
      node = tree.addElement(copy.name, .html, copy.attributes, .copy, at: copy.location)
      replace(at: known, by: node)
      stack[index] = node
      if last == block { bookmark = known + 1 }
      tree.remove(last)
      tree.insert(last, into: node)
      last = node
    }
    tree.remove(last)
    let place = place(in: ancestor)
    tree.insert(last, into: place.parent, before: place.before)
    let copy = clone(element)
    let new = tree.addElement(copy.name, .html, copy.attributes, .copy, at: copy.location)
    tree.moveChildren(of: block, to: new)
    tree.insert(new, into: block)
    if let old = activeIndex(of: element) {
      deactivate(at: old)
      if old < bookmark { bookmark -= 1 }
    }
    formatting.insert(new, at: min(bookmark, formatting.count))
    tree.noteActive(new, true)
    stack.removeAll { $0 == element }
    if let below = stack.lastIndex(of: block) { stack.insert(new, at: below + 1) }
  }

  /// Handles any other end tag.
  private mutating func otherEnd(_ token: Token) {
    for index in stack.indices.reversed() {
      let node = tree.nodes[Int(stack[index])]
      if node.namespace == .html, node.name == token.name {
        generateImpliedEnds(except: token.known)
        stack.removeSubrange(index...)
        return
      }
      if isSpecial(stack[index]) { return }
    }
  }
}
