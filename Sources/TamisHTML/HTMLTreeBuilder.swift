import TamisCore

/// The tree construction of the HTML Standard (13.2.6), from tokens to the tree that a browser builds.
///
/// The rules of each insertion mode are in the extensions. A builder is used for one source after another.
package struct HTMLTreeBuilder: ~Copyable {
  /// The insertion modes (13.2.4.1).
  ///
  /// The modes of `select` were removed from the Standard in 2025.
  enum Mode {
    case initial, beforeHTML, beforeHead, inHead, inHeadNoscript, afterHead, inBody, text, inTable, inTableText,
      inCaption
    case inColumnGroup, inTableBody, inRow, inCell, inTemplate, afterBody, inFrameset, afterFrameset, afterAfterBody
    case afterAfterFrameset
  }

  /// A token with its name as a number, and its attributes and text in the tree's arrays.
  struct Token {
    enum Kind { case start, end, space, text, null, comment, doctype, endOfSource }

    var kind: Kind
    var name: Int32 = -1
    var attributes: Range<Int32> = 0..<0
    var origin = HTMLTree.Origin.tag
    var isSelfClosing = false
    var text: Range<Int> = 0..<0
    var location: Int32 = 0

    /// The name, if tree construction knows it.
    var known: HTMLName? { HTMLName(rawValue: Int(name)) }

    func isStart(_ names: HTMLNames) -> Bool { kind == .start && names.contains(known) }
    func isStart(_ name: HTMLName) -> Bool { kind == .start && Int(self.name) == name.rawValue }
    func isEnd(_ names: HTMLNames) -> Bool { kind == .end && names.contains(known) }
    func isEnd(_ name: HTMLName) -> Bool { kind == .end && Int(self.name) == name.rawValue }
  }

  /// See ``HTMLOptions/deepest``.
  private var deepest = 0
  /// Whether an element was so deep.
  package private(set) var isTooDeep = false

  package internal(set) var tree = HTMLTree()
  var tokenizer = HTMLTokenizer()
  var mode = Mode.initial
  var originalMode = Mode.initial
  var templateModes: [Mode] = []
  /// The stack of open elements; the last is the current node.
  var stack: [Int32] = []
  /// The list of active formatting elements; -1 is a marker.
  var formatting: [Int32] = []
  var head: Int32 = -1
  var form: Int32 = -1
  var framesetIsOK = true
  /// Whether the adjusted current node is an element of SVG or MathML.
  private var isInForeign = false
  /// Whether scripting is enabled, so that `noscript` holds text.
  private(set) var hasScripting = false
  /// See ``HTMLOptions/readsFallback``.
  private var readsFallback = false
  /// See ``HTMLOptions/readsSectionsBesideHTML``.
  private var readsSectionsBesideHTML = true
  /// The elements whose text is to be read as fallback content.
  private var fallback: [Int32] = []
  /// See ``HTMLOptions/mostFormatting``.
  private(set) var mostFormatting = Int.max
  /// The number of tags read, and of formatting elements reopened, which count more the longer their attributes are.
  private var tagCount = 0
  var copyCount = 0
  /// Whether some formatting was not reopened because there was too much of it, see ``HTMLOptions/mostFormatting``.
  package internal(set) var isLimited = false
  /// Whether ``fault`` is looked for, see ``HTMLOptions/notesFaults``.
  private(set) var notesFaults = false
  /// The first difference between the source and the tree; nil when there is none, or none was looked for.
  package internal(set) var fault: NestingFault?
  /// The attributes of `html` and `body` tags of a fragment, which make no element; a page around it may take them.
  ///
  /// They are only kept with ``HTMLOptions/notesFaults``.
  package internal(set) var pageAttributes: [Range<Int32>] = []
  /// The element whose content the source is; -1 for a document.
  var context: Int32 = -1
  var fostersContent = false
  var dropsLineFeed = false
  var tableText: [Token] = []

  /// See ``HTMLTokenizer/unfinished``.
  package var unfinished: Int? { tokenizer.unfinished }

  /// Creates a builder for any number of sources, one after another.
  package init() {}

  /// Begins a source; buffers keep their capacity.
  private mutating func begin(_ source: borrowing Span<UInt8>, _ options: HTMLOptions) {
    tree.begin(source)
    (tokenizer.cleansReferences, tokenizer.mostAttributes) = (options.cleansReferences, options.mostAttributes)
    (hasScripting, readsFallback) = (options.hasScripting, options.readsFallback)
    (mostFormatting, readsSectionsBesideHTML) = (options.mostFormatting, options.readsSectionsBesideHTML)
    (notesFaults, fault, pageAttributes, deepest) = (options.notesFaults, nil, [], options.deepest)
    (tagCount, copyCount, isLimited, isTooDeep) = (0, 0, false, false)
    fallback.removeAll(keepingCapacity: true)
    begin(at: 0)
  }

  /// Begins at an offset of the source, with no open elements.
  private mutating func begin(at index: Int) {
    tokenizer.begin(at: index)
    (mode, originalMode) = (.initial, .initial)
    templateModes.removeAll(keepingCapacity: true)
    stack.removeAll(keepingCapacity: true)
    formatting.removeAll(keepingCapacity: true)
    tableText.removeAll(keepingCapacity: true)
    (head, form, context) = (-1, -1, -1)
    (framesetIsOK, fostersContent, dropsLineFeed) = (true, false, false)
  }

  /// Whether another formatting element may be reopened.
  var allowsCopy: Bool { mostFormatting == .max || copyCount < 10_000 + 4 * tagCount }

  /// Builds the tree of a source, replacing the previous tree.
  ///
  /// - Parameters:
  ///   - source: UTF-8 with normalized newlines (``HTMLInput``).
  ///   - context: the lower-case name of the element whose `innerHTML` the source would be (13.4); nil for a whole
  ///     document. With a context, the first child of the document is the root, whose children are the result.
  ///   - namespace: the namespace of that element.
  ///   - options: the options.
  package mutating func read(
    _ source: borrowing Span<UInt8>, in context: String? = nil, _ namespace: HTMLTree.Namespace = .html,
    _ options: HTMLOptions = HTMLOptions()
  ) {
    begin(source, options)
    if let context { begin(in: context, namespace) }
    run(source)
    readFallback(source)
  }

  mutating func findHidden(_ hidden: inout HiddenParts, _ kinds: [HiddenParts.Kind], isPage: Bool) {
    hidden.find(in: &tree, kinds, isPage: isPage)
  }

  /// Returns the tree and ends the builder's work.
  package consuming func takeTree() -> HTMLTree { tree }

  /// Reads the text of each ``fallback`` element as the content of a `div`, without scripting.
  ///
  /// Fallback content inside it is read in the same way, but not deeper: each level is read again.
  private mutating func readFallback(_ source: borrowing Span<UInt8>) {
    var unfinished = tokenizer.unfinished
    for level in 0..<2 where !fallback.isEmpty {
      let elements = fallback
      fallback = []
      (hasScripting, readsFallback) = (false, level == 0)
      for element in elements {
        readFallback(source, of: element)
        unfinished = unfinished ?? tokenizer.unfinished
      }
    }
    tokenizer.unfinished = unfinished
  }

  private mutating func readFallback(_ source: borrowing Span<UInt8>, of element: Int32) {
    let text = tree.nodes[Int(element)].first
    if text < 0 { return }
    let begin = Int(tree.nodes[Int(element)].location)
    tree.remove(text)
    let end = begin + tree.sourceLength(ofText: text)
    self.begin(at: begin)
    self.begin(in: "div", .html)
    let root = stack[0]
    run(source.extracting(0..<end))
    tree.moveChildren(of: root, to: element)
    tree.remove(root)
  }

  private mutating func begin(in context: String, _ namespace: HTMLTree.Namespace) {
    let number = tree.number(ofElement: context)
    self.context = tree.addElement(number, namespace, 0..<0, at: 0)
    if namespace == .html {
      tokenizer.content = HTMLTokenizer.Content(of: context)
      switch HTMLName(rawValue: Int(number)) {
      case .noscript where hasScripting: tokenizer.content = .rawText
      case .template: templateModes.append(.inTemplate)
      case .form: form = self.context
      default: break
      }
    }
    let root = tree.addElement(Int32(HTMLName.html.rawValue), .html, 0..<0, at: 0)
    tree.insert(root, into: 0)
    stack.append(root)
    resetMode()
  }

  // MARK: - Tokens

  private mutating func run(_ source: borrowing Span<UInt8>) {
    while true {
      isInForeign = adjustedCurrent.map { tree.nodes[Int($0)].namespace != .html } ?? false
      tokenizer.allowsCDATA = isInForeign && (readsSectionsBesideHTML || !holdsHTML)
      let kind = tokenizer.next(source)
      let location = Int32(truncatingIfNeeded: tokenizer.index)
      switch kind {
      case .text:
        let before = observation(of: Token(kind: .text))
        dispatchText(source, at: location)
        compare(before, Token(kind: .text))
      case .startTag, .endTag:
        let token = tag(source, kind == .startTag ? .start : .end, at: location)
        let before = observation(of: token)
        dispatch(token)
        compare(before, token)
      case .comment:
        dispatch(Token(kind: .comment, text: tree.store(tokenizer.text, of: tokenizer), location: location))
      case .doctype:
        noteDoctype(source)
        dispatch(Token(kind: .doctype))
      case .end:
        if notesFaults { noteUnended() }
        dispatch(Token(kind: .endOfSource, location: location))
        return
      }
    }
  }

  private mutating func tag(_ source: borrowing Span<UInt8>, _ kind: Token.Kind, at location: Int32) -> Token {
    tagCount += 1
    let begin = Int32(tree.attributes.count)
    for index in tokenizer.attributes.indices {
      let attribute = tokenizer.attributes[index]
      let name = tree.number(ofAttribute: attribute.name, of: tokenizer, source)
      tree.add(HTMLTree.Attribute(name: name, value: tree.store(attribute.value, of: tokenizer)))
    }
    let name = tree.number(ofElement: tokenizer.name, of: tokenizer, source)
    return Token(
      kind: kind, name: name, attributes: begin..<Int32(tree.attributes.count), isSelfClosing: tokenizer.isSelfClosing,
      location: location)
  }

  private mutating func noteDoctype(_ source: borrowing Span<UInt8>) {
    guard mode == .initial else { return }
    let found = tokenizer.doctype
    let name = text(found.name, source)
    let (publicID, systemID) = (text(found.publicID, source), text(found.systemID, source))
    tree.doctype = (name ?? "", publicID ?? "", systemID ?? "")
    tree.isInQuirksMode =
      found.forcesQuirks || name != "html" || HTMLDoctype.isOld(publicID: publicID ?? "", systemID: systemID)
  }

  private func text(_ piece: HTMLTokenizer.Piece?, _ source: borrowing Span<UInt8>) -> String? {
    piece.map { tokenizer.string($0, of: source) }
  }

  /// Splits text into white space, U+0000 and the rest, which the rules distinguish.
  private mutating func dispatchText(_ source: borrowing Span<UInt8>, at location: Int32) {
    let range = tree.store(tokenizer.text, of: tokenizer)
    var position = range.lowerBound
    if range.isEmpty { return }
    if dropsLineFeed {
      dropsLineFeed = false
      if tree.bytes[position] == ASCII.lineFeed { position += 1 }
    }
    while position < range.upperBound {
      let begin = position
      let kind = Self.kind(of: tree.bytes[position])
      position += 1
      if kind == .text, mode == .inBody || mode == .text {
        // White space within text has no meaning there, and U+0000 comes alone.
        position = range.upperBound
      } else {
        while position < range.upperBound, kind == Self.kind(of: tree.bytes[position]) { position += 1 }
      }
      dispatch(Token(kind: kind, text: begin..<position, location: location))
    }
  }

  private static func kind(of byte: UInt8) -> Token.Kind { byte == 0 ? .null : byte.isHTMLSpace ? .space : .text }

  /// Dispatches a token to the rules for it (the tree construction dispatcher, 13.2.6).
  ///
  /// Outside of SVG and MathML, the adjusted current node is an HTML element.
  private mutating func dispatch(_ token: Token) {
    dropsLineFeed = false
    if isInForeign, isForeign(token) { foreign(token) } else { process(token, mode) }
  }

  /// Whether a token is handled by the rules of SVG and MathML.
  ///
  /// Precondition: the adjusted current node is an element of those.
  private func isForeign(_ token: Token) -> Bool {
    guard token.kind != .endOfSource, let current = adjustedCurrent else { return false }
    let node = tree.nodes[Int(current)]
    if isMathTextPoint(current) {
      if token.kind == .text || token.kind == .space || token.kind == .null { return false }
      if token.kind == .start, token.known != .mglyph, token.known != .malignmark { return false }
    }
    if node.namespace == .math, node.name == Int32(HTMLName.annotationXML.rawValue), token.isStart(.svg) {
      return false
    }
    if isHTMLPoint(current) {
      switch token.kind {
      case .start, .text, .space, .null: return false
      default: break
      }
    }
    return true
  }

  /// Handles a token by the rules of a mode.
  mutating func process(_ token: Token, _ mode: Mode) {
    if processAlike(token, mode) { return }
    switch mode {
    case .initial: initial(token)
    case .beforeHTML: beforeHTML(token)
    case .beforeHead: beforeHead(token)
    case .inHead: inHead(token)
    case .inHeadNoscript: inHeadNoscript(token)
    case .afterHead: afterHead(token)
    case .inBody: inBody(token)
    case .text: inText(token)
    case .inTable: inTable(token)
    case .inTableText: inTableText(token)
    case .inCaption: inCaption(token)
    case .inColumnGroup: inColumnGroup(token)
    case .inTableBody: inTableBody(token)
    case .inRow: inRow(token)
    case .inCell: inCell(token)
    case .inTemplate: inTemplate(token)
    case .afterBody: afterBody(token)
    case .inFrameset: inFrameset(token)
    case .afterFrameset: afterFrameset(token)
    case .afterAfterBody: afterAfterBody(token)
    case .afterAfterFrameset: afterAfterFrameset(token)
    }
  }

  /// Handles the tokens for which most modes have the same rule; returns false when the rules of the mode apply.
  private mutating func processAlike(_ token: Token, _ mode: Mode) -> Bool {
    switch (token.kind, mode) {
    case (_, .inTableText), (.doctype, .initial), (.start, .initial), (.start, .beforeHTML), (.start, .inTemplate):
      return false
    case (.doctype, _): tree.hasDoctype = true
    case (.comment, .initial), (.comment, .beforeHTML), (.comment, .afterAfterBody), (.comment, .afterAfterFrameset):
      insertComment(token, into: 0)
    case (.comment, .afterBody): insertComment(token, into: stack.first ?? 0)
    case (.comment, _): insertComment(token)
    case (.start, _) where token.known == .html:
      if !hasOpen(.template), let root = stack.first { addAttributes(of: token, to: root) }
    default: return false
    }
    return true
  }

  // MARK: - The stack of open elements

  /// The context while only the root is open, otherwise the current node (13.2.4.2).
  var adjustedCurrent: Int32? { stack.count == 1 && context >= 0 ? context : stack.last }

  func name(_ node: Int32) -> HTMLName? {
    let node = tree.nodes[Int(node)]
    return node.namespace == .html ? HTMLName(rawValue: Int(node.name)) : nil
  }

  func isCurrent(_ name: HTMLName) -> Bool { stack.last.map { self.name($0) == name } ?? false }

  func isCurrent(_ names: HTMLNames) -> Bool { stack.last.map { names.contains(name($0)) } ?? false }

  /// Whether an element is in a scope (13.2.4.2).
  func isInScope(_ wanted: HTMLName, _ bounds: HTMLNames = .scope) -> Bool {
    isInScope(HTMLNames(wanted), bounds)
  }

  func isInScope(_ wanted: HTMLNames, _ bounds: HTMLNames = .scope) -> Bool {
    for node in stack.reversed() {
      if wanted.contains(name(node)) { return true }
      if isBound(node, bounds) { return false }
    }
    return false
  }

  func isInScope(node wanted: Int32) -> Bool {
    for node in stack.reversed() {
      if node == wanted { return true }
      if isBound(node, .scope) { return false }
    }
    return false
  }

  private func isBound(_ index: Int32, _ bounds: HTMLNames) -> Bool {
    let node = tree.nodes[Int(index)]
    guard node.namespace != .html else { return bounds.contains(HTMLName(rawValue: Int(node.name))) }
    if !bounds.contains(.applet) { return false }
    return isForeignBound(node)
  }

  /// Whether an element of MathML or SVG bounds scopes and is special.
  private func isForeignBound(_ node: HTMLTree.Node) -> Bool {
    let name = HTMLName(rawValue: Int(node.name))
    return node.namespace == .math
      ? HTMLNames.mathText.contains(name) || name == .annotationXML
      : name == .foreignobject || name == .desc || name == .title
  }

  func isSpecial(_ index: Int32) -> Bool {
    let node = tree.nodes[Int(index)]
    return node.namespace == .html
      ? HTMLNames.special.contains(HTMLName(rawValue: Int(node.name))) : isForeignBound(node)
  }

  func hasOpen(_ wanted: HTMLName) -> Bool { stack.contains { name($0) == wanted } }

  mutating func pop() { _ = stack.popLast() }

  mutating func popUntil(_ names: HTMLNames) {
    while let node = stack.popLast() { if names.contains(name(node)) { return } }
  }

  mutating func popUntil(_ name: HTMLName) { popUntil(HTMLNames(name)) }

  mutating func clear(to names: HTMLNames) {
    while let node = stack.last, !names.contains(name(node)), stack.count > 1 { pop() }
  }

  mutating func generateImpliedEnds(except name: HTMLName? = nil, of names: HTMLNames = .impliedEnds) {
    while let node = stack.last, let open = self.name(node), names.contains(open), open != name { pop() }
  }

  mutating func closeParagraph() {
    generateImpliedEnds(except: .p)
    popUntil(.p)
  }

  mutating func closeParagraphInScope() { if isInScope(.p, .buttonScope) { closeParagraph() } }

  // MARK: - Insertion

  /// Returns the appropriate place for inserting a node (13.2.6.1): a parent, and the child before which it goes.
  func place(in target: Int32? = nil) -> (parent: Int32, before: Int32) {
    let target = target ?? stack.last ?? 0
    guard fostersContent, HTMLNames.fosterTargets.contains(name(target)) else { return (target, -1) }
    let template = stack.lastIndex { name($0) == .template }
    let table = stack.lastIndex { name($0) == .table }
    if let template, table.map({ $0 < template }) ?? true { return (stack[template], -1) }
    guard let table else { return (stack.first ?? 0, -1) }
    let node = tree.nodes[Int(stack[table])]
    if node.parent >= 0 { return (node.parent, stack[table]) }
    return (stack[table - 1], -1)
  }

  @discardableResult mutating func insert(_ token: Token, _ namespace: HTMLTree.Namespace = .html) -> Int32 {
    if stack.count >= deepest {
      isTooDeep = true
      pop()
    }
    let node = tree.addElement(token.name, namespace, token.attributes, token.origin, at: token.location)
    let place = place()
    tree.insert(node, into: place.parent, before: place.before)
    if place.before >= 0 { tree.noteMove(of: node) }
    stack.append(node)
    return node
  }

  @discardableResult mutating func insert(_ name: HTMLName, _ origin: HTMLTree.Origin, at location: Int32) -> Int32 {
    insert(Token(kind: .start, name: Int32(name.rawValue), origin: origin, location: location))
  }

  mutating func insertText(_ token: Token) {
    let place = place()
    if tree.nodes[Int(place.parent)].kind == .document { return }
    tree.insertText(
      token.text, into: place.parent, before: place.before, isMoved: place.before >= 0, at: token.location)
  }

  mutating func insertComment(_ token: Token, into parent: Int32? = nil) {
    let comment = tree.addComment(token.text, at: token.location)
    if let parent { return tree.insert(comment, into: parent) }
    let place = place()
    tree.insert(comment, into: place.parent, before: place.before)
  }

  /// Inserts an element with text in which no tag but its own end tag counts (13.2.6.2).
  mutating func insertText(_ token: Token, as content: HTMLTokenizer.Content) {
    let node = insert(token)
    if readsFallback, token.known == .iframe || token.known == .noscript { fallback.append(node) }
    tokenizer.content = content
    originalMode = mode
    mode = .text
  }

  /// Resets the insertion mode appropriately (13.2.4.1).
  mutating func resetMode() {
    for index in stack.indices.reversed() {
      let isLast = index == 0
      let node = isLast && context >= 0 ? context : stack[index]
      switch name(node) {
      case .td where !isLast, .th where !isLast: mode = .inCell
      case .tr: mode = .inRow
      case .tbody, .thead, .tfoot: mode = .inTableBody
      case .caption: mode = .inCaption
      case .colgroup: mode = .inColumnGroup
      case .table: mode = .inTable
      case .template: mode = templateModes.last ?? .inTemplate
      case .head where !isLast: mode = .inHead
      case .body: mode = .inBody
      case .frameset: mode = .inFrameset
      case .html: mode = head < 0 ? .beforeHead : .afterHead
      default:
        if !isLast { continue }
        mode = .inBody
      }
      return
    }
  }
}

/// The insertion modes around the body (13.2.6.4.1 to 13.2.6.4.6, 13.2.6.4.18 to 13.2.6.4.23) and in templates.
extension HTMLTreeBuilder {
  private mutating func initial(_ token: Token) {
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

  private mutating func beforeHTML(_ token: Token) {
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

  private mutating func beforeHead(_ token: Token) {
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

  private mutating func inHeadNoscript(_ token: Token) {
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

  private mutating func afterHead(_ token: Token) {
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

  private mutating func afterFrameset(_ token: Token) {
    switch token.kind {
    case .space: insertText(token)
    case .end where token.known == .html: mode = .afterAfterFrameset
    case .start where token.known == .noframes: inHead(token)
    default: break
    }
  }

  private mutating func afterAfterBody(_ token: Token) {
    switch token.kind {
    case .space: inBody(token)
    case .endOfSource: break
    default:
      mode = .inBody
      process(token, mode)
    }
  }

  private mutating func afterAfterFrameset(_ token: Token) {
    switch token.kind {
    case .space: inBody(token)
    case .start where token.known == .noframes: inHead(token)
    default: break
    }
  }
}
