import TamisCore
import TamisURL

/// Filters the tags and texts of one fragment into markup: what stays, loses its tags, or goes.
///
/// It keeps the same stack of open elements as a browser will when it reads the result, and writes each end tag that the
/// browser would supply by itself. So what is written is what the browser builds, no end tag can reach the page around
/// the fragment, and a second pass finds nothing to change.
struct Walker: ~Copyable {
  var tables: RuleTables
  var output = OutputBuffer()
  var facts = FactCollector()
  var open = OpenElements()
  /// The attributes of the start tag that comes next, put here before ``startElement(_:)``.
  var attributes = AttributeList()
  /// What was taken away, the first of it, and how much in all.
  var removals: [Removal] = []
  var removalCounts: [Removal.Rule: Int] = [:]
  let limits: Limits
  let policy: Policy
  let urls: URLFilter.Rules
  /// The base that relative URLs are resolved against.
  var base: WebURL?
  /// How many bytes libtidy would add, which writes what is open in a line into every block below it.
  private(set) var repairGrowth = 0
  /// How many bytes resolving URLs may still add.
  var resolvingBudget = 0
  /// Whether an address of the current tag went because that was used up.
  var isOverBudget = false
  /// Links to places of the fragment that are written with the page's address.
  var anchors = OwnAnchors(page: nil)
  /// Sources that only hold the place of others.
  var lazySources = LazySources()
  /// What is known about formulas, and where the last one ends.
  var formulas = Formulas()
  /// Where pictures stand.
  var boxes = PictureBoxes(alignsPictures: false, makesFigures: false)
  /// Where the parser is, for the report.
  var place = (line: 0, column: 0)
  /// Where the reader is, instead of a place, when it only counts bytes.
  var offset: Int?
  /// Where links point that were opened.
  var targets: [String] = []

  /// The elements that are open in the source, innermost last: the id of what was made of them, 0 for nothing.
  var source: [Int] = []
  /// Depth of `source` at which dropping began; nil while nothing is dropped.
  private var dropDepth: Int?
  /// Depth of `source` inside a `noscript`; nil outside.
  private var scriptlessDepth: Int?
  /// The source of the last picture, as long as a copy of it may follow.
  var lastPicture: [UInt8] = []
  /// Where in the output a picture begins that only holds the place of another, as long as that may follow, and whether
  /// it has a source.
  var placeholder: (mark: OutputBuffer.Mark, isImage: Bool)?
  /// The outermost `object` that is open in the source.
  var object: OpenObject?
  /// Where the link that was written last leads, and where it ends in the output.
  var lastLink: (target: [UInt8], end: Int) = ([], 0)
  /// Where a link ends that was written into a line in the place of a frame; text right behind it stands apart.
  var embedEnd = -1
  /// How many pictures were decided about.
  var pictureCount = 0
  /// The names of those whose frames are known.
  let embedProviders: HostTable<String>
  /// Formatting elements that a block closed before their end came, to be opened again for what follows.
  var suspended: [Suspended] = []
  private var lastID = 0
  var isAtPreformattedStart = false
  var sizeLimit = 0

  struct Suspended {
    var element: OpenElement
    var markerCount: Int
  }

  init(policy: Policy, limits: Limits) {
    tables = RuleTables(policy: policy)
    self.policy = policy
    self.limits = limits
    urls = URLFilter.Rules(policy)
    formulas = Formulas(&tables)
    embedProviders = HostTable(policy.improvements.embedProviders)
  }

