// To repair a fault of feeds: XML that is not well-formed here; fields without an end in Reading/FeedBuilder.swift;
// JSON in TamisCore/JSON/JSONReader.swift. A case in Fixtures/Parsing/ill-formed.txt or JSONFeedTests, make
// check-faults, a line in docs/feeds.md. Raise `Pipelines.version`. Of what is well-formed this must report the same
// as libxml2 (XMLReaderTests), and it must be able to take over at every tag (HandoverTests).

import TamisCore

/// Reads any text with at least one element as XML, from byte 0 or from a document's first fault on.
///
/// Here a fault costs only itself, and the text after it is read as if there were none: a missing or stray end tag, a
/// bare `<` or `&`, one of HTML's entities, an unclosed section, a second root element, a truncation. Of a document
/// without a fault it reports what libxml2 does.
///
/// The text is read piece by piece; the events do not depend on the piece boundaries. Time is linear in the input.
struct TolerantReader {
  /// A section in which nothing but its end is markup.
  enum Section: Int {
    case characterData, comment, instruction

    var closing: StaticString {
      switch self {
      case .characterData: "]]>"
      case .comment: "-->"
      case .instruction: "?>"
      }
    }
  }

  let handler: any XMLHandler
  let limits: Limits
  /// Whether the document is a feed.
  let isFeed: Bool
  /// The undecided part of the input, which depends on the next bytes.
  var input: [UInt8] = []
  /// The end of the handled input, and the end of the input that ``place`` is behind.
  var index = 0
  private var counted = 0
  /// The number of bytes of the document before the input.
  private var discarded: Int
  private var place: XMLPlace
  /// An incomplete character at the end of the last piece.
  private var incomplete: [UInt8] = []
  /// The position of the next ampersand or tag, as long as it is ahead of the reader.
  private var knownStop = 0
  var isLast = false
  /// The text that is reported before the next tag.
  var text: [UInt8] = []
  /// The section whose beginning was read, but not its end.
  var openSection: Section?
  /// The known ends of sections.
  var closings = SectionClosings()
  /// Whether no further comment is closed, in a document that continues after an unclosed one.
  var hasUnclosedComment = false
  /// The state of the search for the end of an incomplete tag.
  private var resumedTag: TagEnd?
  var open = OpenElements()
  private var names: DistinctNames
  private var elementNumbers: [XMLName: Int] = [:]
  private var attributeNumbers: [XMLName: Int] = [:]
  var entities = DeclaredEntities()
  /// Whether a document type was read.
  var hasDocumentType = false
  /// The first element ignored because it is not the root element of a feed, or nil when there was none.
  private(set) var skippedRoot: String?
  /// Whether the end tag of the root element was read, at any time and just before.
  private var hasRootEnded: Bool
  private var isAfterRoot: Bool
  /// The first fault so far, or nil when there was none.
  private var fault: XMLFault?
  /// The first character that XML does not allow; characters are checked before anything else.
  private var characterFault: XMLFault?
  /// The place of the first name beyond ``Limits/names``; nil when there was none.
  private var excess: XMLFault?
  private var hasUndeclaredPrefix: Bool

  /// The number of bytes needed to decide on a short construct; the longest is a reference.
  private static let lookahead = Reference.longest + 2

  /// Begins to read behind the last tag before a fault, or at the beginning of a document.
  init(handler: any XMLHandler, limits: Limits, isFeed: Bool, from rest: XMLRest) {
    (self.handler, self.limits, self.isFeed) = (handler, limits, isFeed)
    (discarded, place) = (rest.offset, rest.place)
    (hasRootEnded, isAfterRoot) = (rest.hasRootEnded, rest.hasRootEnded)
    hasUndeclaredPrefix = rest.hasUndeclaredPrefix
    names = DistinctNames(limits)
    for name in rest.names { _ = names.admits(Array(name.utf8)[...]) }
    for element in rest.open {
      let name = element.name.written
      let hash = name.utf8.reduce(NameHash.empty) { NameHash.adding($1.asciiLowercased, to: $0) }
      open.declare(element.namespaces)
      open.push(
        OpenElements.Element(
          hash: hash, number: element.number, role: element.role, name: name, prefixes: element.namespaces.map(\.0)))
    }
  }

