import TamisCore
import TamisXML

/// Text, references, and sections in which nothing is markup but their end.
extension WellFormedReader {
  /// White space before and after the root element.
  mutating func readTextOutside(_ bytes: borrowing Span<UInt8>) -> Step {
    guard bytes[index].isHTMLSpace else { return .outOfOrder }
    while index < bytes.count, bytes[index].isHTMLSpace { index += 1 }
    return .read
  }

  mutating func readText(_ bytes: borrowing Span<UInt8>) -> Step {
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
      // A line ends with a line feed alone (XML 1.0, 2.11); one without any is rare.
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

  /// Reads text with XML's own references, of which escaped markup is full; returns where something else is.
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

  mutating func readReference(_ bytes: borrowing Span<UInt8>) -> Step {
    guard index + Reference.longest < bytes.count || isLast else { return .incomplete }
    guard let end = text.addReference(at: index, upTo: bytes.count, of: bytes) else { return .outOfOrder }
    index = end
    return .read
  }

  // MARK: - Sections

  /// Deals with `<!`.
  mutating func readDeclaration(_ bytes: borrowing Span<UInt8>) -> Step {
    let longestOpening = "<![CDATA[".utf8.count
    guard index + longestOpening <= bytes.count || isLast else { return .incomplete }
    if ByteScan.stands("<!--", in: bytes, at: index) { return readComment(bytes) }
    guard !isOutside, ByteScan.stands("<![CDATA[", in: bytes, at: index) else { return .outOfOrder }
    let start = index + longestOpening
    guard let end = ByteScan.index(of: "]]>", in: bytes, from: start) else { return .incomplete }
    let content = start..<end
    // One that begins inside another tells that the first may not have been ended.
    guard !holds("<![CDATA[", content, bytes), text.addLines(content, of: bytes) else { return .outOfOrder }
    index = end + 3
    return .read
  }

  private mutating func readComment(_ bytes: borrowing Span<UInt8>) -> Step {
    let start = index + 4
    guard let end = ByteScan.index(of: "--", in: bytes, from: start), end + 2 < bytes.count else { return .incomplete }
    // Tags in it tell that it may not have been ended.
    guard bytes[end + 2] == UInt8(ascii: ">"), !holds("<", start..<end, bytes) else { return .outOfOrder }
    text.keep(from: bytes)
    index = end + 3
    return .read
  }

  /// Deals with `<?`.
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

/// The text between two tags: a part of the input where it can be, else put together.
struct CharacterData {
  /// What was put together.
  private var bytes: [UInt8] = []
  /// The part of the input that follows, which is not copied as long as nothing else does.
  private var run = 0..<0

  /// Whether there is enough for a handler to take it before all of it has come.
  var isLong: Bool { bytes.count + run.count >= XMLReader.longestText }

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

  /// Adds a part of the input with its lines ended as XML reads them (XML 1.0, 2.11); false, and nothing is added, when one ends
  /// otherwise.
  mutating func addLines(_ range: Range<Int>, of input: borrowing Span<UInt8>) -> Bool {
    // Nothing behind the range is looked at.
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

  /// Adds a character of ASCII.
  mutating func add(_ character: UInt8, of input: borrowing Span<UInt8>) {
    keep(from: input)
    bytes.append(character)
  }

  /// Adds the character of a reference that needs no declaration; nil when it is another, else the position behind it.
  mutating func addReference(at start: Int, upTo end: Int, of input: borrowing Span<UInt8>) -> Int? {
    keep(from: input)
    return Self.append(referenceAt: start, upTo: end, of: input, to: &bytes)
  }

  /// Appends the character of a reference; nil when the reference is no such, else the position behind it.
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

  /// Copies what is only a part of the input, which changes.
  mutating func keep(from input: borrowing Span<UInt8>) {
    guard !run.isEmpty else { return }
    bytes.append(input, run)
    run = 0..<0
  }

  /// Hands the text over, and begins anew.
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