  /// Makes ready for the next fragment of `size` bytes.
  mutating func begin(size: Int, base: WebURL?, for purpose: FactCollector.Purpose) {
    output.removeAll()
    facts = FactCollector(for: purpose)
    open.removeAll()
    removals.removeAll(keepingCapacity: true)
    if !removalCounts.isEmpty { removalCounts.removeAll(keepingCapacity: true) }
    source.removeAll(keepingCapacity: true)
    suspended.removeAll(keepingCapacity: true)
    targets.removeAll(keepingCapacity: true)
    anchors.begin()
    lazySources.begin()
    boxes.begin()
    dropDepth = nil
    scriptlessDepth = nil
    lastPicture.removeAll(keepingCapacity: true)
    placeholder = nil
    object = nil
    lastLink = ([], 0)
    (embedEnd, pictureCount, formulas.end) = (-1, 0, -1)
    lastID = 0
    isAtPreformattedStart = false
    offset = nil
    self.base = base
    sizeLimit = Self.sizeLimit(ofInput: size)
    resolvingBudget = limits.resolvingGrowth * size + limits.resolvingAllowance
    isOverBudget = false
    repairGrowth = 0
  }

  /// How many bytes may come of how many; what is written again and again, such as formatting, must not exceed it.
  static func sizeLimit(ofInput size: Int) -> Int { 4 * size + (64 << 10) }

  /// Closes what is still open.
  mutating func finish() -> MarkupFacts {
    close(toDepth: 0)
    return facts.finish()
  }

  // MARK: - Events

  /// Whether what comes is inside an element that goes with its content.
  var isDropping: Bool { dropDepth != nil }

  /// Whether what comes is only for readers without script.
  var isScriptless: Bool { scriptlessDepth != nil }

  /// Text with its references decoded; a run may come in several pieces, which makes no difference.
  mutating func text(_ bytes: borrowing Span<UInt8>) {
    guard let range = beginText(bytes) else { return }
    output.text(bytes.extracting(range))
    if !isAside { facts.add(bytes.extracting(range)) }
  }

  /// Text in which nothing needs to be escaped.
  mutating func plainText(_ bytes: borrowing Span<UInt8>) {
    guard let range = beginText(bytes) else { return }
    output.plainText(bytes.extracting(range))
    if !isAside { facts.add(bytes.extracting(range)) }
  }

  /// Opens what text needs around it; answers which part of the text is left to be written.
  private mutating func beginText(_ bytes: borrowing Span<UInt8>) -> Range<Int>? {
    guard dropDepth == nil, !bytes.isEmpty else { return nil }
    if boxes.isWatching { boxes.noteText(bytes) }
    if output.count == embedEnd, !bytes[0].isHTMLSpace { separateBlock() }
    var start = 0
    if isAtPreformattedStart {
      // A browser takes the first line break for layout; a second one would look like the first on the next pass.
      while start < bytes.count, bytes[start] == ASCII.lineFeed { start += 1 }
      if start == bytes.count { return nil }
      isAtPreformattedStart = false
    }
    let isInTable = open.current?.role.isTableStructure == true
    guard isInTable || !suspended.isEmpty else { return start..<bytes.count }
    // White space opens nothing.
    var end = start
    while end < bytes.count, bytes[end].isHTMLSpace { end += 1 }
    output.plainText(bytes.extracting(start..<end))
    facts.add(bytes.extracting(start..<end))
    if end == bytes.count { return nil }
    openImpliedCell()
    resumeFormatting()
    if open.current?.role.isTableStructure == true { facts.isTooUntidy = true }
    return end..<bytes.count
  }

  /// A start tag, whose attributes are in ``attributes``; each is followed by its end, if need be an implied one.
  mutating func startElement(_ element: Int) {
    let decision = boxes.next()
    if dropDepth != nil {
      source.append(0)
      return
    }
    var element = standIn(for: element)
    if let replacement = decision?.replacement {
      guard let other = number(replacing: replacement) else {
        source.append(0)
        separateBlock()
        return
      }
      element = other
    }
    guard boxes.isWatching else { return open(element) }
    let mark = boxMark(tables.elements[element])
    open(element)
    if dropDepth == nil { boxes.open(mark, depth: source.count) }
  }

  /// Opens an element, of the source or not.
  mutating func open(_ element: Int) {
    let id = begin(element)
    source.append(id)
    // Its tags go; where it is a block, its text still stands apart.
    if id == 0, tables.elements[element].traits.contains(.block) { separateBlock() }
    if tables.elements[element].traits.contains(.scriptless), scriptlessDepth == nil { scriptlessDepth = source.count }
    if id == Self.dropped {
      source[source.count - 1] = 0
      dropDepth = source.count
    }
  }

