import TamisCore

/// Mends what libxml2 would lose content over, before it sees the document.
///
/// An ampersand that begins no reference takes the name behind it along there, `]]>` the text before it, an end tag that
/// ends nothing the rest of the document, and so do nesting and a second document element; many attributes and a document
/// type with default attributes cost it time without bound. Here they cost themselves. What is left is what a well-formed
/// document would say; ``firstFault`` says that this one did not.
///
/// Works piece by piece; the result does not depend on where the pieces were cut.
struct MarkupRepair {
  /// What was repaired first, and where, counted as ``SourceLocation`` does.
  struct Fault {
    var message: String
    var line: Int
    var column: Int
  }

  /// The first thing that was repaired; nil as long as there was nothing.
  private(set) var firstFault: Fault?

  let limits: Limits
  /// Whether an entry that was never ended ends where the next begins.
  let endsEntries: Bool
  /// What is not decided yet: it depends on what comes next.
  private var input: [UInt8] = []
  /// Up to where the input was dealt with, and up to where it was written.
  private var index = 0
  private var copied = 0
  /// Where the next ampersand or tag is, as long as it is not behind the reader.
  private var knownStop = 0
  /// The names of the entities that the document declares.
  private var entities: Set<String> = []
  private(set) var output: [UInt8] = []
  private var isLast = false
  private var section: Section?
  /// Where the search for the end of a tag or a document type goes on that had no end so far.
  private var resumed: TagEnd?
  private var tags = OpenTags()
  /// Whether the end tag of the document's element has come, at any time and just before.
  private var hasRootEnded = false
  private var isAfterRoot = false
  private var line = 1
  private var column = 1

  /// Sections in which nothing is markup but their end.
  private enum Section {
    case characterData, comment, instruction

    var closing: StaticString {
      switch self {
      case .characterData: "]]>"
      case .comment: "-->"
      case .instruction: "?>"
      }
    }
  }

  /// The longest of the short things that are looked for as a whole, in bytes: a reference.
  private static let lookahead = 66

  /// Bytes of a document type that are looked at.
  private static let largestDocumentType = 1 << 20

  init(limits: Limits, endsEntries: Bool) {
    self.limits = limits
    self.endsEntries = endsEntries
  }

  /// The next piece, repaired; with `isLast` all that is left.
  mutating func repair(_ piece: [UInt8], isLast: Bool) -> [UInt8] {
    if input.isEmpty { input = piece } else { input += piece }
    self.isLast = isLast
    output = []
    output.reserveCapacity(input.count + input.count / 32)
    knownStop = -1
    while step() {}
    write(upTo: isLast ? input.count : index)
    if isLast, hasRootEnded, tags.depth == 1 { tags.writeEnd(into: &output) }
    input = Array(input[index...])
    (index, copied) = (0, 0)
    var result: [UInt8] = []
    swap(&result, &output)
    return result
  }

  /// Deals with the next thing that is not plain; false when the rest depends on what comes.
  private mutating func step() -> Bool {
    let next = nextStop()
    noteTextOutside(upTo: next)
    index = next
    if index == input.count { return false }
    // Undecided as long as the longest of what could begin here has not come.
    if !isLast, input.count - index < Self.lookahead { return false }
    switch input[index] {
    case _ where section != nil: leaveSection()
    case UInt8(ascii: "&") where isOutside, UInt8(ascii: "]") where isOutside:
      note("this text is in no element")
      drop(upTo: index + 1)
    case UInt8(ascii: "&"): repairReference(upTo: input.count)
    case UInt8(ascii: "]"): repairSectionEnd()
    default: return readMarkup()
    }
    return true
  }

  /// Where the next byte is that asks for a decision.
  private mutating func nextStop() -> Int {
    let source = input
    let span = source.span
    if let section {
      let first = section.closing.withUTF8Buffer { $0[0] }
      return ByteScan.index(of: first, or: first, in: span, from: index)
    }
    if knownStop < index {
      knownStop = ByteScan.index(of: UInt8(ascii: "&"), or: UInt8(ascii: "<"), in: span, from: index)
    }
    let bracket = UInt8(ascii: "]")
    return ByteScan.index(of: bracket, or: bracket, in: span.extracting(..<knownStop), from: index)
  }

