import CYAJL
package import TamisCore

/// Reads JSON (RFC 8259) piece by piece with yajl and reports events; memory is bounded by the longest string.
///
/// The grammar is that of yajl, which hostile input has tested for years; Foundation's readers need the whole document
/// at once, and say less about the location of a fault.
///
/// yajl gets the document token by token, each in one piece. The events and their positions therefore do not depend on
/// how the document is split; and yajl, which restarts a token with each piece of it, stays linear.
///
/// A byte order mark at the beginning is skipped. The first fault ends reading.
@safe package final class JSONReader {
  /// The maximum nesting depth; deeper nesting is a fault.
  package static let deepest = 512
  /// The maximum length of a number in bytes.
  private static let longestScalar = 1024

  private var parser: yajl_handle?
  private let callbacks: UnsafeMutablePointer<yajl_callbacks>
  private unowned let handler: any JSONHandler
  private let limits: Limits
  /// The number of open objects and arrays.
  private var depth = 0
  private(set) var isDone = false

  /// The kind of token to which the next byte belongs.
  private enum State {
    case space
    case string
    case scalar
  }

  private var state = State.space
  /// The part of the current token from earlier chunks.
  private var held: [UInt8] = []
  /// Whether the current string so far ends with a backslash, and whether it has a possible escape of a surrogate.
  private var isEscaped = false
  private var hasSurrogate = false
  /// Whether the current string has had a backslash so far.
  private var hasEscape = false
  /// The content of the current string, when it was decoded here.
  var text: UnsafeBufferPointer<UInt8>?
  private var decoded: [UInt8] = []
  private static let emptyString = Array("\"\"".utf8)
  /// The largest buffer for strings that is kept (1 MiB).
  private static let mostKept = 1 << 20
  /// The offsets in the document of the chunk, of the token and of its line.
  private var chunkStart = 0
  private var tokenStart = 0
  private var lineStart = 0

  /// The line of the current event, counted from 1.
  package private(set) var line = 1
  /// The column in which the current event begins, in bytes, counted from 1.
  package var column: Int { tokenStart - lineStart + 1 }
  /// The offset of the current event in the document, in bytes from 0.
  package var offset: Int { tokenStart }
  /// Whether the current string or key was longer than a field may be, and was cut.
  package private(set) var isCut = false

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - handler: the receiver of the events, which must outlive the reader.
  ///   - limits: the limits.
  package init(handler: any JSONHandler, limits: Limits) {
    self.handler = handler
    self.limits = limits
    unsafe callbacks = .allocate(capacity: 1)
    unsafe callbacks.initialize(to: Self.table())
    unsafe parser = unsafe yajl_alloc(callbacks, nil, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    if let parser = unsafe parser { unsafe yajl_free(parser) }
    unsafe callbacks.deallocate()
  }

  /// Reads the next part of the document.
  ///
  /// - Returns: whether more input is wanted.
  package func read(_ chunk: borrowing Span<UInt8>) -> Bool {
    var index = 0
    if !isDone, chunk.count > 0 {
      switch state {
      case .space: break
      case .string: index = scanString(chunk, part: 0, from: 0)
      case .scalar: index = scanScalar(chunk, part: 0)
      }
    }
    while index < chunk.count, !isDone { index = scanToken(chunk, at: index) }
    chunkStart += chunk.count
    return !isDone
  }

  /// Ends the document.
  package func finish() {
    guard !isDone else { return }
    if state == .scalar { endScalar(Span(), 0..<0) }
    guard !isDone else { return }
    tokenStart = chunkStart
    if state == .string {
      fail("the document ends inside a string")
    } else if let parser = unsafe parser, unsafe yajl_complete_parse(parser) != yajl_status_ok {
      fail("the document ends too early")
    }
    isDone = true
  }

  /// Stops reading after the current event.
  package func stop() { isDone = true }
}

// MARK: - Tokens

extension JSONReader {
  /// Reads the token or white space that begins at an index; returns the index after it.
  private func scanToken(_ chunk: borrowing Span<UInt8>, at index: Int) -> Int {
    switch chunk[index] {
    case UInt8(ascii: "\n"):
      line += 1
      lineStart = chunkStart + index + 1
      return index + 1
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): return index + 1
    case let byte where byte < ASCII.space:
      // Two of these are white space to yajl and to HTML, but not to JSON (RFC 8259, section 2).
      tokenStart = chunkStart + index
      fail("the control character \(byte) stands outside of strings")
      return chunk.count
    case UInt8(ascii: "\""):
      begin(.string, at: index)
      return scanString(chunk, part: index, from: index + 1)
    case let byte where Self.isPunctuation(byte):
      tokenStart = chunkStart + index
      give(chunk.extracting(index..<index + 1))
      return index + 1
    default:
      begin(.scalar, at: index)
      return scanScalar(chunk, part: index)
    }
  }

  private func begin(_ token: State, at index: Int) {
    state = token
    tokenStart = chunkStart + index
    isEscaped = false
    hasSurrogate = false
    hasEscape = false
  }

  private static func isPunctuation(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","),
      UInt8(ascii: ":"):
      true
    default: false
    }
  }

  /// Continues a string, which begins or continues at `part` in this chunk.
  private func scanString(_ chunk: borrowing Span<UInt8>, part: Int, from start: Int) -> Int {
    var index = start
    var isEscaped = isEscaped
    while index < chunk.count {
      if !isEscaped {
        index = ByteScan.indexOfJSONEscape(in: chunk, from: index)
        if index == chunk.count { break }
      }
      let byte = chunk[index]
      if byte < 0x20 {
        tokenStart = chunkStart + index
        fail("a string holds the control character \(byte); such a character must be escaped")
        return chunk.count
      }
      if isEscaped {
        isEscaped = false
        // The next chunk may continue the escape of a surrogate.
        if byte == UInt8(ascii: "u"), index + 1 == chunk.count || chunk[index + 1] | 0x20 == UInt8(ascii: "d") {
          hasSurrogate = true
        }
      } else if byte == UInt8(ascii: "\"") {
        endString(chunk, part..<index + 1)
        return index + 1
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
        hasEscape = true
      }
      index += 1
    }
    self.isEscaped = isEscaped
    hold(chunk, part..<index, limit: StringToken.mostBytes(limits))
    return index
  }

  private func endString(_ chunk: borrowing Span<UInt8>, _ range: Range<Int>) {
    state = .space
    if held.isEmpty, !hasSurrogate, range.count <= limits.fieldBytes {
      giveString(chunk.extracting(range))
      return
    }
    hold(chunk, range, limit: StringToken.mostBytes(limits))
    var token = held
    held = []
    isCut = StringToken.cut(&token, limits)
    if hasSurrogate { StringToken.replaceLoneSurrogates(&token) }
    giveString(token.span)
    isCut = false
  }

  /// Continues a token that is neither a string nor punctuation: a number, a literal or something invalid.
  private func scanScalar(_ chunk: borrowing Span<UInt8>, part: Int) -> Int {
    var index = part
    while index < chunk.count {
      let byte = chunk[index]
      if byte <= ASCII.space || byte == UInt8(ascii: "\"") || Self.isPunctuation(byte) {
        endScalar(chunk, part..<index)
        return index
      }
      index += 1
    }
    hold(chunk, part..<index, limit: Self.longestScalar + 1)
    if held.count > Self.longestScalar { fail("this is no JSON value, or a number that is too long") }
    return index
  }

  private func endScalar(_ chunk: borrowing Span<UInt8>, _ range: Range<Int>) {
    state = .space
    hold(chunk, range, limit: Self.longestScalar + 1)
    var token = held
    held = []
    if tokenStart == 0, token.starts(with: [0xEF, 0xBB, 0xBF]) {
      token.removeFirst(3)
      tokenStart = 3
      lineStart = 3
      if token.isEmpty { return }
    }
    guard token.count <= Self.longestScalar else {
      fail("this is no JSON value, or a number that is too long")
      return
    }
    give(token.span)
    // A number ends only with the byte after it.
    if !isDone { give([ASCII.space].span) }
  }

  private func hold(_ chunk: borrowing Span<UInt8>, _ range: Range<Int>, limit: Int) {
    held.append(chunk, range.prefix(max(0, limit - held.count)))
  }
}