  /// Reads to the end of the document.
  ///
  /// - Parameters:
  ///   - first: the first bytes.
  ///   - next: returns the next bytes, any number of them; none at the end.
  mutating func read(_ first: [UInt8], _ next: () -> [UInt8]) {
    var piece = first.isEmpty ? next() : first
    while handler.wantsMore {
      isLast = piece.isEmpty
      append(piece)
      knownStop = -1
      while handler.wantsMore, step() { if text.count >= XMLReader.longestText { flushText() } }
      if isLast { break }
      forgetHandled()
      piece = next()
    }
    if handler.wantsMore { endDocument() }
    report()
  }

  /// The position at which reading ended.
  var position: XMLPosition { place(of: index).position }

  /// Removes the handled input.
  private mutating func forgetHandled() {
    guard index > 0 else { return }
    place = place(of: index)
    input.removeFirst(index)
    discarded += index
    (index, counted) = (0, 0)
  }

  /// Ends the elements that the document leaves open.
  private mutating func endDocument() {
    index = input.count
    if open.depth > 0, !hasRootEnded || open.holdsEntry {
      note("the document ends before its root element does")
      flushText()
      handler.cutOff(at: position)
    }
    end(inside: -1)
  }

  /// Reports what is wrong with the document.
  private func report() {
    if let first = [fault, characterFault].compactMap(\.self).min(by: { ($0.line, $0.column) < ($1.line, $1.column) }) {
      handler.fault(first)
    }
    if let excess { handler.fault(excess) }
  }

  // MARK: - Steps

  /// Handles the next construct, or returns false when more input is needed.
  private mutating func step() -> Bool {
    if let openSection { return continueSection(openSection) }
    let next = nextStop()
    if isOutside { noteTextOutside(upTo: next) } else { keep(upTo: next) }
    if index == input.count { return false }
    // Undecided until the longest construct that could begin here is complete.
    if !isLast, input.count - index < Self.lookahead { return false }
    switch input[index] {
    case UInt8(ascii: "&") where isOutside, UInt8(ascii: "]") where isOutside:
      note("this text is outside of all elements")
      index += 1
    case UInt8(ascii: "&"): readReference(upTo: input.count)
    case UInt8(ascii: "]"): readBracket()
    default: return readMarkup()
    }
    return true
  }

  /// Returns the position of the next byte that needs a decision.
  private mutating func nextStop() -> Int {
    let source = input
    let span = source.span
    if knownStop < index {
      knownStop = ByteScan.index(of: UInt8(ascii: "&"), or: UInt8(ascii: "<"), in: span, from: index)
    }
    let bracket = UInt8(ascii: "]")
    return ByteScan.index(of: bracket, in: span.extracting(..<knownStop), from: index)
  }

  /// Handles markup that begins with `<`, or returns false when it is incomplete.
  private mutating func readMarkup() -> Bool {
    let second = index + 1 < input.count ? input[index + 1] : 0
    switch second {
    case UInt8(ascii: "!"): return readDeclaration()
    case UInt8(ascii: "?"): return readInstruction()
    default: return readTag()
    }
  }

  // MARK: - Characters

  /// Appends the next piece to the input without the characters that XML does not allow.
  private mutating func append(_ piece: [UInt8]) {
    var text = incomplete.isEmpty ? piece : incomplete + piece
    incomplete = []
    if !isLast {
      // U+FFFE must not be split.
      let length = UTF8Sequence.lengthOfIncompleteEnd(text.span)
      if length > 0 {
        incomplete = Array(text[(text.count - length)...])
        text.removeLast(length)
      }
    }
    let forbidden = XMLCharacter.firstForbidden(text.span, from: 0)
    if forbidden < text.count {
      if characterFault == nil { noteCharacter(in: text, at: forbidden) }
      text = Self.withoutForbidden(text, from: forbidden)
    }
    if input.isEmpty { input = text } else { input += text }
  }

  private static func withoutForbidden(_ text: [UInt8], from start: Int) -> [UInt8] {
    var result = Array(text[..<start])
    result.reserveCapacity(text.count)
    let span = text.span
    var index = start
    while index < text.count {
      // Vertical tabs and form feeds are white space nearly everywhere else.
      if text[index] == 0x0B || text[index] == ASCII.formFeed { result.append(ASCII.space) }
      index += XMLCharacter.lengthOfForbidden(span, at: index)
      let next = XMLCharacter.firstForbidden(span, from: index)
      result.append(span, index..<next)
      index = next
    }
    return result
  }

