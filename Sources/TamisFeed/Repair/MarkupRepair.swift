import TamisCore
import TamisXML

/// A repair that turns any text with at least one element into a document that libxml2 accepts.
///
/// libxml2 continues after a fault, but with losses: from then on it drops all references, after a control character
/// the text, and after an unmatched end tag the rest of the document. So only well-formed XML 1.0 is passed to it. Here
/// a fault costs only itself, and the text after it is read as if there were none. ``firstFault`` tells that the
/// document was not well-formed.
///
/// Valid comments and processing instructions pass; the XML declaration and all of the document type but its name and
/// public identifier are left out, and entity references are resolved. Undeclared prefixes are left to libxml2, which
/// accepts them.
///
/// The text is repaired piece by piece; the result does not depend on the piece boundaries. Time is linear in the
/// input.
struct MarkupRepair {
  /// A repaired fault with its location, counted as in ``Finding/Location``.
  struct Fault {
    var message: String
    var line: Int
    var column: Int
  }

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

  /// The first repaired fault so far, or nil when there was none.
  private(set) var fault: Fault?
  /// The first character that XML does not allow; characters are checked before anything else.
  private var characterFault: Fault?

  let limits: Limits
  /// Whether the document is a feed.
  ///
  /// In a feed an entry without an end tag ends where the next begins, and elements before the root element are
  /// ignored.
  let isFeed: Bool
  /// The undecided part of the input, which depends on the next bytes.
  var input: [UInt8] = []
  /// The end of the handled input, and the end of the written input.
  var index = 0
  var copied = 0
  /// The number of bytes of the document before the input.
  private var discarded = 0
  /// An incomplete character at the end of the last piece.
  private var incomplete: [UInt8] = []
  /// The position of the next ampersand or tag, as long as it is ahead of the reader.
  private var knownStop = 0
  var output: [UInt8] = []
  var isLast = false
  /// The section whose beginning was written.
  var openSection: Section?
  /// The number of bytes of character data written since the section was last opened.
  var writtenOfSection = 0
  /// The known ends of sections.
  var closings = SectionClosings()
  /// Whether no further comment is closed, in a document that continues after an unclosed one.
  var hasUnclosedComment = false
  /// The state of the search for the end of an incomplete tag.
  private var resumedTag: TagEnd?
  var tags = OpenTags()
  private var names: DistinctNames
  /// The place of the first name beyond ``Limits/names``; nil when there was none.
  private(set) var excess: Fault?
  var entities = DeclaredEntities()
  /// Whether a document type was read.
  var hasDocumentType = false
  /// The first element ignored because it is not the root element of a feed, or nil when there was none.
  var skippedRoot: String?
  /// Whether the end tag of the root element was read, at any time and just before.
  var hasRootEnded = false
  private var isAfterRoot = false
  /// Whether something was just left out, so that the text on both sides could form `]]>`.
  private var isAfterGap = false
  /// Whether the document ended before its root element did.
  private var isCutOff = false
  /// The number of bytes of output, without the end tags that a truncated document lacks.
  private var lengthOfOutput = 0
  private var line = 1
  private var column = 1

  /// The number of bytes needed to decide on a short construct; the longest is a reference.
  private static let lookahead = Reference.longest + 2

  /// Begins to repair a document.
  ///
  /// - Parameters:
  ///   - limits: the limits on what is read.
  ///   - isFeed: whether the document is a feed.
  ///   - handover: the state after the part already read; its open elements are written first.
  init(limits: Limits, isFeed: Bool, from handover: ParserState = ParserState()) {
    self.limits = limits
    self.isFeed = isFeed
    names = DistinctNames(limits)
    discarded = handover.offset
    (line, column) = (handover.position.line, handover.columnInBytes)
    for element in handover.open.elements {
      let name = handover.open.name(of: element)
      let hash = name.reduce(NameHash.empty) { NameHash.adding($1.asciiLowercased, to: $0) }
      tags.push(hash, name, element.role)
    }
    (hasRootEnded, isAfterRoot) = (handover.hasRootEnded, handover.hasRootEnded)
    lengthOfOutput = handover.open.startTags.count
  }

  /// The first repaired fault of any kind, or nil when there was none.
  var firstFault: Fault? {
    guard let fault, let characterFault else { return fault ?? characterFault }
    return (fault.line, fault.column) <= (characterFault.line, characterFault.column) ? fault : characterFault
  }

