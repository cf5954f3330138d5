import TamisCore

/// A writer of XML: elements with escaped text.
package struct XMLText {
  /// The document so far.
  package private(set) var bytes = Array("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n".utf8)
  private var open: [String] = []

  /// Begins a document.
  ///
  /// - Parameter isSigned: whether a comment names the generator, by which a site recognizes its own files.
  package init(isSigned: Bool = true) {
    if isSigned { bytes += "<!-- Written by Tamis -->\n".utf8 }
  }

  /// Begins an element, which contains what follows until it is ended.
  mutating func begin(_ name: String, _ attributes: KeyValuePairs<String, String?> = [:]) {
    tag(name, attributes)
    bytes += ">\n".utf8
    open.append(name)
  }

  /// Ends the innermost element.
  mutating func end() {
    guard let name = open.popLast() else { return }
    endTag(name)
  }

  /// Writes an element with text, or nothing for nil.
  mutating func element(_ name: String, _ text: String?, _ attributes: KeyValuePairs<String, String?> = [:]) {
    guard let text else { return }
    tag(name, attributes)
    bytes.append(UInt8(ascii: ">"))
    Self.append(text, to: &bytes)
    endTag(name)
  }

  /// Writes an element with markup in a CDATA section, which takes a fifth less than escaping, or nothing for nil.
  package mutating func markup(_ name: String, _ markup: String?, _ attributes: KeyValuePairs<String, String?> = [:]) {
    guard let markup else { return }
    tag(name, attributes)
    bytes += "><![CDATA[".utf8
    Self.append(section: markup, to: &bytes)
    bytes += "]]>".utf8
    endTag(name)
  }

  /// Appends text to a CDATA section, without what XML 1.0 does not allow.
  private static func append(section text: String, to bytes: inout [UInt8]) {
    // Most texts can be copied as they are, and a copy is searched faster than a string.
    let start = bytes.count
    bytes += text.utf8
    guard bytes[start...].contains(where: isSpecialInSection) else { return }
    bytes.removeLast(bytes.count - start)
    let end = Array("]]>".utf8)
    for byte in text.utf8 {
      // Drop what XML 1.0 does not allow; split the end of the section after its brackets.
      if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D { continue }
      bytes.append(byte)
      if byte == end[2], bytes.count >= start + 3, bytes.suffix(3).elementsEqual(end) {
        bytes.removeLast()
        bytes += "]]><![CDATA[>".utf8
      } else if byte >= 0xBE, bytes.count >= start + 3, bytes.suffix(3).starts(with: [0xEF, 0xBF]) {
        bytes.removeLast(3)
      }
    }
  }

  /// Whether a byte can be a part of what a CDATA section cannot contain: a control, U+FFFE, U+FFFF, or `]]>`.
  private static func isSpecialInSection(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "]") || byte == 0xEF || byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D
  }

  /// Writes an element without content.
  mutating func empty(_ name: String, _ attributes: KeyValuePairs<String, String?>) {
    tag(name, attributes)
    bytes += "/>\n".utf8
  }

  private mutating func tag(_ name: String, _ attributes: KeyValuePairs<String, String?>) {
    bytes.append(UInt8(ascii: "<"))
    bytes += name.utf8
    for (name, value) in attributes {
      guard let value else { continue }
      bytes.append(UInt8(ascii: " "))
      bytes += name.utf8
      bytes += "=\"".utf8
      Self.append(value, to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    }
  }

  private mutating func endTag(_ name: String) {
    bytes += "</".utf8
    bytes += name.utf8
    bytes += ">\n".utf8
  }

  /// Appends text escaped for XML, including attributes, without characters that XML 1.0 does not allow.
  static func append(_ text: String, to output: inout [UInt8]) {
    let start = output.count
    HTMLText.append(text, to: &output)
    // A form feed, and the first byte of U+FFFE and U+FFFF.
    guard output[start...].contains(where: { $0 == 0x0C || $0 == 0xEF }) else { return }
    let escaped = Array(output[start...])
    output.removeLast(escaped.count)
    append(escaped: escaped[...], to: &output)
  }

  /// Appends escaped text without controls, U+FFFE or U+FFFF, and with no references but those of XML.
  static func append(escaped text: ArraySlice<UInt8>, to output: inout [UInt8]) {
    var index = text.startIndex
    var copied = index
    func isNext(_ bytes: StaticString) -> Bool { text[index...].starts(with: bytes.withUTF8Buffer(Array.init)) }
    while index < text.endIndex {
      let byte = text[index]
      let isPlain =
        byte >= 0x20 && byte != UInt8(ascii: "&") && byte != 0xEF && byte != 0x7F && byte != UInt8(ascii: "<")
      if isPlain || byte == 0x0A || byte == 0x09 || byte == 0x0D {
        index += 1
        continue
      }
      output += text[copied..<index]
      var length = 1
      switch byte {
      case 0xEF:
        let isNone = text.endIndex - index > 2 && text[index + 1] == 0xBF && text[index + 2] >= 0xBE
        if isNone { length = 3 } else { output.append(byte) }
      case UInt8(ascii: "<"): output += "&lt;".utf8
      case UInt8(ascii: "&"):
        if isNext("&nbsp;") {
          output += [0xC2, 0xA0]
          length = 6
        } else if ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"].contains(where: isNext) {
          output.append(byte)
        } else {
          output += "&amp;".utf8
        }
      default: break
      }
      index += length
      copied = index
    }
    output += text[copied...]
  }
}
