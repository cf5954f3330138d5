import TamisCore
import TamisURL

/// A builder that turns the elements of a document into fields of the feed and of its entries.
///
/// The document need not be well-formed. An element ends at its end tag, or where an enclosing one ends; an entry also
/// ends where the next one begins.
///
/// Nearly all methods are mutating, even those that change nothing, because calling another would copy the whole struct
/// first.
struct FeedBuilder {
  var feed = Feed()
  private(set) var log: FindingLog
  /// The state in which the document ended, as far as it was read.
  private(set) var ending = Feed.Ending.complete
  private(set) var isFeed = true
  private(set) var rootDescription = "missing"
  /// Whether the format is Atom 1.0.
  private(set) var isAtom = false
  /// Whether the format is any version of Atom.
  private(set) var isAnyAtom = false
  /// Whether the caller has stopped reading.
  var isStopped = false
  /// The number of elements that have been read of the feed itself, and of the entry.
  var elementCount = [0, 0]
  /// The number of entries that have ended.
  private var entriesEnded = 0
  /// The location of the parser.
  var position = XMLPosition(line: 0, column: 0)
  /// The attributes of the next start tag.
  var attributes = AttributeBuffer()

  let name: String
  let limits: Limits
  let customFields: [FeedParser.CustomField]
  var elementNames: [ElementName] = []
  private var attributeNames: [(name: XMLName, text: String)] = []
  /// The numbers of known names; both readers of a document use the same ones.
  private var elementNumbers: [XMLName: Int] = [:]
  private var attributeNumbers: [XMLName: Int] = [:]
  var frames: [Frame] = []
  /// The text of the open elements, consecutively; each begins at its ``Frame/textStart``.
  private(set) var texts: [UInt8] = []
  var scopes: [(scope: Scope, depth: Int)] = []
  var finished: Feed.Entry?
  /// Whether an entry has ended and was not taken yet.
  var hasFinishedEntry = false
  var entry: Feed.Entry?
  var person: (value: Feed.Person, role: FeedElement.PersonRole)?
  /// The feed that the entry being read was taken from.
  var source = Feed()
  /// The image or text input being read.
  var image = Feed.Image()
  /// The chapters and the coordinates being read.
  var chapters: [Feed.Chapter] = []
  var coordinates = ""
  private var inline = InlineMarkup()
  /// The offset of the text behind an empty `link` of the entry; nil when there was none.
  var bareLink: Int?
  /// The number of open transparent elements: wrappers around the whole content of a field.
  private var wrappers = 0
  /// Whether the title and the summary of the entry come from another vocabulary, so that the entry's own replace them.
  var hasTitleOfOther = false
  var hasSummaryOfMedia = false
  /// The feeds whose title comes from another vocabulary.
  var titlesOfOthers: Set<WritableKeyPath<FeedBuilder, Feed>> = []
  /// Whether the summary is that of a single `media:content`.
  var isSummaryOfFile = false
  /// The data of the open `media:content`, and the number of groups before it in the entry.
  var mediaTitle: Feed.Markup?
  var mediaDescription: Feed.Markup?
  var mediaCredit: String?
  var mediaGroups = 0
  /// The URL of the document and the language of all of it from the response.
  private(set) var documentBase: String?
  private let documentLanguage: String?

  /// The properties of all elements with one name.
  struct ElementName {
    var name: XMLName
    var element: FeedElement
    /// The kind of text in a field of this name, unless the field declares another.
    var kind: Feed.Markup.Kind
    var text: String
  }

  init(document: FeedDocument, limits: Limits, customFields: [FeedParser.CustomField]) {
    self.customFields = customFields
    name = document.name
    documentLanguage = document.header("Content-Language").flatMap {
      $0.utf8.count <= FeedParser.longestLanguage ? $0 : nil
    }
    feed.language = documentLanguage
    self.limits = limits
    log = FindingLog(limits: limits)
    if let base = document.base, isUsable(base: base) { documentBase = base }
  }

