import TamisCore
import TamisHTML
import TamisURL

/// Filters the tags and texts of one fragment into markup: each element is kept, loses its tags, or is removed.
///
/// It keeps the same stack of open elements as a browser will when it reads the result, and writes each end tag that the
/// browser would supply by itself. So what is written is what the browser builds, no end tag can reach the page around
/// the fragment, and a second pass finds nothing to change.
///
/// All its methods are mutating, those too that change nothing: Swift 6.3 copies the whole of it, 1,600 bytes, to the stack for each
/// call of a method that is not. What needs only the settings is a method of these.
struct Walker: ~Copyable {
  // What stays the same from fragment to fragment.
  let settings: WalkerSettings
  var tables: RuleTables
  let formulaNames: FormulaNames

  // Buffers, which ``begin(size:base:for:)`` empties keeping their capacity.
  var output = OutputBuffer()
  var facts = FactCollector()
  var open = OpenElements()
  /// The attributes of the start tag that is being decided about.
  var attributes = AttributeList()
  /// What was removed.
  var log = RemovalLog()
  /// Where what is being read comes from.
  var place = HTMLReader.Place()
  /// The facts that readings of the fragment collect for later ones.
  var learned = Learned()
  /// The elements that are open in the source.
  var source = SourceElements()
  /// Formatting elements that a block closed before their end tag, to be opened again.
  var suspended: [Suspended] = []
  /// Formatting elements that were written and are opened again later, in their order in the output.
  var copied: [OpenElement] = []
  /// Their indices, by the offset of their tag in the source.
  var copiedIndex: [Int: Int] = [:]
  /// The targets of the opened links.
  var targets: [String] = []

  /// All other state of one reading, which is reset for the next.
  var state = ReadingState()

  /// The initial state of a reading: a value that is added here cannot leak from one fragment into the next.
  struct ReadingState {
    /// The base that relative URLs are resolved against.
    var base: WebURL?
    /// How many bytes resolving URLs may still add.
    var budget = ResolvingBudget()
    var sizeLimit = 0
    var pictures = PictureTrail()
    var embeds = EmbedTrail()
    /// How many bytes libtidy would add, since it repeats open inline elements in every block below them.
    var repairGrowth = 0
    /// The offset of the end of the last formula in the output, -1 when there was none.
    var formulaEnd = -1
    var isAtPreformattedStart = false
    var lastID = 0
  }

  struct Suspended {
    var element: OpenElement
    var markerCount: Int
  }