// MARK: - yajl

extension JSONReader {
  /// Reports a string, or the name of a member.
  ///
  /// yajl processes each byte of a string twice. It therefore gets an empty string, to check whether a string is
  /// allowed here, and the content is decoded from the token. An invalid token goes to yajl itself, which reports the
  /// reason.
  private func giveString(_ token: borrowing Span<UInt8>) {
    if let index = UTF8Sequence.firstFault(token) {
      tokenStart += index
      fail("a string is not UTF-8 here")
    } else if !hasEscape {
      giveText(token.extracting(1..<token.count - 1))
    } else if StringToken.decode(token, into: &decoded) {
      let text = decoded
      giveText(text.span)
      if decoded.capacity > Self.mostKept { decoded = [] }
    } else {
      give(token)
    }
  }

  private func giveText(_ text: borrowing Span<UInt8>) {
    unsafe text.withUnsafeBufferPointer { bytes in
      unsafe self.text = bytes
      give(Self.emptyString.span)
    }
    unsafe self.text = nil
  }

  /// Passes a whole token to yajl.
  private func give(_ token: borrowing Span<UInt8>) {
    guard let parser = unsafe parser else {
      fail("there is no memory left")
      return
    }
    let status = unsafe token.withUnsafeBufferPointer {
      unsafe yajl_parse(parser, $0.baseAddress, $0.count)
    }
    guard status == yajl_status_error else { return }
    // The position is more exact than the beginning of the token only inside a string.
    if token[0] == UInt8(ascii: "\"") {
      let index = unsafe yajl_get_bytes_consumed(parser)
      if index < token.count - 1 { tokenStart += index }
    }
    unsafe fail(message(of: parser))
  }

