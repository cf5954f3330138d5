/// Reads a formula's source token by token: `\frac{a}2` is `\frac`, `{`, `a`, `}`, `2`.
struct TeXScanner {
  /// A token: a command without its backslash, or a character.
  enum Token: Equatable {
    case command(String)
    case character(Unicode.Scalar)
    case end
  }

  private let source: [Unicode.Scalar]
  private(set) var position = 0

  init(_ source: [Unicode.Scalar]) { self.source = source }

  private var current: Unicode.Scalar? { position < source.count ? source[position] : nil }

  /// Skips white space and comments, which mean nothing in formulas.
  mutating func skipSpace() {
    while let scalar = current {
      if scalar == "%" {
        while let other = current, other != "\n" { position += other == "\n" ? 0 : 1 }
      } else if !scalar.properties.isWhitespace {
        return
      }
      if current != nil { position += 1 }
    }
  }

  /// Returns the next token behind white space without going on.
  mutating func peek() -> Token {
    skipSpace()
    let start = position
    defer { position = start }
    return raw()
  }

  /// Returns the next token behind white space.
  mutating func next() -> Token {
    skipSpace()
    return raw()
  }

  /// Returns the next token, which may be white space.
  mutating func raw() -> Token {
    guard let scalar = current else { return .end }
    position += 1
    guard scalar == "\\" else { return .character(scalar) }
    guard let first = current else { return .character(scalar) }
    position += 1
    guard first.isTeXLetter else { return .command(String(first)) }
    var name = String(first)
    while let letter = current, letter.isTeXLetter {
      name.unicodeScalars.append(letter)
      position += 1
    }
    if current == "*", Self.starred.contains(name) {
      position += 1
      name += "*"
    }
    return .command(name)
  }

  private static let starred: Set = ["operatorname", "hspace", "vspace", "tag"]

  /// Takes a character if it is the next one behind white space.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    skipSpace()
    guard current == scalar else { return false }
    position += 1
    return true
  }

  /// Returns the source between braces that come next, such as `matrix` in `\begin{matrix}`; nil without them.
  mutating func braced() -> String? {
    guard take("{") else { return nil }
    var (text, depth) = ("", 1)
    while let scalar = current {
      position += 1
      if scalar == "{" { depth += 1 }
      if scalar == "}" { depth -= 1 }
      if depth == 0 { return text }
      text.unicodeScalars.append(scalar)
    }
    return nil
  }

  /// Returns the source between brackets that come next; nil without them.
  mutating func bracketed() -> String? {
    let start = position
    guard take("[") else { return nil }
    var text = ""
    while let scalar = current, scalar != "]" {
      text.unicodeScalars.append(scalar)
      position += 1
    }
    if take("]") { return text }
    position = start
    return nil
  }

  /// Returns a length such as `1.5em`, in em; nil when there is none.
  mutating func length() -> Double? {
    skipSpace()
    var digits = ""
    while let scalar = current, scalar.isASCII, "+-.0123456789".unicodeScalars.contains(scalar) {
      digits.unicodeScalars.append(scalar)
      position += 1
    }
    skipSpace()
    guard let value = Double(digits), position + 1 < source.count else { return nil }
    let unit = String(String.UnicodeScalarView(source[position..<position + 2]))
    guard let size = Self.units[unit] else { return nil }
    position += 2
    return value * size
  }

  /// The lengths in em of the units of TeX, in a font of 10 pt.
  private static let units = [
    "em": 1, "ex": 0.431, "mu": 1.0 / 18, "pt": 0.1, "px": 0.075, "cm": 2.845, "mm": 0.2845, "in": 7.227, "pc": 1.2,
    "bp": 0.1,
  ]
}

extension Unicode.Scalar {
  var isTeXLetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
}