  /// Returns the offset in the document of a position in the input.
  func position(of index: Int) -> Int { discarded + index }

  /// Returns the next piece, repaired, or all of the rest when `isLast` is true.
  mutating func repair(_ piece: [UInt8], isLast: Bool) -> [UInt8] {
    self.isLast = isLast
    append(piece)
    output = []
    output.reserveCapacity(input.count + input.count / 32)
    knownStop = -1
    while step() {}
    write(upTo: isLast ? input.count : index)
    if isLast { endDocument() }
    if !isCutOff { lengthOfOutput += output.count }
    input = Array(input[index...])
    discarded += index
    (index, copied) = (0, 0)
    var result: [UInt8] = []
    swap(&result, &output)
    return result
  }

  /// Ends the elements that the document leaves open.
  private mutating func endDocument() {
    if tags.depth > 0, !hasRootEnded || tags.holdsEntry {
      index = input.count
      note("the document ends before its root element does")
      isCutOff = true
      lengthOfOutput += output.count
    }
    tags.end(inside: -1, into: &output)
  }

  /// The offset in the output of the end tags that a truncated document lacks, or nil when it is not truncated.
  var startOfImpliedEnd: Int? { isCutOff ? lengthOfOutput : nil }

  // MARK: - Steps

  /// Handles the next construct that is not plain text, or returns false when more input is needed.
  private mutating func step() -> Bool {
    if let openSection { return continueSection(openSection) }
    if isAfterGap, index < input.count { closeGap() }
    let next = nextStop()
    noteTextOutside(upTo: next)
    index = next
    if index == input.count { return false }
    // Undecided until the longest construct that could begin here is complete.
    if !isLast, input.count - index < Self.lookahead { return false }
    switch input[index] {
    case UInt8(ascii: "&") where isOutside, UInt8(ascii: "]") where isOutside:
      note("this text is outside of all elements")
      drop(upTo: index + 1)
    case UInt8(ascii: "&"): repairReference(upTo: input.count)
    case UInt8(ascii: "]"): repairSectionEnd()
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
    var here = (line: line, column: column)
    Self.count(input.span.extracting(copied...), &here)
    Self.count(text.span.extracting(..<offset), &here)
    characterFault = Fault(message: "XML does not allow this character", line: here.line, column: here.column)
  }

  // MARK: - Text

  /// Whether the reader is before or after the root element.
  var isOutside: Bool { tags.depth == 0 || isAfterRoot }

  /// Drops text outside of all elements, which is not part of a feed.
  private mutating func noteTextOutside(upTo end: Int) {
    guard isOutside, let first = (index..<end).first(where: { !input[$0].isHTMLSpace }) else { return }
    write(upTo: first)
    index = first
    note("this text is outside of all elements")
    drop(upTo: end)
  }

  /// Writes the text after an omitted part so that it does not form `]]>` with the text before it.
  private mutating func closeGap() {
    isAfterGap = false
    guard index < input.count, input[index] == UInt8(ascii: ">") || input[index] == UInt8(ascii: "]") else { return }
    write(upTo: index)
    output.append(contentsOf: (input[index] == UInt8(ascii: ">") ? "&gt;" : "&#93;").utf8)
    skip(upTo: index + 1)
  }

  /// Escapes `]]>` in text.
  private mutating func repairSectionEnd() {
    guard stands("]]>", at: index) else {
      index += 1
      return
    }
    note("]]> must be written ]]&gt; in text")
    write(upTo: index + 2)
    output.append(contentsOf: "&gt;".utf8)
    skip(upTo: index + 3)
  }

  // MARK: - Writing

  func stands(_ text: StaticString, at start: Int) -> Bool {
    ByteScan.stands(text, in: input.span, at: start)
  }

  /// Writes the input unchanged up to `end`.
  mutating func write(upTo end: Int) {
    guard end > copied else { return }
    let source = input
    output.append(source.span, copied..<end)
    count(copied..<end)
    copied = end
  }

  /// Drops the input up to `end`.
  ///
  /// Its line breaks stay, so that lines are counted right, and outside of text its columns too.
  mutating func drop(upTo end: Int) {
    write(upTo: min(index, end))
    if tags.depth == 0 {
      for byte in input[copied..<end] { output.append(byte == ASCII.lineFeed ? byte : ASCII.space) }
    } else {
      let lines = ByteScan.lineFeeds(in: input.span.extracting(copied..<end))
      if lines > 0 { output.append(contentsOf: repeatElement(ASCII.lineFeed, count: lines)) }
      isAfterGap = true
    }
    skip(upTo: end)
  }

  /// Skips a part of the input that was replaced.
  mutating func skip(upTo end: Int) {
    count(copied..<end)
    copied = end
    index = end
  }

  /// Records a fault at the position of the reader.
  mutating func note(_ message: @autoclosure () -> String) {
    guard fault == nil else { return }
    var here = (line: line, column: column)
    if index > copied { Self.count(input.span.extracting(copied..<index), &here) }
    fault = Fault(message: message(), line: here.line, column: here.column)
  }

  /// Counts lines and columns until the first fault.
  private mutating func count(_ range: Range<Int>) {
    guard fault == nil else { return }
    var here = (line: line, column: column)
    Self.count(input.span.extracting(range), &here)
    (line, column) = here
  }

  private static func count(_ part: borrowing Span<UInt8>, _ position: inout (line: Int, column: Int)) {
    let lines = ByteScan.lineFeeds(in: part)
    position.line += lines
    guard lines > 0 else {
      position.column += part.count
      return
    }
    var end = part.count
    while end > 0, part[end - 1] != ASCII.lineFeed { end -= 1 }
    position.column = part.count - end + 1
  }
}

extension MarkupRepair {
  /// Handles the ampersand here, whose reference ends before `end`.
  private mutating func repairReference(upTo end: Int) {
    let source = input
    if let length = Reference.common(source.span, at: index, end: end)?.length {
      index += length
      return
    }
    switch Reference.at(index, in: source.span, end: end) {
    case .none:
      note("an ampersand that does not begin a reference must be written &amp;")
      escapeAmpersand()
    case .numeric(let range, number: _, isWritten: true): index = range.upperBound
    case .numeric(let range, let number, isWritten: false):
      note("XML does not know this reference")
      replace(upTo: range.upperBound, with: Self.text(forNumber: number))
    case .named(let name):
      resolve(String(streamSafe: input[name]), upTo: name.upperBound + 1)
    }
  }

