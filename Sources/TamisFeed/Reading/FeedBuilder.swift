import TamisCore
import TamisURL
import TamisXML

/// Turns the elements of a document into fields of the feed and of its entries.
///
/// It does not ask the document to be well-formed. An element ends where its end tag comes, or where one around it ends;
/// an entry also ends where the next one begins.
///
/// All its methods are mutating, those too that change nothing: calling another would copy the whole of it first.
struct FeedBuilder {
  var feed = Feed()
  private(set) var log: FindingLog
  /// How the document ended, as far as it was read.
  private(set) var ending = Ending.complete
  private(set) var isFeed = true
  private(set) var rootDescription = "missing"
  /// Whether the format is Atom 1.0.
  private(set) var isAtom = false
  /// Whether it is Atom at all.
  private(set) var isAnyAtom = false
  /// Whether the caller has stopped reading.
  var isStopped = false
  /// How many entries have ended.
  var entriesEnded = 0
  /// The first error of libxml2.
  private var refusal: Finding?
  /// The location of the parser.
  var position = XMLPosition(line: 0, column: 0)
  /// The attributes of the start tag that is reported next.
  var attributes = AttributeBuffer()

  let name: String
  let limits: Limits
  let customFields: [CustomField]
  var elementNames: [ElementName] = []
  private var attributeNames: [(name: XMLName, text: String)] = []
  /// Both readers of a document ask for the same names.
  private var elementNumbers: [XMLName: Int] = [:]
  private var attributeNumbers: [XMLName: Int] = [:]
  var frames: [Frame] = []
  /// The text of the open elements, consecutively; each begins where its ``Frame/textStart`` is.
  private var texts: [UInt8] = []
  var scopes: [(scope: Scope, depth: Int)] = []
  var finished: FeedEntry?
  /// Whether an entry has ended and was not taken yet.
  var hasFinishedEntry = false
  var entry: FeedEntry?
  var person: (value: FeedPerson, role: FeedElement.PersonRole)?
  /// The feed that the entry being read was taken from.
  var source = Feed()
  /// The picture or the search box that is being read.
  var image = FeedImage()
  /// The chapters and the coordinates that are being read.
  var chapters: [PodcastChapter] = []
  var coordinates = ""
  private var inline = InlineMarkup()
  /// How many transparent elements are open: wrappers around the whole content of a field.
  private var wrappers = 0
  /// Whether the title and the summary of the entry are those of another vocabulary, which its own replace.
  var hasTitleOfOther = false
  var hasSummaryOfMedia = false
  /// The feeds whose title is that of another vocabulary.
  var titlesOfOthers: Set<WritableKeyPath<FeedBuilder, Feed>> = []
  /// Whether that summary is of a single `media:content`.
  var isSummaryOfFile = false
  /// The data of the open `media:content`, and the number of groups that the entry had before.
  var mediaTitle: Markup?
  var mediaDescription: Markup?
  var mediaCredit: String?
  var mediaGroups = 0
  /// The base URL and the language that the response gives the whole document.
  private var documentBase: String?
  private let documentLanguage: String?

  /// The properties of all elements with one name.
  struct ElementName {
    var name: XMLName
    var element: FeedElement
    /// How the text of a field of this name is to be read, unless it says otherwise.
    var kind: Markup.Kind
    var text: String
  }

  init(document: FeedDocument, limits: Limits, customFields: [CustomField]) {
    self.customFields = customFields
    name = document.name
    documentLanguage = document.header("Content-Language")
    feed.language = documentLanguage
    self.limits = limits
    log = FindingLog(limits: limits)
    if let base = document.base, isUsable(base: base) { documentBase = base }
  }

  /// Ends reading: elements that are still open were cut off.
  mutating func cutOff() {
    guard ending == .complete, !isStopped else { return }
    if entry != nil {
      ending = .insideEntry(entriesEnded)
      note(
        .warning, "parse.cut-off", "the document is cut off inside this entry; the part that is there is kept",
        at: location)
    } else {
      ending = .betweenEntries
      note(.note, "parse.ends-early", "the document is cut off; there may be more entries", at: location)
    }
  }

