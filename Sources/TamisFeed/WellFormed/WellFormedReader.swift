import TamisCore
import TamisXML

/// A reader that handles a document in one pass as long as it is well-formed, as most feeds are.
///
/// It supports the part of XML that feeds use: elements, attributes, namespaces, character data, comments, processing
/// instructions, and references that need no declaration. It stops before anything else, from a fault to a document
/// type, and ``MarkupRepair`` and libxml2 continue from there with the open elements (``ParserState``). So it makes no
/// decision about faults, and a document read by both is read as libxml2 alone would have read it.
///
/// The document is read piece by piece; the events do not depend on the piece boundaries. Time is linear in the input.
struct WellFormedReader {
  /// The result of a call to ``read(_:into:)``.
  enum Outcome {
    /// All input was read.
    case needsInput
    /// The document has ended, or the handler wants no more of it.
    case ended
    /// Another reader has to continue: ``WellFormedReader/handover()``.
    case outOfOrder
  }

  /// The result of reading one construct.
  enum Step {
    case read
    /// The end of the construct is not there yet.
    case incomplete
    case outOfOrder
  }

  /// The longest construct that is buffered as a whole, in bytes: a tag, a section, a run of text.
  static let longest = 1 << 20

  let limits: Limits
  /// The pieces that were received but not looked at yet.
  private var gathered: [UInt8] = []
  /// The input, unread from ``index`` on.
  var input: [UInt8] = []
  var index = 0
  /// The number of bytes of the document before the input.
  private var discarded = 0
  /// Whether the input ends the document.
  var isLast = false
  var text = CharacterData()
  var names = NamespaceScopes()
  var open = OpenStartTags()
  /// The attributes of the tag being read, and the decoded values of those that need decoding.
  var attributes: [Attribute] = []
  private var decodedValues: [UInt8] = []
  /// Whether the end tag of the root element was read; its event comes at the end of the document, as after
  /// ``MarkupRepair``.
  var hasRootEnded = false
  /// The position up to which lines and columns are counted.
  private var counted = 0
  private var line = 1
  private var column = 1
  /// The offset in the document of the beginning of that line, in bytes.
  private var startOfLine = 0

  /// An attribute of the tag being read.
  struct Attribute {
    var name: XMLQualifiedName
    /// Whether it declares a namespace.
    var isNamespace: Bool
    /// The handler's number of its name, once known.
    var number = -1
    /// The range of the value as written or, once decoded, in ``WellFormedReader/decodedValues``.
    var value: Range<Int>
    /// Whether the value has references or white space other than spaces.
    var needsDecoding: Bool
  }

  init(limits: Limits) { self.limits = limits }

  /// Reads the next piece.
  ///
  /// - Parameters:
  ///   - piece: the next bytes of the document, empty at its end.
  ///   - handler: the receiver of the events.
  /// - Returns: whether more input is needed, the document has ended, or another reader has to continue.
  mutating func read(_ piece: [UInt8], into handler: inout some XMLEvents) -> Outcome {
    guard let new = gather(piece) else { return .needsInput }
    let isInOrder = append(new)
    // A span of the property itself would forbid all mutation of the reader. This shares its storage without a copy,
    // since nothing writes to the input before the next pieces come.
    let source = input
    let bytes = source.span
    guard isInOrder else { return leave(bytes, &handler) }
    while handler.wantsMore {
      switch step(bytes, &handler) {
      case .read: if text.isLong { text.report(bytes, to: &handler) }
      case .incomplete where isLast:
        guard hasRootEnded, index == bytes.count else { return leave(bytes, &handler) }
        count(bytes, upTo: bytes.count)
        if let root = open.last { handler.endElement(root.number) }
        return .ended
      case .incomplete where bytes.count - index <= Self.longest: return .needsInput
      case .incomplete, .outOfOrder: return leave(bytes, &handler)
      }
    }
    return .ended
  }

  /// The position where reading ended.
  var position: XMLPosition { XMLPosition(line: line, column: column) }

  /// Returns the state that other readers need for the rest.
  func handover() -> ParserState {
    ParserState(
      open: open, rest: Array(input[index...]), offset: discarded + index, position: position,
      columnInBytes: discarded + index - startOfLine + 1, hasRootEnded: hasRootEnded)
  }

