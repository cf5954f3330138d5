import TamisCore
import TamisXML

/// Reads markup about which no two parsers disagree, which most markup is, and hands it to the walker without a parser.
///
/// Ordinary is: elements of ``ElementTraits/ordinary`` and `style`, attributes in quotes or of plain characters, comments without
/// dashes, no control characters. It tells the walker exactly what libxml2 would;
/// `OrdinaryMarkupTests` compares the two. At the first thing out of the ordinary it gives up, and libxml2 reads the
/// whole fragment instead.
///
/// End tags that do not match are ordinary too, as libxml2's rule for them is simple (``HTMLReader/endWeight(of:)``): `</p>` without
/// its start is nothing to it. `</br>` is not ordinary, as it becomes an element.
struct OrdinaryMarkup {
  private let limits: Limits
  /// The open elements of the source.
  private var open: [Int] = []
  private var attributes = AttributeList()
  /// The text of the last reference.
  private var character: [UInt8] = []
  /// The offset of the reader, for the report.
  private(set) var index = 0

  init(limits: Limits) { self.limits = limits }

  /// Reads a fragment; false when it is out of the ordinary: discard what the walker has then.
  mutating func read(_ input: borrowing Span<UInt8>, into walker: inout Walker) -> Bool {
    open.removeAll(keepingCapacity: true)
    index = 0
    var runStart = 0
    while true {
      index = ByteScan.indexOfMarkup(in: input, from: index)
      if index == input.count { break }
      switch Self.class(of: input[index]) {
      case .plain: index += 1
      case .special:
        switch input[index] {
        case UInt8(ascii: "<"):
          walker.plainText(input.extracting(runStart..<index))
          guard readTag(input, &walker) else { return false }
        case UInt8(ascii: "&"):
          walker.plainText(input.extracting(runStart..<index))
          readReference(input, &walker)
        case UInt8(ascii: ">"):
          walker.plainText(input.extracting(runStart..<index))
          walker.text(input.extracting(index..<index + 1))
          index += 1
        default: return false
        }
        runStart = index
      case .lead:
        guard let length = Self.lengthOfCharacter(input, at: index) else { return false }
        if length == 2, input[index] == 0xC2, input[index + 1] == 0xA0 {
          // A space that is written as a reference.
          walker.plainText(input.extracting(runStart..<index))
          walker.text(input.extracting(index..<index + 2))
          runStart = index + 2
        }
        index += length
      }
    }
    walker.plainText(input.extracting(runStart..<index))
    while let element = open.popLast() { walker.endElement(element) }
    return true
  }

  // MARK: - Bytes

  private enum ByteClass {
    case plain, special, lead
  }

  /// Special are `<`, `>`, `&` and the controls but tab and line feed.
  private static func `class`(of byte: UInt8) -> ByteClass {
    if byte >= 0x80 { return .lead }
    if byte >= 0x40 { return byte == 0x7F ? .special : .plain }
    let special: UInt64 = 0xFFFF_FFFF & ~(1 << 9 | 1 << 10) | 1 << 0x26 | 1 << 0x3C | 1 << 0x3E
    return special &>> UInt64(byte) & 1 != 0 ? .special : .plain
  }

  /// The length of the character that begins here; nil when it is invalid, or one that ``HTMLPreparation`` replaces.
  private static func lengthOfCharacter(_ input: borrowing Span<UInt8>, at index: Int) -> Int? {
    let length = UTF8Sequence.length(input, at: index)
    if length == 0 || HTMLPreparation.isReplaced(input, at: index) { return nil }
    return length
  }

  // MARK: - Text

  private mutating func readReference(_ input: borrowing Span<UInt8>, _ walker: inout Walker) {
    guard let reference = CharacterReference.match(input, at: index) else {
      walker.text(input.extracting(index..<index + 1))
      index += 1
      return
    }
    index += reference.length
    if !character.isEmpty { character.removeAll(keepingCapacity: true) }
    if let first = HTMLPreparation.character(for: reference.first) { character.append(scalar: first) }
    if let second = reference.second.flatMap(HTMLPreparation.character(for:)) { character.append(scalar: second) }
    walker.text(character.span)
  }

  // MARK: - Tags

  private mutating func readTag(_ input: borrowing Span<UInt8>, _ walker: inout Walker) -> Bool {
    index += 1
    guard index < input.count else { return false }
    switch input[index] {
    case UInt8(ascii: "/"):
      index += 1
      return readEndTag(input, &walker)
    case UInt8(ascii: "!"): return skipComment(input)
    default: return readStartTag(input, &walker)
    }
  }