  /// Ends what was not ended.
  ///
  /// - Parameter skipped: the first element that was left out because no feed begins with it.
  mutating func finish(skipped: String?) {
    if rootDescription == "missing" {
      isFeed = false
      if let skipped { rootDescription = "<\(skipped)>" }
    } else if let refusal {
      // Where there is no element, it objects to that.
      log.add(refusal)
    }
    if isStopped { ending = .betweenEntries } else if !frames.isEmpty, isFeed { cutOff() }
    end(toDepth: 0)
  }

  /// The entry that has ended; to be called once, when ``hasFinishedEntry`` says so.
  mutating func takeEntry() -> FeedEntry? {
    hasFinishedEntry = false
    let entry = finished.take()
    return isStopped ? nil : entry
  }

  var location: SourceLocation { SourceLocation(file: name, line: position.line, column: position.column) }

  func location(of frame: Frame) -> SourceLocation {
    SourceLocation(file: name, line: frame.line, column: frame.column)
  }

  var scope: Scope { scopes.last?.scope ?? .feed }

  /// The owner of the person, link or text that is being read: the feed, an entry, or the entry's source.
  var owner: Scope { scopes.last { $0.scope == .entry || $0.scope == .source }?.scope ?? .feed }

  mutating func note(_ severity: Finding.Severity, _ code: String, _ message: String, at location: SourceLocation) {
    let title = entry.flatMap { $0.id ?? $0.title?.value }.map { String($0.prefix(80)) }
    log.add(Finding(severity, code, message, at: location, entry: title))
  }

  /// Keeps the fault that comes first in the document, whether libxml2 or the repair found it.
  mutating func noteFault(_ code: String, _ message: String, _ line: Int, _ column: Int) {
    if let known = feed.fault?.location, (known.line, known.column) <= (line, column) { return }
    let words = message.split(separator: "\n").first ?? ""
    let location = SourceLocation(file: name, line: line, column: column)
    feed.fault = Finding(.warning, code, "this is not well-formed XML: \(words)", at: location)
  }

  /// Says that libxml2 objected to what was repaired, which is a defect of the repair.
  mutating func noteRefusal(_ message: String, _ line: Int, _ column: Int) {
    let location = SourceLocation(file: name, line: line, column: column)
    let words = "libxml2 rejects this: \(message); what follows may be lost, please report it"
    refusal = refusal ?? Finding(.warning, "parse.refused", words, at: location)
  }

  /// Says that the document could not be read to its end.
  mutating func noteFailure(_ failure: ReadFailure, _ position: XMLPosition) {
    let location = SourceLocation(file: name, line: position.line, column: position.column)
    log.add(
      Finding(.error, "read.failed", "reading failed here: \(failure.message); what came before is kept", at: location))
    cutOff()
  }

  // MARK: - Names

  mutating func number(ofElement name: XMLName) -> Int {
    if let known = elementNumbers[name] { return known }
    elementNumbers[name] = elementNames.count
    let prefix = standardPrefix(name)
    let local = name.local.asciiLowercased()
    let element = FeedElement(prefix: prefix, local: local)
    elementNames.append(
      ElementName(
        name: name, element: element, kind: element.defaultKind(local: local),
        text: prefix.isEmpty ? local : "\(prefix)_\(local)"))
    return elementNames.count - 1
  }

  mutating func number(ofAttribute name: XMLName) -> Int {
    if let known = attributeNumbers[name] { return known }
    attributeNumbers[name] = attributeNames.count
    let prefix = standardPrefix(name)
    let local = name.local.asciiLowercased()
    attributeNames.append((name, prefix.isEmpty ? local : "\(prefix):\(local)"))
    return attributeNames.count - 1
  }

  private func standardPrefix(_ name: XMLName) -> String {
    if name.namespace.isEmpty { return name.prefix.asciiLowercased() }
    if let known = Namespaces.prefix(of: name.namespace) { return known }
    return name.prefix.asciiLowercased()
  }

  mutating func declare(_ namespaces: [(String, String)]) {
    for (prefix, uri) in namespaces where !uri.isEmpty {
      feed.namespaces[Namespaces.prefix(of: uri) ?? prefix.asciiLowercased()] = uri
    }
  }

