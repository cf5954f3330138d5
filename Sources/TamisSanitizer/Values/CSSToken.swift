import TamisCore

/// A CSS token that can be part of a harmless value (CSS Syntax Module Level 3, section 4).
///
/// Every other token is ``refused``.
enum CSSToken: Equatable {
  case identifier(Range<Int>)
  /// A name and the parenthesis that opens its arguments.
  case function(Range<Int>)
  case hash(Range<Int>)
  /// A number with its unit or `%` in `unit`; `isNegative` when it is below zero.
  case number(Range<Int>, unit: Range<Int>, isNegative: Bool)
  case string(Range<Int>)
  case colon, semicolon, comma, slash, exclamation, closeParenthesis
  case space
  /// A URL, an escape, a comment, a block, or any other token that does not belong in a simple value.
  case refused
}

/// Reads CSS tokens from bytes.
struct CSSTokenizer: ~Copyable {
  private var index = 0

  /// Returns the next token of `css`; nil at its end.
  ///
  /// The same text must be passed each time.
  mutating func next(_ css: borrowing Span<UInt8>) -> CSSToken? {
    guard index < css.count else { return nil }
    let byte = css[index]
    if byte.isHTMLSpace {
      skip(css) { $0.isHTMLSpace }
      return .space
    }
    if startsNumber(css) { return number(css) }
    if isNameStart(byte) || byte == UInt8(ascii: "-") { return name(css) }
    index += 1
    switch byte {
    case UInt8(ascii: ":"): return .colon
    case UInt8(ascii: ";"): return .semicolon
    case UInt8(ascii: ","): return .comma
    case UInt8(ascii: "!"): return .exclamation
    case UInt8(ascii: ")"): return .closeParenthesis
    case UInt8(ascii: "/"): return index < css.count && css[index] == UInt8(ascii: "*") ? comment(css) : .slash
    case UInt8(ascii: "#"):
      let start = index
      skip(css) { $0.isASCIIAlphanumeric }
      return start == index ? .refused : .hash(start..<index)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return string(css, quote: byte)
    case UInt8(ascii: "\\"):
      index += 1
      return .refused
    default:
      if let closer = Self.closer(byte) { skipBlock(css, closer) }
      return .refused
    }
  }

  private mutating func skip(_ css: borrowing Span<UInt8>, while matches: (UInt8) -> Bool) {
    while index < css.count, matches(css[index]) { index += 1 }
  }

  private func isNameStart(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte == UInt8(ascii: "_") || byte >= 0x80 }

  private func startsNumber(_ css: borrowing Span<UInt8>) -> Bool {
    var probe = index
    if css[probe] == UInt8(ascii: "+") || css[probe] == UInt8(ascii: "-") { probe += 1 }
    if probe < css.count, css[probe] == UInt8(ascii: ".") { probe += 1 }
    return probe < css.count && css[probe].isASCIIDigit
  }

  private mutating func number(_ css: borrowing Span<UInt8>) -> CSSToken {
    let start = index
    let isNegative = css[index] == UInt8(ascii: "-")
    index += css[index].isASCIIDigit || css[index] == UInt8(ascii: ".") ? 0 : 1
    skip(css) { $0.isASCIIDigit }
    if index + 1 < css.count, css[index] == UInt8(ascii: "."), css[index + 1].isASCIIDigit {
      index += 1
      skip(css) { $0.isASCIIDigit }
    }
    let unit = index
    if index < css.count, css[index] == UInt8(ascii: "%") { index += 1 } else { skip(css) { $0.isASCIILetter } }
    return .number(start..<index, unit: unit..<index, isNegative: isNegative)
  }

  private mutating func name(_ css: borrowing Span<UInt8>) -> CSSToken {
    let start = index
    skip(css) { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 >= 0x80 }
    guard index < css.count, css[index] == UInt8(ascii: "(") else { return .identifier(start..<index) }
    index += 1
    if isURL(css, start..<index - 1) {
      skipURL(css)
      return .refused
    }
    return .function(start..<index - 1)
  }

  /// Whether a name begins a URL without quotation marks; one with them is a function.
  private func isURL(_ css: borrowing Span<UInt8>, _ name: Range<Int>) -> Bool {
    guard name.count == 3, zip(name, "url".utf8).allSatisfy({ css[$0].asciiLowercased == $1 }) else { return false }
    var probe = name.upperBound + 1
    while probe < css.count, css[probe].isHTMLSpace { probe += 1 }
    return probe == css.count || css[probe] != UInt8(ascii: "\"") && css[probe] != UInt8(ascii: "'")
  }

  /// Skips a URL with its parenthesis: nothing else has a meaning in it.
  private mutating func skipURL(_ css: borrowing Span<UInt8>) {
    while index < css.count, css[index] != UInt8(ascii: ")") { index += css[index] == UInt8(ascii: "\\") ? 2 : 1 }
    index += 1
  }

  /// Returns the bracket that closes another; nil for a byte that opens none.
  private static func closer(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "("): UInt8(ascii: ")")
    case UInt8(ascii: "["): UInt8(ascii: "]")
    case UInt8(ascii: "{"): UInt8(ascii: "}")
    default: nil
    }
  }

  /// Skips to the end of a block (CSS Syntax, 5.4.8), so that a semicolon in it ends no declaration.
  private mutating func skipBlock(_ css: borrowing Span<UInt8>, _ closer: UInt8) {
    var closers = [closer]
    while index < css.count, let expected = closers.last {
      let byte = css[index]
      if byte == expected {
        closers.removeLast()
        index += 1
      } else if let inner = Self.closer(byte) {
        closers.append(inner)
        index += 1
      } else {
        // Strings, comments and escapes are tokens; so are names, for that of a URL takes its parenthesis.
        if case .function = next(css) { closers.append(UInt8(ascii: ")")) }
      }
    }
  }

  private mutating func comment(_ css: borrowing Span<UInt8>) -> CSSToken {
    index += 1
    while index < css.count {
      if css[index] == UInt8(ascii: "/"), css[index - 1] == UInt8(ascii: "*") {
        index += 1
        break
      }
      index += 1
    }
    return .refused
  }

  /// Reads a string of letters, digits, spaces, hyphens, underscores and dots, which suffice for font names.
  private mutating func string(_ css: borrowing Span<UInt8>, quote: UInt8) -> CSSToken {
    let start = index - 1
    var isPlain = true
    while index < css.count, css[index] != quote {
      let byte = css[index]
      // A line break ends a string that is not closed.
      if byte == ASCII.lineFeed || byte == 0x0D || byte == 0x0C { return .refused }
      if !byte.isASCIIAlphanumeric, byte < 0x80, ![0x20, 0x2D, 0x2E, 0x5F].contains(byte) { isPlain = false }
      index += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    guard index < css.count else { return .refused }
    index += 1
    return isPlain ? .string(start..<index) : .refused
  }
}