  /// Writes the expansion of a name from the document, else from HTML; an unknown name is text.
  private mutating func resolve(_ name: String, upTo end: Int) {
    switch entities.use(name, most: limits.entityBytes + 4 * position(of: index)) {
    case .text(let value): return replace(upTo: end, with: value)
    case .tooMuch:
      note("the declared entities expand to too much text; '\(name)' is left out from here on")
      return replace(upTo: end, with: "")
    case .unknown: break
    }
    note("entity '\(name)' is not declared")
    let reference = CharacterReference.match(input.span, at: index)
    guard let reference, reference.length == end - index else { return escapeAmpersand() }
    var text = String(reference.first)
    if let second = reference.second { text.unicodeScalars.append(second) }
    replace(upTo: end, with: text)
  }

  private mutating func escapeAmpersand() {
    write(upTo: index + 1)
    output.append(contentsOf: "amp;".utf8)
    index += 1
  }

  private mutating func replace(upTo end: Int, with text: String) {
    write(upTo: index)
    for byte in text.utf8 { appendEscaped(byte) }
    skip(upTo: end)
  }

  /// Writes a byte of text so that it is text in any context.
  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
    case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
    case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
    case UInt8(ascii: "\""): output.append(contentsOf: "&quot;".utf8)
    case UInt8(ascii: "]"): output.append(contentsOf: "&#93;".utf8)
    case _ where byte < 0x20 && byte != ASCII.lineFeed && byte != ASCII.tab && byte != ASCII.carriageReturn: break
    default: output.append(byte)
    }
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

extension MarkupRepair {
  /// The maximum number of bytes read of a malformed tag.
  private static let longestUntidyTag = 1 << 16

