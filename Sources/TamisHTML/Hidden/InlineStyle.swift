package import TamisCore

/// Reads the declarations of a `style` attribute as browsers do, whether a policy keeps them or not.
///
/// See CSS Syntax Module Level 3, 5.4.4: declarations end at a semicolon outside of brackets and strings, comments
/// separate tokens, and escapes stand for characters. Names and values are in lower case, but for names that begin
/// with two hyphens, with one space for white space. A character that cannot be part of a name, written as an escape,
/// becomes U+0001, which no value has.
package struct InlineStyle: ~Copyable {
  /// A declaration.
  package struct Declaration {
    /// The name of the property.
    package var name: String
    /// The value without `!important`.
    package var value: String
    /// Whether the declaration has `!important`.
    package var isImportant: Bool
    /// The number of the name among those that are wanted; nil for that of a custom property.
    package var number: Int?
  }

  private let css: ArraySlice<UInt8>
  /// The properties that are wanted, and whether all custom ones are.
  private let properties: NameIndex
  private let wantsCustom: Bool
  private var index: Int
  /// The declaration that is being read.
  private var text: [UInt8] = []
  /// The offset in ``text`` of the first colon; nil before it.
  private var colon: Int?
  /// Whether a name such as `--Main` is being read, which has case.
  private var isCustomName = false
  /// The brackets that close the open ones.
  private var closers: [UInt8] = []

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - css: the value of the attribute.
  ///   - properties: the names of the properties whose declarations are returned.
  ///   - wantsCustom: whether those of custom properties are too.
  package init(_ css: ArraySlice<UInt8>, of properties: NameIndex, wantsCustom: Bool = false) {
    (self.css, self.properties, self.wantsCustom, index) = (css, properties, wantsCustom, css.startIndex)
  }

  /// Returns the next declaration of a wanted property; nil at the end.
  package mutating func next() -> Declaration? {
    while index < css.endIndex {
      if !readPlainDeclaration() { readDeclaration() }
      if let declaration = declaration() { return declaration }
    }
    return nil
  }

  /// Reads a declaration as most are, without strings, comments and escapes: `color: rgb(0 0 0)`.
  ///
  /// - Returns: false, without moving, for others.
  private mutating func readPlainDeclaration() -> Bool {
    guard let (end, firstColon) = plainEnd() else { return false }
    guard let firstColon else {
      (index, colon) = (min(end + 1, css.endIndex), nil)
      return true
    }
    var name = index..<firstColon
    while let first = name.first, css[first].isHTMLSpace { name = (first + 1)..<firstColon }
    while let last = name.last, css[last].isHTMLSpace { name = name.lowerBound..<last }
    let isCustom =
      name.count > 1 && css[name.lowerBound] == UInt8(ascii: "-") && css[name.lowerBound + 1] == UInt8(ascii: "-")
    if !css[name].allSatisfy({ Self.isName($0) && (isCustom || $0.asciiLowercased == $0) }) { return false }
    index = min(end + 1, css.endIndex)
    let offset = css.startIndex
    let isWanted =
      isCustom
      ? wantsCustom : properties.number(of: css.span, name.lowerBound - offset..<name.upperBound - offset) != nil
    text.removeAll(keepingCapacity: true)
    colon = isWanted ? name.count : nil
    if !isWanted { return true }
    text += css[name]
    for byte in css[firstColon..<end] {
      let byte = byte.isHTMLSpace ? ASCII.space : byte.asciiLowercased
      if byte != ASCII.space || text.last != byte { text.append(byte) }
    }
    return true
  }

  /// The end of the next declaration and its first colon; nil when what is in it takes more to read.
  private func plainEnd() -> (end: Int, colon: Int?)? {
    var (place, firstColon, depth, last): (Int, Int?, Int, UInt8) = (index, nil, 0, 0)
    while place < css.endIndex {
      let byte = css[place]
      switch byte {
      case UInt8(ascii: ";"): return depth == 0 ? (place, firstColon) : nil
      case UInt8(ascii: ":"): if firstColon == nil { firstColon = place }
      case UInt8(ascii: "("):
        // What is in `url()` has other rules.
        if last.asciiLowercased == UInt8(ascii: "l") { return nil }
        depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        if depth < 0 { return nil }
      case UInt8(ascii: "*"): if last == UInt8(ascii: "/") { return nil }
      // Names of custom properties have case.
      case UInt8(ascii: "-"): if last == byte, firstColon != nil { return nil }
      case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "["), UInt8(ascii: "]"),
        UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "@"):
        return nil
      default: break
      }
      last = byte
      place += 1
    }
    return depth == 0 ? (place, firstColon) : nil
  }

  private mutating func readDeclaration() {
    text.removeAll(keepingCapacity: true)
    closers.removeAll(keepingCapacity: true)
    (colon, isCustomName) = (nil, false)
    while index < css.endIndex {
      let byte = css[index]
      index += 1
      switch byte {
      case UInt8(ascii: ";") where closers.isEmpty: return
      case UInt8(ascii: "/") where index < css.endIndex && css[index] == UInt8(ascii: "*"): skipComment()
      case UInt8(ascii: "\\"): readEscape()
      case UInt8(ascii: "\""), UInt8(ascii: "'"): readString(byte)
      default:
        append(byte)
        if byte == UInt8(ascii: "("), text.suffix(4).elementsEqual("url(".utf8) { readURL() }
        // An at-rule ends with its block.
        if byte == UInt8(ascii: "}"), closers.isEmpty, text.first(where: { $0 != ASCII.space }) == UInt8(ascii: "@") {
          return
        }
      }
    }
  }

  private mutating func append(_ byte: UInt8) {
    if byte.isHTMLSpace {
      isCustomName = false
      if text.last != ASCII.space { text.append(ASCII.space) }
      return
    }
    if byte == UInt8(ascii: "-"), text.last == byte {
      isCustomName = isCustomName || text.count == 1 || !Self.isName(text[text.count - 2])
    } else if !Self.isName(byte) {
      isCustomName = false
    }
    switch byte {
    case UInt8(ascii: "("): closers.append(UInt8(ascii: ")"))
    case UInt8(ascii: "["): closers.append(UInt8(ascii: "]"))
    case UInt8(ascii: "{"): closers.append(UInt8(ascii: "}"))
    case UInt8(ascii: ":"): if colon == nil { colon = text.count }
    default: if byte == closers.last { closers.removeLast() }
    }
    text.append(isCustomName ? byte : byte.asciiLowercased)
  }

  private static func isName(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  private mutating func skipComment() {
    index += 1
    while index + 1 < css.endIndex, css[index] != UInt8(ascii: "*") || css[index + 1] != UInt8(ascii: "/") {
      index += 1
    }
    index = min(index + 2, css.endIndex)
    append(ASCII.space)
  }

  private mutating func readEscape() {
    let digits = css[index...].prefix(6).prefix { $0.hexDigitValue != nil }
    guard !digits.isEmpty else {
      if index < css.endIndex { appendEscaped(UInt32(css[index])) }
      index += 1
      return
    }
    index += digits.count
    if index < css.endIndex, css[index].isHTMLSpace { index += 1 }
    appendEscaped(digits.reduce(0) { $0 << 4 | UInt32($1.hexDigitValue ?? 0) })
  }

  /// Appends a character of a name: an escape never begins a number, ends a declaration, or opens a bracket.
  private mutating func appendEscaped(_ scalar: UInt32) {
    let byte = UInt8(truncatingIfNeeded: scalar)
    let isName = scalar < 0x80 && (byte.isASCIILetter || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_"))
    text.append(isName ? isCustomName ? byte : byte.asciiLowercased : 1)
  }

  /// Reads a URL without quotation marks, in which neither these nor comments have a meaning.
  private mutating func readURL() {
    while index < css.endIndex, css[index].isHTMLSpace { index += 1 }
    guard index < css.endIndex, css[index] != UInt8(ascii: "\""), css[index] != UInt8(ascii: "'") else { return }
    while index < css.endIndex, css[index] != UInt8(ascii: ")") {
      text.append(css[index] == UInt8(ascii: ";") ? 1 : css[index])
      index += 1
    }
  }

  private mutating func readString(_ quote: UInt8) {
    text.append(quote)
    while index < css.endIndex {
      let byte = css[index]
      index += 1
      // A line break ends a string that is not closed.
      if byte == ASCII.lineFeed || byte == 0x0D || byte == 0x0C { return }
      if byte == UInt8(ascii: "\\") { index += 1 } else { text.append(byte.asciiLowercased) }
      if byte == quote { return }
    }
  }

  private func declaration() -> Declaration? {
    guard let colon else { return nil }
    let name = Self.trimmed(text[..<colon])
    let number = properties.number(of: text.span, name.startIndex..<name.endIndex)
    guard number != nil || wantsCustom && name.starts(with: "--".utf8) else { return nil }
    var value = Self.trimmed(text[(colon + 1)...])
    let mark = value.lastIndex(of: UInt8(ascii: "!"))
    let isImportant = mark.map { Self.trimmed(value[($0 + 1)...]).elementsEqual("important".utf8) } ?? false
    if let mark, isImportant { value = Self.trimmed(value[..<mark]) }
    return Declaration(
      name: String(streamSafe: name), value: String(streamSafe: value), isImportant: isImportant, number: number)
  }

  /// Returns bytes without the spaces at both ends.
  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let first = bytes.firstIndex(where: { $0 != ASCII.space }),
      let last = bytes.lastIndex(where: { $0 != ASCII.space })
    else { return [] }
    return bytes[first...last]
  }
}
