import TamisCore
import TamisURL
import TamisXML

/// Filters the events of one fragment into markup: what stays, loses its tags, or goes.
///
/// It keeps the same stack of open elements as a browser will when it reads the result, and writes each end tag that the
/// browser would supply by itself. So what is written is what the browser builds, no end tag can reach the page around
/// the fragment, and a second pass finds nothing to change.
final class Walker: HTMLHandler {
  let tables: RuleTables
  var output = OutputBuffer()
  var facts = FactCollector()
  var open = OpenElements()
  var attributes = AttributeList()
  var removals: [Removal] = []
  let limits: Limits
  /// The base that relative URLs are resolved against.
  var base: WebURL?
  /// Where the parser is, for the report.
  var position: () -> (line: Int, column: Int) = { (0, 0) }

  /// The elements that are open in the source, innermost last: the id of what was made of them, 0 for nothing.
  private var source: [Int] = []
  /// Depth of `source` at which dropping began; nil while nothing is dropped.
  private var dropDepth: Int?
  /// Formatting elements that a block closed before their end came, to be opened again for what follows.
  private var suspended: [Suspended] = []
  private var lastID = 0
  private var isAtPreformattedStart = false
  private var sizeLimit = 0

  private struct Suspended {
    var element: OpenElement
    var markerCount: Int
  }

  init(policy: Policy, limits: Limits) {
    tables = RuleTables(policy: policy)
    self.limits = limits
  }

  var policy: Policy { tables.policy }

  /// Makes ready for the next fragment of `size` bytes.
  func begin(size: Int, base: WebURL?) {
    output.removeAll()
    facts = FactCollector()
    open.removeAll()
    removals.removeAll(keepingCapacity: true)
    source.removeAll(keepingCapacity: true)
    suspended.removeAll(keepingCapacity: true)
    dropDepth = nil
    lastID = 0
    isAtPreformattedStart = false
    self.base = base
    sizeLimit = 4 * size + (64 << 10)
  }

  /// Closes what is still open.
  func finish() -> MarkupFacts {
    close(toDepth: 0)
    return facts.finish()
  }

  // MARK: - Events

  func number(ofElement name: String) -> Int { tables.number(ofElement: name) }

  func number(ofAttribute name: String) -> Int { tables.number(ofAttribute: name) }

  func text(_ bytes: borrowing Span<UInt8>) {
    guard dropDepth == nil, !bytes.isEmpty else { return }
    var start = 0
    if isAtPreformattedStart {
      // A browser takes the first line break for layout; a second one would look like the first on the next pass.
      while start < bytes.count, bytes[start] == ASCII.lineFeed { start += 1 }
      if start == bytes.count { return }
      isAtPreformattedStart = false
    }
    let rest = bytes.extracting(start..<bytes.count)
    if !isBlank(rest) {
      openImpliedCell()
      resumeFormatting()
      if let role = open.current?.role, role.isTableStructure { facts.isTooUntidy = true }
    }
    output.text(rest)
    facts.add(rest)
  }

  func startElement(_ element: Int, _ list: borrowing HTMLAttributes) {
    if dropDepth != nil {
      source.append(0)
      return
    }
    let id = begin(element, list)
    source.append(id)
    if id == Self.dropped {
      source[source.count - 1] = 0
      dropDepth = source.count
    }
  }

  func endElement(_ element: Int) {
    guard let id = source.popLast() else { return }
    if let depth = dropDepth {
      if source.count < depth { dropDepth = nil }
      return
    }
    if id == 0 {
      // Its tags went; where it was a block, its text still stands apart.
      if tables.elements[element].traits.contains(.block) { facts.separate() }
      return
    }
    if let index = open.index(ofID: id) { close(toDepth: index, ending: id) }
    endSuspension(of: id)
  }

  /// Forgets a formatting element that has ended.
  func endSuspension(of id: Int) {
    suspended.removeAll { $0.element.id == id }
  }

  /// Forgets suspended links: a new one takes their place.
  func endSuspendedLinks() {
    suspended.removeAll { $0.element.role == .link }
  }

  // MARK: - Elements

  private static let dropped = -1

  /// Decides about a start tag; answers the id of the element that was opened, 0 for none, or `dropped`.
  private func begin(_ element: Int, _ list: borrowing HTMLAttributes) -> Int {
    let entry = tables.elements[element]
    let namespace = leaveForeignContent(for: entry)
    switch entry.verdict(in: namespace) {
    case .keep: break
    case .drop:
      if policy.improvements.linksEmbeds, namespace == .html { writeEmbed(element, list) }
      note(.element, entry.text)
      return Self.dropped
    case .unwrap:
      note(.element, entry.text)
      if entry.traits.contains(.block) { facts.separate() }
      return 0
    }
    if open.current?.isTextOnly == true || open.count >= limits.fragmentDepth {
      note(.structure, entry.text)
      return 0
    }
    if namespace != .html || !(entry.role.isTablePart || entry.role == .table) { openImpliedCell() }
    // What ends makes room, and room that is made can end more.
    var depth: Int
    repeat {
      depth = open.count
      endImplicitly(before: element)
      if namespace == .html, !makeRoom(for: entry) {
        note(.structure, entry.text)
        return 0
      }
    } while open.count < depth
    if !entry.traits.contains(.block), !entry.role.isTablePart { resumeFormatting() }
    if namespace == .html, entry.traits.contains(.formatting), open.formattingCount >= limits.openFormatting {
      note(.structure, entry.text)
      return 0
    }
    endImplicitly(before: element)
    return write(element, entry, namespace, list)
  }

