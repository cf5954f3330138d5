import TamisCore

/// A repair of what JSON does not allow (RFC 8259) and people write all the same: commas before an end, comments,
/// control characters in strings, and escapes and words of programming languages.
///
/// The repaired text has the length of the original, except where an escape is repaired. Text that is well-formed is
/// not changed. The result does not depend on the boundaries of the pieces.
struct JSONRepair {
  /// A repaired fault with its location, counted as in ``Finding/Location``.
  struct Fault {
    var message: String
    var line: Int
    var column: Int
  }

  private enum State {
    case structure
    case word
    case string
    /// The position after a backslash in a string.
    case escape
    /// The position after a slash outside strings, which may begin a comment.
    case slash
    case lineComment, blockComment
    /// The position after an asterisk in a comment, which may end it.
    case asterisk
  }

  /// The first repaired fault; nil when there was none.
  private(set) var fault: Fault?
  private var state = State.structure
  private var output: [UInt8] = []
  /// The offset in the output of a comma that nothing but white space follows; nil when there is none.
  private var comma: Int?
  /// The offset in the output of the present word, escape or slash.
  private var start = 0
  private var line = 1
  private var column = 0

  /// Returns the next piece, repaired; what is undecided comes with one of the next pieces.
  mutating func repair(_ piece: [UInt8], isLast: Bool) -> [UInt8] {
    output.reserveCapacity(output.count + piece.count)
    for byte in piece {
      column += 1
      read(byte)
      if byte == ASCII.lineFeed { (line, column) = (line + 1, 0) }
    }
    if isLast, state == .word { endWord() }
    let end = isLast ? output.count : decidedEnd
    let decided = Array(output[..<end])
    output.removeSubrange(..<end)
    start -= end
    comma = comma.map { $0 - end }
    return decided
  }

  /// The end of what no later byte changes.
  private var decidedEnd: Int {
    let undecided =
      switch state {
      case .word, .escape, .slash: start
      case .structure, .string, .lineComment, .blockComment, .asterisk: output.count
      }
    return min(undecided, comma ?? undecided)
  }

  private mutating func read(_ byte: UInt8) {
    switch state {
    case .structure: readStructure(byte)
    case .word:
      if byte.isASCIILetter { return output.append(byte) }
      endWord()
      readStructure(byte)
    case .string: readString(byte)
    case .escape:
      output.append(byte)
      // An escape of four digits is decided with the byte after the last of them.
      if output[start + 1] == UInt8(ascii: "u"), byte.isASCIIHexDigit || output.count == start + 2,
        output.count < start + 6
      {
        return
      }
      endEscape()
    case .slash:
      if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "*") {
        note("JSON has no comments; this one is left out")
        output[start] = ASCII.space
        output.append(ASCII.space)
        state = byte == UInt8(ascii: "/") ? .lineComment : .blockComment
      } else {
        state = .structure
        comma = nil
        readStructure(byte)
      }
    case .lineComment:
      output.append(byte == ASCII.lineFeed ? byte : ASCII.space)
      if byte == ASCII.lineFeed { state = .structure }
    case .blockComment, .asterisk:
      output.append(byte == ASCII.lineFeed ? byte : ASCII.space)
      let isEnd = state == .asterisk && byte == UInt8(ascii: "/")
      state = isEnd ? .structure : byte == UInt8(ascii: "*") ? .asterisk : .blockComment
    }
  }

  private mutating func readStructure(_ byte: UInt8) {
    state = .structure
    switch byte {
    case UInt8(ascii: "\""): state = .string
    case UInt8(ascii: "/"):
      (state, start) = (.slash, output.count)
      return output.append(byte)
    case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"):
      if let comma {
        note("no value follows this comma; it is left out")
        output[comma] = ASCII.space
      }
      comma = byte == UInt8(ascii: ",") ? output.count : nil
      return output.append(byte)
    case _ where byte.isASCIILetter || byte == UInt8(ascii: "-"): (state, start) = (.word, output.count)
    default: break
    }
    if !byte.isJSONWhiteSpace { comma = nil }
    output.append(byte)
  }

  /// Words of programming languages and what they mean in JSON, in as many bytes.
  ///
  /// `null` does not fit where three bytes were; an empty text says as little.
  private static let words: [(StaticString, StaticString)] = [
    ("NaN", "\"\" "), ("Infinity", "null    "), ("-Infinity", "null     "), ("undefined", "null     "),
    ("None", "null"), ("True", "true"),
    ("False", "false"), ("nil", "\"\" "),
  ]

  private mutating func endWord() {
    let word = output[start...]
    for (written, meant) in Self.words where word.elementsEqual(written.bytes) {
      note("'\(written)' is not a value of JSON; write null, true or false")
      output.replaceSubrange(start..., with: meant.bytes)
    }
    state = .structure
  }

  private mutating func readString(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): state = .structure
    case UInt8(ascii: "\\"): (state, start) = (.escape, output.count)
    case 0..<0x20:
      note("a control character in a string must be written as an escape")
      return output.append(ASCII.space)
    default: break
    }
    output.append(byte)
  }

  /// Repairs an escape that JSON does not have: of a letter, the backslash is meant; of another character, that.
  private mutating func endEscape() {
    let bytes = Array(output[start...])
    state = .string
    switch bytes[1] {
    case UInt8(ascii: "u"):
      if bytes.count == 6, bytes[2...].allSatisfy(\.isASCIIHexDigit) { return }
    case _ where "\"\\/bfnrt".utf8.contains(bytes[1]): return
    default: break
    }
    note("a backslash before this character must be written as two")
    output.removeSubrange(start...)
    if bytes[1].isASCIILetter { output += [UInt8(ascii: "\\"), UInt8(ascii: "\\")] }
    for byte in bytes.dropFirst() { readString(byte) }
  }

  private mutating func note(_ message: String) {
    if fault == nil { fault = Fault(message: message, line: line, column: column) }
  }
}

extension UInt8 {
  fileprivate var isJSONWhiteSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

  fileprivate var isASCIIHexDigit: Bool {
    isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
  }
}

extension StaticString {
  fileprivate var bytes: [UInt8] { withUTF8Buffer { unsafe Array($0) } }
}