  private mutating func readEndTag(_ input: borrowing Span<UInt8>, _ walker: inout Walker) -> Bool {
    guard let element = readElementName(input, &walker) else { return false }
    while index < input.count, input[index].isHTMLSpace { index += 1 }
    guard index < input.count, input[index] == UInt8(ascii: ">") else { return false }
    index += 1
    if element == open.last {
      open.removeLast()
      walker.endElement(element)
      return true
    }
    // It becomes a line break.
    if walker.tables.elements[element].isLineBreak { return false }
    guard let depth = depth(endedBy: element, &walker) else { return true }
    while open.count > depth { walker.endElement(open.removeLast()) }
    return true
  }

  /// How many elements stay open after an end tag; nil when it ends nothing, as libxml2 decides.
  private func depth(endedBy element: Int, _ walker: inout Walker) -> Int? {
    let weight = walker.tables.elements[element].endWeight
    for depth in open.indices.reversed() {
      if open[depth] == element { return depth }
      if walker.tables.elements[open[depth]].endWeight > weight { return nil }
    }
    return nil
  }

  private mutating func readStartTag(_ input: borrowing Span<UInt8>, _ walker: inout Walker) -> Bool {
    guard let element = readElementName(input, &walker), open.count < limits.fragmentDepth else { return false }
    // Implied ends come before the attributes are read.
    while let parent = open.last, walker.tables.ends(parent, atStartOf: element) {
      open.removeLast()
      walker.endElement(parent)
    }
    attributes.removeAll()
    guard readAttributes(input, &walker), index < input.count else { return false }
    var isEmpty = walker.tables.elements[element].isEmptyToParser
    if input[index] == UInt8(ascii: "/") {
      index += 1
      guard index < input.count, input[index] == UInt8(ascii: ">") else { return false }
      isEmpty = true
    }
    // libxml2 reports tags at this offset too.
    let location = RemovalLog.Location.byte(index)
    index += 1
    walker.startElement(element, with: &attributes, at: location)
    if isEmpty {
      walker.endElement(element)
    } else if walker.tables.elements[element].traits.contains(.rawText) {
      guard skipRawText(input) else { return false }
      walker.endElement(element)
    } else {
      open.append(element)
    }
    return true
  }

  /// Skips to the end of the `</style>` that ends raw text, which is always dropped.
  private mutating func skipRawText(_ input: borrowing Span<UInt8>) -> Bool {
    while true {
      index = ByteScan.index(of: UInt8(ascii: "<"), or: 0, in: input, from: index)
      guard index + 7 < input.count, input[index] == UInt8(ascii: "<") else { return false }
      let name = Self.lowercased(input, index + 1..<index + 7)
      if name.elementsEqual("/style".utf8) {
        index += 8
        return input[index - 1] == UInt8(ascii: ">")
      }
      // Parsers disagree about other end tags in here.
      if input[index + 1] == UInt8(ascii: "/") { return false }
      index += 1
    }
  }

  /// The number of an ordinary element whose name is here; nil for any other name.
  private mutating func readElementName(_ input: borrowing Span<UInt8>, _ walker: inout Walker) -> Int? {
    let start = index
    var hasCapitals = false
    while index < input.count, input[index].isASCIIAlphanumeric {
      hasCapitals = hasCapitals || input[index] & 0x20 == 0
      index += 1
    }
    guard index > start, index < input.count, Self.endsName(input[index]) else { return nil }
    let number: Int?
    if hasCapitals {
      let name = Self.lowercased(input, start..<index)
      number = walker.tables.knownElement(name.span, 0..<name.count)
    } else {
      number = walker.tables.knownElement(input, start..<index)
    }
    guard let number, !walker.tables.elements[number].traits.isDisjoint(with: [.isOrdinary, .rawText]) else {
      return nil
    }
    return number
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte.isHTMLSpace
  }

  private static func lowercased(_ input: borrowing Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    range.map { input[$0].asciiLowercased }
  }

