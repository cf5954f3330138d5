import TamisCore
import TamisEncoding

/// Finds out in which encoding a document is written, as Universal Feed Parser does, and makes UTF-8 of it.
///
/// What is preferred depends on the HTTP headers (RFC 3023); the first of the preferred, the declared, the marked, the
/// guessed, and UTF-8 that fits the whole document is taken. One stray byte in UTF-8 costs one character, not all others.
struct DocumentEncoding {
  /// The document in UTF-8, its XML declaration naming no encoding.
  var bytes: [UInt8]
  /// The encoding it was in, as it was named.
  var name: String
  /// What should have been the encoding, when it was another.
  var overridden: String?
  /// What was announced, when it was no XML.
  var nonXMLType: String?

  static func decode(_ bytes: [UInt8], contentType: String?, hasHeaders: Bool) -> DocumentEncoding {
    let mark = ByteOrderMark(bytes)
    let body = mark.map { Array(bytes.dropFirst($0.length)) } ?? bytes
    let declared = declaredName(mark.flatMap { decode(body, $0.name, .replace) } ?? body)
    let type = contentType.map(ContentType.init)
    let preferred = preferredName(type, declared: declared, marked: mark?.name, hasHeaders: hasHeaders)
    var result = fit(body, preferred, declared, mark?.name)
    if hasHeaders, type?.isXML != true { result.nonXMLType = type?.mediaType ?? "no content type" }
    result.bytes = withoutDeclaredEncoding(withoutNUL(result.bytes))
    return result
  }

  /// The table of RFC 3023, and what to do without headers.
  private static func preferredName(
    _ type: ContentType?, declared: String?, marked: String?, hasHeaders: Bool
  ) -> String {
    // A plain utf-16 gives way to the mark, which says which of the two it is.
    let wide = [
      "utf-16", "utf-32", "utf_16", "utf_32", "utf16", "u16", "iso-10646-ucs-2", "iso-10646-ucs-4", "csucs4",
      "csunicode", "ucs-2", "ucs-4",
    ]
    let own = declared.flatMap { marked != nil && wide.contains($0) ? marked : $0 } ?? nil
    guard let type else { return own ?? marked ?? (hasHeaders ? "iso-8859-1" : "utf-8") }
    if type.isApplicationXML { return type.charset ?? own ?? marked ?? "utf-8" }
    if type.isText { return type.charset ?? "us-ascii" }
    return own ?? marked ?? "utf-8"
  }

  /// The first encoding that fits; when none does, UTF-8 with its strays.
  private static func fit(
    _ bytes: [UInt8], _ preferred: String, _ declared: String?, _ marked: String?
  ) -> DocumentEncoding {
    func result(_ decoded: [UInt8], _ name: String) -> DocumentEncoding {
      DocumentEncoding(
        bytes: decoded, name: canonical(name), overridden: name == preferred ? nil : preferred, nonXMLType: nil)
    }
    for name in [preferred, declared, marked].compactMap({ $0 }) {
      if let decoded = decode(bytes, name, .refuse) { return result(decoded, name) }
    }
    // Mostly UTF-8: the strays are repaired, nothing is guessed.
    if isMostlyUTF8(bytes), let decoded = decode(bytes, "utf-8", .replace) {
      return result(decoded, "windows-1252")
    }
    if let known = decode(bytes, declared ?? preferred, .replace), declared != nil, !isUTF8Name(declared ?? preferred) {
      return result(known, declared ?? preferred)
    }
    if let guess = EncodingDetector.detect(bytes), let decoded = decode(bytes, guess.asciiLowercased(), .refuse) {
      return result(decoded, guess)
    }
    return result(Windows1252.decode(bytes), "windows-1252")
  }

  private static func decode(
    _ bytes: [UInt8], _ name: String, _ fallback: CharacterDecoder.Fallback
  ) -> [UInt8]? {
    CharacterDecoder.decode(bytes, from: name, fallback)
  }

  /// GB 2312 is always read as what contains it.
  private static func canonical(_ name: String) -> String { name == "gb2312" ? "gb18030" : name }

