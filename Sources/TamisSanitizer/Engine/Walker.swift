import TamisCore
import TamisHTML
import TamisURL

/// Filters the tags and texts of one fragment into markup: each element is kept, loses its tags, or is removed.
///
/// The walker writes the tree that a browser builds of the source, with an end tag for each element, so that no end tag
/// can reach the page around the fragment. Where it leaves out or moves an element without which a browser may build
/// another tree, ``ReadingState/isReshaped`` says so, and the output is read once more.
///
/// All methods are mutating, even those that change nothing: Swift 6.3 copies the whole walker, 1,600 bytes, to the
/// stack for each call of a method that is not. Methods that need only the settings belong to ``WalkerSettings``.
struct Walker: ~Copyable {
  // The constants for all fragments.
  let settings: WalkerSettings
  var tables: RuleTables
  /// The elements whose text is not part of the line: ruby annotations, and the sources of formulas.
  let asides: [Int]

  // The buffers, which ``begin(size:base:wantsFacts:)`` empties keeping their capacity.
  var output = OutputBuffer()
  var facts = FactCollector()
  var open = OpenElements()
  /// The attributes of the start tag that is being decided.
  var attributes = AttributeList()
  /// The removals.
  var log = RemovalLog()
  /// The place in the source of the tag or text that is being read.
  var place = HTMLReader.Place()
  /// What is known about the fragment before it is walked.
  var survey = Survey()
  /// The elements that are open in the source.
  var source = SourceElements()

  /// The other state of one reading, which is reset for the next.
  var state: ReadingState

  /// The initial state of a reading; a value that is added here cannot leak from one fragment into the next.
  struct ReadingState {
    /// The base URL against which relative URLs are resolved.
    var base: WebURL?
    /// The number of bytes that resolving URLs may still add.
    var budget = ResolvingBudget()
    var sizeLimit = 0
    /// The number of pictures so far.
    var pictures = 0
    /// The decision about the current tag that was made before.
    var decision: PictureBoxes.Decision?
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
    var isAtPreformattedStart = false
    /// Whether the hook has changed a URL.
    var hasRewritten = false
    /// Whether a browser may build another tree of the output than the one that was written.
    var isReshaped = false
    /// The number of bytes that hooks have returned.
    var hookBytes = 0
    var lastID = 0
  }

  init(policy: Policy, limits: Limits, rewriteURL: Sanitizer.URLRewriter? = nil) {
    settings = WalkerSettings(policy: policy, limits: limits, rewriteURL: rewriteURL)
    state = ReadingState(drawing: DrawingBounds(limits))
    var tables = RuleTables(settings)
    asides = ["rt", "rp", "annotation"].map { tables.number(ofElement: $0) }
    self.tables = tables
  }

  /// Resets the state for the next reading, of a fragment of `size` bytes.
  mutating func begin(size: Int, base: WebURL?, wantsFacts: Bool) {
    output.removeAll()
    facts = FactCollector(wantsFacts: wantsFacts)
    open.removeAll()
    attributes.removeAll()
    log.removeAll()
    source.removeAll()
    place = HTMLReader.Place()
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
    guard begin(text: bytes) else { return !source.isDropping }
    if open.foreignCount > 0, !hasRoom(forText: bytes) { return false }
    write(text: bytes)
    return true
  }

  private mutating func write(text: borrowing Span<UInt8>) {
    output.text(text)
    if !isAside { facts.add(text) }
  }

  /// Prepares for a text; returns whether it is written.
  private mutating func begin(text bytes: borrowing Span<UInt8>) -> Bool {
    guard !source.isDropping, !bytes.isEmpty else { return false }
    if output.count == state.embeds.end, !bytes[0].isHTMLSpace { separateBlock() }
    if open.current?.role.isTableStructure == true, !WhiteSpace.isHTMLSpace(bytes) { state.isReshaped = true }
    if state.isAtPreformattedStart {
      // A browser drops the first line break.
      if bytes[0] == ASCII.lineFeed { output.plainText([ASCII.lineFeed].span) }
      state.isAtPreformattedStart = false
    }
    return true
  }

  /// Whether the attributes of the next element are needed.
  var wantsAttributes: Bool { !source.isDropping || state.embeds.isInEmptyFrame }

  /// Handles a start tag; each is followed by its end tag, which may be implied.
  ///
  /// - Parameters:
  ///   - element: the number of the element.
  ///   - attributes: the attributes of the tag; the list has no meaning afterwards.
  ///   - decision: what was decided about the tag before.
  mutating func startElement(
    _ element: Int, with attributes: inout AttributeList, _ decision: PictureBoxes.Decision? = nil
  ) {
    swap(&attributes, &self.attributes)
    state.decision = decision
    if source.isDropping { return startDropped(element) }
    var element = standIn(for: element)
    if open.foreignCount > 0 { element = drawnText(for: element) }
    if let replacement = decision?.replacement {
      state.isReshaped = true
      guard let other = number(replacing: replacement) else {
        source.open(.nothing)
        separateBlock()
        return
      }
      element = other
    }
    open(element)
  }

  /// Skips a start tag without checking it: the element is removed with its content, or loses only its tags.
  mutating func skipElement(_ element: Int, withContent: Bool) {
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
    if made == .nothing {
      if traits.contains(.block) { separateBlock() }
      if traits.contains(.shields) { source.beginUnshielded() }
    }
    if traits.contains(.scriptless) { source.beginScriptless() }
    if made == .dropped { source.beginDropping() }
  }

