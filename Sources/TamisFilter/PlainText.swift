import TamisCore

/// The text of sanitized markup, as it is read: tags that begin a line or a block part words, others do not.
enum PlainText {
  static func of(_ html: SanitizedHTML) -> String {
    let bytes = Array(html.string.utf8)
    guard bytes.contains(UInt8(ascii: "<")) else { return html.string.decodingCharacterReferences() }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "<") else {
        output.append(bytes[index])
        index += 1
        continue
      }
      var name: [UInt8] = []
      index += 1
      if index < bytes.count, bytes[index] == UInt8(ascii: "/") { index += 1 }
      while index < bytes.count, bytes[index].isASCIIAlphanumeric {
        name.append(bytes[index])
        index += 1
      }
      index = end(of: bytes, from: index)
      if !HTMLElements.inWords.contains(String(decoding: name, as: UTF8.self)) { output.append(ASCII.space) }
    }
    return String(decoding: output, as: UTF8.self).decodingCharacterReferences()
  }

  /// The offset after the tag; `>` in a quoted value does not end it.
  private static func end(of bytes: [UInt8], from start: Int) -> Int {
    var index = start
    var quote: UInt8?
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        break
      }
    }
    return index
  }
}