  /// Handles a `<` that may begin a tag, or returns false when more input is needed.
  private mutating func readTag() -> Bool {
    guard index + 1 < input.count else {
      note("the document ends inside this tag")
      drop(upTo: input.count)
      return true
    }
    // A `<` that cannot begin a tag is text.
    guard mayBeginTag(index + 1) else {
      note("a < that does not begin a tag must be written &lt;")
      escapeAngle()
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
        drop(upTo: index + 3)
      } else {
        note("a < that does not begin a tag must be written &lt;")
        escapeAngle()
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
      drop(upTo: tag.end)
      return true
    }
    // An ambiguous `<` begins a tag if it names a feed element, or ends an open element.
    let isDoubtful = !tag.hasEnd || (tag.isSpaced && !(tag.kind == .end && tags.nearest(tag.hash) != nil))
    if isDoubtful, !isKnown(tag) {
      note("a < that does not begin a tag must be written &lt;")
      escapeAngles(upTo: tag.hasEnd ? index + 1 : tag.end)
      return true
    }
    switch tag.kind {
    case .end: repairEndTag(tag)
    case .start, .empty: repairStartTag(tag)
    }
    return true
  }

  /// Whether all attributes have values, and the element is in a feed vocabulary, open, or prefixed.
  private func isKnown(_ tag: Tag) -> Bool {
    guard tag.hasValues else { return false }
    if tags.nearest(tag.hash) != nil { return true }
    let local = tag.localName(input)
    if local.lowerBound > tag.name.lowerBound { return true }
    return FeedElement(prefix: "", local: String(streamSafe: input[local]).asciiLowercased()) != .other
  }

  /// Escapes all markup up to a position.
  private mutating func escapeAngles(upTo end: Int) {
    if isOutside { return drop(upTo: end) }
    while let next = input[index..<max(index, end)].firstIndex(where: Self.isMarkup) {
      index = next
      switch input[next] {
      case UInt8(ascii: "<"): escapeAngle()
      case UInt8(ascii: "&"): repairReference(upTo: end)
      default: repairSectionEnd()
      }
    }
    index = max(index, end)
  }

  private static func isMarkup(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "]")
  }

  // MARK: - End tags

  private mutating func repairEndTag(_ tag: Tag) {
    if let fault = tag.fault { note("\(fault)") }
    guard let level = tags.nearest(tag.hash), !(level == 0 && isAfterRoot) else {
      note("this end tag has no matching start tag")
      return drop(upTo: tag.end)
    }
    if tags.hasUnended(inside: level) {
      note("elements inside this one are not closed")
      write(upTo: index)
    }
    tags.end(inside: level, into: &output)
    if tags.isDropped(level) {
      tags.pop()
      return drop(upTo: tag.end)
    }
    if level == 0 {
      // The root element ends with the document, since more of it may follow.
      (hasRootEnded, isAfterRoot) = (true, true)
      return drop(upTo: tag.end)
    }
    let isSame = tags.isTop(named: input[tag.name])
    if !isSame || tag.fault != nil {
      note("this end tag is spelled differently from its start tag")
      write(upTo: index)
      tags.writeEnd(into: &output)
      appendLines(of: index..<tag.end)
      skip(upTo: tag.end)
    }
    tags.pop()
    index = tag.end
  }

  // MARK: - Start tags

  private mutating func repairStartTag(_ tag: Tag) {
    var tag = tag
    let role = isFeed ? tag.role(input) : []
    if isFeed, tags.depth == 0, !isRoot(tag, role) { return skipBeforeRoot(tag) }
    if isAfterRoot {
      note("there is content after the end of the root element")
      isAfterRoot = false
    }
    let isEntry = role.contains(.entry)
    if isEntry, let open = tags.nearest(tag.hash), open > 0 {
      note("the previous entry is not closed")
      write(upTo: index)
      tags.end(inside: open - 1, into: &output)
    }
    if isEntry || role.contains(.channel) { endStrayMarkup() }
    if isEntry, tags.depth >= OpenTags.deepest {
      note("elements inside this one are not closed")
      write(upTo: index)
      // Up to the root element and the channel, which contain entries.
      tags.end(inside: 1, into: &output)
    }
    if tags.depth >= OpenTags.deepest {
      note("this is nested deeper than \(OpenTags.deepest) elements")
      drop(upTo: tag.end)
      if tag.kind == .start { tags.push(tag.hash, nil, role) }
      return
    }
    guard admits(input[tag.name]) else {
      drop(upTo: tag.end)
      if tag.kind == .start { tags.push(tag.hash, nil, role) }
      return
    }
    let allAttributes = tag.attributes.count
    tag.attributes.removeAll { !admitsNames(of: $0) }
    if tag.attributes.count < allAttributes, tag.fault == nil { tag.fault = "there are too many names of attributes" }
    if let fault = tag.fault { note("\(fault)") }
    if tag.kind == .empty, tags.depth == 0 {
      // After an empty root element there may be more content, as after its end tag.
      writeAnew(tag, isEmpty: false)
      (hasRootEnded, isAfterRoot) = (true, true)
    } else if tag.fault == nil {
      keepAttributes(of: tag)
    } else {
      writeAnew(tag, isEmpty: tag.kind == .empty)
    }
    if tag.kind == .start || isAfterRoot { tags.push(tag.hash, input[tag.name], role) }
  }