  /// Ends reading at a truncation; open elements were cut off.
  mutating func cutOff() {
    guard ending == .complete, !isStopped else { return }
    if isInEntry {
      ending = .insideEntry(entriesEnded)
      if let frame = frames.last, frame.element.isWhole { texts.removeLast(texts.count - frame.textStart) }
      note(
        .warning, "parse.cut-off", "the document is cut off inside this entry; the part that is there is kept",
        at: location)
    } else {
      ending = .betweenEntries
      note(.note, "parse.ends-early", "the document is cut off; there may be more entries", at: location)
    }
  }

  /// Ends the open elements.
  ///
  /// - Parameter skipped: the first element that was left out because no feed begins with it.
  mutating func finish(skipped: String?) {
    if rootDescription == "missing" {
      isFeed = false
      if let skipped { rootDescription = "<\(skipped)>" }
    }
    if isStopped { ending = .betweenEntries } else if !frames.isEmpty, isFeed { cutOff() }
    end(toDepth: 0)
  }

  /// Returns the entry that has ended; called once when ``hasFinishedEntry`` is true.
  mutating func takeEntry() -> Feed.Entry? {
    hasFinishedEntry = false
    let entry = finished.take()
    return isStopped ? nil : entry
  }

  var location: Finding.Location { Finding.Location(file: name, line: position.line, column: position.column) }

  func location(of frame: Frame) -> Finding.Location {
    Finding.Location(file: name, line: frame.line, column: frame.column)
  }

  var scope: Scope { scopes.last?.scope ?? .feed }

  /// Whether an entry is being read; `entry != nil` would copy it.
  var isInEntry: Bool { if case .none = entry { false } else { true } }

  /// The owner of the person, link or text being read: the feed, an entry, or the entry's source.
  var owner: Scope { scopes.last { $0.scope == .entry || $0.scope == .source }?.scope ?? .feed }

  mutating func note(_ severity: Finding.Severity, _ code: String, _ message: String, at location: Finding.Location) {
    let title = entry.flatMap { $0.id ?? $0.title?.value }.map { String($0.prefix(80)) }
    log.add(Finding(severity, code, message, at: location, entry: title))
  }

  /// Reports a fault of the document, of which the feed keeps the first.
  mutating func note(_ fault: XMLFault) {
    let location = Finding.Location(file: name, line: fault.line, column: fault.column)
    let code: String
    switch fault.kind {
    case .tooManyNames: return note(.warning, "parse.many-names", fault.message, at: location)
    case .undeclaredPrefix: code = "parse.undeclared-prefix"
    case .illFormed: code = "parse.ill-formed"
    }
    if let known = feed.fault?.location, (known.line, known.column) <= (fault.line, fault.column) { return }
    feed.fault = Finding(.warning, code, "this is not well-formed XML: \(fault.message)", at: location)
  }