  // MARK: - Input

  /// Returns the pieces to be read next, or nil as long as they are few.
  ///
  /// An incomplete construct is scanned again with each call. New input must be at least as long as the waiting one, so
  /// that time is linear however small the pieces are.
  private mutating func gather(_ piece: [UInt8]) -> [UInt8]? {
    isLast = piece.isEmpty
    if gathered.isEmpty { gathered = piece } else { gathered += piece }
    guard isLast || gathered.count >= input.count - index else { return nil }
    var pieces: [UInt8] = []
    swap(&pieces, &gathered)
    return pieces
  }

  /// Appends the next pieces, or returns false when they have a character that XML does not allow.
  private mutating func append(_ piece: [UInt8]) -> Bool {
    let old = input
    text.keep(from: old.span)
    count(old.span, upTo: index)
    let waiting = old.count - index
    input = waiting == 0 ? piece : Array(old[index...]) + piece
    discarded += index
    (index, counted) = (0, 0)
    // U+FFFE may be split.
    return XMLCharacter.firstForbidden(input.span, from: max(0, waiting - 2)) == input.count
  }

  /// Ends reading here.
  private mutating func leave(_ bytes: borrowing Span<UInt8>, _ handler: inout some XMLEvents) -> Outcome {
    text.report(bytes, to: &handler)
    count(bytes, upTo: index)
    return .outOfOrder
  }

  /// Counts lines and columns, in characters from 1.
  mutating func count(_ bytes: borrowing Span<UInt8>, upTo end: Int) {
    let part = bytes.extracting(counted..<end)
    let lines = ByteScan.lineFeeds(in: part)
    if lines == 0 {
      column += ByteScan.characters(in: part)
    } else {
      var start = end
      while bytes[start - 1] != ASCII.lineFeed { start -= 1 }
      line += lines
      startOfLine = discarded + start
      column = 1 + ByteScan.characters(in: bytes.extracting(start..<end))
    }
    counted = end
  }

  // MARK: - Steps

  private mutating func step(_ bytes: borrowing Span<UInt8>, _ handler: inout some XMLEvents) -> Step {
    guard index < bytes.count else { return .incomplete }
    switch bytes[index] {
    case UInt8(ascii: "<"): return readMarkup(bytes, &handler)
    case UInt8(ascii: "&"): return isOutside ? .outOfOrder : readReference(bytes)
    default: return isOutside ? readTextOutside(bytes) : readText(bytes)
    }
  }

  /// Whether nothing of the document was read yet.
  var isAtStart: Bool { discarded + index == 0 }

  /// Whether the reader is before or after the root element.
  var isOutside: Bool { open.isEmpty || hasRootEnded }

  private mutating func readMarkup(_ bytes: borrowing Span<UInt8>, _ handler: inout some XMLEvents) -> Step {
    guard index + 1 < bytes.count else { return .incomplete }
    switch bytes[index + 1] {
    case UInt8(ascii: "/"): return readEndTag(bytes, &handler)
    case UInt8(ascii: "!"): return readDeclaration(bytes)
    case UInt8(ascii: "?"): return readInstruction(bytes)
    default: return readStartTag(bytes, &handler)
    }
  }
}

extension WellFormedReader {
  /// The longest name in bytes, and the maximum number of attributes of a tag; others are left to libxml2.
  private static let longestName = 100
  private static let mostAttributes = 32

  // MARK: - End tags

  private mutating func readEndTag(_ bytes: borrowing Span<UInt8>, _ handler: inout some XMLEvents) -> Step {
    guard let element = open.last, !hasRootEnded else { return .outOfOrder }
    let nameEnd = index + 2 + element.name.count
    guard nameEnd < bytes.count else { return .incomplete }
    guard open.isName(of: element, in: bytes, at: index + 2) else { return .outOfOrder }
    var end = nameEnd
    while end < bytes.count, bytes[end].isHTMLSpace { end += 1 }
    guard end < bytes.count else { return .incomplete }
    guard bytes[end] == UInt8(ascii: ">") else { return .outOfOrder }
    text.report(bytes, to: &handler)
    index = end + 1
    if open.count == 1 {
      hasRootEnded = true
    } else {
      handler.endElement(element.number)
      open.removeLast()
      names.current = element.scopeOutside
    }
    return .read
  }

