/// Reads JSON (RFC 8259) piece by piece and reports events; memory is bounded by the longest string.
///
/// Each token is read as a whole, so that the events do not depend on where the pieces end. A byte order mark at the
/// beginning is skipped. The first fault ends reading, except those that a reader which mends goes on after:
///
///     [1, 2,]                  a comma without a value, which is left out
///     [1, /* two */ 2]         a comment, `// …` too
///     ["a	b", "C:\dir"]        a control character in a string, which becomes a space, and an escape of no character
///     [NaN, None, True]        a word of a programming language
package final class JSONReader {
  /// The maximum nesting depth; deeper nesting is a fault.
  package static let deepest = 512
  /// The maximum length of a number in bytes.
  private static let longestScalar = 1024

  private unowned let handler: any JSONHandler
  private let limits: Limits
  private let mends: Bool
  private(set) var isDone = false

  /// What may come next.
  private enum Expected: String {
    case value = "a value"
    case element = "a value, after a comma"
    case firstElement = "a value or the end of the array"
    case key = "the name of a member, after a comma"
    case firstKey = "the name of a member or the end of the object"
    case colon = "a colon"
    case more = "a comma or an end"
    case end = "the end of the document"
  }

  private var expected = Expected.value
  /// Whether each open container is an object.
  private var isObject: [Bool] = []

  /// The kind of token to which the next byte belongs.
  private enum State {
    case space, string, scalar
    /// The position after a slash outside of strings.
    case slash
    case lineComment, blockComment
    /// The position after an asterisk in a comment.
    case asterisk
  }

  private var state = State.space
  /// The part of the current token from earlier pieces.
  private var held: [UInt8] = []
  /// Whether the current string so far ends with a backslash.
  private var isEscaped = false
  /// Whether the current string has to be decoded.
  private var isCoded = false
  private var decoded: [UInt8] = []
  /// The largest buffer for strings that is kept (1 MiB).
  private static let mostKept = 1 << 20
  /// The offsets in the document of the piece and of its line, with the number of that line.
  private var pieceStart = 0
  private var lineStart = 0
  private var lines = 1
  /// The places of the token and of the last comma.
  private var token = Place()
  private var comma = Place()

  private struct Place {
    var offset = 0
    var line = 1
    var column = 1
  }

  /// The line of the current event, counted from 1.
  package var line: Int { token.line }
  /// The column in which the current event begins, in bytes, counted from 1.
  package var column: Int { token.column }
  /// The offset of the current event in the document, in bytes from 0.
  package var offset: Int { token.offset }
  /// Whether the current string or key was longer than a field may be, and was cut.
  package private(set) var isCut = false
  /// The first fault after which the reader went on; nil when there was none.
  package private(set) var mended: JSONFault?

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - handler: the receiver of the events, which must outlive the reader.
  ///   - limits: the limits, of which ``Limits/fieldBytes`` applies to each string.
  ///   - mends: whether to go on after faults that people make.
  package init(handler: any JSONHandler, limits: Limits, mends: Bool = false) {
    (self.handler, self.limits, self.mends) = (handler, limits, mends)
  }

  /// Reads the next part of the document.
  ///
  /// - Returns: whether more input is wanted.
  package func read(_ piece: borrowing Span<UInt8>) -> Bool {
    var index = 0
    while index < piece.count, !isDone {
      switch state {
      case .space: index = beginToken(piece, at: index)
      case .string: index = readString(piece, from: index)
      case .scalar: index = readScalar(piece, from: index)
      case .slash, .lineComment, .blockComment, .asterisk: index = readComment(piece, at: index)
      }
    }
    pieceStart += piece.count
    return !isDone
  }

  /// Ends the document.
  package func finish() {
    guard !isDone else { return }
    // A number in a container may be cut off: it is another number then.
    if state == .scalar, isObject.isEmpty || !Self.isNumber(held) { endScalar() }
    guard !isDone else { return }
    let isInComment = state == .blockComment || state == .asterisk
    if state == .slash || state == .string || state == .scalar || expected != .end || isInComment && !mends {
      token = place(pieceStart)
      fail(state == .string ? "the document ends inside a string" : "the document ends too early")
    }
    isDone = true
  }

  /// Stops reading after the current event.
  package func stop() { isDone = true }

  // MARK: - Places

  private func place(_ offset: Int) -> Place { Place(offset: offset, line: lines, column: offset - lineStart + 1) }

  private func beginLine(at offset: Int) { (lines, lineStart) = (lines + 1, offset) }

  /// Reports a fault at the current token, and ends reading.
  private func fail(_ message: String) {
    isDone = true
    handler.fault(JSONFault(message: message, line: token.line, column: token.column))
  }

  private func mend(_ message: String, at place: Place) {
    if mended == nil { mended = JSONFault(message: message, line: place.line, column: place.column) }
  }
}

// MARK: - Tokens