  /// An end tag, written or implied.
  mutating func endElement(_ element: Int) {
    close(element)
    if dropDepth == nil, boxes.isWatching { boxes.close(toDepth: source.count) }
  }

  /// Ends what ``open(_:)`` began.
  mutating func close(_ element: Int) {
    guard let id = source.popLast() else { return }
    if let depth = scriptlessDepth, source.count < depth { scriptlessDepth = nil }
    if let depth = dropDepth {
      if source.count < depth { dropDepth = nil }
      return
    }
    if id == 0 {
      if object != nil { endObject() }
      if tables.elements[element].traits.contains(.block) { separateBlock() }
      return
    }
    if let index = open.index(ofID: id) { close(toDepth: index, ending: id) }
    if element == formulas.math { formulas.end = output.count }
    endSuspension(of: id)
  }

  // MARK: - Elements

  private static let dropped = -1

  /// Decides about a start tag; answers the id of the element that was opened, 0 for none, or `dropped`.
  private mutating func begin(_ element: Int) -> Int {
    let entry = tables.elements[element]
    if open.foreignCount == 0, tables.elements[formulas.math].math == .keep, repeatsFormula(entry) {
      note(.duplicate, entry)
      return Self.dropped
    }
    let isInDescription = open.foreignCount > 0 && takesPlainInline
    let namespace = isInDescription ? .html : leaveForeignContent(for: entry)
    switch entry.verdict(in: namespace) {
    case .keep: break
    case .drop:
      if policy.improvements.linksEmbeds, namespace == .html { writeEmbed(entry) }
      noteLimit(entry)
      note(.content, entry)
      return Self.dropped
    case .unwrap:
      if policy.improvements.linksEmbeds, namespace == .html { writeEmbed(entry) }
      noteLimit(entry)
      note(.element, entry)
      return 0
    }
    let hasNoPlace =
      isInDescription
      ? !entry.traits.contains(.plainInline)
      : open.current?.isTextOnly == true || (namespace != .html && open.current?.role.holdsOptions == true)
    // A table needs room for a section, a row, a cell, and something in it.
    let depth = entry.role == .table && namespace == .html ? open.count + 4 : open.count
    if hasNoPlace || depth >= limits.fragmentDepth {
      note(.structure, entry)
      return 0
    }
    if namespace != .html || !(entry.role.isTablePart || entry.role == .table) { openImpliedCell() }
    // What ends makes room, and room that is made can end more.
    var count: Int
    repeat {
      count = open.count
      endImplicitly(before: element)
      if namespace == .html, !makeRoom(for: entry) {
        note(.structure, entry)
        return 0
      }
    } while open.count < count
    if !entry.traits.contains(.block), !entry.role.isTablePart { resumeFormatting() }
    let isOneTooMany =
      namespace == .html && entry.traits.contains(.formatting) && open.formattingCount >= limits.openFormatting
    if isOneTooMany || open.count >= limits.fragmentDepth {
      note(.structure, entry)
      return 0
    }
    endImplicitly(before: element)
    return write(entry, namespace)
  }

  /// Whether the innermost element is SVG's `desc` or HTML inside it.
  private var takesPlainInline: Bool {
    guard let current = open.current else { return false }
    return current.namespace == .html || (current.namespace == .svg && tables.elements[current.element].isDescription)
  }

  /// Closes what every parser ends where this element begins.
  private mutating func endImplicitly(before element: Int) {
    while let parent = open.current?.element, tables.ends(parent, atStartOf: element) { close(toDepth: open.count - 1) }
  }

