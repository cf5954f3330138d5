import TamisCore
import TamisHTML
import TamisURL

/// Filters the tags and texts of one fragment into markup: each element is kept, loses its tags, or is removed.
///
/// The walker keeps the same stack of open elements as a browser that reads the result, and writes each end tag that
/// the browser would supply by itself. The output is therefore what the browser builds, no end tag can reach the page
/// around the fragment, and a second pass changes nothing.
///
/// All methods are mutating, even those that change nothing: Swift 6.3 copies the whole walker, 1,600 bytes, to the
/// stack for each call of a method that is not. Methods that need only the settings belong to ``WalkerSettings``.
struct Walker: ~Copyable {
  // The constants for all fragments.
  let settings: WalkerSettings
  var tables: RuleTables
  let formulaNames: FormulaNames

  // The buffers, which ``begin(size:base:for:)`` empties keeping their capacity.
  var output = OutputBuffer()
  var facts = FactCollector()
  var open = OpenElements()
  /// The attributes of the start tag that is being decided.
  var attributes = AttributeList()
  /// The removals.
  var log = RemovalLog()
  /// The place in the source of the tag or text that is being read.
  var place = HTMLReader.Place()
  /// The facts that readings of the fragment collect for later ones.
  var learned = RereadFacts()
  /// The elements that are open in the source.
  var source = SourceElements()
  /// Formatting elements that a block closed before their end tag, to be opened again.
  var suspended: [Suspended] = []
  /// Formatting elements that were written and are opened again later, in their order in the output.
  var copied: [OpenElement] = []
  /// The indices in ``copied``, by the offset of their tag in the source.
  private var copiedIndex: [Int: Int] = [:]
  /// The targets of the opened links.
  var targets: [String] = []

  /// The other state of one reading, which is reset for the next.
  var state: ReadingState

  /// The initial state of a reading; a value that is added here cannot leak from one fragment into the next.
  struct ReadingState {
    /// The base URL against which relative URLs are resolved.
    var base: WebURL?
    /// The number of bytes that resolving URLs may still add.
    var budget = ResolvingBudget()
    var sizeLimit = 0
    var pictures = PictureTrail()
    var embeds = EmbedTrail()
    var drawing: DrawingBounds
    /// The number of places that cells of more than one column or row have taken.
    var tablePlaces = 0
    /// The cost of elements for which browsers look at all others before them.
    var costlyElements = 0
    /// The number of rows of all tables, and of cells in the present and in the longest one.
    var rows = 0
    var cellsOfRow = 0
    var longestRow = 0
    /// The number of bytes that libtidy would add, since it repeats open inline elements in every block below them.
    var repairGrowth = 0
    /// The offset of the end of the last formula in the output; -1 when there was none.
    var formulaEnd = -1
    /// The depth of what is directly in MathJax's box of a formula; 0 outside.
    var formulaBox = 0
    var isAtPreformattedStart = false
    /// Whether the hook has changed a URL.
    var hasRewritten = false
    /// The number of bytes that hooks have returned.
    var hookBytes = 0
    var lastID = 0
  }

  struct Suspended {
    var element: OpenElement
    var markerCount: Int
  }

  init(policy: Policy, limits: Limits, rewriteURL: Sanitizer.URLRewriter? = nil) {
    settings = WalkerSettings(policy: policy, limits: limits, rewriteURL: rewriteURL)
    state = ReadingState(drawing: DrawingBounds(limits))
    var tables = RuleTables(settings)
    formulaNames = FormulaNames(&tables)
    self.tables = tables
  }

  /// Resets the state for the next reading, of a fragment of `size` bytes.
  mutating func begin(size: Int, base: WebURL?, for purpose: FactCollector.Purpose) {
    output.removeAll()
    facts = FactCollector(for: purpose)
    open.removeAll()
    attributes.removeAll()
    log.removeAll()
    learned.begin()
    source.removeAll()
    if !suspended.isEmpty { suspended.removeAll(keepingCapacity: true) }
    if !copied.isEmpty {
      copied.removeAll(keepingCapacity: true)
      copiedIndex.removeAll(keepingCapacity: true)
    }
    place = HTMLReader.Place()
    if !targets.isEmpty { targets.removeAll(keepingCapacity: true) }
    state = ReadingState(
      base: base,
      budget: ResolvingBudget(settings.limits, size: size),
      sizeLimit: Self.sizeLimit(ofInput: size), drawing: DrawingBounds(settings.limits))
  }

