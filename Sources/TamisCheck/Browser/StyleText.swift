import TamisCore

/// The text of a style sheet or a style attribute, for what it loads and where it puts its element.
///
/// Escapes are decoded and comments are spaces (CSS Syntax 3, 4.3); letters are lower case.
struct StyleText {
  /// The text.
  private var text: [UInt8] = []
  /// The text with NUL for each byte of a string.
  private var code: [UInt8] = []

  init(_ source: [UInt8]) {
    var rest = source[...]
    var quote: UInt8?
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\\"): append(Self.escaped(&rest), inString: quote != nil)
      case UInt8(ascii: "/") where quote == nil && rest.first == UInt8(ascii: "*"):
        rest.removeFirst()
        while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest.removeFirst() }
        rest = rest.dropFirst(2)
        append([ASCII.space], inString: false)
      case quote,
        ASCII.lineFeed where quote != nil:
        // A line end ends a string that nothing else ends.
        quote = nil
        append([byte], inString: false)
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        append([byte], inString: quote != nil)
        if quote == nil { quote = byte }
      default: append([byte.asciiLowercased], inString: quote != nil)
      }
    }
  }

  private mutating func append(_ bytes: [UInt8], inString: Bool) {
    text += bytes
    code += inString ? bytes.map { _ in 0 } : bytes
  }

  /// Removes the rest of an escape and returns its meaning.
  private static func escaped(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    let digits = rest.prefix(6).prefix { $0.hexDigitValue != nil }
    rest = rest.dropFirst(digits.count)
    if digits.isEmpty {
      guard let next = rest.popFirst(), next != ASCII.lineFeed else { return [] }
      return [next.asciiLowercased]
    }
    if let space = rest.first, space <= 0x20 { rest.removeFirst() }
    let number = digits.reduce(UInt32(0)) { $0 * 16 + UInt32($1.hexDigitValue ?? 0) }
    return String(Unicode.Scalar(number) ?? "\u{FFFD}").lowercased().utf8.map { $0 }
  }

  /// The functions that load a picture, a font or a sheet (CSS Images 4, CSS Values 5).
  private static let functions = ["url(", "src(", "image(", "image-set(", "cross-fade("]

  /// Whether a browser that applies the text asks a server.
  var loads: Bool {
    if ByteScan.contains(Array("@import".utf8), in: code[...]) { return true }
    return Self.functions.contains { function in
      ends(of: Array(function.utf8)).contains { loads(function, text[$0...]) }
    }
  }

  /// Whether a function loads something, by the text after its parenthesis.
  private func loads(_ function: String, _ arguments: ArraySlice<UInt8>) -> Bool {
    let body = arguments.drop { $0 <= 0x20 }
    guard let first = body.first else { return false }
    let isQuoted = first == UInt8(ascii: "\"") || first == UInt8(ascii: "'")
    switch function {
    case "url(":
      let end = isQuoted ? first : UInt8(ascii: ")")
      return BrowserTree.isAddress((isQuoted ? body.dropFirst() : body).prefix { $0 != end })
    case "src(" where !isQuoted:
      // Its argument is computed.
      return true
    default:
      // A string in the others is a URL.
      let inside = body.prefix { $0 != UInt8(ascii: ")") }
      return inside.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
    }
  }

  private func ends(of word: [UInt8]) -> [Int] {
    code.indices.filter { code[$0] == word[0] && code[$0...].starts(with: word) }.map { $0 + word.count }
  }

  /// Whether the text takes an element out of its place in the page.
  ///
  /// Places are left by positions (CSS Positioned Layout 3, 2.1), transformations (CSS Transforms 1 and 2) and negative
  /// margins (CSS 2, 8.3).
  var leavesItsPlace: Bool {
    code.split { [UInt8(ascii: ";"), UInt8(ascii: "{"), UInt8(ascii: "}")].contains($0) }.contains { declaration in
      let parts = declaration.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      guard parts.count == 2 else { return false }
      let value = String(decoding: parts[1], as: UTF8.self)
      switch String(decoding: parts[0], as: UTF8.self).trimmed() {
      case "position":
        return value.split { !$0.isLetter }.contains { ["absolute", "fixed", "sticky", "var"].contains($0) }
      case "transform", "translate", "scale": return value.trimmed() != "none"
      case let name where name.hasPrefix("margin"):
        return value.split(whereSeparator: \.isWhitespace).contains { $0.hasPrefix("-") }
      default: return false
      }
    }
  }
}