  private mutating func write(_ entry: RuleTables.Element, _ namespace: Policy.Namespace) -> Int {
    collect(entry, namespace)
    let stays = improve(entry, namespace)
    noteLimit(entry)
    if namespace == .html, entry.role == .image || entry.role == .figure, policy.improvements.alignsPictures {
      align(entry)
    }
    if stays, entry.role == .image, boxes.isWatching { boxes.addPicture(boxMark(entry)) }
    guard stays else {
      anchors.endTag(at: nil)
      return 0
    }
    if entry.traits.contains(.block) {
      facts.separate()
    } else if output.count == embedEnd {
      separateBlock()
    }
    let mark = output.mark
    let start = mark.count
    output.openStartTag(tables.name(ofElement: entry.number, in: namespace))
    attributes.write(to: &output, tables: tables, namespace: namespace)
    let isVoid = namespace == .html && entry.traits.contains(.void)
    output.closeStartTag(isVoid: isVoid)
    if namespace == .html, entry.traits.contains(.formatting), isFourthOfItsKind(start..<output.count) {
      output.rewind(to: mark)
      note(.structure, entry)
      anchors.endTag(at: nil)
      return 0
    }
    anchors.endTag(at: start)
    if entry.traits.contains(.block), namespace == .html { repairGrowth += open.inlineBytes }
    facts.begin(entry.number)
    let target = facts.wantsResources ? gatherFacts(entry, namespace) : -1
    guard !isVoid else { return 0 }
    lastID += 1
    let isTextOnly =
      switch namespace {
      case .html: entry.traits.contains(.textOnly)
      case .svg: entry.isTextOnlyInSVG
      case .math: entry.isTextOnlyInMath
      }
    open.push(
      OpenElement(
        id: lastID, element: entry.number, namespace: namespace, traits: namespace == .html ? entry.traits : [],
        role: namespace == .html ? entry.role : .plain, startTag: start..<output.count, isTextOnly: isTextOnly,
        contentStart: facts.contentCount,
        target: target))
    isAtPreformattedStart = namespace == .html && entry.traits.contains(.preformatted)
    return lastID
  }

  /// Opens an element that the source does not have.
  mutating func openImplied(_ element: Int) {
    let entry = tables.elements[element]
    facts.isUntidy = true
    facts.begin(element)
    facts.separate()
    let start = output.count
    output.openStartTag(tables.name(ofElement: element, in: .html))
    output.closeStartTag(isVoid: false)
    lastID += 1
    open.push(
      OpenElement(
        id: lastID, element: element, namespace: .html, traits: entry.traits, role: entry.role,
        startTag: start..<output.count, isTextOnly: false, contentStart: facts.contentCount, target: -1))
    isAtPreformattedStart = false
  }

  /// Closes open elements until `depth` are left.
  ///
  /// Formatting that the source has not ended, which is all but the element `id`, is kept for what follows.
  mutating func close(toDepth depth: Int, ending id: Int? = nil) {
    while open.count > depth, let element = open.pop() {
      isAtPreformattedStart = false
      output.endTag(tables.name(ofElement: element.element, in: element.namespace))
      facts.end(element.element, from: element.contentStart)
      if element.role == .link {
        facts.endLink()
        lastLink.end = output.count
      }
      if element.traits.contains(.heading) { facts.endHeading() }
      if element.traits.contains(.block) { facts.separate() }
      // What was open in a cell does not go on behind it (HTML Standard, 13.2.4.3, "clear up to the last marker").
      if element.traits.contains(.marker), !suspended.isEmpty {
        suspended.removeAll { $0.markerCount > open.markerCount }
      }
      if element.traits.contains(.formatting), element.id != id {
        // As many as may be open at once: of more, the innermost count.
        if suspended.count == limits.openFormatting { suspended.removeFirst() }
        suspended.append(Suspended(element: element, markerCount: open.markerCount))
      }
    }
  }

  /// Takes a tag back that was written next after `mark`.
  mutating func takeBack(_ tag: Range<Int>, after mark: OutputBuffer.Mark) {
    output.remove(tag, after: mark)
    anchors.takeBack(tag)
    if lastLink.end >= tag.upperBound { lastLink.end -= tag.count }
    if embedEnd >= tag.upperBound { embedEnd -= tag.count }
    open.moveStartTags(behind: tag)
    for index in suspended.indices where suspended[index].element.startTag.lowerBound >= tag.upperBound {
      suspended[index].element.moveStartTag(by: -tag.count)
    }
  }
}