  /// Returns the maximum size of the output for an input size, which bounds repeated tags such as formatting.
  static func sizeLimit(ofInput size: Int) -> Int { 4 * size + (64 << 10) }

  /// Closes all open elements and returns the facts.
  mutating func finish() -> SanitizedHTML.Facts {
    close(toDepth: 0)
    return facts.finish()
  }

  // MARK: - Events

  /// Writes a text of a tree; returns whether it stays.
  @discardableResult
  mutating func text(_ range: Range<Int>, of tree: borrowing HTMLTree) -> Bool {
    text(tree.bytes.span.extracting(range))
  }

  /// Writes text with its references decoded; the text may come in several pieces without a difference.
  ///
  /// - Returns: whether the text stays, which an empty one does outside of what is removed.
  @discardableResult
  mutating func text(_ bytes: borrowing Span<UInt8>) -> Bool {
    guard let range = beginText(bytes) else { return !source.isDropping }
    let text = bytes.extracting(range)
    if open.foreignCount > 0, !hasRoom(forText: text) { return false }
    write(text: text)
    return true
  }

  private mutating func write(text: borrowing Span<UInt8>) {
    output.text(text)
    if open.current?.traits.contains(.plainList) == true, Self.firstWord(in: text) != nil { facts.misplacements += 1 }
    if !isAside { facts.add(text) }
  }

  /// Opens the elements that text needs around it; returns the part of the text that is to be written.
  private mutating func beginText(_ bytes: borrowing Span<UInt8>) -> Range<Int>? {
    guard !source.isDropping, !bytes.isEmpty else { return nil }
    if learned.boxes.isWatching { learned.boxes.noteText(bytes) }
    if output.count == state.embeds.end, !bytes[0].isHTMLSpace { separateBlock() }
    var start = 0
    let isInTable = open.current?.role.isTableStructure == true
    if isInTable || !suspended.isEmpty, let word = Self.firstWord(in: bytes) {
      if isInTable {
        output.plainText(bytes.extracting(0..<word))
        facts.add(bytes.extracting(0..<word))
        start = word
        leaveTableStructure()
      }
      resumeFormatting()
    }
    if state.isAtPreformattedStart {
      // A browser drops the first line break.
      if bytes[start] == ASCII.lineFeed { output.plainText([ASCII.lineFeed].span) }
      state.isAtPreformattedStart = false
    }
    return start..<bytes.count
  }

  /// Returns the offset of the first character that is not white space; nil when there is none.
  ///
  /// White space before it opens no element.
  private static func firstWord(in bytes: borrowing Span<UInt8>) -> Int? {
    for index in 0..<bytes.count where !bytes[index].isHTMLSpace { return index }
    return nil
  }

  /// Whether the attributes of the next element are needed.
  var wantsAttributes: Bool { !source.isDropping || state.embeds.isInEmptyFrame }

  /// Handles a start tag; each is followed by its end tag, which may be implied.
  ///
  /// - Parameters:
  ///   - element: the number of the element.
  ///   - attributes: the attributes of the tag; the list has no meaning afterwards.
  mutating func startElement(_ element: Int, with attributes: inout AttributeList) {
    swap(&attributes, &self.attributes)
    let decision = learned.boxes.next()
    if source.isDropping { return startDropped(element) }
    var element = standIn(for: element)
    if open.foreignCount > 0 { element = drawnText(for: element) }
    if let replacement = decision?.replacement {
      guard let other = number(replacing: replacement) else {
        source.open(.nothing)
        separateBlock()
        return
      }
      element = other
    }
    guard learned.boxes.isWatching else { return open(element) }
    let mark = boxMark(tables.elements[element])
    open(element)
    if !source.isDropping { learned.boxes.open(mark, depth: source.depth) }
  }

  /// Skips a start tag without checking it: the element is removed with its content, or loses only its tags.
  mutating func skipElement(_ element: Int, withContent: Bool) {
    _ = learned.boxes.next()
    let isInside = source.isDropping
    source.open(.nothing)
    if isInside { return }
    if tables.elements[element].traits.contains(.block) { separateBlock() }
    if withContent { source.beginDropping() }
  }

