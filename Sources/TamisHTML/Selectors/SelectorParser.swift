import TamisCore

/// Reads selectors.
struct SelectorParser {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func alternatives() throws(TextMistake) -> [[CSSSelector.Part]] {
    guard bytes.count <= CSSSelector.longest else {
      throw mistake(0, "this is longer than \(CSSSelector.longest) bytes")
    }
    var list: [[CSSSelector.Part]] = []
    repeat { list.append(try parts()) } while skip(",")
    if let byte = next { throw notUnderstood(byte) }
    return list
  }

  // MARK: - Elements in elements

  private mutating func parts() throws(TextMistake) -> [CSSSelector.Part] {
    var parts: [CSSSelector.Part] = []
    skipSpace()
    while true {
      let start = position
      var part = try compound()
      if part.isEmpty {
        // A comma or the end; anything else has already been rejected.
        let message = parts.isEmpty ? "a selector is missing here" : "an element is missing behind '>'"
        throw mistake(start, message)
      }
      if part.name == "html" || part.name == "body" {
        throw mistake(start, "html and body contain everything; leave them out")
      }
      part.isChild = isBehindChildSign
      parts.append(part)
      guard parts.count <= CSSSelector.mostParts else {
        throw mistake(start, "the selector nests more than \(CSSSelector.mostParts) elements; leave some out")
      }
      isBehindChildSign = false
      skipSpace()
      if skip(">") {
        isBehindChildSign = true
        skipSpace()
      } else if next == nil || next == UInt8(ascii: ",") {
        return parts
      }
    }
  }

  private var isBehindChildSign = false

  // MARK: - One element

  private mutating func compound() throws(TextMistake) -> CSSSelector.Part {
    var part = CSSSelector.Part()
    if let name = word() { part.name = name.asciiLowercased() }
    while let byte = next {
      switch byte {
      case UInt8(ascii: "."): part.classes.append(try named("class"))
      case UInt8(ascii: "#"):
        let start = position
        let id = try named("id")
        if part.id != nil { throw mistake(start, "an element has only one id") }
        part.id = id
      case UInt8(ascii: "["): part.attributes.append(try attribute())
      case UInt8(ascii: ","), UInt8(ascii: ">"):
        if byte == UInt8(ascii: ">"), part.isEmpty { throw mistake(position, "an element is missing before '>'") }
        return part
      case let byte where byte.isHTMLSpace: return part
      default: throw notUnderstood(byte)
      }
    }
    return part
  }

  private mutating func named(_ what: String) throws(TextMistake) -> String {
    position += 1
    if let name = word() { return name }
    if next == UInt8(ascii: "\\") { throw notUnderstood(UInt8(ascii: "\\")) }
    throw mistake(position, "the name of the \(what) is missing here")
  }

  private mutating func attribute() throws(TextMistake) -> CSSSelector.Attribute {
    let start = position
    position += 1
    skipSpace()
    guard let name = word() else { throw mistake(position, "the name of an attribute is missing here") }
    var attribute = CSSSelector.Attribute(name: name.asciiLowercased())
    skipSpace()
    if let comparison = try comparison() {
      skipSpace()
      let position = position
      let value = try value(openedAt: start)
      if value.isEmpty, comparison != .equals { throw mistake(position, "a value is missing here") }
      attribute.value = (comparison, value)
      skipSpace()
    }
    guard skip("]") else {
      throw mistake(next == nil ? start : position, next == nil ? "this bracket is not closed" : "']' is expected here")
    }
    return attribute
  }

  private mutating func comparison() throws(TextMistake) -> CSSSelector.Comparison? {
    guard let byte = next, byte != UInt8(ascii: "]") else { return nil }
    let length = byte == UInt8(ascii: "=") ? 1 : 2
    let text = String(streamSafe: bytes[position..<min(position + length, bytes.count)])
    guard let comparison = CSSSelector.Comparison(rawValue: text) else {
      let known = CSSSelector.Comparison.allCases.map(\.rawValue).joined(separator: ", ")
      throw mistake(position, "'\(text)' is not supported; use one of \(known)")
    }
    position += length
    return comparison
  }

  private mutating func value(openedAt start: Int) throws(TextMistake) -> String {
    guard let quote = next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      if let word = word() { return word }
      throw mistake(position, "a value is expected here; set it in quotes")
    }
    let from = position + 1
    guard let end = bytes[from...].firstIndex(of: quote) else { throw mistake(position, "this quote is not closed") }
    if let backslash = bytes[from..<end].firstIndex(of: UInt8(ascii: "\\")) {
      throw mistake(backslash, "backslashes are not supported; compare part of a value with '^=' or '*='")
    }
    position = end + 1
    return String(streamSafe: bytes[from..<end])
  }

  // MARK: - Bytes

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skip(_ text: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: text) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() { while let byte = next, byte.isHTMLSpace { position += 1 } }

  /// Reads letters of any script, digits, hyphens and underscores, or returns nil when there are none.
  private mutating func word() -> String? {
    let start = position
    while let byte = next, byte.isASCIIAlphanumeric || byte >= 0x80 || byte == 0x2D || byte == 0x5F { position += 1 }
    return start == position ? nil : String(streamSafe: bytes[start..<position])
  }

  // MARK: - Mistakes

  private func mistake(_ offset: Int, _ message: String) -> TextMistake {
    TextMistake(offset: offset, message: message)
  }

  private func notUnderstood(_ byte: UInt8) -> TextMistake {
    switch byte {
    case UInt8(ascii: ":"):
      return mistake(position, "':' is not supported: there are no pseudo-classes")
    case UInt8(ascii: "+"), UInt8(ascii: "~"):
      let sign = Unicode.Scalar(byte)
      return mistake(position, "'\(sign)' is not supported: only descendants (a b) and children (a > b) are")
    case UInt8(ascii: "*"):
      return mistake(position, "'*' is not supported; name an element, a class, an id or an attribute")
    case UInt8(ascii: "\\"):
      return mistake(position, "backslashes are not supported; write a class with other characters as [class~=\"…\"]")
    default:
      let sign = String(streamSafe: bytes[position...].prefix(1))
      return mistake(
        position,
        "'\(sign)' is not supported; a selector has names, .class, #id, [attribute], 'a b', 'a > b' and commas")
    }
  }
}