extension JSONReader {
  /// Reads punctuation or white space, or begins another token; returns the index of the next byte.
  private func beginToken(_ piece: borrowing Span<UInt8>, at index: Int) -> Int {
    let byte = piece[index]
    if byte == ASCII.lineFeed { beginLine(at: pieceStart + index + 1) }
    if byte.isJSONSpace { return index + 1 }
    token = place(pieceStart + index)
    switch byte {
    case UInt8(ascii: "\""):
      (state, isEscaped, isCoded) = (.string, false, false)
      held.append(byte)
      return index + 1
    case UInt8(ascii: "/") where mends: state = .slash
    case _ where Self.isPunctuation(byte): punctuation(byte)
    case 0..<0x20: fail("the control character \(byte) stands outside of strings")
    default:
      state = .scalar
      return index
    }
    return index + 1
  }

  private static func isPunctuation(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","),
      UInt8(ascii: ":"):
      true
    default: false
    }
  }

  /// Reads one byte of a comment, or the one after a slash.
  private func readComment(_ piece: borrowing Span<UInt8>, at index: Int) -> Int {
    let byte = piece[index]
    if byte == ASCII.lineFeed { beginLine(at: pieceStart + index + 1) }
    switch (state, byte) {
    case (.slash, UInt8(ascii: "/")), (.slash, UInt8(ascii: "*")):
      mend("JSON has no comments; this one is left out", at: token)
      state = byte == UInt8(ascii: "/") ? .lineComment : .blockComment
    case (.slash, _): fail("this is no value of JSON")
    case (.lineComment, _): if byte == ASCII.lineFeed { state = .space }
    case (.asterisk, UInt8(ascii: "/")): state = .space
    default: state = byte == UInt8(ascii: "*") ? .asterisk : .blockComment
    }
    return index + 1
  }

  /// Reads a string, from its beginning or on.
  private func readString(_ piece: borrowing Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < piece.count {
      if !isEscaped { index = ByteScan.indexOfJSONEscape(in: piece, from: index) }
      guard index < piece.count else { break }
      let byte = piece[index]
      if byte < 0x20 {
        guard mends else {
          token = place(pieceStart + index)
          fail("a string holds the control character \(byte); such a character must be escaped")
          return piece.count
        }
        isCoded = true
        if byte == ASCII.lineFeed { beginLine(at: pieceStart + index + 1) }
      }
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\"") {
        endString(piece, start..<index + 1)
        return index + 1
      } else if byte == UInt8(ascii: "\\") {
        (isEscaped, isCoded) = (true, true)
      }
      index += 1
    }
    hold(piece, start..<index, limit: StringToken.mostBytes(limits))
    return index
  }

  private func endString(_ piece: borrowing Span<UInt8>, _ range: Range<Int>) {
    state = .space
    // Most strings are in one piece, with the quotation mark before them.
    if held.count == 1, range.lowerBound > 0, range.count < StringToken.mostBytes(limits) - 16 {
      held.removeAll(keepingCapacity: true)
      return endString(piece.extracting(range.lowerBound - 1..<range.upperBound))
    }
    hold(piece, range, limit: StringToken.mostBytes(limits))
    var whole: [UInt8] = []
    swap(&whole, &held)
    isCut = StringToken.cut(&whole, limits)
    endString(whole.span)
    isCut = false
  }

  private func endString(_ whole: borrowing Span<UInt8>) {
    if let fault = UTF8Sequence.firstFault(whole) { return failInString(at: fault, "a string is not UTF-8 here") }
    guard isCoded else { return string(whole.extracting(1..<whole.count - 1)) }
    if let fault = StringToken.decode(whole, mends: mends, into: &decoded) {
      guard mends else { return failInString(at: fault.index, fault.message) }
      mend(fault.message, at: place(of: fault.index, in: whole))
    }
    let text = decoded
    string(text.span)
    if decoded.capacity > Self.mostKept { decoded = [] }
  }

  private func failInString(at index: Int, _ message: String) {
    token.offset += index
    token.column += index
    fail(message)
  }

  /// Returns the place of a byte of a string, which can have line breaks.
  private func place(of index: Int, in string: borrowing Span<UInt8>) -> Place {
    var place = Place(offset: token.offset + index, line: token.line, column: token.column + index)
    for before in 0..<index where string[before] == ASCII.lineFeed {
      (place.line, place.column) = (place.line + 1, index - before)
    }
    return place
  }

  /// Reads a number, a word or what is no JSON, from its beginning or on.
  private func readScalar(_ piece: borrowing Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < piece.count {
      let byte = piece[index]
      let isSlash = mends && byte == UInt8(ascii: "/")
      if byte <= ASCII.space || byte == UInt8(ascii: "\"") || isSlash || Self.isPunctuation(byte) {
        hold(piece, start..<index, limit: Self.longestScalar + 1)
        endScalar()
        return index
      }
      index += 1
    }
    hold(piece, start..<index, limit: Self.longestScalar + 1)
    if held.count > Self.longestScalar { fail("this is no value of JSON, or a number that is too long") }
    return index
  }

  private func endScalar() {
    state = .space
    var scalar = held
    held.removeAll(keepingCapacity: true)
    if token.offset == 0, scalar.starts(with: [0xEF, 0xBB, 0xBF]) {
      scalar.removeFirst(3)
      lineStart = 3
      token = place(3)
      if scalar.isEmpty { return }
    }
    if scalar.count > Self.longestScalar { return fail("this is no value of JSON, or a number that is too long") }
    self.scalar(scalar)
  }

  private func hold(_ piece: borrowing Span<UInt8>, _ range: Range<Int>, limit: Int) {
    held.append(piece, range.prefix(max(0, limit - held.count)))
  }
}