  /// Opens an element, which may not be in the source.
  mutating func open(_ element: Int) {
    let made = begin(element)
    source.open(made)
    let traits = tables.elements[element].traits
    // The tags are removed; the text of a block stays separated.
    if made == .nothing, traits.contains(.block) { separateBlock() }
    if traits.contains(.scriptless) { source.beginScriptless() }
    if made == .dropped { source.beginDropping() }
  }

  /// Handles an end tag, written or implied.
  mutating func endElement(_ element: Int) {
    close(element)
    if !source.isDropping, learned.boxes.isWatching { learned.boxes.close(toDepth: source.depth) }
  }

  /// Closes an element that ``open(_:)`` opened.
  mutating func close(_ element: Int) {
    let wasDropping = source.isDropping
    guard let made = source.close(), !wasDropping else {
      if !source.isDropping { endEmptyFrame() }
      return
    }
    guard case .element(let id) = made else {
      if state.embeds.object != nil { endObject() }
      if tables.elements[element].traits.contains(.block) { separateBlock() }
      return
    }
    if let index = open.index(ofID: id) { close(toDepth: index, ending: id) }
    endSuspension(of: id)
    if !state.embeds.drawnPictures.isEmpty, open.foreignCount == 0 { writeDrawnPictures() }
  }

  // MARK: - Elements

  /// Decides about a start tag; returns the output for it.
  private mutating func begin(_ element: Int) -> SourceElements.Made {
    let entry = tables.elements[element]
    let isInDescription = open.foreignCount > 0 && takesPlainInline
    let namespace = isInDescription ? .html : leaveForeignContent(for: entry)
    if open.foreignCount == 0, tables.elements[formulaNames.math].math == .keep, repeatsFormula(entry) {
      note(.duplicate, entry)
      return .dropped
    }
    var verdict = entry.verdict(in: namespace)
    // HTML in a drawing loses its tags; whether it goes with its content is a matter of the rules for HTML.
    if verdict == .drop, source.isInDrawnText, entry.html != .drop { verdict = .unwrap }
    switch verdict {
    case .keep: break
    case .drop:
      if settings.policy.improvements.linksEmbeds, namespace == .html { writeEmbed(entry) }
      noteLimit(entry)
      note(.content, entry)
      return .dropped
    case .unwrap:
      if settings.policy.improvements.linksEmbeds {
        if namespace == .html { writeEmbed(entry) } else if entry.embed == .drawnPicture { noteDrawnPicture() }
      }
      noteLimit(entry)
      note(isForeign(entry, in: namespace) ? .structure : .element, entry)
      return .nothing
    }
    if namespace == .html, entry.cost > 0 && !takeCostly(entry.cost) || !takeCell(of: entry) {
      note(.limit, entry)
      return .nothing
    }
    if isMisplaced(entry, namespace, isInDescription: isInDescription) {
      note(.structure, entry)
      return .nothing
    }
    if namespace == .html, let made = postpone(entry) { return made }
    if entry.role == .form, namespace == .html, open.current?.role.isTableStructure == true {
      // A browser leaves the element there, empty.
      note(.structure, entry)
      return .nothing
    }
    if namespace != .html || !(entry.role.isTablePart || entry.role == .table) { leaveTableStructure() }
    if entry.traits.contains(.closesParagraph), namespace == .html { closePostponed() }
    // Closing one element can allow others to be closed.
    var count: Int
    repeat {
      count = open.count
      if namespace == .html, !makeRoom(for: entry) {
        note(.structure, entry)
        return .nothing
      }
    } while open.count < count
    if !entry.traits.contains(.block), !entry.role.isTablePart { resumeFormatting() }
    if place.isCopy, output.count > state.sizeLimit {
      if log.counts[.limit] == nil { log.note(.limit, "formatting", at: place.offset) }
      return .nothing
    }
    if isBeyondLimits(entry, namespace) {
      note(.structure, entry)
      return .nothing
    }
    if namespace == .svg, !hasRoom(for: entry) { return .dropped }
    return write(entry, namespace)
  }