  // MARK: - Start tags

  private mutating func readStartTag(_ bytes: borrowing Span<UInt8>, _ handler: inout some XMLEvents) -> Step {
    var end = index + 1
    let name = readName(bytes, &end)
    guard end < bytes.count else { return .incomplete }
    guard let name, open.count < OpenTags.deepest, !hasRootEnded else { return .outOfOrder }
    let step = readAttributes(bytes, &end)
    guard step == .read else { return step }
    let isEmpty = bytes[end] == UInt8(ascii: "/")
    guard !isEmpty || !open.isEmpty else { return .outOfOrder }
    let outside = names.current
    var declared: [(String, String)] = []
    if attributes.contains(where: \.isNamespace) {
      guard declare(bytes, &declared) else { return .outOfOrder }
    }
    guard let element = names.element(name, bytes, &handler), isExpected(element) else {
      names.current = outside
      return .outOfOrder
    }
    // All names and values must be known before the first event.
    guard resolveAttributes(bytes, &handler) else {
      names.current = outside
      return .outOfOrder
    }
    text.report(bytes, to: &handler)
    reportAttributes(bytes, to: &handler)
    count(bytes, upTo: end)
    handler.startElement(element.number, namespaces: declared, at: position)
    let start = index
    index = end + (isEmpty ? 2 : 1)
    if isEmpty {
      handler.endElement(element.number)
      names.current = outside
    } else {
      open.append(bytes, start..<index, name: name, element, scopeOutside: outside)
    }
    return .read
  }

  /// Whether the element may come here with nothing left open before it, as ``MarkupRepair`` sees it.
  private func isExpected(_ element: NamespaceScopes.Element) -> Bool {
    if open.isEmpty { return !element.role.isDisjoint(with: [.root, .fragment]) }
    guard element.role.contains(.entry) || element.role.contains(.channel), let last = open.last else { return true }
    return !last.role.contains(.stray) && !(element.role.contains(.entry) && open.holdsEntry)
  }