  // MARK: - Text

  /// Whether the reader is before the document's element or behind it.
  private var isOutside: Bool { tags.depth == 0 || isAfterRoot }

  /// Text that is in no element is no part of a feed.
  private mutating func noteTextOutside(upTo end: Int) {
    guard isOutside, section == nil,
      let first = (index..<end).first(where: { !input[$0].isHTMLSpace })
    else { return }
    // A byte order mark in the middle of nothing is no text.
    if input[first...].starts(with: [0xEF, 0xBB, 0xBF]) { return }
    write(upTo: first)
    note("this text is in no element")
    drop(upTo: end)
  }

  private mutating func repairReference(upTo end: Int) {
    if let length = Reference.lengthOfCommon(input.span, at: index, end: end) {
      index += length
      return
    }
    let reference = Reference.at(index, in: input.span, end: end)
    let unknown = reference == .named ? unknownEntity() : nil
    switch reference {
    case .numeric: index += 1
    case .named where unknown == nil: index += 1
    case .none, .named:
      note(
        unknown.map { "entity '\($0)' is not declared" }
          ?? "an ampersand that begins no reference must be written &amp;")
      write(upTo: index + 1)
      output.append(contentsOf: "amp;".utf8)
      index += 1
    case .capitalHex:
      // HTML writes `&#X` too.
      note("a hexadecimal reference is written &#x, with a small x")
      write(upTo: index + 2)
      output.append(UInt8(ascii: "x"))
      copied = index + 3
      count(index + 2..<index + 3)
      index += 3
    }
  }

  /// The name of the reference here, when neither XML nor HTML nor the document knows it.
  private func unknownEntity() -> String? {
    let end = ByteScan.index(of: UInt8(ascii: ";"), or: 0, in: input.span, from: index)
    let name = index + 1..<min(end, input.count)
    if CharacterReference.match(input.span, at: index)?.length == name.count + 2 { return nil }
    let text = String(decoding: input[name], as: UTF8.self)
    return entities.contains(text) ? nil : text
  }

  /// `]]>` in text.
  private mutating func repairSectionEnd() {
    guard stands("]]>", at: index) else {
      index += 1
      return
    }
    note("]]> must be written ]]&gt; in text")
    write(upTo: index + 2)
    output.append(contentsOf: "&gt;".utf8)
    drop(upTo: index + 3)
  }

  // MARK: - Markup

  /// Deals with what begins with `<`; false when its end has not come.
  private mutating func readMarkup() -> Bool {
    let second = index + 1 < input.count ? input[index + 1] : 0
    switch second {
    case UInt8(ascii: "!"), UInt8(ascii: "?"):
      for (opening, section) in Self.openings where stands(opening, at: index) {
        self.section = section
        index += opening.utf8CodeUnitCount
        return true
      }
      if tags.depth > 0 {
        index += 1
        return true
      }
      if stands("<!DOCTYPE", at: index) || stands("<!doctype", at: index) { return readDocumentType() }
      note("this is no declaration")
      drop(upTo: index + 2)
      return true
    default: return readTag()
    }
  }

  private static let openings: [(StaticString, Section)] = [
    ("<![CDATA[", .characterData), ("<!--", .comment), ("<?", .instruction),
  ]

  private mutating func leaveSection() {
    guard let closing = section?.closing, stands(closing, at: index) else {
      index += 1
      return
    }
    section = nil
    index += closing.utf8CodeUnitCount
  }

  private mutating func readTag() -> Bool {
    var end = resumed?.moved(to: index) ?? TagEnd(from: index)
    guard end.search(input.span, most: limits.fieldBytes) || isLast else {
      resumed = end
      return false
    }
    resumed = nil
    guard end.isFound, let tag = Tag(input.span, from: index, to: end.index) else {
      // No tag that can be told from text; libxml2 makes of it what it can.
      index += 1
      return true
    }
    switch tag.kind {
    case .end: repairEndTag(tag)
    case .start, .empty: repairStartTag(tag)
    }
    return true
  }