  /// Closes what libxml2 would end where this element begins.
  private func endImplicitly(before element: Int) {
    while let parent = open.current, tables.ends(parent.element, atStartOf: element) { close(toDepth: open.count - 1) }
  }

  /// The namespace of an element that begins here.
  ///
  /// Some HTML elements make a browser leave SVG or MathML, so they do here.
  private func leaveForeignContent(for entry: RuleTables.Element) -> Policy.Namespace {
    guard let current = open.current, current.namespace != .html else { return entry.root ?? .html }
    if entry.traits.contains(.breaksOut), entry.html == .keep, entry.verdict(in: current.namespace) != .keep {
      let depth = open.stack.lastIndex { $0.namespace == .html }.map { $0 + 1 } ?? 0
      facts.isUntidy = true
      close(toDepth: depth)
      return .html
    }
    return current.namespace
  }

  private func write(
    _ element: Int, _ entry: RuleTables.Element, _ namespace: Policy.Namespace, _ list: borrowing HTMLAttributes
  ) -> Int {
    attributes.removeAll()
    collect(list, of: element, entry, namespace)
    guard improve(entry, element, namespace) else { return 0 }
    if entry.traits.contains(.block) { facts.separate() }
    let start = output.count
    output.openStartTag(entry.name(in: namespace))
    attributes.write(to: &output, tables: tables, namespace: namespace)
    let isVoid = namespace == .html && entry.traits.contains(.void)
    output.closeStartTag(isVoid: isVoid)
    if namespace == .html, entry.traits.contains(.formatting), isFourthOfItsKind(start..<output.count) {
      output.removeLast(output.count - start)
      note(.structure, entry.text)
      return 0
    }
    gatherFacts(entry, namespace)
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
        id: lastID, element: element, namespace: namespace, traits: namespace == .html ? entry.traits : [],
        role: namespace == .html ? entry.role : .plain, startTag: start..<output.count, isTextOnly: isTextOnly,
        href: namespace == .html && entry.role == .link ? attribute("href") : nil))
    isAtPreformattedStart = namespace == .html && entry.traits.contains(.preformatted)
    return lastID
  }

  /// Opens an element that the source does not have.
  func openImplied(_ element: Int) {
    let entry = tables.elements[element]
    facts.isUntidy = true
    facts.separate()
    let start = output.count
    output.openStartTag(entry.name)
    output.closeStartTag(isVoid: false)
    lastID += 1
    open.push(
      OpenElement(
        id: lastID, element: element, namespace: .html, traits: entry.traits, role: entry.role,
        startTag: start..<output.count, isTextOnly: false, href: nil))
    isAtPreformattedStart = false
  }

  /// Whether three formatting elements with the same start tag are open: browsers remember no more of a kind (HTML
  /// Standard, 13.2.4.3).
  private func isFourthOfItsKind(_ tag: Range<Int>) -> Bool {
    guard open.formattingCount >= 3 else { return false }
    return open.stack.count { element in
      element.traits.contains(.formatting) && element.startTag.count == tag.count
        && output.bytes[element.startTag].elementsEqual(output.bytes[tag])
    } >= 3
  }

  /// Closes open elements until `depth` are left.
  ///
  /// Formatting that the source has not ended, which is all but the element `id`, is kept for what follows.
  func close(toDepth depth: Int, ending id: Int? = nil) {
    while open.count > depth, let element = open.pop() {
      isAtPreformattedStart = false
      let entry = tables.elements[element.element]
      output.endTag(entry.name(in: element.namespace))
      if element.role == .link { facts.endLink() }
      if element.traits.contains(.block) { facts.separate() }
      if element.traits.contains(.formatting), element.id != id {
        // As many as may be open at once: of more, the innermost count.
        if suspended.count == limits.openFormatting { suspended.removeFirst() }
        suspended.append(Suspended(element: element, markerCount: open.markerCount))
      }
    }
  }

  /// Opens formatting again that a block closed (HTML Standard, 13.2.4.3, "reconstruct the active formatting elements"),
  /// as long as the output stays within a few times the input.
  private func resumeFormatting() {
    guard !suspended.isEmpty, open.current?.isTextOnly != true, open.current?.role.isTableStructure != true,
      (open.current?.namespace ?? .html) == .html
    else { return }
    let waiting = suspended.filter { $0.markerCount >= open.markerCount }
    suspended.removeAll { $0.markerCount >= open.markerCount }
    facts.isUntidy = true
    for var element in waiting.reversed().map(\.element) {
      guard output.count < sizeLimit, open.count < limits.fragmentDepth,
        open.formattingCount < limits.openFormatting
      else { return }
      if element.role == .link, open.linkInScope != nil { continue }
      let start = output.count
      output.repeatStartTag(at: element.startTag)
      element.startTag = start..<output.count
      open.push(element)
      isAtPreformattedStart = false
      if let href = element.href { facts.beginLink(href) }
    }
  }

  private func isBlank(_ bytes: borrowing Span<UInt8>) -> Bool {
    for index in 0..<bytes.count where !bytes[index].isHTMLSpace { return false }
    return true
  }

  /// Puts a removal on the report.
  func note(_ rule: Removal.Rule, _ name: String) {
    guard removals.count < 1000 else { return }
    let (line, column) = position()
    removals.append(Removal(rule: rule, name: name, line: line, column: column))
  }
}