  /// Reads an ASCII qualified name, or returns nil for any other.
  private func readName(_ bytes: borrowing Span<UInt8>, _ index: inout Int) -> XMLQualifiedName? {
    let start = index
    var colon: Int?
    while index < bytes.count, Self.isNameByte(bytes[index]) {
      if bytes[index] == UInt8(ascii: ":") {
        guard colon == nil else { return nil }
        colon = index
      }
      index += 1
    }
    let local = colon.map { $0 + 1 } ?? start
    guard index > local, colon != start, index - start <= Self.longestName, Self.beginsName(bytes[start]),
      Self.beginsName(bytes[local])
    else { return nil }
    return XMLQualifiedName(whole: start..<index, colon: colon)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: ".")
  }

  private static func beginsName(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte == UInt8(ascii: "_") }

  /// Whether the name is `xmlns` or `xmlns:prefix`.
  private static func isNamespace(_ name: XMLQualifiedName, _ bytes: borrowing Span<UInt8>) -> Bool {
    let start = name.whole.lowerBound
    return (name.colon ?? name.whole.upperBound) == start + 5 && ByteScan.stands("xmlns", in: bytes, at: start)
  }

  /// Reads the attributes of a tag, up to its `>` or `/>`.
  private mutating func readAttributes(_ bytes: borrowing Span<UInt8>, _ index: inout Int) -> Step {
    if !attributes.isEmpty { attributes.removeAll(keepingCapacity: true) }
    while true {
      let before = index
      while index < bytes.count, bytes[index].isHTMLSpace { index += 1 }
      guard index < bytes.count else { return .incomplete }
      switch bytes[index] {
      case UInt8(ascii: ">"): return .read
      case UInt8(ascii: "/"):
        guard index + 1 < bytes.count else { return .incomplete }
        return bytes[index + 1] == UInt8(ascii: ">") ? .read : .outOfOrder
      default:
        guard index > before else { return .outOfOrder }
        let step = readAttribute(bytes, &index)
        guard step == .read else { return step }
      }
    }
  }

  private mutating func readAttribute(_ bytes: borrowing Span<UInt8>, _ index: inout Int) -> Step {
    let name = readName(bytes, &index)
    while index < bytes.count, bytes[index].isHTMLSpace { index += 1 }
    guard index < bytes.count else { return .incomplete }
    guard let name, bytes[index] == UInt8(ascii: "="), attributes.count < min(Self.mostAttributes, limits.attributes)
    else { return .outOfOrder }
    index += 1
    while index < bytes.count, bytes[index].isHTMLSpace { index += 1 }
    guard index < bytes.count else { return .incomplete }
    let quote = bytes[index]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return .outOfOrder }
    let start = index + 1
    index = start
    var needsDecoding = false
    while index < bytes.count, bytes[index] != quote {
      let byte = bytes[index]
      if byte == UInt8(ascii: "<") { return .outOfOrder }
      if byte < 0x20 || byte == UInt8(ascii: "&") { needsDecoding = true }
      index += 1
    }
    guard index < bytes.count else { return .incomplete }
    let isNamespace = Self.isNamespace(name, bytes)
    for other in attributes where other.isNamespace == isNamespace && isSame(other.name, name, bytes) {
      return .outOfOrder
    }
    attributes.append(
      Attribute(name: name, isNamespace: isNamespace, value: start..<index, needsDecoding: needsDecoding))
    index += 1
    return .read
  }

  /// Whether two names are equal, or could be once their prefixes are resolved.
  private func isSame(_ one: XMLQualifiedName, _ other: XMLQualifiedName, _ bytes: borrowing Span<UInt8>) -> Bool {
    guard one.local.count == other.local.count, (one.colon == nil) == (other.colon == nil) else { return false }
    for offset in 0..<one.local.count
    where bytes[one.local.lowerBound + offset] != bytes[other.local.lowerBound + offset] {
      return false
    }
    return true
  }

  /// Opens the namespaces that a tag declares, or returns false when one is unusual.
  private mutating func declare(_ bytes: borrowing Span<UInt8>, _ declared: inout [(String, String)]) -> Bool {
    for attribute in attributes where attribute.isNamespace {
      let prefix = attribute.name.colon == nil ? "" : String(bytes, attribute.name.local)
      let address = bytes.extracting(attribute.value)
      guard !attribute.needsDecoding, prefix != "xml", prefix != "xmlns", NamespaceScopes.isUsual(address) else {
        return false
      }
      declared.append((prefix, String(bytes, attribute.value)))
    }
    return names.enter(declared)
  }

  // MARK: - Values

  /// Resolves the names of the attributes and decodes their values, or returns false when another reader has to.
  private mutating func resolveAttributes(_ bytes: borrowing Span<UInt8>, _ handler: inout some XMLEvents) -> Bool {
    if !decodedValues.isEmpty { decodedValues.removeAll(keepingCapacity: true) }
    for index in attributes.indices where !attributes[index].isNamespace {
      guard let number = names.attribute(attributes[index].name, bytes, &handler) else { return false }
      attributes[index].number = number
      if attributes[index].needsDecoding {
        let start = decodedValues.count
        guard decode(attributes[index].value, bytes) else { return false }
        attributes[index].value = start..<decodedValues.count
      }
    }
    return true
  }

  private func reportAttributes(_ bytes: borrowing Span<UInt8>, to handler: inout some XMLEvents) {
    for attribute in attributes where !attribute.isNamespace {
      if attribute.needsDecoding {
        handler.attribute(attribute.number, decodedValues.span.extracting(attribute.value))
      } else {
        handler.attribute(attribute.number, bytes.extracting(attribute.value))
      }
    }
  }

  /// Decodes a value (XML 1.0, 3.3.3), or returns false when it has references that need a declaration.
  ///
  /// Literal white space is normalized to spaces.
  private mutating func decode(_ value: Range<Int>, _ bytes: borrowing Span<UInt8>) -> Bool {
    var index = value.lowerBound
    while index < value.upperBound {
      let byte = bytes[index]
      if byte == UInt8(ascii: "&") {
        guard
          let end = CharacterData.append(referenceAt: index, upTo: value.upperBound, of: bytes, to: &decodedValues)
        else { return false }
        index = end
        continue
      }
      if byte == ASCII.carriageReturn {
        guard index + 1 < value.upperBound, bytes[index + 1] == ASCII.lineFeed else { return false }
        index += 1
      }
      decodedValues.append(byte < 0x20 ? ASCII.space : byte)
      index += 1
    }
    return true
  }
}