  /// Reports the location of the first character that XML does not allow.
  private mutating func noteCharacter(in text: [UInt8], at offset: Int) {
    guard fault == nil else { return }
    var here = place(of: input.count)
    let end = discarded + input.count + offset
    here.advance(over: text.span.extracting(..<offset), to: end)
    characterFault = XMLFault(
      kind: .illFormed, message: "XML does not allow this character", line: here.position.line,
      column: here.columnInBytes(at: end))
  }

  // MARK: - Text

  /// Whether the reader is before or after the root element.
  var isOutside: Bool { open.depth == 0 || isAfterRoot }

  /// Drops text outside of all elements, which is not part of a feed.
  private mutating func noteTextOutside(upTo end: Int) {
    if let first = (index..<end).first(where: { !input[$0].isHTMLSpace }) {
      note("this text is outside of all elements", at: first)
    }
    index = end
  }

  /// Reads a `]`, which is text whatever follows.
  private mutating func readBracket() {
    if stands("]]>", at: index) { note("]]> must be written ]]&gt; in text") }
    keep(upTo: index + 1)
  }

  /// Reads the input up to `end` as text.
  mutating func keep(upTo end: Int) {
    let source = input
    if end > index { text.append(source.span, index..<end) }
    index = end
  }

  /// Reports the text collected so far.
  private mutating func flushText() {
    guard !text.isEmpty else { return }
    handler.text(text.span)
    text.removeAll(keepingCapacity: true)
  }

  func stands(_ text: StaticString, at start: Int) -> Bool {
    ByteScan.stands(text, in: input.span, at: start)
  }

  // MARK: - Places

  /// Returns the offset in the document of a position in the input.
  func offset(of index: Int) -> Int { discarded + index }

  /// Returns the place of a position in the input.
  private func place(of index: Int) -> XMLPlace {
    var place = place
    place.advance(over: input.span.extracting(counted..<max(counted, index)), to: offset(of: index))
    return place
  }

  /// Records a fault at the position of the reader.
  mutating func note(_ message: @autoclosure () -> String) { note(message(), at: index) }

  private mutating func note(_ message: @autoclosure () -> String, at index: Int) {
    if fault == nil { fault = fault(message(), at: index) }
  }

  private func fault(_ message: String, at index: Int, _ kind: XMLFault.Kind = .illFormed) -> XMLFault {
    let place = place(of: index)
    return XMLFault(
      kind: kind, message: message, line: place.position.line, column: place.columnInBytes(at: offset(of: index)))
  }
}

extension TolerantReader {
  /// Reads the ampersand here, whose reference ends before `end`.
  private mutating func readReference(upTo end: Int) {
    let reference = expand(at: index, upTo: end)
    text.append(contentsOf: reference.text.utf8)
    index = reference.end
  }

  /// Returns the text for the ampersand at `start`, whose reference ends before `end`, and where that ends.
  private mutating func expand(at start: Int, upTo end: Int) -> (text: String, end: Int) {
    let source = input
    if let common = Reference.common(source.span, at: start, end: end) {
      return (String(Unicode.Scalar(common.character)), start + common.length)
    }
    switch Reference.at(start, in: source.span, end: end) {
    case .none:
      note("an ampersand that does not begin a reference must be written &amp;", at: start)
      return ("&", start + 1)
    case .numeric(let range, let number, let isWritten):
      if !isWritten { note("XML does not know this reference", at: start) }
      let scalar = isWritten ? Unicode.Scalar(number) : nil
      return (scalar.map { String($0) } ?? Self.text(forNumber: number), range.upperBound)
    case .named(let name): return resolve(String(streamSafe: input[name]), at: start, upTo: name.upperBound + 1)
    }
  }

  /// Returns the expansion of a name from the document, else from HTML; an unknown name is text.
  private mutating func resolve(_ name: String, at start: Int, upTo end: Int) -> (text: String, end: Int) {
    switch entities.use(name, most: limits.entityBytes + 4 * offset(of: start)) {
    case .text(let value): return (value, end)
    case .tooMuch:
      note("the declared entities expand to too much text; '\(name)' is left out from here on", at: start)
      return ("", end)
    case .unknown: break
    }
    note("entity '\(name)' is not declared", at: start)
    let reference = CharacterReference.match(input.span, at: start)
    guard let reference, reference.length == end - start else { return ("&", start + 1) }
    var text = String(reference.first)
    if let second = reference.second { text.unicodeScalars.append(second) }
    return (text, end)
  }