  private mutating func skipComment(_ input: borrowing Span<UInt8>) -> Bool {
    let dash = UInt8(ascii: "-")
    guard index + 2 < input.count, input[index + 1] == dash, input[index + 2] == dash else { return false }
    index += 3
    // `<!-->` and `<!--->` end at once in a browser, and `--!>` ends a comment too, but libxml2 has to be told so.
    guard index + 1 < input.count, input[index] != UInt8(ascii: ">"),
      input[index] != dash || input[index + 1] != UInt8(ascii: ">")
    else { return false }
    while index + 2 < input.count {
      let byte = input[index]
      if byte == dash, input[index + 1] == dash {
        guard input[index + 2] == UInt8(ascii: ">"), input[index - 1] != dash || input[index - 2] != dash else {
          return false
        }
        index += 3
        return true
      }
      guard byte >= ASCII.space || byte == ASCII.lineFeed || byte == ASCII.tab, byte < 0x7F else { return false }
      index += 1
    }
    return false
  }

  // MARK: - Attributes

  /// Reads attributes up to the `>` or `/` that ends the tag.
  private mutating func readAttributes(_ input: borrowing Span<UInt8>, _ walker: inout Walker) -> Bool {
    var count = 0
    while index < input.count {
      let start = index
      while index < input.count, input[index].isHTMLSpace { index += 1 }
      guard index < input.count else { return false }
      if input[index] == UInt8(ascii: ">") || input[index] == UInt8(ascii: "/") { return true }
      count += 1
      guard index > start, count <= limits.attributes, readAttribute(input, &walker) else { return false }
    }
    return false
  }

  private mutating func readAttribute(_ input: borrowing Span<UInt8>, _ walker: inout Walker) -> Bool {
    guard let attribute = readAttributeName(input, &walker), index < input.count else { return false }
    let start = attributes.bytes.count
    if input[index] == UInt8(ascii: "=") {
      index += 1
      guard index < input.count else { return false }
      let quote = input[index]
      if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
        index += 1
        guard readQuoted(input, quote) else { return false }
      } else {
        guard readUnquoted(input) else { return false }
      }
    }
    guard index < input.count, Self.endsName(input[index]) else { return false }
    attributes.endOriginal(attribute, from: start)
    return true
  }

  private mutating func readAttributeName(_ input: borrowing Span<UInt8>, _ walker: inout Walker) -> Int? {
    let start = index
    var hasCapitals = false
    while index < input.count {
      let byte = input[index]
      guard byte.isASCIILetter || (index > start && (byte.isASCIIDigit || byte == 0x2D || byte == 0x5F)) else { break }
      hasCapitals = hasCapitals || byte &- 0x41 < 26
      index += 1
    }
    guard index > start else { return nil }
    if !hasCapitals, let known = walker.tables.knownAttribute(input, start..<index) { return known }
    return walker.tables.number(ofAttribute: String(decoding: Self.lowercased(input, start..<index), as: UTF8.self))
  }

  private mutating func readQuoted(_ input: borrowing Span<UInt8>, _ quote: UInt8) -> Bool {
    var runStart = index
    while index < input.count, input[index] != quote {
      switch Self.class(of: input[index]) {
      case .plain: index += 1
      case .lead:
        guard let length = Self.lengthOfCharacter(input, at: index) else { return false }
        index += length
      case .special:
        switch input[index] {
        case UInt8(ascii: "&"):
          attributes.append(input, runStart..<index)
          appendReference(input)
          runStart = index
        case UInt8(ascii: "<"), UInt8(ascii: ">"): index += 1
        default: return false
        }
      }
    }
    guard index < input.count else { return false }
    attributes.append(input, runStart..<index)
    index += 1
    return true
  }

  private mutating func appendReference(_ input: borrowing Span<UInt8>) {
    guard let reference = CharacterReference.match(input, at: index) else {
      attributes.append(input, index..<index + 1)
      index += 1
      return
    }
    index += reference.length
    if let first = HTMLPreparation.character(for: reference.first) { attributes.append(first) }
    if let second = reference.second.flatMap(HTMLPreparation.character(for:)) { attributes.append(second) }
  }

  /// A value of letters, digits and a few signs.
  private mutating func readUnquoted(_ input: borrowing Span<UInt8>) -> Bool {
    let start = index
    while index < input.count {
      let byte = input[index]
      guard byte.isASCIIAlphanumeric || (0x23...0x3B).contains(byte) && byte != 0x26 && byte != 0x27 || byte == 0x5F
      else { break }
      index += 1
    }
    // A slash there might end the tag.
    guard index > start, input[index - 1] != UInt8(ascii: "/") else { return false }
    attributes.append(input, start..<index)
    return true
  }
}