  private func message(of parser: yajl_handle) -> String {
    guard let text = unsafe yajl_get_error(parser, 0, nil, 0) else { return "it cannot be read" }
    defer { unsafe yajl_free_error(parser, text) }
    let words = unsafe String(cString: text).trimmed()
    // "lexical error: …" and "parse error: …"
    return words.split(separator: "error: ", maxSplits: 1).last.map(String.init) ?? words
  }

  /// Reports a fault at the current token, and ends reading.
  private func fail(_ message: String) {
    isDone = true
    handler.fault(JSONFault(message: message, line: line, column: column))
  }
}

/// Callbacks of yajl.
extension JSONReader {
  private func enter() -> Bool {
    depth += 1
    guard depth > Self.deepest else { return true }
    fail("objects and arrays are nested more than \(Self.deepest) deep")
    return false
  }

  private static func from(_ data: UnsafeMutableRawPointer?) -> JSONReader? {
    guard let data = unsafe data else { return nil }
    return unsafe Unmanaged<JSONReader>.fromOpaque(data).takeUnretainedValue()
  }

  /// Reports an event to the handler; returns 0 to stop yajl, otherwise 1.
  private static func report(_ data: UnsafeMutableRawPointer?, _ event: (JSONReader) -> Void) -> Int32 {
    guard let reader = unsafe from(data), !reader.isDone else { return 0 }
    event(reader)
    return reader.isDone ? 0 : 1
  }

  /// Returns the content of the current string as decoded here, or else as yajl has decoded it.
  private func text(or bytes: UnsafePointer<UInt8>, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    unsafe text ?? UnsafeBufferPointer(start: bytes, count: count)
  }

  /// Returns the callbacks of yajl.
  private static func table() -> yajl_callbacks {
    var table = yajl_callbacks()
    unsafe table.yajl_null = { data in unsafe JSONReader.report(data) { $0.handler.null() } }
    unsafe table.yajl_boolean = { data, value in
      unsafe JSONReader.report(data) { $0.handler.bool(value != 0) }
    }
    unsafe table.yajl_number = { data, text, count in
      let bytes = unsafe UnsafeRawPointer(text)?.assumingMemoryBound(to: UInt8.self)
      guard let bytes = unsafe bytes else { return 0 }
      return unsafe JSONReader.report(data) { unsafe $0.handler.number(Span(_unsafeStart: bytes, count: count)) }
    }
    unsafe table.yajl_string = { data, text, count in
      guard let text = unsafe text else { return 0 }
      return unsafe JSONReader.report(data) {
        unsafe $0.handler.string(Span(_unsafeElements: $0.text(or: text, count)))
      }
    }
    unsafe table.yajl_map_key = { data, text, count in
      guard let text = unsafe text else { return 0 }
      return unsafe JSONReader.report(data) { unsafe $0.handler.key(Span(_unsafeElements: $0.text(or: text, count))) }
    }
    unsafe table.yajl_start_map = { data in
      unsafe JSONReader.report(data) { if $0.enter() { $0.handler.startObject() } }
    }
    unsafe table.yajl_start_array = { data in
      unsafe JSONReader.report(data) { if $0.enter() { $0.handler.startArray() } }
    }
    unsafe table.yajl_end_map = { data in
      unsafe JSONReader.report(data) {
        $0.depth -= 1
        $0.handler.endObject()
      }
    }
    unsafe table.yajl_end_array = { data in
      unsafe JSONReader.report(data) {
        $0.depth -= 1
        $0.handler.endArray()
      }
    }
    return table
  }
}