  /// Returns the text of a numeric reference in HTML, empty for a control character.
  private static func text(forNumber number: UInt32) -> String {
    switch number {
    case 0x0B, 0x0C: " "
    case 1..<0x20 where !XMLCharacter.isAllowed(number): ""
    case _ where XMLCharacter.isAllowed(number): String(CharacterReference.scalar(forNumber: number))
    default: "\u{FFFD}"
    }
  }
}

extension TolerantReader {
  /// The maximum number of bytes read of a malformed tag.
  private static let longestUntidyTag = 1 << 16

  /// Handles a `<` that may begin a tag, or returns false when more input is needed.
  private mutating func readTag() -> Bool {
    guard index + 1 < input.count else {
      note("the document ends inside this tag")
      index = input.count
      return true
    }
    // A `<` that cannot begin a tag is text.
    guard mayBeginTag(index + 1) else {
      note("a < that does not begin a tag must be written &lt;")
      keepAngle()
      return true
    }
    var search = resumedTag?.moved(to: index) ?? TagEnd(from: index)
    let source = input
    guard search.search(source.span, most: limits.fieldBytes) || isLast else {
      resumedTag = search
      return false
    }
    let bound = search.isFound ? search.index : min(input.count, index + Self.longestUntidyTag)
    if !search.isFound, !isLast, input.count - index < Self.longestUntidyTag { return false }
    resumedTag = nil
    guard
      let tag = TagReader.read(source.span, from: index, bound: bound, mostAttributes: limits.attributes)
    else {
      if stands("</>", at: index) {
        note("this end tag has no name")
        index += 3
      } else {
        note("a < that does not begin a tag must be written &lt;")
        keepAngle()
      }
      return true
    }
    return decide(tag)
  }

