import TamisCore

/// A strict scanner of the grammar that the sanitizer writes; anything that a parser would have to repair is a breach.
///
/// The scanner shares no code with the sanitizer's parser, so that neither repeats the other's mistakes.
struct OutputScanner {
  enum Token {
    /// A start tag with its name as written, and decoded values.
    case start(name: String, attributes: [(name: String, value: String)], isVoid: Bool)
    case end(name: String)
    case text(Range<Int>)
  }

  /// A violation of the grammar.
  struct Fault: Error {
    var message: String
    var offset: Int
  }

  private let bytes: [UInt8]
  /// The offset of the next token.
  private(set) var index = 0

  init(_ html: String) { bytes = Array(html.utf8) }

  /// The bytes of a text token.
  subscript(range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

  /// Returns the next token, or nil at the end.
  mutating func next() throws(Fault) -> Token? {
    guard index < bytes.count else { return nil }
    if bytes[index] == UInt8(ascii: "<") { return try tag() }
    let start = index
    while index < bytes.count, bytes[index] != UInt8(ascii: "<") { try character() }
    return .text(start..<index)
  }

  // MARK: - Characters

  /// Skips one character of text or of a value.
  private mutating func character() throws(Fault) {
    switch bytes[index] {
    case UInt8(ascii: "&"):
      guard let reference = Self.references.first(where: { bytes[index...].starts(with: $0.written.utf8) }) else {
        throw Fault(message: "an ampersand that does not begin one of &amp; &lt; &gt; &quot; &nbsp;", offset: index)
      }
      index += reference.written.utf8.count
    case UInt8(ascii: ">"): throw Fault(message: "a '>' that is not written as &gt;", offset: index)
    case UInt8(ascii: "<"): throw Fault(message: "a '<' inside a value", offset: index)
    case 0xC2 where index + 1 < bytes.count && bytes[index + 1] == 0xA0:
      throw Fault(message: "a no-break space that is not written as &nbsp;", offset: index)
    case 0xC2 where index + 1 < bytes.count && bytes[index + 1] < 0xA0, 0x7F, 0x00..<0x09, 0x0B..<0x20:
      throw Fault(message: "a control character", offset: index)
    default: index += 1
    }
  }

  private static let references: [(written: String, scalar: Unicode.Scalar)] = [
    ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", "\u{A0}"),
  ]

  private static func decoded(_ value: ArraySlice<UInt8>) -> String {
    var output: [UInt8] = []
    var rest = value
    while let byte = rest.first {
      if byte == UInt8(ascii: "&"), let reference = references.first(where: { rest.starts(with: $0.written.utf8) }) {
        output.append(scalar: reference.scalar)
        rest = rest.dropFirst(reference.written.utf8.count)
      } else {
        output.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  // MARK: - Tags

  private mutating func tag() throws(Fault) -> Token {
    let start = index
    index += 1
    let isEnd = index < bytes.count && bytes[index] == UInt8(ascii: "/")
    if isEnd { index += 1 }
    let name = name()
    guard !name.isEmpty, name.utf8.first?.isASCIILetter == true else {
      throw Fault(message: "a '<' that does not begin a tag", offset: start)
    }
    if isEnd {
      try expect(">", in: start)
      return .end(name: name)
    }
    var attributes: [(name: String, value: String)] = []
    while index < bytes.count, bytes[index] == ASCII.space {
      index += 1
      if index < bytes.count, bytes[index] == UInt8(ascii: "/") {
        index += 1
        try expect(">", in: start)
        return .start(name: name, attributes: attributes, isVoid: true)
      }
      attributes.append(try attribute(in: start))
    }
    try expect(">", in: start)
    return .start(name: name, attributes: attributes, isVoid: false)
  }

  /// Reads letters, digits and other characters of names in policies.
  private mutating func name() -> String {
    let start = index
    while index < bytes.count, bytes[index].isASCIIAlphanumeric || [0x2D, 0x3A, 0x5F, 0x2E].contains(bytes[index]) {
      index += 1
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func attribute(in tag: Int) throws(Fault) -> (name: String, value: String) {
    let start = index
    let name = name()
    guard !name.isEmpty else { throw Fault(message: "an attribute without a name", offset: start) }
    try expect("=", in: tag)
    try expect("\"", in: tag)
    let valueStart = index
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") { try character() }
    let value = Self.decoded(bytes[valueStart..<index])
    try expect("\"", in: tag)
    return (name, value)
  }

  private mutating func expect(_ character: Character, in tag: Int) throws(Fault) {
    guard index < bytes.count, bytes[index] == character.asciiValue else {
      throw Fault(message: "a tag in which '\(character)' was expected", offset: min(index, bytes.count - 1))
    }
    index += 1
  }
}