  /// Whether an element cannot stand here, or is nested too deeply.
  private func isMisplaced(
    _ entry: RuleTables.Element, _ namespace: Policy.Namespace, isInDescription: Bool
  ) -> Bool {
    if isInDescription, !entry.traits.contains(.plainInline) { return true }
    let holdsNone =
      open.current?.isTextOnly == true || (namespace != .html && open.current?.role.holdsOptions == true)
    if !isInDescription, holdsNone { return true }
    // A table reserves four levels: section, row, cell, content.
    let depth = entry.role == .table && namespace == .html ? open.count + 4 : open.count
    return depth >= settings.limits.fragmentDepth
  }

  /// Whether as many elements are open as may be.
  private func isBeyondLimits(_ entry: RuleTables.Element, _ namespace: Policy.Namespace) -> Bool {
    let isFormatting = namespace == .html && entry.traits.contains(.formatting)
    return isFormatting && open.formattingCount >= settings.limits.openFormatting
      || open.count >= settings.limits.fragmentDepth
  }

  /// Whether an element is one of SVG or MathML that is outside its drawing or formula, where it would stay.
  private func isForeign(_ entry: RuleTables.Element, in namespace: Policy.Namespace) -> Bool {
    namespace == .html && (entry.svg == .keep || entry.math == .keep)
  }

  /// Whether the innermost element is SVG's `desc` or HTML inside it.
  private var takesPlainInline: Bool {
    mutating get {
      guard let current = open.current else { return false }
      return current.namespace == .html || (current.namespace == .svg && tables.elements[current.element].isDescription)
    }
  }

  private mutating func write(_ entry: RuleTables.Element, _ namespace: Policy.Namespace) -> SourceElements.Made {
    collect(entry, namespace)
    let stays = improve(entry, namespace)
    noteLimit(entry)
    if namespace == .html, entry.role == .image || entry.role == .figure, settings.policy.improvements.alignsPictures {
      align(entry)
    }
    if !tables.valueRules.isEmpty { force(entry) }
    if stays, settings.rewriteURL != nil { rewriteURLs(entry, namespace) }
    if stays, entry.role == .image, learned.boxes.isWatching { learned.boxes.addPicture(boxMark(entry)) }
    guard stays else {
      learned.anchors.endTag(at: nil)
      return .nothing
    }
    if entry.traits.contains(.block) {
      facts.separate()
    } else if output.count == state.embeds.end {
      separateBlock()
    }
    let start = output.count
    let tags = tables.tags(ofElement: entry.number, in: namespace)
    output.openStartTag(tables.written, tags.start)
    attributes.write(to: &output, tables: tables, namespace: namespace)
    let isVoid = namespace == .html && entry.traits.contains(.void)
    output.closeStartTag(isVoid: isVoid)
    learned.anchors.endTag(at: start)
    if entry.traits.contains(.block), namespace == .html { state.repairGrowth += open.inlineBytes }
    facts.begin(entry.number)
    let target = facts.wantsResources ? gatherFacts(entry, namespace) : -1
    state.isAtPreformattedStart = namespace == .html && entry.traits.contains(.preformatted)
    guard !isVoid else { return .nothing }
    state.lastID += 1
    let isTextOnly =
      switch namespace {
      case .html: entry.traits.contains(.textOnly)
      case .svg: entry.isTextOnlyInSVG
      case .math: entry.isTextOnlyInMath
      }
    let opened = OpenElement(
      id: state.lastID, element: entry.number, namespace: namespace, traits: namespace == .html ? entry.traits : [],
      role: namespace == .html ? entry.role : .plain, startTag: start..<output.count, isTextOnly: isTextOnly,
      contentStart: facts.contentCount, target: target)
    open.push(opened)
    if namespace == .svg, entry.isDefinition { state.drawing.beginDefinition(state.lastID, at: start) }
    if place.isCopied, !place.isCopy {
      copiedIndex[place.offset] = copied.count
      copied.append(opened)
    }
    return .element(state.lastID)
  }

  /// Opens an element that the source does not have.
  private mutating func openImplied(_ element: Int) {
    let entry = tables.elements[element]
    facts.isUntidy = true
    facts.begin(element)
    facts.separate()
    let start = output.count
    let tags = tables.tags(ofElement: element, in: .html)
    output.openStartTag(tables.written, tags.start)
    for (attribute, value) in tables.valueRules.forced(on: element) {
      let beginning = Array(tables.written[tables.beginning(ofAttribute: attribute, in: .html)])
      output.attribute(beginning.span, value.span)
    }
    output.closeStartTag(isVoid: false)
    state.lastID += 1
    open.push(
      OpenElement(
        id: state.lastID, element: element, namespace: .html, traits: entry.traits, role: entry.role,
        startTag: start..<output.count, isTextOnly: false, contentStart: facts.contentCount, target: -1))
    state.isAtPreformattedStart = false
  }