  /// Whether the byte after a `<` may continue a tag: a name, a slash, or white space.
  private func mayBeginTag(_ start: Int) -> Bool {
    let byte = input[start]
    return byte.isASCIILetter || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "_") || byte >= 0x80
      || byte.isHTMLSpace
  }

  private mutating func decide(_ tag: Tag) -> Bool {
    if !tag.hasEnd, tag.end == input.count, isLast {
      note("the document ends inside this tag")
      index = tag.end
      return true
    }
    // An ambiguous `<` begins a tag if it names a feed element, or ends an open element.
    let isDoubtful = !tag.hasEnd || (tag.isSpaced && !(tag.kind == .end && open.nearest(tag.hash) != nil))
    if isDoubtful, !isKnown(tag) {
      note("a < that does not begin a tag must be written &lt;")
      keepAngles(upTo: tag.hasEnd ? index + 1 : tag.end)
      return true
    }
    switch tag.kind {
    case .end: readEndTag(tag)
    case .start, .empty: readStartTag(tag)
    }
    return true
  }

  /// Whether all attributes have values, and the element is in a feed vocabulary, open, or prefixed.
  private func isKnown(_ tag: Tag) -> Bool {
    guard tag.hasValues else { return false }
    if open.nearest(tag.hash) != nil { return true }
    let local = tag.localName(input)
    if local.lowerBound > tag.name.lowerBound { return true }
    return FeedElement(prefix: "", local: String(streamSafe: input[local]).asciiLowercased()) != .other
  }

  /// Reads all markup up to a position as text.
  private mutating func keepAngles(upTo end: Int) {
    guard !isOutside else { return index = end }
    while let next = input[index..<max(index, end)].firstIndex(where: Self.isMarkup) {
      keep(upTo: next)
      switch input[next] {
      case UInt8(ascii: "&"): readReference(upTo: end)
      case UInt8(ascii: "]"): readBracket()
      default: keep(upTo: next + 1)
      }
    }
    keep(upTo: max(index, end))
  }

  private static func isMarkup(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "]")
  }

  // MARK: - End tags

  private mutating func readEndTag(_ tag: Tag) {
    if let fault = tag.fault { note("\(fault)") }
    guard let level = open.nearest(tag.hash), !(level == 0 && isAfterRoot) else {
      note("this end tag has no matching start tag")
      index = tag.end
      return
    }
    if open.hasUnended(inside: level) { note("elements inside this one are not closed") }
    end(inside: level)
    if let name = open.innermost?.name, !open.isDropped(level), !name.utf8.elementsEqual(input[tag.name]) {
      note("this end tag is spelled differently from its start tag")
    }
    index = tag.end
    if level > 0 {
      end(inside: level - 1)
    } else {
      // The root element ends with the document, since more of it may follow.
      (hasRootEnded, isAfterRoot) = (true, true)
    }
  }

  /// Ends the elements inside the one at a level, innermost first.
  private mutating func end(inside level: Int) {
    while open.depth > level + 1 {
      guard let ended = open.pop(), let number = ended.number else { continue }
      flushText()
      handler.endElement(number)
    }
  }

  // MARK: - Start tags

  private mutating func readStartTag(_ tag: Tag) {
    let role = isFeed ? tag.role(input) : []
    if isFeed, open.depth == 0, !isRoot(tag, role) { return skipBeforeRoot(tag) }
    if isAfterRoot {
      note("there is content after the end of the root element")
      isAfterRoot = false
    }
    endUnclosed(before: tag, role)
    let isTooDeep = open.depth >= OpenElements.deepest
    if isTooDeep { note("this is nested deeper than \(OpenElements.deepest) elements") }
    if isTooDeep || !admits(input[tag.name]) {
      index = tag.end
      if tag.kind == .start { open.push(OpenElements.Element(hash: tag.hash, role: role, name: "")) }
      return
    }
    start(tag, role)
    if open.depth == 1, tag.kind == .empty {
      // After an empty root element there may be more content, as after its end tag.
      (hasRootEnded, isAfterRoot) = (true, true)
    } else if tag.kind == .empty {
      end(inside: open.depth - 2)
    }
    index = tag.end
  }

  /// Ends the elements that cannot contain this one, since the end tags of some are often missing.
  private mutating func endUnclosed(before tag: Tag, _ role: ElementRole) {
    let isEntry = role.contains(.entry)
    if isEntry, let previous = open.nearest(tag.hash), previous > 0 {
      note("the previous entry is not closed")
      end(inside: previous - 1)
    }
    if isEntry || role.contains(.channel) { endStrayMarkup() }
    if isEntry, open.depth >= OpenElements.deepest {
      note("elements inside this one are not closed")
      // Up to the root element and the channel, which contain entries.
      end(inside: 1)
    }
  }

  /// Ends stray HTML elements around an entry or a channel, which are never closed.
  private mutating func endStrayMarkup() {
    let depth = open.depth - open.strays
    guard depth < open.depth, depth > 0 else { return }
    note("elements inside this one are not closed")
    end(inside: depth - 1)
  }

  /// Whether a feed can begin with this element: its root element, or the first element of the content when that is
  /// missing.
  ///
  /// An HTML page is not a feed, whatever it contains.
  private func isRoot(_ tag: Tag, _ role: ElementRole) -> Bool {
    if role.contains(.root) { return true }
    guard skippedRoot == nil else { return false }
    return role.contains(.fragment)
      || String(streamSafe: input[tag.localName(input)]).asciiLowercased() == "html"
  }

  /// Skips content before the root element, such as a server's warning, which is not part of a feed.
  private mutating func skipBeforeRoot(_ tag: Tag) {
    note("this is before the root element of the feed")
    if skippedRoot == nil { skippedRoot = String(streamSafe: input[tag.name]) }
    index = tag.end
  }

  // MARK: - Names and attributes

  /// Opens the element of a start tag and reports it.
  private mutating func start(_ tag: Tag, _ role: ElementRole) {
    if let fault = tag.fault { note("\(fault)") }
    let attributes = readAttributes(of: tag)
    let declared = attributes.compactMap { name, value in declaration(name, value) }
    open.declare(declared)
    // libxml2 reports the position of the `>` or `/>`.
    var last = tag.hasEnd ? tag.end - 1 : tag.end
    while tag.kind == .empty, tag.hasEnd, input[last] != UInt8(ascii: "/") { last -= 1 }
    let end = position(upTo: last)
    var (others, seen): ([(number: Int, value: [UInt8])], Set<[String]>) = ([], [])
    for attribute in attributes where Self.declaredPrefix(attribute.name) == nil {
      let name = resolved(attribute.name, isElement: false, at: end)
      if !name.namespace.isEmpty, !seen.insert([name.namespace, name.local]).inserted {
        note("this tag has the same attribute twice")
      } else {
        others.append((number(ofAttribute: name), attribute.value))
      }
    }
    let name = String(streamSafe: input[tag.name])
    let element = number(ofElement: resolved(name, isElement: true, at: end))
    flushText()
    for other in others { handler.attribute(other.number, other.value.span) }
    open.push(
      OpenElements.Element(hash: tag.hash, number: element, role: role, name: name, prefixes: declared.map(\.prefix)))
    handler.startElement(element, namespaces: declared.map { ($0.prefix, $0.uri) }, at: end)
  }

  /// Counts lines and columns up to a position in the input, and returns its position in the document.
  private mutating func position(upTo end: Int) -> XMLPosition {
    place = place(of: end)
    counted = end
    return place.position
  }

  /// Returns the attributes whose names may be reported, with their values.
  private mutating func readAttributes(of tag: Tag) -> [(name: String, value: [UInt8])] {
    var read: [(name: String, value: [UInt8])] = []
    for attribute in tag.attributes {
      let name = input[attribute.name]
      guard admits(name), !name.starts(with: "xmlns".utf8) || admits(input[attribute.value]) else {
        note("there are too many names of attributes")
        continue
      }
      read.append((String(streamSafe: name), value(attribute.value)))
    }
    return read
  }

  /// Returns a value with its references decoded and white space as spaces (XML 1.0, 3.3.3).
  private mutating func value(_ range: Range<Int>) -> [UInt8] {
    var value: [UInt8] = []
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = input[index]
      if byte == UInt8(ascii: "&") {
        let reference = expand(at: index, upTo: range.upperBound)
        value.append(contentsOf: reference.text.utf8)
        index = reference.end
      } else {
        value.append(byte < 0x20 ? ASCII.space : byte)
        index += 1
      }
    }
    return value
  }

  /// Whether a name may be reported; the first that may not is noted.
  mutating func admits(_ name: ArraySlice<UInt8>) -> Bool {
    if names.admits(name) { return true }
    if excess == nil {
      let message = "there are more than \(limits.names) names of elements and attributes; the others are left out"
      excess = fault(message, at: index, .tooManyNames)
    }
    return false
  }

  /// Returns the prefix that an attribute of this name declares, empty for the default, or nil when it declares none.
  private static func declaredPrefix(_ name: String) -> String? {
    if name == "xmlns" { return "" }
    return name.hasPrefix("xmlns:") ? String(name.dropFirst("xmlns:".count)) : nil
  }

  /// The namespaces of `xml` and `xmlns`, which no other prefix may be bound to (Namespaces in XML 1.0, 3).
  private static let reserved = ["http://www.w3.org/XML/1998/namespace", "http://www.w3.org/2000/xmlns/"]

  /// Returns the namespace that an attribute declares, or nil when it declares none, or none that may be declared.
  private mutating func declaration(_ name: String, _ value: [UInt8]) -> (prefix: String, uri: String)? {
    guard let prefix = Self.declaredPrefix(name) else { return nil }
    let uri = String(streamSafe: value)
    if prefix == "xml", uri == Self.reserved[0] { return nil }
    if prefix == "xml" || prefix == "xmlns" || Self.reserved.contains(uri) || (uri.isEmpty && !prefix.isEmpty) {
      note("this namespace cannot be declared like this")
      return nil
    }
    return (prefix, uri)
  }

  /// Returns a name with its namespace; the first prefix without a declaration is reported.
  private mutating func resolved(_ name: String, isElement: Bool, at position: XMLPosition) -> XMLName {
    guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      return XMLName(prefix: "", local: name, namespace: isElement ? open.namespace(of: "") ?? "" : "")
    }
    let prefix = String(name[..<colon])
    let namespace = open.namespace(of: prefix)
    if namespace == nil, !hasUndeclaredPrefix {
      hasUndeclaredPrefix = true
      handler.fault(.undeclared(prefix, at: position))
    }
    return XMLName(prefix: prefix, local: String(name[name.index(after: colon)...]), namespace: namespace ?? "")
  }

  private mutating func number(ofElement name: XMLName) -> Int {
    if let known = elementNumbers[name] { return known }
    let number = handler.number(ofElement: name)
    elementNumbers[name] = number
    return number
  }

  private mutating func number(ofAttribute name: XMLName) -> Int {
    if let known = attributeNumbers[name] { return known }
    let number = handler.number(ofAttribute: name)
    attributeNumbers[name] = number
    return number
  }
}