/// Text, references, and sections in which nothing but their end is markup.
extension WellFormedReader {
  /// Reads white space before and after the root element.
  private mutating func readTextOutside(_ bytes: borrowing Span<UInt8>) -> Step {
    guard bytes[index].isHTMLSpace else { return .outOfOrder }
    while index < bytes.count, bytes[index].isHTMLSpace { index += 1 }
    return .read
  }

  private mutating func readText(_ bytes: borrowing Span<UInt8>) -> Step {
    let end = readPlainText(bytes)
    guard end < bytes.count else { return .incomplete }
    switch bytes[end] {
    case UInt8(ascii: "]"):
      guard end + 2 < bytes.count else { return .incomplete }
      if ByteScan.stands("]]>", in: bytes, at: end) { return .outOfOrder }
      text.add(index..<end + 1, of: bytes)
      index = end + 1
    case ASCII.carriageReturn:
      guard end + 1 < bytes.count else { return .incomplete }
      // Lines end with a line feed alone (XML 1.0, 2.11); a lone carriage return is rare.
      guard bytes[end + 1] == ASCII.lineFeed else { return .outOfOrder }
      text.add(index..<end, of: bytes)
      index = end + 1
      // The line feed is text.
      text.add(index..<index + 1, of: bytes)
      index += 1
    default:
      text.add(index..<end, of: bytes)
      index = end
    }
    return .read
  }

  /// Reads text with XML's predefined references, which are common in escaped markup, and returns where anything else
  /// begins.
  private mutating func readPlainText(_ bytes: borrowing Span<UInt8>) -> Int {
    while true {
      let end = ByteScan.indexOfXMLText(in: bytes, from: index)
      guard end < bytes.count, bytes[end] == UInt8(ascii: "&"), !text.isLong,
        let reference = Reference.common(bytes, at: end, end: bytes.count)
      else { return end }
      text.add(index..<end, of: bytes)
      text.add(reference.character, of: bytes)
      index = end + reference.length
    }
  }

  private mutating func readReference(_ bytes: borrowing Span<UInt8>) -> Step {
    guard index + Reference.longest < bytes.count || isLast else { return .incomplete }
    guard let end = text.addReference(at: index, upTo: bytes.count, of: bytes) else { return .outOfOrder }
    index = end
    return .read
  }

  // MARK: - Sections

  /// Handles `<!`.
  mutating func readDeclaration(_ bytes: borrowing Span<UInt8>) -> Step {
    let longestOpening = "<![CDATA[".utf8.count
    guard index + longestOpening <= bytes.count || isLast else { return .incomplete }
    if ByteScan.stands("<!--", in: bytes, at: index) { return readComment(bytes) }
    guard !isOutside, ByteScan.stands("<![CDATA[", in: bytes, at: index) else { return .outOfOrder }
    let start = index + longestOpening
    guard let end = ByteScan.index(of: "]]>", in: bytes, from: start) else { return .incomplete }
    let content = start..<end
    // A nested beginning tells that the first section may not have been closed.
    guard !holds("<![CDATA[", content, bytes), text.addLines(content, of: bytes) else { return .outOfOrder }
    index = end + 3
    return .read
  }

  private mutating func readComment(_ bytes: borrowing Span<UInt8>) -> Step {
    let start = index + 4
    guard let end = ByteScan.index(of: "--", in: bytes, from: start), end + 2 < bytes.count else { return .incomplete }
    // Tags in a comment tell that it may not have been closed.
    guard bytes[end + 2] == UInt8(ascii: ">"), !holds("<", start..<end, bytes) else { return .outOfOrder }
    text.keep(from: bytes)
    index = end + 3
    return .read
  }