  /// Closes open elements until `depth` are left.
  ///
  /// Formatting that the source has not closed, except the element `id`, is kept for the following content.
  mutating func close(toDepth depth: Int, ending id: Int? = nil) {
    while open.count > depth, let element = open.pop() {
      state.isAtPreformattedStart = false
      let tags = tables.tags(ofElement: element.element, in: element.namespace)
      output.endTag(tables.written, tags.end)
      facts.end(element.element, from: element.contentStart)
      if element.namespace == .svg { state.drawing.end(element.id, at: output.count) }
      if element.element == formulaNames.math { state.formulaEnd = output.count }
      if element.role == .link {
        facts.endLink()
        state.embeds.lastLink.end = output.count
      }
      if element.traits.contains(.heading) { facts.endHeading() }
      if element.traits.contains(.block) { facts.separate() }
      // Formatting in a cell does not continue after it (HTML Standard, 13.2.4.3, "clear up to the last marker").
      if element.traits.contains(.marker), !suspended.isEmpty {
        suspended.removeAll { $0.markerCount > open.markerCount }
      }
      if element.traits.contains(.formatting), element.id != id {
        // The limit is that of open formatting elements; the innermost are kept.
        if suspended.count == settings.limits.openFormatting { suspended.removeFirst() }
        suspended.append(Suspended(element: element, markerCount: open.markerCount))
      }
    }
  }
}