  /// Reports that the document could not be read to its end.
  mutating func noteFailure(_ failure: ReadFailure, _ position: XMLPosition) {
    let location = Finding.Location(file: name, line: position.line, column: position.column)
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
    if name.namespace.isEmpty {
      let prefix = name.prefix.asciiLowercased()
      return ["rss", "atom", "a10"].contains(prefix) ? "" : prefix
    }
    return Namespaces.prefix(of: name.namespace) ?? name.prefix.asciiLowercased()
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

  /// Begins an element whose attributes are in ``attributes``.
  mutating func startElement(_ number: Int) {
    let element = elementNames[number].element
    if bareLink != nil { takeBareLink() }
    if isAfterUnclosedField(number) { end(toDepth: frames.count - 1) }
    if !frames.isEmpty, frames[frames.count - 1].holdsMarkup, element != .entry {
      if isWrapper(number) { wrappers += 1 } else { beginInline(number) }
      return
    }
    // Unclosed markup ends here, or it would take the entry's end tags for its own.
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

  /// Whether a field is open that was never closed, since another field of the entry begins inside it.
  ///
  /// Elements of a text can have the names of fields; those here are never directly in a text, or have attributes
  /// there.
  private func isAfterUnclosedField(_ number: Int) -> Bool {
    let last = frames.count - 1
    guard last > 0, scope == .entry, frames[last - 1].element == .entry, inline.depth == 0 else { return false }
    let name = elementNames[number]
    if frames[last].holdsMarkup {
      guard frames[last].kind != .xhtml || frames[last].attribute("type") == nil else { return false }
      switch name.element {
      case .link: return name.name.prefix.isEmpty && attributes.items.isEmpty
      case .guid, .enclosure, .comments, .date: return true
      default: return ["content_encoded", "description", "title"].contains(name.text)
      }
    }
    guard frames[last].element.isWhole else { return false }
    switch name.element {
    case .category, .text, .personText, .person: return true
    default: return name.element.isWhole
    }
  }

  mutating func endElement(_ number: Int) {
    if bareLink != nil { takeBareLink() }
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

  /// Removes the text of the innermost element beyond ``Limits/fieldBytes``, and any added after that.
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
    note(.warning, "parse.field-too-long", "<\(name)> has more than \(most) bytes; its end is left out", at: location)
  }

  // MARK: - Elements

  private mutating func makeFrame(_ number: Int) -> Frame {
    let last = frames.count - 1
    let element = elementNames[number].element
    var frame = Frame(
      number: number, element: element, name: elementNames[number].text,
      base: last < 0 ? nil : frames[last].base, language: last < 0 ? documentLanguage : frames[last].language,
      line: position.line, column: position.column)
    if !attributes.items.isEmpty { readAttributes(into: &frame) }
    if last >= 0, element != .entry {
      frame.isForeign = frames[last].hasForeignContent
      frame.isInnerChannel = element == .channel && frames.contains { $0.element == .channel }
    }
    frame.hasForeignContent = frame.isForeign || frame.makesForeign
    if case .text = element {
      frame.kind = Self.kind(named: frame.attribute("type")) ?? elementNames[number].kind
      // Escaped markup of any type is text until it has been decoded.
      if frame.kind == .xhtml, frame.isEscaped { frame.kind = .html }
    }
    return frame
  }

  private mutating func readAttributes(into frame: inout Frame) {
    frame.attributes = attributes.items.map { item in
      Feed.ExtensionElement.Attribute(name: attributeNames[item.name].text, value: attributes.string(item.value))
    }
    if let base = frame.attribute("xml:base") ?? frame.attribute("base") {
      frame.base = safeBase(base, within: frame.base)
    }
    if let language = frame.attribute("xml:lang") ?? frame.attribute("lang"), isUsable(language: language) {
      frame.language = language.trimmedOrNil().map { String($0.map { $0 == "_" ? "-" : $0 }) }
    }
    frame.isBase64 = frame.attribute("mode") == "base64"
  }

  /// Returns the kind of text that the type of a field declares, or nil when it declares none.
  private static func kind(named type: String?) -> Feed.Markup.Kind? {
    guard let type = type?.prefix(while: { $0 != ";" }).trimmed().asciiLowercased() else { return nil }
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
    // The prefix was never declared.
    if feed.version == "atom", name.prefix.asciiLowercased() == "atom" { feed.version = "atom10" }
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

  /// Reads the text behind an empty `link` of an entry as its URL: HTML has no content there, and serializers for HTML
  /// put it behind the element.
  private mutating func takeBareLink() {
    guard let start = bareLink.take(), let last = frames.last, last.element == .entry else { return }
    let text = Self.content(of: texts, from: min(start, texts.count))
    guard text.hasPrefix("http://") || text.hasPrefix("https://") else { return }
    var frame = last
    (frame.element, frame.attributes, frame.content) = (.link, [], text)
    assign(frame)
  }

  private mutating func beginInline(_ number: Int) {
    let index = frames.count - 1
    if inline.depth == 0, frames[index].kind != .xhtml, frames[index].cut == nil, !frames[index].isMixed {
      // Markup where text was declared. Escaped HTML before it stays HTML; other text is escaped.
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
    var base: String?
    if let item = attributes.items.first(where: { names[$0.name].text == "xml:base" }) {
      base = safeBase(attributes.string(item.value), within: inline.base ?? frames[index].base)
      // The `div` around Atom's XHTML is all of it.
      if inline.depth == 0, isAtom, Self.isDiv(elementNames[number]) { (frames[index].base, base) = (base, nil) }
    }
    inline.begin(elementNames[number].name, attributes, base: base, into: &texts) { names[$0].name }
    cutWhatIsTooLong()
  }

  /// Ends the open markup in the innermost element.
  private mutating func closeInline() {
    guard inline.depth > 0 else { return }
    inline.closeAll(into: &texts)
    cutWhatIsTooLong()
  }

  /// Ends the open elements, innermost first, until `depth` are left.
  private mutating func end(toDepth depth: Int) {
    while frames.count > depth {
      closeInline()
      wrappers = 0
      let start = frames[frames.count - 1].textStart
      frames[frames.count - 1].content = Self.content(of: texts, from: start)
      texts.removeLast(texts.count - start)
      let frame = Self.withoutSections(frames.removeLast())
      if !customFields.isEmpty, isInEntry { takeCustomFields(frame) }
      var ended: Scope?
      if let top = scopes.last, top.depth == frames.count {
        ended = top.scope
        scopes.removeLast()
      }
      finish(frame, ended)
    }
  }

  /// Returns an element whose text has no escaped CDATA section; ids are kept, since posts are recognized by them.
  private static func withoutSections(_ frame: Frame) -> Frame {
    guard !frame.content.isEmpty, frame.kind != .xhtml, frame.element != .id, frame.element != .guid else {
      return frame
    }
    var frame = frame
    frame.content = EscapedSections.undone(frame.content, isHTML: frame.kind == .html)
    return frame
  }

  /// Returns the text of the innermost element, trimmed; a span of the property itself would copy the builder.
  private static func content(of texts: [UInt8], from start: Int) -> String {
    let text = texts.span.extracting(start...)
    let range = WhiteSpace.trimmedRange(text)
    return range.isEmpty ? "" : String(text, range)
  }
}

/// Begins and ends the owners of fields: entries, people, images, the feed that an entry was taken from.
extension FeedBuilder {
  /// Reads the page and the date of a CDF channel, which are attributes.
  private mutating func readChannelAttributes(_ frame: Frame) {
    if let href = frame.attribute("href").flatMap({ resolve($0, against: frame.base) }) {
      feed.links.append(Feed.Link(href: href))
      feed.link = href
    }
    if let date = frame.attribute("lastmod") { feed.updated = Feed.Timestamp(reading: date) }
  }

  /// Reads the page and the date of a CDF item, which are attributes.
  private mutating func readEntryAttributes(_ frame: Frame) {
    if let href = frame.attribute("href").flatMap({ resolve($0, against: frame.base) }) {
      entry?.links.append(Feed.Link(href: href))
      entry?.link = href
    }
    if let date = frame.attribute("lastmod")?.trimmedOrNil() { entry?.updated = Feed.Timestamp(reading: date) }
  }

  /// Whether an element cannot be inside an image or a text input, so that the open one was never closed.
  private mutating func endsImage(_ name: ElementName) -> Bool {
    guard scope == .image || scope == .textInput, !isAnyAtom else { return false }
    switch name.element {
    case .text, .link, .url, .width, .height, .personName: return false
    case .other: return name.name.prefix.isEmpty
    case .mediaContent, .mediaThumbnail, .mediaGroup, .wrapper, .address, .itunesImage: return false
    default: return true
    }
  }

  /// Begins the scope of an element.
  ///
  /// - Parameters:
  ///   - frame: the element.
  ///   - depth: the number of open elements around it.
  private mutating func enterScope(of frame: Frame, depth: Int) {
    guard !frame.isForeign else { return }
    let scope: Scope
    switch frame.element {
    case .entry:
      scope = .entry
      entry = Feed.Entry(at: location(of: frame))
      (hasTitleOfOther, hasSummaryOfMedia) = (false, false)
      elementCount[1] = 0
      (mediaTitle, mediaDescription, mediaCredit, mediaGroups) = (nil, nil, nil, 0)
      readEntryAttributes(frame)
      if let about = frame.attribute("rdf:about")?.trimmedOrNil() { entry?.id = about }
    case .image, .textInput:
      scope = frame.element == .image ? .image : .textInput
      image = Feed.Image()
    case .source where isInEntry:
      scope = .source
      source = Feed()
      titlesOfOthers.remove(\.source)
    case .person(let role):
      scope = .person
      person = (Feed.Person(), role)
    default: return
    }
    scopes.append((scope, depth))
  }

  mutating func finish(_ frame: Frame, _ ended: Scope?) {
    switch ended {
    case .entry:
      finished = entry.take()
      hasFinishedEntry = finished != nil
      entriesEnded += 1
    case .person: finishPerson(frame)
    case .source: finishSource(frame)
    case .image: finishImage(frame)
    case .textInput: if owner == .feed { feed.textInput = image }
    case .feed: break
    case nil: assign(frame)
    }
  }

  private mutating func finishPerson(_ frame: Frame) {
    guard let (value, role) = person else { return }
    person = nil
    let whole = value.isEmpty ? PersonText.parse(frame.content, role) : value
    if !whole.isEmpty { add(whole, role) }
  }

  private mutating func finishSource(_ frame: Frame) {
    // RSS's source is an element with a text and a URL.
    if let url = frame.attribute("url") { source.link = resolve(url, against: frame.base) }
    if source.title == nil, !frame.content.isEmpty {
      source.title = Feed.Markup(frame.content, kind: .text, language: frame.language)
    }
    entry?.source = source
  }

  private mutating func finishImage(_ frame: Frame) {
    // RSS 1.0's channel only refers to its image.
    if image.url == nil {
      image.url = resolve(frame.attribute("rdf:resource") ?? frame.attribute("url") ?? "", against: frame.base)
    }
    if image.url == nil, let href = frame.attribute("href") { image.url = resolve(href, against: frame.base) }
    if image.url == nil, owner == .entry, WebURL(frame.content) != nil { image.url = frame.content }
    switch owner {
    case .entry:
      entry?.image = image
      if let url = image.url { entry?.media.append(Feed.MediaObject(url: url, source: .thumbnail)) }
    case .source: source.image = image
    default:
      if let url = feed.image?.url { image.url = url }
      feed.image = image
    }
  }
}

/// Reads single values out of elements.
extension FeedBuilder {
  /// Returns a URL resolved against a base, the URL as written without a base, or nil when it is empty.
  mutating func resolve(_ text: String, against base: String?) -> String? {
    guard let reference = text.trimmedOrNil() else { return nil }
    if let base = base.flatMap({ WebURL($0) }), isRelative(reference) {
      return WebURL(reference, base: base)?.href ?? reference
    }
    return reference
  }

  /// Whether a URL is relative.
  private func isRelative(_ reference: String) -> Bool {
    WebURL(reference) == nil || WebURL.isRelativeToItsScheme(reference.utf8.span)
  }

  /// Returns the base URL inside an element; one of a scheme that cannot be fetched is ignored.
  private mutating func safeBase(_ text: String, within outer: String?) -> String? {
    guard let reference = text.trimmedOrNil() else { return outer }
    let own = outer ?? documentBase ?? feed.ownAddress ?? feed.link
    let resolved = WebURL(reference, base: own.flatMap { WebURL($0) })
    guard isUsable(base: resolved?.href ?? reference) else { return outer }
    guard let url = resolved else { return outer ?? reference }
    return ["http", "https", "ftp", "file"].contains(url.scheme) ? url.href : outer
  }

  /// Whether a base URL is short enough, since each URL resolved against it becomes as long.
  private mutating func isUsable(base: String) -> Bool {
    if base.utf8.count <= limits.baseBytes { return true }
    note(
      .warning, "parse.base-too-long",
      "this base URL has more than \(limits.baseBytes) bytes; addresses are not resolved against it", at: location)
    return false
  }

  /// Whether a language is short enough, since each text inside the element has it.
  private mutating func isUsable(language: String) -> Bool {
    if language.utf8.count <= FeedParser.longestLanguage { return true }
    let message = "this language has more than \(FeedParser.longestLanguage) bytes; it is ignored"
    note(.warning, "parse.language", message, at: location)
    return false
  }

  /// Returns the text of a field with its type, base and language, or nil when it is empty.
  mutating func markup(of frame: Frame) -> Feed.Markup? {
    var text = frame.content
    if frame.isBase64 || hasBinaryType(frame) {
      let decoded = Base64.decode(text)
      if decoded == nil, hasBinaryType(frame), Base64.isLikely(text) {
        note(.note, "parse.binary", "this content is not text; it is left out", at: location(of: frame))
        text = ""
      }
      text = decoded ?? text
    }
    let source = frame.attribute("src").flatMap { resolve($0, against: frame.base) }
    guard !text.isEmpty || source != nil else { return nil }
    var kind = kind(of: frame, text)
    // XHTML without an element is escaped HTML under the wrong type.
    if kind == .xhtml, !text.utf8.contains(UInt8(ascii: "<")), text.utf8.contains(UInt8(ascii: "&")) {
      let unescaped = text.decodingCharacterReferences()
      if HTMLEvidence.isConvincing(unescaped) { (kind, text) = (.html, unescaped) }
    }
    if kind == .xhtml, isAtom { text = InlineMarkup.withoutWrapper(text) }
    var markup = Feed.Markup(DoubleEncoding.undone(text), kind: kind, base: frame.base, language: frame.language)
    (markup.source, markup.sourceType) = (source, source.flatMap { _ in mediaType(of: frame) })
    return markup
  }

  /// Returns the kind of text of a field, by its type or, without one, by evidence.
  private mutating func kind(of frame: Frame, _ text: String) -> Feed.Markup.Kind {
    if frame.kind == .html, frame.element == .text(.description), frame.attribute("type") == nil, !frame.isMixed {
      return HTMLEvidence.hasOnlySigns(text.utf8.span) ? .text : .html
    }
    let isOpen = frame.attribute("type") == nil || frame.isEscaped || hasBinaryType(frame)
    guard frame.kind == .text, isOpen else { return frame.kind }
    let isMedia = frame.element == .text(.mediaDescription)
    if !isAnyAtom || isMedia, HTMLEvidence.isConvincing(text) { return .html }
    if isMedia, HTMLEvidence.hasElements(text.utf8.span) { return .html }
    // An Atom title may be about markup.
    if isAnyAtom, frame.isBody, HTMLEvidence.hasElements(text.utf8.span) { return .html }
    return .text
  }

  /// Whether Atom 1.0 requires the content in base64, because its type is neither text nor XML (RFC 4287, 4.1.3.3).
  ///
  /// Many feeds have text of a type that they made up.
  private mutating func hasBinaryType(_ frame: Frame) -> Bool {
    guard isAtom, let type = frame.attribute("type")?.asciiLowercased(), type.contains("/") else { return false }
    return !type.hasPrefix("text/") && !type.hasSuffix("+xml") && !type.hasSuffix("/xml")
  }

  /// Returns a date, which keeps its text even when it cannot be read, or nil when it is empty.
  mutating func date(of frame: Frame, _ field: FeedElement.DateField) -> Feed.Timestamp? {
    let text = frame.content
    guard !text.isEmpty else { return nil }
    if field == .validity { return Feed.Timestamp(source: text, seconds: nil) }
    let date = Feed.Timestamp(reading: text, language: frame.language ?? feed.language)
    if date.seconds == nil {
      note(.warning, "parse.date", "'\(text.prefix(60))' is not a date that can be read", at: location(of: frame))
    }
    return date
  }

  /// Returns a size in bytes, or nil when it is not a number.
  mutating func length(of frame: Frame) -> Int? {
    guard let text = frame.attribute("length")?.trimmedOrNil() else { return nil }
    if let length = Int(text), length >= 0 { return length }
    note(.note, "parse.length", "the length '\(text.prefix(40))' is not a number of bytes", at: location(of: frame))
    return nil
  }

  /// Returns a link from Atom's attributes or RSS's text.
  mutating func link(of frame: Frame) -> Feed.Link? {
    // Many feeds escape the ampersands of their links twice; `&amp;` in a URL is never meant.
    var reference =
      frame.attribute("href") ?? frame.attribute("rdf:resource") ?? frame.attribute("url") ?? frame.content
    reference = Self.withSingleAmpersands(reference)
    // An empty reference is the document itself.
    let own = frame.attribute("href") == "" ? frame.base ?? documentBase : nil
    guard let href = resolve(reference, against: frame.base) ?? own else { return nil }
    return Feed.Link(
      href: href, rel: frame.attribute("rel")?.asciiLowercased().trimmedOrNil() ?? "alternate",
      type: mediaType(of: frame), hreflang: frame.attribute("hreflang"), title: frame.attribute("title"),
      length: length(of: frame),
      attributes: frame.attributes(except: ["href", "rel", "type", "hreflang", "title", "length"]))
  }

  /// Returns a media type, which is case-insensitive (RFC 2045, 5.1); some feeds write only the subtype.
  mutating func mediaType(of frame: Frame) -> String? {
    guard let type = frame.attribute("type")?.asciiLowercased().trimmedOrNil() else { return nil }
    switch type {
    case "html": return "text/html"
    case "xhtml": return "application/xhtml+xml"
    default: return type
    }
  }

  /// Returns the text with each `&amp;` replaced by `&`.
  private static func withSingleAmpersands(_ text: String) -> String {
    var copy = text
    return copy.withUTF8 { bytes in
      let span = bytes.span
      let ampersand = UInt8(ascii: "&")
      var (output, copied, index): ([UInt8], Int, Int) = ([], 0, 0)
      while true {
        index = ByteScan.index(of: ampersand, in: span, from: index)
        if index == span.count { break }
        index += 1
        guard ByteScan.stands("amp;", in: span, at: index) else { continue }
        output.append(span, copied..<index)
        index += 4
        copied = index
      }
      if copied == 0 { return text }
      output.append(span, copied..<span.count)
      return String(streamSafe: output)
    }
  }

  /// Returns the link of a Creative Commons license, from the text or from RDF's resource.
  mutating func license(of frame: Frame) -> Feed.Link? {
    resolve(frame.attribute("rdf:resource") ?? frame.content, against: frame.base).map {
      Feed.Link(href: $0, rel: "license")
    }
  }

  /// Returns an image, audio or video of Media RSS; the text of a thumbnail may also be its URL.
  mutating func media(of frame: Frame) -> Feed.MediaObject? {
    let isThumbnail = frame.element == .mediaThumbnail
    guard let url = resolve(frame.attribute("url") ?? (isThumbnail ? frame.content : ""), against: frame.base) else {
      return nil
    }
    return Feed.MediaObject(
      url: url, source: isThumbnail ? .thumbnail : .content, type: mediaType(of: frame),
      medium: frame.attribute("medium"), width: frame.attribute("width").flatMap(Dimension.pixels),
      height: frame.attribute("height").flatMap(Dimension.pixels), attributes: frame.attributes(except: ["url"]))
  }

  /// Returns the categories that an element names: one, or two when its term and its text differ.
  mutating func categories(of frame: Frame) -> [Feed.Category] {
    let text = frame.content.collapsingSpace().trimmedOrNil()
    let term = frame.attribute("term") ?? frame.attribute("text")
    let label = frame.attribute("label")
    guard (term ?? text)?.trimmedOrNil() != nil || label != nil else { return [] }
    let scheme = frame.attribute("scheme") ?? frame.attribute("domain") ?? Self.schemes[frame.name]
    let first = Feed.Category(term: (term ?? text)?.collapsingSpace(), scheme: scheme, label: label)
    // A term and a different text are two categories.
    if let text, let term, term.collapsingSpace() != text { return [first, Feed.Category(term: text)] }
    return [first]
  }

  /// The default schemes of categories of other vocabularies (Media RSS 1.5.1, media:category).
  private static let schemes = [
    "itunes_category": "http://www.itunes.com/",
    "media_category": "http://search.yahoo.com/mrss/category_schema",
  ]

  /// Returns the keywords in a comma-separated list.
  mutating func keywords(of frame: Frame, _ scheme: String?) -> [Feed.Category] {
    frame.content.split(separator: ",").compactMap { $0.trimmedOrNil() }.map { Feed.Category(term: $0, scheme: scheme) }
  }

  /// Sets requested fields from an element of the entry; the first readable value is used.
  private mutating func takeCustomFields(_ frame: Frame) {
    for field in customFields where field.element == frame.name {
      let text = field.attribute.map { frame.attribute($0) ?? "" } ?? frame.content
      guard let text = text.trimmedOrNil(), entry?.fields.contains(where: { $0.name == field.name }) == false else {
        continue
      }
      if let value = field.value(of: text, resolve: { resolve($0, against: frame.base) }) {
        entry?.fields.append(Feed.Field(name: field.name, value: value))
      } else {
        note(
          .warning, "parse.field",
          "'\(text.prefix(60))' is not a \(field.kind.rawValue); the field \(field.name) is left out",
          at: location(of: frame))
      }
    }
  }
}