  /// Handles `<?`.
  mutating func readInstruction(_ bytes: borrowing Span<UInt8>) -> Step {
    let start = index + 2
    guard let end = ByteScan.index(of: "?>", in: bytes, from: start) else { return .incomplete }
    var nameEnd = start
    while nameEnd < end, !bytes[nameEnd].isHTMLSpace { nameEnd += 1 }
    let target = start..<nameEnd
    if target.count == 3, String(bytes, target).asciiLowercased() == "xml" {
      guard isAtStart, XMLDeclaration.isInOrder(Array(input[index..<end + 2])), !holds("<", start..<end, bytes),
        !holds(">", start..<end, bytes)
      else { return .outOfOrder }
    } else {
      guard XMLCharacter.isName(bytes, target), !holds(":", target, bytes), !holds("<", start..<end, bytes) else {
        return .outOfOrder
      }
    }
    text.keep(from: bytes)
    index = end + 2
    return .read
  }

  private func holds(_ wanted: StaticString, _ range: Range<Int>, _ bytes: borrowing Span<UInt8>) -> Bool {
    ByteScan.index(of: wanted, in: bytes.extracting(range), from: 0) != nil
  }
}

/// The text between two tags: a range of the input where possible, else assembled.
struct CharacterData {
  /// The assembled text.
  private var bytes: [UInt8] = []
  /// The range of the input that follows, not copied as long as nothing else follows it.
  private var run = 0..<0

  /// Whether the text is long enough to be passed on before all of it has come.
  fileprivate var isLong: Bool { bytes.count + run.count >= XMLReader.longestText }

  /// Adds a part of the input.
  mutating func add(_ range: Range<Int>, of input: borrowing Span<UInt8>) {
    if run.isEmpty {
      run = range
    } else if run.upperBound == range.lowerBound {
      run = run.lowerBound..<range.upperBound
    } else {
      keep(from: input)
      run = range
    }
  }

  /// Adds a part of the input with line ends normalized (XML 1.0, 2.11), or returns false and adds nothing for a lone
  /// carriage return.
  fileprivate mutating func addLines(_ range: Range<Int>, of input: borrowing Span<UInt8>) -> Bool {
    // Nothing after the range is read.
    let whole = input.extracting(..<range.upperBound)
    func nextEnd(_ start: Int) -> Int { ByteScan.index(of: ASCII.carriageReturn, in: whole, from: start) }
    var end = nextEnd(range.lowerBound)
    while end < range.upperBound {
      guard end + 1 < range.upperBound, input[end + 1] == ASCII.lineFeed else { return false }
      end = nextEnd(end + 1)
    }
    var start = range.lowerBound
    while true {
      end = nextEnd(start)
      add(start..<end, of: input)
      if end == range.upperBound { return true }
      start = end + 1
    }
  }

  /// Adds an ASCII character.
  mutating func add(_ character: UInt8, of input: borrowing Span<UInt8>) {
    keep(from: input)
    bytes.append(character)
  }

  /// Adds the character of a reference that needs no declaration, and returns the position after it, or nil for another
  /// reference.
  fileprivate mutating func addReference(at start: Int, upTo end: Int, of input: borrowing Span<UInt8>) -> Int? {
    keep(from: input)
    return Self.append(referenceAt: start, upTo: end, of: input, to: &bytes)
  }

  /// Appends the character of a reference that needs no declaration, and returns the position after it, or nil for
  /// another reference.
  static func append(
    referenceAt start: Int, upTo end: Int, of input: borrowing Span<UInt8>, to output: inout [UInt8]
  ) -> Int? {
    if let common = Reference.common(input, at: start, end: end) {
      output.append(common.character)
      return start + common.length
    }
    guard case .numeric(let range, let number, isWritten: true) = Reference.at(start, in: input, end: end),
      let scalar = Unicode.Scalar(number)
    else { return nil }
    output.append(scalar: scalar)
    return range.upperBound
  }

  /// Copies the range of the input, which is about to change.
  fileprivate mutating func keep(from input: borrowing Span<UInt8>) {
    guard !run.isEmpty else { return }
    bytes.append(input, run)
    run = 0..<0
  }

  /// Passes the text on and resets.
  mutating func report(_ input: borrowing Span<UInt8>, to handler: inout some XMLEvents) {
    if bytes.isEmpty {
      guard !run.isEmpty else { return }
      handler.text(input.extracting(run))
    } else {
      keep(from: input)
      handler.text(bytes.span)
      bytes.removeAll(keepingCapacity: true)
    }
    run = 0..<0
  }
}