// MARK: - Grammar

extension JSONReader {
  private func string(_ text: borrowing Span<UInt8>) {
    if expected == .key || expected == .firstKey {
      expected = .colon
      handler.key(text)
    } else if beginValue() {
      handler.string(text)
    }
  }

  /// Prepares for a value; returns whether one may be here.
  private func beginValue() -> Bool {
    switch expected {
    case .value, .element, .firstElement:
      expected = isObject.isEmpty ? .end : .more
      return true
    case .key, .firstKey, .colon, .more, .end:
      refuse()
      return false
    }
  }

  private func refuse() { fail("\(expected.rawValue) is expected here") }

  private func punctuation(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["): open(isObject: byte == UInt8(ascii: "{"))
    case UInt8(ascii: "}"), UInt8(ascii: "]"): close(isObject: byte == UInt8(ascii: "}"))
    case UInt8(ascii: ":"): if expected == .colon { expected = .value } else { refuse() }
    default: readComma()
    }
  }

  private func open(isObject: Bool) {
    guard beginValue() else { return }
    guard self.isObject.count < Self.deepest else {
      return fail("objects and arrays are nested more than \(Self.deepest) deep")
    }
    self.isObject.append(isObject)
    expected = isObject ? .firstKey : .firstElement
    if isObject { handler.startObject() } else { handler.startArray() }
  }

  private func close(isObject: Bool) {
    guard self.isObject.last == isObject else { return fail("no \(isObject ? "object" : "array") ends here") }
    switch expected {
    case .firstKey, .firstElement, .more: break
    case .key where mends, .element where mends: mendComma()
    default: return refuse()
    }
    self.isObject.removeLast()
    expected = self.isObject.isEmpty ? .end : .more
    if isObject { handler.endObject() } else { handler.endArray() }
  }

  private func readComma() {
    switch expected {
    case .more:
      expected = isObject.last == true ? .key : .element
      comma = token
    case .key where mends, .element where mends: mendComma()
    case .firstKey where mends, .firstElement where mends:
      comma = token
      mendComma()
    default: refuse()
    }
  }

  private func mendComma() { mend("no value follows this comma; it is left out", at: comma) }

  private func scalar(_ scalar: [UInt8]) {
    if scalar.elementsEqual("null".utf8) {
      if beginValue() { handler.null() }
    } else if scalar.elementsEqual("true".utf8) || scalar.elementsEqual("false".utf8) {
      if beginValue() { handler.bool(scalar.count == 4) }
    } else if Self.isNumber(scalar) {
      if beginValue() { handler.number(scalar.span) }
    } else if mends, let word = Self.words.first(where: { scalar.elementsEqual($0.key.utf8) }) {
      mend("'\(word.key)' is not a value of JSON; write null, true or false", at: token)
      guard beginValue() else { return }
      if let value = word.value { handler.bool(value) } else { handler.null() }
    } else {
      fail("this is no value of JSON")
    }
  }

  /// Words of programming languages with the values that they mean; nil for `null`.
  private static let words: KeyValuePairs<String, Bool?> = [
    "NaN": nil, "Infinity": nil, "-Infinity": nil, "undefined": nil, "None": nil, "nil": nil, "True": true,
    "False": false,
  ]

  /// Whether a text is a number (RFC 8259, section 6).
  private static func isNumber(_ text: [UInt8]) -> Bool {
    var rest = text[...]
    func digits() -> Int {
      let count = rest.prefix(while: \.isASCIIDigit).count
      rest = rest.dropFirst(count)
      return count
    }
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    let isZero = rest.first == UInt8(ascii: "0")
    let count = digits()
    guard count > 0, count == 1 || !isZero else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      if digits() == 0 { return false }
    }
    if let byte = rest.first, byte | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      if digits() == 0 { return false }
    }
    return rest.isEmpty
  }
}

extension UInt8 {
  /// Whether the byte is white space of JSON (RFC 8259, section 2).
  package var isJSONSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0D || self == 0x0A }
}