  private mutating func repairEndTag(_ tag: Tag) {
    guard let place = tags.nearest(tag.hash), !(place == 0 && isAfterRoot) else {
      note("this end tag ends nothing that is open")
      return drop(upTo: tag.end)
    }
    if tags.hasUnended(inside: place) {
      note("there are elements in here that were never ended")
      write(upTo: index)
    }
    tags.end(inside: place, into: &output)
    if tags.isDropped(place) {
      tags.pop()
      return drop(upTo: tag.end)
    }
    if place == 0 {
      // The document's element ends with the document: more of it may come.
      (hasRootEnded, isAfterRoot) = (true, true)
      return drop(upTo: tag.end)
    }
    if !tags.isTop(named: input[tag.name]) {
      note("this end tag is not written as its start tag is")
      write(upTo: index)
      tags.writeEnd(into: &output)
      drop(upTo: tag.end)
    }
    tags.pop()
    index = tag.end
  }

  private mutating func repairStartTag(_ tag: Tag) {
    if isAfterRoot {
      note("there is more behind the end of the document's element")
      isAfterRoot = false
    }
    if endsEntries, tag.isEntry(input), let open = tags.nearest(tag.hash), open > 0 {
      note("the entry before this one was never ended")
      write(upTo: index)
      tags.end(inside: open - 1, into: &output)
    }
    if tags.depth >= OpenTags.deepest {
      note("this is nested deeper than \(OpenTags.deepest) elements")
      drop(upTo: tag.end)
      if tag.kind == .start { tags.push(tag.hash, nil) }
      return
    }
    repairAttributes(tag)
    if tag.kind == .start { tags.push(tag.hash, input[tag.name]) }
  }

  /// Ampersands in values, and attributes beyond the limit.
  private mutating func repairAttributes(_ tag: Tag) {
    let end = tag.endOfAttributes(input.span, most: limits.attributes) ?? tag.end
    while let next = input[index..<end].firstIndex(of: UInt8(ascii: "&")) {
      index = next
      repairReference(upTo: end)
    }
    index = end
    guard end < tag.end else { return }
    note("this tag has more than \(limits.attributes) attributes")
    drop(upTo: tag.kind == .empty ? tag.end - 2 : tag.end - 1)
    index = tag.end
  }

  /// Keeps of a document type its name, its identifiers and the entities that stand for plain text.
  private mutating func readDocumentType() -> Bool {
    var scan = DocumentType(input.span, from: index)
    guard scan.read(input.span) || isLast || input.count - index > Self.largestDocumentType else { return false }
    guard scan.isWhole else {
      note("this document type has no end")
      drop(upTo: index + 2)
      return true
    }
    write(upTo: index)
    output.append(contentsOf: scan.kept)
    entities = scan.entityNames(input.span)
    drop(upTo: scan.end)
    return true
  }

  // MARK: - Writing

  private func stands(_ text: StaticString, at start: Int) -> Bool {
    ByteScan.stands(text, in: input.span, at: start)
  }

  /// Writes the input as it is.
  private mutating func write(upTo end: Int) {
    guard end > copied else { return }
    let source = input
    output.append(source.span, copied..<end)
    count(copied..<end)
    copied = end
  }

  /// Leaves a part of the input out, from here on; its line breaks stay, so that lines are counted right.
  private mutating func drop(upTo end: Int) {
    write(upTo: min(index, end))
    let lines = ByteScan.lineFeeds(in: input.span.extracting(copied..<end))
    if lines > 0 { output.append(contentsOf: repeatElement(ASCII.lineFeed, count: lines)) }
    count(copied..<end)
    copied = end
    index = end
  }

  /// Notes that something is repaired where the reader is.
  private mutating func note(_ message: String) {
    guard firstFault == nil else { return }
    write(upTo: index)
    firstFault = Fault(message: message, line: line, column: column)
  }

  /// Counts lines and columns as long as they matter.
  private mutating func count(_ range: Range<Int>) {
    guard firstFault == nil else { return }
    let source = input
    let part = source.span.extracting(range)
    let lines = ByteScan.lineFeeds(in: part)
    line += lines
    guard lines > 0 else {
      column += part.count
      return
    }
    var end = part.count
    while end > 0, part[end - 1] != ASCII.lineFeed { end -= 1 }
    column = part.count - end + 1
  }
}
