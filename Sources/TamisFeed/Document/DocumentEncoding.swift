import TamisCore
import TamisXML

/// Finds out in which encoding a document is written, and makes UTF-8 of it.
struct DocumentEncoding {
  /// The document in UTF-8.
  var bytes: [UInt8]
  /// The encoding they were in, lower case.
  var name: String
  /// What the document said it was in, when that is not true.
  var replaced: String?

  /// Decides by byte order mark, then by the shape of the first bytes, then by the XML declaration.
  static func decode(_ bytes: [UInt8]) -> DocumentEncoding {
    if let wide = decodeWide(bytes) { return wide }
    let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    let declared = declaredName(body)
    switch declared {
    case nil, "utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-32", "unicode":
      return utf8(body, declared: declared)
    case "iso-8859-1", "iso8859-1", "latin1", "latin-1", "windows-1252", "cp1252":
      // Those who write Latin-1 mean windows-1252 (WHATWG Encoding Standard, 4.2).
      return DocumentEncoding(
        bytes: Windows1252.decode(withoutNUL(body)), name: declared ?? "windows-1252", replaced: nil)
    case let name?:
      guard let decoded = CharacterDecoder.decode(body, from: name) else { return utf8(body, declared: name) }
      return DocumentEncoding(bytes: withoutNUL(decoded), name: name, replaced: nil)
    }
  }

  /// UTF-8, in which bytes that are not stand for their windows-1252 characters: one bad byte costs one character.
  private static func utf8(_ bytes: [UInt8], declared: String?) -> DocumentEncoding {
    let clean = withoutNUL(bytes)
    let isKnown = declared == nil || declared == "utf-8" || declared == "utf8" || declared?.hasSuffix("ascii") == true
    guard UTF8Sequence.firstFault(clean.span) != nil else {
      return DocumentEncoding(bytes: clean, name: "utf-8", replaced: isKnown ? nil : declared)
    }
    var output: [UInt8] = []
    output.reserveCapacity(clean.count + clean.count / 16)
    var index = 0
    while index < clean.count {
      let length = UTF8Sequence.length(clean.span, at: index)
      if length == 0 {
        output.append(scalar: Windows1252.scalar(for: clean[index]))
        index += 1
      } else {
        output.append(clean.span, index..<index + length)
        index += length
      }
    }
    return DocumentEncoding(bytes: output, name: "windows-1252", replaced: declared ?? "utf-8")
  }

  /// XML allows no NUL, and libxml2 stops at one.
  private static func withoutNUL(_ bytes: [UInt8]) -> [UInt8] {
    bytes.contains(0) ? bytes.filter { $0 != 0 } : bytes
  }

  /// The encoding that the XML declaration names, in lower case.
  private static func declaredName(_ bytes: [UInt8]) -> String? {
    let head = String(decoding: bytes.prefix(400), as: UTF8.self)
    guard let declaration = head.range(of: "<?xml"), let end = head.range(of: "?>", from: declaration.upperBound),
      let keyword = head.range(of: "encoding", from: declaration.upperBound), keyword.upperBound < end.lowerBound
    else { return nil }
    let rest = head[keyword.upperBound..<end.lowerBound].drop { $0 == " " || $0 == "=" }
    guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
    return rest.dropFirst().prefix { $0 != quote }.asciiLowercased().trimmedOrNil()
  }

  /// UTF-16 and UTF-32, with or without a byte order mark.
  private static func decodeWide(_ bytes: [UInt8]) -> DocumentEncoding? {
    let head = Array(bytes.prefix(4))
    let (name, width, isBigEndian): (String, Int, Bool)
    switch head {
    case [0x00, 0x00, 0xFE, 0xFF], [0x00, 0x00, 0x00, 0x3C]: (name, width, isBigEndian) = ("utf-32be", 4, true)
    case [0xFF, 0xFE, 0x00, 0x00], [0x3C, 0x00, 0x00, 0x00]: (name, width, isBigEndian) = ("utf-32le", 4, false)
    case [0x00, 0x3C, 0x00, 0x3F]: (name, width, isBigEndian) = ("utf-16be", 2, true)
    case [0x3C, 0x00, 0x3F, 0x00]: (name, width, isBigEndian) = ("utf-16le", 2, false)
    case _ where head.starts(with: [0xFE, 0xFF]): (name, width, isBigEndian) = ("utf-16be", 2, true)
    case _ where head.starts(with: [0xFF, 0xFE]): (name, width, isBigEndian) = ("utf-16le", 2, false)
    default: return nil
    }
    let units = stride(from: 0, to: bytes.count - width + 1, by: width).map { start -> UInt32 in
      let unit = isBigEndian ? Array(bytes[start..<start + width]) : bytes[start..<start + width].reversed()
      return unit.reduce(0) { $0 << 8 | UInt32($1) }
    }
    var text: String
    if width == 2 {
      text = String(decoding: units.map(UInt16.init(truncatingIfNeeded:)), as: UTF16.self)
    } else {
      text = ""
      text.unicodeScalars.append(contentsOf: units.map { Unicode.Scalar($0) ?? "\u{FFFD}" })
    }
    if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    return DocumentEncoding(bytes: withoutNUL(Array(text.utf8)), name: name, replaced: nil)
  }
}

extension String {
  /// The first place of `text` at or after `start`.
  fileprivate func range(of text: String, from start: Index? = nil) -> Range<Index>? {
    var index = start ?? startIndex
    while index < endIndex {
      if self[index...].hasPrefix(text) { return index..<self.index(index, offsetBy: text.count) }
      index = self.index(after: index)
    }
    return nil
  }
}