/// Closes elements as a browser does when an element begins, before the element's start tag is written.
///
/// See HTML Standard, 13.2.6.4.7, and the table modes.
extension Walker {
  /// Closes what must be closed first; returns false when the element is not allowed here and its tags are removed.
  private mutating func makeRoom(for entry: RuleTables.Element) -> Bool {
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
      // A `nobr` that a block closed is reopened first, and therefore ended here too.
      resumeFormatting()
      if let nobr = open.nearest(.nobr) { closeForGood(toDepth: nobr) }
    case .table:
      // Inside a table but outside its cells, a nested table makes a browser end the outer one.
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

  /// Opens a cell for content that is in a table, but in none of its cells, because the tags of its cell were removed.
  ///
  /// If the rules have no cells, the table ends. Browsers would show the content before the table, and libtidy may hang
  /// on it.
  private mutating func leaveTableStructure() {
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

  /// Closes elements that are not reopened, because the element itself is being replaced.
  private mutating func closeForGood(toDepth depth: Int) {
    close(toDepth: depth, ending: open.stack[depth].id)
  }

  /// Records a violated content model that browsers do not correct.
  private mutating func noteMisplacement(of entry: RuleTables.Element) {
    guard let current = open.current else {
      if entry.role == .listItem { facts.isUntidy = true }
      if entry.role == .definition { facts.isTooUntidy = true }
      return
    }
    let isBlock = entry.traits.contains(.closesParagraph)
    if isBlock, current.traits.contains(.phrasingOnly) {
      facts.isUntidy = true
    } else if isBlock, open.phrasingOnlyCount > 0 {
      // libtidy moves the block around with all that is in it.
      facts.misplacements += 1
    }
    if current.role.isTableStructure { facts.isTooUntidy = true }
    let parent = tables.elements[current.element].traits
    switch entry.role {
    case .listItem: if !parent.contains(.list) { facts.isUntidy = true }
    case .definition: if !parent.contains(.holdsDefinitions) { facts.isTooUntidy = true }
    default:
      if parent.contains(.plainList) {
        if isBlock { facts.isUntidy = true } else { facts.misplacements += 1 }
      }
      let isDiv = entry.traits.contains(.holdsDefinitions) && !entry.traits.contains(.definitionList)
      if parent.contains(.definitionList), !isDiv { facts.isTooUntidy = true }
    }
  }

  /// Returns the namespace of an element that begins here.
  ///
  /// HTML elements that make a browser leave SVG or MathML have the same effect here.
  private mutating func leaveForeignContent(for entry: RuleTables.Element) -> Policy.Namespace {
    guard let current = open.current?.namespace, current != .html else { return entry.root ?? .html }
    if source.isInDrawnText { return current }
    if entry.traits.contains(.breaksOut), entry.html == .keep, entry.verdict(in: current) != .keep {
      let depth = open.stack.lastIndex { $0.namespace == .html }.map { $0 + 1 } ?? 0
      facts.isUntidy = true
      close(toDepth: depth)
      return .html
    }
    return current
  }

  /// Removes a tag that was written directly after `mark`.
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

/// Formatting elements that a block closed before their end tag, and that are reopened after the block.
extension Walker {
  /// Postpones a reopened formatting element until text needs it, if the rules want markup repaired.
  ///
  /// Browsers reopen `<b>` for the line break between two paragraphs, and take the second paragraph into it; without
  /// the delay, each paragraph would need a repair.
  private mutating func postpone(_ entry: RuleTables.Element) -> SourceElements.Made? {
    guard place.isCopy, entry.traits.contains(.formatting), settings.policy.tidy != .never,
      suspended.count < settings.limits.openFormatting, let index = copiedIndex[place.offset],
      // The first one can be a caption, which is not opened again.
      copied[index].element == entry.number
    else { return nil }
    var element = copied[index]
    state.lastID += 1
    element.id = state.lastID
    element.isPostponed = true
    // The last of the list is opened first; this element is inside all others, and is therefore opened last.
    suspended.insert(Suspended(element: element, markerCount: open.markerCount), at: 0)
    return .element(element.id)
  }

  /// Closes postponed formatting before a block, in which it is reopened.
  private mutating func closePostponed() {
    while open.current?.isPostponed == true { close(toDepth: open.count - 1) }
  }

  /// Removes a suspended formatting element that has ended.
  private mutating func endSuspension(of id: Int) {
    if !suspended.isEmpty { suspended.removeAll { $0.element.id == id } }
  }

  /// Removes suspended links, which a new link replaces.
  private mutating func endSuspendedLinks() {
    if !suspended.isEmpty { suspended.removeAll { $0.element.role == .link } }
  }

  /// Reopens formatting that a block closed, as long as the output stays within a few times the input.
  ///
  /// See HTML Standard, 13.2.4.3, "reconstruct the active formatting elements".
  private mutating func resumeFormatting() {
    guard !suspended.isEmpty, open.foreignCount == 0, open.current?.isTextOnly != true,
      open.current?.role.isTableStructure != true, open.current?.role.holdsOptions != true
    else { return }
    let waiting = suspended.filter { $0.markerCount >= open.markerCount }
    suspended.removeAll { $0.markerCount >= open.markerCount }
    if waiting.contains(where: { !$0.element.isPostponed }) { facts.isUntidy = true }
    for var element in waiting.reversed().map(\.element) {
      guard output.count + element.startTag.count <= state.sizeLimit, open.count < settings.limits.fragmentDepth,
        open.formattingCount < settings.limits.openFormatting
      else { return }
      if element.role == .link, open.linkInScope != nil { continue }
      let start = output.count
      output.repeatStartTag(at: element.startTag)
      element.startTag = start..<output.count
      element.contentStart = facts.contentCount
      facts.begin(element.element)
      open.push(element)
      state.isAtPreformattedStart = false
      if element.target >= 0 { facts.beginLink(targets[element.target]) }
    }
  }
}

/// Records the removals, with their location and reason.
extension Walker {
  /// Records the removal of an element, or of one of its attributes.
  mutating func note(_ rule: Removal.Rule, _ entry: RuleTables.Element, attribute: Int? = nil) {
    // A reopened element was already reported.
    if !log.isRead || (place.isCopy && rule != .structure) { return }
    if log.isFull { return log.note(rule, "", at: place.offset) }
    let element = tables.text(ofElement: entry.number)
    log.note(rule, attribute.map { "\(element)@\(tables.text(ofAttribute: $0))" } ?? element, at: place.offset)
  }

  /// Records another removal by its name.
  mutating func note(_ rule: Removal.Rule, _ name: String) {
    if !place.isCopy { log.note(rule, name, at: place.offset) }
  }
}