  /// Handles an end tag, written or implied, or the end of an element that ``open(_:)`` opened.
  mutating func endElement(_ element: Int) {
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
    if let index = open.index(ofID: id) { close(toDepth: index) }
    if !state.embeds.drawnPictures.isEmpty, open.foreignCount == 0 { writeDrawnPictures() }
  }

  // MARK: - Elements

  /// Decides about a start tag; returns the output for it.
  private mutating func begin(_ element: Int) -> SourceElements.Made {
    let entry = tables.elements[element]
    let isInDescription = open.foreignCount > 0 && takesPlainInline
    let namespace = isInDescription ? .html : leaveForeignContent(for: entry)
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

  /// Returns the namespace of an element that begins here.
  ///
  /// HTML that would make a browser leave a drawing or formula ends it here too: `<svg><b>` is `<svg></svg><b>`.
  private mutating func leaveForeignContent(for entry: RuleTables.Element) -> Policy.Namespace {
    guard let current = open.current?.namespace, current != .html else { return entry.root ?? .html }
    if source.isInDrawnText { return current }
    if entry.traits.contains(.breaksOut), entry.html == .keep, entry.verdict(in: current) != .keep {
      close(toDepth: open.stack.lastIndex { $0.namespace == .html }.map { $0 + 1 } ?? 0)
      state.isReshaped = true
      return .html
    }
    return current
  }

  /// Whether an element cannot stand here, or is nested too deeply.
  private func isMisplaced(_ entry: RuleTables.Element, _ namespace: Policy.Namespace, isInDescription: Bool) -> Bool {
    if isInDescription, !entry.traits.contains(.plainInline) { return true }
    if namespace == .html, entry.role == .form, open.contains(.form) { return true }
    if !isInDescription, let current = open.current {
      // A browser leaves these two there, where they show nothing.
      if current.role.isTableStructure, entry.role == .form || entry.role == .input { return true }
      let isOption = namespace == .html && (entry.role == .option || entry.role == .optionGroup)
      if current.isTextOnly || current.role.holdsOptions && !isOption { return true }
    }
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
    guard stays else { return .nothing }
    if !state.isReshaped { state.isReshaped = isMisfit(entry, namespace) }
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
    facts.count(entry.number)
    if facts.wantsResources { gatherFacts(entry, namespace) }
    state.isAtPreformattedStart = namespace == .html && entry.traits.contains(.preformatted)
    guard !isVoid else { return .nothing }
    state.lastID += 1
    let isTextOnly =
      switch namespace {
      case .html: entry.traits.contains(.textOnly)
      case .svg: entry.isTextOnlyInSVG
      case .math: entry.isTextOnlyInMath
      }
    open.push(
      OpenElement(
        id: state.lastID, element: entry.number, namespace: namespace, traits: namespace == .html ? entry.traits : [],
        role: namespace == .html ? entry.role : .plain, isTextOnly: isTextOnly, depth: source.depth + 1,
        isLink: entry.role == .link && !place.isCopy && attributes.value(of: tables.known.href) != nil))
    if namespace == .svg, entry.isDefinition { state.drawing.beginDefinition(state.lastID, at: start) }
    return .element(state.lastID)
  }

  /// Closes open elements until `depth` are left.
  private mutating func close(toDepth depth: Int) {
    while open.count > depth, let element = open.pop() {
      state.isAtPreformattedStart = false
      let tags = tables.tags(ofElement: element.element, in: element.namespace)
      output.endTag(tables.written, tags.end)
      if element.namespace == .svg { state.drawing.end(element.id, at: output.count) }
      if element.role == .link {
        facts.endLink()
        state.embeds.lastLink.end = output.count
      }
      if element.traits.contains(.heading) { facts.endHeading() }
      if element.traits.contains(.block) { facts.separate() }
    }
  }
}

/// Finds where a browser may build another tree of the output than the one that is written.
///
/// The tree of the source is one that tags can say, unless the source is misnested. Without `button`, that of
/// `<p>a<button><p>b` is written as `<p>a<p>b</p></p>`, of which a browser makes two paragraphs beside each other.
extension Walker {
  /// Whether a browser may place an element elsewhere.
  private mutating func isMisfit(_ entry: RuleTables.Element, _ namespace: Policy.Namespace) -> Bool {
    if Policy.Namespace(place.namespace) != namespace { return true }
    if namespace != .html { return entry.traits.contains(.breaksOut) || source.isUnshielded }
    // A form that is ended before an element inside it lets another one begin there. A link can stand in a link whose
    // end the source has hidden from it, as in `<a>1<table><caption><object></table><a>2`.
    if entry.role == .form || (entry.role == .link || entry.role == .nobr) && open.contains(entry.role) { return true }
    if source.isUnshielded, entry.traits.contains(.closesParagraph) || entry.role.looksOutward { return true }
    let isInTable = open.current?.role.isTableStructure == true
    if isInTable != entry.role.isTablePart { return true }
    let isLooking = isInTable || entry.traits.contains(.heading) || entry.role.looksAtParent
    return isLooking && open.current.map { $0.depth != source.depth } ?? false
  }
}

/// Records the removals, with their location and reason.
extension Walker {
  /// Records the removal of an element, or of one of its attributes.
  mutating func note(_ rule: Removal.Rule, _ entry: RuleTables.Element, attribute: Int? = nil) {
    // A copy was already reported.
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
