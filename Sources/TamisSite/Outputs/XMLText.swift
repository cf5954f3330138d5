import TamisCore

/// XML in the making: elements with text that is escaped.
struct XMLText {
  private(set) var bytes = Array("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- Written by Tamis -->\n".utf8)
  private var open: [String] = []

  /// Begins an element; what follows stands in it until it is ended.
  mutating func begin(_ name: String, _ attributes: KeyValuePairs<String, String?> = [:]) {
    tag(name, attributes)
    bytes += ">\n".utf8
    open.append(name)
  }

  /// Ends the innermost element.
  mutating func end() {
    guard let name = open.popLast() else { return }
    bytes += "</\(name)>\n".utf8
  }

  /// Writes an element of text; nothing for nil.
  mutating func element(_ name: String, _ text: String?, _ attributes: KeyValuePairs<String, String?> = [:]) {
    guard let text else { return }
    tag(name, attributes)
    bytes.append(UInt8(ascii: ">"))
    append(text)
    bytes += "</\(name)>\n".utf8
  }

  /// Writes an element of markup in a CDATA section, in which a body takes a fifth less than escaped; nothing for nil.
  mutating func markup(_ name: String, _ markup: String?, _ attributes: KeyValuePairs<String, String?> = [:]) {
    guard let markup else { return }
    tag(name, attributes)
    bytes += "><![CDATA[".utf8
    let start = bytes.count
    let end = Array("]]>".utf8)
    for byte in markup.utf8 {
      // What XML 1.0 does not allow, and the end of the section, which begins again behind its brackets.
      if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D { continue }
      bytes.append(byte)
      if byte == end[2], bytes.count >= start + 3, bytes.suffix(3).elementsEqual(end) {
        bytes.removeLast()
        bytes += "]]><![CDATA[>".utf8
      } else if byte >= 0xBE, bytes.count >= start + 3, bytes.suffix(3).starts(with: [0xEF, 0xBF]) {
        bytes.removeLast(3)
      }
    }
    bytes += "]]></\(name)>\n".utf8
  }

  /// Writes an element without content.
  mutating func empty(_ name: String, _ attributes: KeyValuePairs<String, String?>) {
    tag(name, attributes)
    bytes += "/>\n".utf8
  }

  private mutating func tag(_ name: String, _ attributes: KeyValuePairs<String, String?>) {
    bytes += "<\(name)".utf8
    for (name, value) in attributes {
      guard let value else { continue }
      bytes += " \(name)=\"".utf8
      append(value)
      bytes.append(UInt8(ascii: "\""))
    }
  }

  /// Text without what XML 1.0 does not allow as a character: controls, U+FFFE and U+FFFF.
  private mutating func append(_ text: String) {
    let start = bytes.count
    HTMLText.append(text, to: &bytes)
    guard bytes[start...].contains(where: { $0 == 0x0C || $0 == 0xEF }) else { return }
    let written = Array(bytes[start...])
    bytes.removeLast(written.count)
    var index = 0
    while index < written.count {
      let isNone =
        written[index] == 0xEF && index + 2 < written.count && written[index + 1] == 0xBF && written[index + 2] >= 0xBE
      if isNone {
        index += 3
      } else {
        if written[index] != 0x0C { bytes.append(written[index]) }
        index += 1
      }
    }
  }
}
