import TamisCore
import TamisXML

/// Turns any text into a document that libxml2 has nothing to object to, as long as there is an element in it.
///
/// libxml2 continues after a fault, but with losses: from then on it drops all references, after a control character the
/// text, and after an unmatched end tag the rest of the document. So only well-formed XML 1.0 is passed to it. Here a fault
/// costs only itself; what follows is read as without the fault. ``firstFault`` says that the document was not well-formed.
/// Comments and processing instructions that are in order pass; the XML declaration, and of the document type all but its
/// name and public identifier, are left out, and references to entities are resolved. Undeclared prefixes are left to
/// libxml2, which accepts them.
///
/// Works piece by piece; the result does not depend on where the pieces were cut. Time is linear in the input.
struct MarkupRepair {
  /// The first repaired fault with its location, counted as in ``SourceLocation``.
  struct Fault {
    var message: String
    var line: Int
    var column: Int
  }

  /// Sections in which nothing is markup but their end.
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

  /// The first repaired fault of the text so far; nil when there was none.
  private(set) var fault: Fault?
  /// The first character that XML does not allow, found before anything else is looked at.
  private var characterFault: Fault?

  let limits: Limits
  /// Whether it is a feed: then an entry without an end tag ends where the next begins, and elements before the root
  /// element are ignored.
  let isFeed: Bool
  /// The undecided part of the input: it depends on the next bytes.
  var input: [UInt8] = []
  /// Up to where the input was dealt with, and up to where it was written.
  var index = 0
  var copied = 0
  /// Bytes of the document before the input.
  private var discarded = 0
  /// The beginning of a character at the end of the last piece.
  private var incomplete: [UInt8] = []
  /// The position of the next ampersand or tag, as long as it is ahead of the reader.
  private var knownStop = 0
  var output: [UInt8] = []
  var isLast = false
  /// The section whose beginning was written.
  var openSection: Section?
  /// Bytes of character data that were written since its section was last opened.
  var writtenOfSection = 0
  /// The known ends of sections.
  var closings = SectionClosings()
  /// Whether no further comment is closed, in a document that continues after the beginning of one.
  var hasUnclosedComment = false
  /// The state of the search for the end of an incomplete tag.
  var resumedTag: TagEnd?
  var tags = OpenTags()
  var entities = DeclaredEntities()
  /// Whether a document type has come.
  var hasDocumentType = false
  /// The first element that was ignored because it is not the root element of a feed; nil when there was none.
  var skippedRoot: String?
  /// Whether the end tag of the root element has come, at any time and just before.
  var hasRootEnded = false
  var isAfterRoot = false
  /// Whether something was left out just before, so that the text on both sides of it could form `]]>`.
  private var isAfterGap = false
  /// Whether the document ended before its root element did.
  private var isCutOff = false
  /// Bytes of all output; without the end tags that a document lacks, if it does.
  private var lengthOfOutput = 0
  private var line = 1
  private var column = 1

  /// The longest of the short things that are looked for as a whole, in bytes: a reference.
  private static let lookahead = Reference.longest + 2

  /// Begins to repair a document.
  ///
  /// - Parameter handover: what was read of it already; its open elements are written first.
  init(limits: Limits, isFeed: Bool, from handover: Handover = Handover()) {
    self.limits = limits
    self.isFeed = isFeed
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

  /// The first thing that was repaired; nil as long as there was nothing.
  var firstFault: Fault? {
    guard let fault, let characterFault else { return fault ?? characterFault }
    return (fault.line, fault.column) <= (characterFault.line, characterFault.column) ? fault : characterFault
  }

  /// The offset in the document of a position in the input.
  func position(of index: Int) -> Int { discarded + index }

  /// The next piece, repaired; with `isLast` all that is left.
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

  /// Ends what the document leaves open.
  private mutating func endDocument() {
    if tags.depth > 0, !hasRootEnded || tags.holdsEntry {
      index = input.count
      note("the document ends before its root element does")
      isCutOff = true
      lengthOfOutput += output.count
    }
    tags.end(inside: -1, into: &output)
  }

  /// Where in all of the output the end tags begin that a document lacks which is cut off; nil when it is not.
  var startOfImpliedEnd: Int? { isCutOff ? lengthOfOutput : nil }

  // MARK: - Steps

  /// Deals with the next thing that is not plain; false when the rest depends on what comes.
  private mutating func step() -> Bool {
    if let openSection { return continueSection(openSection) }
    if isAfterGap, index < input.count { closeGap() }
    let next = nextStop()
    noteTextOutside(upTo: next)
    index = next
    if index == input.count { return false }
    // Undecided as long as the longest of what could begin here has not come.
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

  /// The position of the next byte that needs a decision.
  private mutating func nextStop() -> Int {
    let source = input
    let span = source.span
    if knownStop < index {
      knownStop = ByteScan.index(of: UInt8(ascii: "&"), or: UInt8(ascii: "<"), in: span, from: index)
    }
    let bracket = UInt8(ascii: "]")
    return ByteScan.index(of: bracket, in: span.extracting(..<knownStop), from: index)
  }

  /// Deals with what begins with `<`; false when its end has not come.
  private mutating func readMarkup() -> Bool {
    let second = index + 1 < input.count ? input[index + 1] : 0
    switch second {
    case UInt8(ascii: "!"): return readDeclaration()
    case UInt8(ascii: "?"): return readInstruction()
    default: return readTag()
    }
  }

  // MARK: - Characters

  /// Takes the next piece in, without the characters that XML does not allow.
  private mutating func append(_ piece: [UInt8]) {
    var text = incomplete.isEmpty ? piece : incomplete + piece
    incomplete = []
    if !isLast {
      // U+FFFE must not come in two parts.
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

  /// Text that is in no element is no part of a feed.
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

  /// `]]>` in text.
  mutating func repairSectionEnd() {
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

  /// Writes the input as it is.
  mutating func write(upTo end: Int) {
    guard end > copied else { return }
    let source = input
    output.append(source.span, copied..<end)
    count(copied..<end)
    copied = end
  }

  /// Leaves a part of the input out, from here on; its line breaks stay, so that lines are counted right, and where there is
  /// no text its columns too.
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

  /// Notes that something is repaired where the reader is.
  mutating func note(_ message: @autoclosure () -> String) {
    guard fault == nil else { return }
    var here = (line: line, column: column)
    if index > copied { Self.count(input.span.extracting(copied..<index), &here) }
    fault = Fault(message: message(), line: here.line, column: here.column)
  }

  /// Counts lines and columns as long as they matter.
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