  private static func isUTF8Name(_ name: String) -> Bool { ["utf-8", "utf8", "us-ascii", "ascii"].contains(name) }

  /// Whether more of what is beyond ASCII is well-formed UTF-8 than not.
  private static func isMostlyUTF8(_ bytes: [UInt8]) -> Bool {
    let span = bytes.span
    var (sequences, strays, index) = (0, 0, 0)
    while index < span.count {
      let length = UTF8Sequence.length(span, at: index)
      if length > 1 { sequences += 1 }
      if length == 0 { strays += 1 }
      index += max(length, 1)
    }
    return sequences > strays
  }

  /// XML allows no NUL, and libxml2 stops at one.
  private static func withoutNUL(_ bytes: [UInt8]) -> [UInt8] {
    bytes.contains(0) ? bytes.filter { $0 != 0 } : bytes
  }

  /// The XML declaration up to its `?>`, when the document begins with one.
  private static func declaration(_ bytes: [UInt8]) -> Range<Int>? {
    let start = bytes.prefix(1000).firstIndex { !$0.isHTMLSpace } ?? 0
    guard bytes[start...].starts(with: "<?xml".utf8) else { return nil }
    guard let end = bytes[start...].prefix(1000).firstIndex(of: UInt8(ascii: ">")) else { return nil }
    return start..<end
  }

  /// Where the name of the encoding stands in the declaration, the quotes left out.
  private static func declaredRange(_ bytes: [UInt8]) -> (whole: Range<Int>, name: Range<Int>)? {
    guard let declaration = declaration(bytes) else { return nil }
    let keyword = Array("encoding".utf8)
    guard
      let start = declaration.first(where: { bytes[$0..<declaration.upperBound].starts(with: keyword) }),
      let open = bytes[start..<declaration.upperBound].firstIndex(where: { $0 == 0x22 || $0 == 0x27 }),
      let close = bytes[(open + 1)..<declaration.upperBound].firstIndex(of: bytes[open])
    else { return nil }
    return (start..<close + 1, open + 1..<close)
  }

  private static func declaredName(_ bytes: [UInt8]) -> String? {
    declaredRange(bytes).flatMap { String(decoding: bytes[$0.name], as: UTF8.self).asciiLowercased().trimmedOrNil() }
  }

  /// Spaces in place of `encoding="…"`, which is not true any more; places stay as they are.
  private static func withoutDeclaredEncoding(_ bytes: [UInt8]) -> [UInt8] {
    guard let range = declaredRange(bytes)?.whole else { return bytes }
    var bytes = bytes
    for index in range { bytes[index] = ASCII.space }
    return bytes
  }
}

/// What the first bytes say about the encoding: a byte order mark, or `<?xm` in a wide one (XML 1.0, appendix F).
struct ByteOrderMark {
  var name: String
  /// Bytes that the mark itself takes.
  var length: Int

  init?(_ bytes: [UInt8]) {
    let head = Array(bytes.prefix(4))
    switch head {
    case [0x00, 0x00, 0xFE, 0xFF]: (name, length) = ("utf-32be", 4)
    case [0xFF, 0xFE, 0x00, 0x00]: (name, length) = ("utf-32le", 4)
    case [0x00, 0x00, 0x00, 0x3C]: (name, length) = ("utf-32be", 0)
    case [0x3C, 0x00, 0x00, 0x00]: (name, length) = ("utf-32le", 0)
    case [0x00, 0x3C, 0x00, 0x3F]: (name, length) = ("utf-16be", 0)
    case [0x3C, 0x00, 0x3F, 0x00]: (name, length) = ("utf-16le", 0)
    case [0x4C, 0x6F, 0xA7, 0x94]: (name, length) = ("cp037", 0)
    case _ where head.starts(with: [0xFE, 0xFF]): (name, length) = ("utf-16be", 2)
    case _ where head.starts(with: [0xFF, 0xFE]): (name, length) = ("utf-16le", 2)
    case _ where head.starts(with: [0xEF, 0xBB, 0xBF]): (name, length) = ("utf-8", 3)
    default: return nil
    }
  }
}