  mutating func documentType(publicID: String) {
    if publicID.asciiLowercased().contains("netscape") { feed.version = "rss091n" }
  }

  // MARK: - Events

  /// A start tag, whose attributes are in ``attributes``.
  mutating func startElement(_ number: Int) {
    let element = elementNames[number].element
    if !frames.isEmpty, frames[frames.count - 1].holdsMarkup, element != .entry {
      if isWrapper(number) { wrappers += 1 } else { beginInline(number) }
      return
    }
    // Markup that was never ended ends here: it would take the entry's end tags for its own.
    closeInline()
    wrappers = 0
    if endsImage(elementNames[number]), let open = scopes.last { end(toDepth: open.depth) }
    let frame = makeFrame(number)
    if frames.isEmpty { recognize(frame, elementNames[number].name) }
    if element == .entry, let open = scopes.firstIndex(where: { $0.scope == .entry }) {
      note(.warning, "parse.unclosed-entry", "the previous entry is not closed", at: location)
      end(toDepth: scopes[open].depth)
    }
    if element == .channel, !frame.isInnerChannel { readChannelAttributes(frame) }
    if element == .category, frame.name == "itunes_category" { assignCategoryAtStart(frame) }
    enterScope(of: frame, depth: frames.count)
    frames.append(frame)
    frames[frames.count - 1].textStart = texts.count
  }

  mutating func endElement(_ number: Int) {
    if inline.depth > 0, inline.end(named: elementNames[number].name, into: &texts) {
      cutWhatIsTooLong()
      return
    }
    if wrappers > 0, Self.isDiv(elementNames[number]) {
      wrappers -= 1
      return
    }
    var index = frames.count - 1
    while index >= 0, frames[index].number != number { index -= 1 }
    if index >= 0 { end(toDepth: index) }
  }

  mutating func text(_ bytes: borrowing Span<UInt8>) {
    let last = frames.count - 1
    guard last >= 0, frames[last].cut == nil else { return }
    if !frames[last].hasText { frames[last].hasText = !WhiteSpace.isHTMLSpace(bytes) }
    if frames[last].holdsMarkup, frames[last].kind == .xhtml || frames[last].isMixed && inline.depth > 0 {
      MarkupText.append(bytes, to: &texts)
    } else {
      texts.append(bytes, 0..<bytes.count)
    }
    cutWhatIsTooLong()
  }

  /// Leaves out what the innermost element holds beyond ``Limits/fieldBytes``, and whatever is added after that.
  private mutating func cutWhatIsTooLong() {
    let last = frames.count - 1
    if let cut = frames[last].cut { return texts.removeLast(texts.count - cut) }
    let (start, most) = (frames[last].textStart, max(0, limits.fieldBytes))
    guard texts.count - start > most else { return }
    var cut = max(start, UTF8Sequence.boundary(in: texts.span, atOrBefore: start + most))
    if frames[last].holdsMarkup, frames[last].kind == .xhtml || frames[last].isMixed {
      cut = MarkupText.wholeEnd(of: texts[start..<cut])
    }
    texts.removeLast(texts.count - cut)
    frames[last].cut = cut
    let name = elementNames[frames[last].number].name.written
    note(
      .warning, "parse.field-too-long", "<\(name)> has more than \(most) bytes; its end is left out", at: location)
  }

  // MARK: - Elements

  private mutating func makeFrame(_ number: Int) -> Frame {
    let last = frames.count - 1
    let element = elementNames[number].element
    var frame = Frame(
      number: number, element: element, name: elementNames[number].text,
      base: last < 0 ? documentBase : frames[last].base, language: last < 0 ? documentLanguage : frames[last].language,
      line: position.line, column: position.column)
    if !attributes.items.isEmpty { readAttributes(into: &frame) }
    if last >= 0, element != .entry {
      frame.isForeign = frames[last].hasForeignContent
      frame.isInnerChannel = element == .channel && frames.contains { $0.element == .channel }
    }
    frame.hasForeignContent = frame.isForeign || frame.makesForeign
    if case .text = element {
      frame.kind = Self.kind(named: frame.attribute("type")) ?? elementNames[number].kind
      // Escaped markup of whatever type is text until it has been decoded.
      if frame.kind == .xhtml, frame.isEscaped { frame.kind = .html }
    }
    return frame
  }

