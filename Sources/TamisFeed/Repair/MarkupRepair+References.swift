import TamisCore

extension MarkupRepair {
  /// Deals with the ampersand here, which begins nothing beyond `end`.
  mutating func repairReference(upTo end: Int) {
    let source = input
    if let length = Reference.common(source.span, at: index, end: end)?.length {
      index += length
      return
    }
    switch Reference.at(index, in: source.span, end: end) {
    case .none:
      note("an ampersand that does not begin a reference must be written &amp;")
      escapeAmpersand()
    case .numeric(let range, number: _, isWritten: true): index = range.upperBound
    case .numeric(let range, let number, isWritten: false):
      note("XML does not know this reference")
      replace(upTo: range.upperBound, with: Self.text(forNumber: number))
    case .named(let name):
      resolve(String(decoding: input[name], as: UTF8.self), upTo: name.upperBound + 1)
    }
  }

  /// Writes the expansion of a name: by the document, else by HTML; an unknown name is text.
  private mutating func resolve(_ name: String, upTo end: Int) {
    switch entities.use(name, most: limits.entityBytes + 4 * position(of: index)) {
    case .text(let value): return replace(upTo: end, with: value)
    case .tooMuch:
      note("the declared entities expand to too much text; '\(name)' is left out from here on")
      return replace(upTo: end, with: "")
    case .unknown: break
    }
    note("entity '\(name)' is not declared")
    let reference = CharacterReference.match(input.span, at: index)
    guard let reference, reference.length == end - index else { return escapeAmpersand() }
    var text = String(reference.first)
    if let second = reference.second { text.unicodeScalars.append(second) }
    replace(upTo: end, with: text)
  }

  private mutating func escapeAmpersand() {
    write(upTo: index + 1)
    output.append(contentsOf: "amp;".utf8)
    index += 1
  }

  private mutating func replace(upTo end: Int, with text: String) {
    write(upTo: index)
    for byte in text.utf8 { appendEscaped(byte) }
    skip(upTo: end)
  }

  /// Writes a byte of text so that it is text everywhere.
  mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
    case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
    case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
    case UInt8(ascii: "\""): output.append(contentsOf: "&quot;".utf8)
    case UInt8(ascii: "]"): output.append(contentsOf: "&#93;".utf8)
    case _ where byte < 0x20 && byte != ASCII.lineFeed && byte != ASCII.tab && byte != ASCII.carriageReturn: break
    default: output.append(byte)
    }
  }

  /// The text that HTML reads in a number; nothing for a control character.
  private static func text(forNumber number: UInt32) -> String {
    switch number {
    case 0x0B, 0x0C: " "
    case 1..<0x20 where !XMLCharacter.isAllowed(number): ""
    case _ where XMLCharacter.isAllowed(number): String(CharacterReference.scalar(forNumber: number))
    default: "\u{FFFD}"
    }
  }
}