  init(policy: Policy, limits: Limits, rewriteURL: Sanitizer.URLRewriter? = nil) {
    settings = WalkerSettings(policy: policy, limits: limits, rewriteURL: rewriteURL)
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
      sizeLimit: Self.sizeLimit(ofInput: size))
  }

  /// The most bytes of output for an input size; repeated tags, such as formatting, must not exceed it.
  static func sizeLimit(ofInput size: Int) -> Int { 4 * size + (64 << 10) }

  /// Closes what is still open.
  mutating func finish() -> MarkupFacts {
    close(toDepth: 0)
    return facts.finish()
  }

  // MARK: - Events

  /// Text of a tree.
  mutating func text(_ range: Range<Int>, of tree: borrowing HTMLTree) { text(tree.bytes.span.extracting(range)) }

  /// Text with its references decoded; a run may come in several pieces, which makes no difference.
  mutating func text(_ bytes: borrowing Span<UInt8>) {
    guard let range = beginText(bytes) else { return }
    output.text(bytes.extracting(range))
    if !isAside { facts.add(bytes.extracting(range)) }
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
      // A browser takes the first line break for layout.
      if bytes[start] == ASCII.lineFeed { output.plainText([ASCII.lineFeed].span) }
      state.isAtPreformattedStart = false
    }
    return start..<bytes.count
  }

  /// Where text begins that is not white space, which opens nothing; nil when there is only white space.
  private static func firstWord(in bytes: borrowing Span<UInt8>) -> Int? {
    for index in 0..<bytes.count where !bytes[index].isHTMLSpace { return index }
    return nil
  }

  /// A start tag; each is followed by its end, if need be an implied one.
  ///
  /// - Parameter attributes: those of the tag; the list has no meaning afterwards.
  mutating func startElement(_ element: Int, with attributes: inout AttributeList) {
    swap(&attributes, &self.attributes)
    let decision = learned.boxes.next()
    if source.isDropping { return source.open(.nothing) }
    var element = standIn(for: element)
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

  /// Opens an element, of the source or not.
  mutating func open(_ element: Int) {
    let made = begin(element)
    source.open(made)
    let traits = tables.elements[element].traits
    // Its tags are removed; the text of a block stays separated.
    if made == .nothing, traits.contains(.block) { separateBlock() }
    if traits.contains(.scriptless) { source.beginScriptless() }
    if made == .dropped { source.beginDropping() }
  }

  /// An end tag, written or implied.
  mutating func endElement(_ element: Int) {
    close(element)
    if !source.isDropping, learned.boxes.isWatching { learned.boxes.close(toDepth: source.depth) }
  }

  /// Closes an element that ``open(_:)`` opened.
  mutating func close(_ element: Int) {
    let wasDropping = source.isDropping
    guard let made = source.close(), !wasDropping else { return }
    guard case .element(let id) = made else {
      if state.embeds.object != nil { endObject() }
      if tables.elements[element].traits.contains(.block) { separateBlock() }
      return
    }
    if let index = open.index(ofID: id) { close(toDepth: index, ending: id) }
    endSuspension(of: id)
  }

  // MARK: - Elements

  /// Decides about a start tag; returns what was written for it.
  private mutating func begin(_ element: Int) -> SourceElements.Made {
    let entry = tables.elements[element]
    let isInDescription = open.foreignCount > 0 && takesPlainInline
    let namespace = isInDescription ? .html : leaveForeignContent(for: entry)
    if open.foreignCount == 0, tables.elements[formulaNames.math].math == .keep, repeatsFormula(entry) {
      note(.duplicate, entry)
      return .dropped
    }
    switch entry.verdict(in: namespace) {
    case .keep: break
    case .drop:
      if settings.policy.improvements.linksEmbeds, namespace == .html { writeEmbed(entry) }
      noteLimit(entry)
      note(.content, entry)
      return .dropped
    case .unwrap:
      if settings.policy.improvements.linksEmbeds, namespace == .html { writeEmbed(entry) }
      noteLimit(entry)
      note(isForeign(entry, in: namespace) ? .structure : .element, entry)
      return .nothing
    }
    let isMisplaced =
      isInDescription
      ? !entry.traits.contains(.plainInline)
      : open.current?.isTextOnly == true || (namespace != .html && open.current?.role.holdsOptions == true)
    // A table reserves four levels: section, row, cell, content.
    let depth = entry.role == .table && namespace == .html ? open.count + 4 : open.count
    if isMisplaced || depth >= settings.limits.fragmentDepth {
      note(.structure, entry)
      return .nothing
    }
    if namespace == .html, let made = postpone(entry) { return made }
    if entry.role == .form, namespace == .html, open.current?.role.isTableStructure == true {
      // A browser leaves it there, empty.
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
    let isOneTooMany =
      namespace == .html && entry.traits.contains(.formatting) && open.formattingCount >= settings.limits.openFormatting
    if isOneTooMany || open.count >= settings.limits.fragmentDepth {
      note(.structure, entry)
      return .nothing
    }
    return write(entry, namespace)
  }

  /// Whether an element is one of SVG or MathML that stands outside its drawing or formula, and would stay in it.
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
    if place.isCopied, !place.isCopy {
      copiedIndex[place.offset] = copied.count
      copied.append(opened)
    }
    return .element(state.lastID)
  }

  /// Opens an element that the source does not have.
  mutating func openImplied(_ element: Int) {
    let entry = tables.elements[element]
    facts.isUntidy = true
    facts.begin(element)
    facts.separate()
    let start = output.count
    let tags = tables.tags(ofElement: element, in: .html)
    output.openStartTag(tables.written, tags.start)
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
        // Limited to the number that may be open at once: the innermost are kept.
        if suspended.count == settings.limits.openFormatting { suspended.removeFirst() }
        suspended.append(Suspended(element: element, markerCount: open.markerCount))
      }
    }
  }
}
