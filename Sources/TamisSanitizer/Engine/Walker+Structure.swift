import TamisCore

/// Closes elements as a browser does when an element begins (HTML Standard, 13.2.6.4.7 and the table modes), before the
/// element's start tag is written.
extension Walker {
  /// Closes what must be closed first; false when the element is not allowed here and its tags are removed.
  mutating func makeRoom(for entry: RuleTables.Element) -> Bool {
    if entry.role.isTablePart { return makeRoomInTable(for: entry.role) }
    if open.current?.role.holdsOptions == true {
      guard entry.role == .option || entry.role == .optionGroup else { return false }
    }
    if open.current?.role == .columnGroup { close(toDepth: open.count - 1) }
    switch entry.role {
    case .listItem, .definition:
      if let item = open.itemInScope(entry.role) { close(toDepth: item) }
    case .link:
      if let link = open.linkInScope {
        facts.isUntidy = true
        closeForGood(toDepth: link)
      }
      endSuspendedLinks()
    case .nobr:
      // One that a block closed is opened again first, and so is ended here too.
      resumeFormatting()
      if let nobr = open.nearest(.nobr) { closeForGood(toDepth: nobr) }
    case .table:
      // In a table, but not in a cell of it, a browser ends the table where another begins.
      if let table = open.tableAround { close(toDepth: table) }
    case .button:
      if let button = open.nearest(.button) { close(toDepth: button) }
    case .form:
      if open.contains(.form) { return false }
    case .option:
      if open.current?.role == .option { close(toDepth: open.count - 1) }
    case .optionGroup:
      if open.current?.role == .option { close(toDepth: open.count - 1) }
      if open.current?.role == .optionGroup { close(toDepth: open.count - 1) }
    case .rubyPart:
      if open.nearest(.ruby) != nil { endImpliedTags() }
    case .rubyText:
      if open.nearest(.ruby) != nil { endImpliedTags(except: tables.number(ofElement: "rtc")) }
    default: break
    }
    if entry.traits.contains(.closesParagraph), let paragraph = open.paragraphInScope {
      if paragraph != open.count - 1 { facts.isUntidy = true }
      close(toDepth: paragraph)
    }
    if entry.traits.contains(.heading), open.current?.traits.contains(.heading) == true {
      close(toDepth: open.count - 1)
    }
    noteMisplacement(of: entry)
    return true
  }

  /// Opens a cell for content that is in a table, but in none of its cells, because the tags of its cell were removed; if the rules
  /// have no cells, the table ends.
  ///
  /// Browsers would show it before the table, and libtidy may hang on it.
  mutating func leaveTableStructure() {
    guard open.current?.role.isTableStructure == true else { return }
    let row = tables.number(ofElement: "tr")
    let cell = tables.number(ofElement: "td")
    guard tables.elements[row].html == .keep, tables.elements[cell].html == .keep,
      open.count + 2 <= settings.limits.fragmentDepth
    else {
      if let table = open.tableAround { close(toDepth: table) }
      return
    }
    if open.current?.role == .columnGroup { close(toDepth: open.count - 1) }
    if open.current?.role != .row { openImplied(row) }
    openImplied(cell)
  }

  /// Closes what a browser closes by itself inside a ruby (HTML Standard, 13.2.6.3, "generate implied end tags").
  private mutating func endImpliedTags(except element: Int? = nil) {
    while let current = open.current, current.element != element,
      [.rubyPart, .rubyText, .paragraph, .listItem, .definition, .option, .optionGroup].contains(current.role)
    {
      close(toDepth: open.count - 1)
    }
  }

  private mutating func makeRoomInTable(for role: ElementRole) -> Bool {
    guard let depth = open.depthForTablePart(role) else {
      facts.isUntidy = true
      return false
    }
    close(toDepth: depth)
    // A browser supplies the row.
    if role == .cell, open.current?.role != .row { facts.isTooUntidy = true }
    if role == .column, open.current?.role == .row { return false }
    return true
  }

  /// Closes elements that are not opened again: the element itself is being replaced.
  private mutating func closeForGood(toDepth depth: Int) {
    close(toDepth: depth, ending: open.stack[depth].id)
  }

  /// Notes a violated content model that browsers do not correct.
  private mutating func noteMisplacement(of entry: RuleTables.Element) {
    guard let current = open.current else {
      if entry.role == .listItem { facts.isUntidy = true }
      if entry.role == .definition { facts.isTooUntidy = true }
      return
    }
    let isBlock = entry.traits.contains(.closesParagraph)
    if isBlock, current.traits.contains(.phrasingOnly) { facts.isUntidy = true }
    if current.role.isTableStructure { facts.isTooUntidy = true }
    let parent = tables.elements[current.element].traits
    switch entry.role {
    case .listItem: if !parent.contains(.list) { facts.isUntidy = true }
    case .definition: if !parent.contains(.holdsDefinitions) { facts.isTooUntidy = true }
    default:
      if parent.contains(.plainList), isBlock { facts.isUntidy = true }
      let isDiv = entry.traits.contains(.holdsDefinitions) && !entry.traits.contains(.definitionList)
      if parent.contains(.definitionList), !isDiv { facts.isTooUntidy = true }
    }
  }

  /// The namespace of an element that begins here.
  ///
  /// Some HTML elements make a browser leave SVG or MathML, so they do here.
  mutating func leaveForeignContent(for entry: RuleTables.Element) -> Policy.Namespace {
    guard let current = open.current?.namespace, current != .html else { return entry.root ?? .html }
    if entry.traits.contains(.breaksOut), entry.html == .keep, entry.verdict(in: current) != .keep {
      let depth = open.stack.lastIndex { $0.namespace == .html }.map { $0 + 1 } ?? 0
      facts.isUntidy = true
      close(toDepth: depth)
      return .html
    }
    return current
  }

  /// Removes a tag that was written next after `mark`.
  mutating func takeBack(_ tag: Range<Int>, after mark: OutputBuffer.Mark) {
    output.remove(tag, after: mark)
    learned.anchors.takeBack(tag)
    state.embeds.takeBack(tag)
    open.moveStartTags(behind: tag)
    for index in suspended.indices where suspended[index].element.startTag.lowerBound >= tag.upperBound {
      suspended[index].element.moveStartTag(by: -tag.count)
    }
    for index in copied.indices.reversed() {
      if copied[index].startTag.lowerBound < tag.upperBound { break }
      copied[index].moveStartTag(by: -tag.count)
    }
  }
}