  private mutating func readAttributes(into frame: inout Frame) {
    frame.attributes = attributes.items.map { item in
      ExtensionElement.Attribute(name: attributeNames[item.name].text, value: attributes.string(item.value))
    }
    if let base = frame.attribute("xml:base") ?? frame.attribute("base") {
      frame.base = safeBase(base, within: frame.base)
    }
    if let language = frame.attribute("xml:lang") ?? frame.attribute("lang") {
      frame.language = language.trimmedOrNil().map { String($0.map { $0 == "_" ? "-" : $0 }) }
    }
    frame.isBase64 = frame.attribute("mode") == "base64"
  }

  /// How the text of a field is to be read as its type says; nil when it says nothing.
  private static func kind(named type: String?) -> Markup.Kind? {
    guard let type = type?.asciiLowercased() else { return nil }
    switch type {
    case "text", "text/plain": return .text
    case "html", "text/html": return .html
    case "xhtml", "application/xhtml+xml": return .xhtml
    default: return type.hasSuffix("xml") ? .xhtml : nil
    }
  }

  /// Recognizes the format by the document's first element.
  private mutating func recognize(_ frame: Frame, _ name: XMLName) {
    rootDescription = "<\(name.written)>"
    isFeed = [.root, .channel, .entry].contains(frame.element)
    feed.version = FeedVersion.of(
      root: name.local.asciiLowercased(), version: frame.attribute("version"), namespaces: feed.namespaces,
      doctype: feed.version)
    isAtom = feed.version == "atom10"
    isAnyAtom = feed.version.hasPrefix("atom")
    feed.language = frame.language ?? feed.language
  }

  /// Whether an element inside a field is only a wrapper: a `div` around the whole content of a field that is not
  /// XHTML.
  private mutating func isWrapper(_ number: Int) -> Bool {
    let last = frames.count - 1
    return inline.depth == 0 && !frames[last].hasText && frames[last].kind != .xhtml && Self.isDiv(elementNames[number])
  }

  private static func isDiv(_ name: ElementName) -> Bool { name.name.local.asciiLowercased() == "div" }

  private mutating func beginInline(_ number: Int) {
    let index = frames.count - 1
    if inline.depth == 0, frames[index].kind != .xhtml, frames[index].cut == nil, !frames[index].isMixed {
      // Markup where text was announced. Escaped HTML before it stays HTML; other text is written as text.
      let before = Array(texts[frames[index].textStart...])
      if frames[index].kind == .html, HTMLEvidence.hasElements(before.span) {
        frames[index].isMixed = true
      } else {
        texts.removeLast(before.count)
        MarkupText.append(before.span, to: &texts)
        frames[index].kind = .xhtml
      }
    }
    let names = attributeNames
    inline.begin(elementNames[number].name, attributes, into: &texts) { names[$0].name }
    cutWhatIsTooLong()
  }

  /// Ends the markup that is open in the innermost element.
  private mutating func closeInline() {
    guard inline.depth > 0 else { return }
    inline.closeAll(into: &texts)
    cutWhatIsTooLong()
  }

  /// Ends the open elements until `depth` are left, innermost first.
  private mutating func end(toDepth depth: Int) {
    while frames.count > depth {
      closeInline()
      wrappers = 0
      let start = frames[frames.count - 1].textStart
      frames[frames.count - 1].content = content(from: start)
      texts.removeLast(texts.count - start)
      let frame = frames.removeLast()
      if !customFields.isEmpty, entry != nil { takeCustomFields(frame) }
      var ended: Scope?
      if let top = scopes.last, top.depth == frames.count {
        ended = top.scope
        scopes.removeLast()
      }
      finish(frame, ended)
    }
  }

  /// The text of the innermost element, trimmed.
  private mutating func content(from start: Int) -> String {
    let text = texts.span.extracting(start...)
    let range = WhiteSpace.trimmedRange(text)
    return range.isEmpty ? "" : String(text, range)
  }
}