  /// Whether a name may be passed on; the first that may not is noted.
  mutating func admits(_ name: ArraySlice<UInt8>) -> Bool {
    if names.admits(name) { return true }
    if excess == nil {
      var here = (line: line, column: column)
      if index > copied { Self.count(input.span.extracting(copied..<index), &here) }
      let message = "there are more than \(limits.names) names of elements and attributes; the others are left out"
      excess = Fault(message: message, line: here.line, column: here.column)
    }
    return false
  }

  /// Whether an attribute may be passed on, with the namespace that it may declare.
  private mutating func admitsNames(of attribute: Tag.Attribute) -> Bool {
    let name = input[attribute.name]
    return admits(name) && (!name.starts(with: "xmlns".utf8) || admits(input[attribute.value]))
  }

  /// Ends stray HTML elements around an entry or a channel, which are never closed.
  private mutating func endStrayMarkup() {
    let depth = tags.depth - tags.strays
    guard depth < tags.depth, depth > 0 else { return }
    note("elements inside this one are not closed")
    write(upTo: index)
    tags.end(inside: depth - 1, into: &output)
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
    drop(upTo: tag.end)
  }

  /// Repairs references in the values of a well-formed tag.
  private mutating func keepAttributes(of tag: Tag) {
    for attribute in tag.attributes {
      while let next = input[max(index, attribute.value.lowerBound)..<attribute.value.upperBound].firstIndex(
        of: UInt8(ascii: "&"))
      {
        index = next
        repairReference(upTo: attribute.value.upperBound)
      }
    }
    index = tag.end
  }

  /// Writes a tag as well-formed XML.
  private mutating func writeAnew(_ tag: Tag, isEmpty: Bool) {
    write(upTo: index)
    let source = input
    output.append(UInt8(ascii: "<"))
    output.append(source.span, tag.name)
    for attribute in tag.attributes {
      output.append(ASCII.space)
      output.append(source.span, attribute.name)
      output.append(contentsOf: "=\"".utf8)
      writeValue(attribute.value)
      output.append(UInt8(ascii: "\""))
    }
    // Line breaks are white space here.
    let written = tag.attributes.reduce(0) { $0 + ByteScan.lineFeeds(in: source.span.extracting($1.value)) }
    let lines = ByteScan.lineFeeds(in: source.span.extracting(tag.start..<tag.end)) - written
    if lines > 0 { output.append(contentsOf: repeatElement(ASCII.lineFeed, count: lines)) }
    output.append(contentsOf: (isEmpty ? "/>" : ">").utf8)
    skip(upTo: tag.end)
  }

  private mutating func writeValue(_ value: Range<Int>) {
    skip(upTo: value.lowerBound)
    while index < value.upperBound {
      switch input[index] {
      case UInt8(ascii: "&"): repairReference(upTo: value.upperBound)
      case UInt8(ascii: "<"), UInt8(ascii: "\""):
        write(upTo: index)
        appendEscaped(input[index])
        skip(upTo: index + 1)
      default: index += 1
      }
    }
    write(upTo: value.upperBound)
  }

  /// Writes the line breaks of a part of the input, so that lines are counted right.
  private mutating func appendLines(of range: Range<Int>) {
    let lines = ByteScan.lineFeeds(in: input.span.extracting(range))
    if lines > 0 { output.append(contentsOf: repeatElement(ASCII.lineFeed, count: lines)) }
  }
}
