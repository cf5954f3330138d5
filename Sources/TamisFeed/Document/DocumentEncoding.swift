import TamisCore
import TamisEncoding

/// The encoding of a document, detected as in Universal Feed Parser.
///
/// The HTTP headers (RFC 3023) decide which encoding is preferred. Among the preferred, the declared and that of the
/// byte order mark, the first that fits the whole document is used; when none does, UTF-8 with invalid bytes, the
/// declared or a detected encoding. A byte order mark, or text that is clearly UTF-8, overrides a preferred encoding
/// other than Unicode. An invalid byte in UTF-8 costs one character, not the whole document.
struct DocumentEncoding {
  /// The encoding used for decoding.
  var method: String
  /// The name of the encoding, as declared.
  var name: String
  /// The encoding that the headers or the declaration name, when another was used.
  var overridden: String?
  /// The declared media type, when it is not XML.
  var nonXMLType: String?
  /// The length of the byte order mark.
  var markLength = 0
  /// Whether the document is JSON.
  var isJSON = false
  /// Whether some bytes are not characters of the encoding; they are replaced by U+FFFD.
  var hasStrays = false
  /// Whether the whole document was found to be UTF-8.
  var isSeenUTF8 = false

  /// The name of the encoding for messages.
  ///
  /// For a document that is UTF-8 but for some bytes, ``name`` is windows-1252, as in Universal Feed Parser.
  var words: String { method == "utf-8" && name == "windows-1252" ? "UTF-8 with some bytes of windows-1252" : name }

  /// Decides the encoding of a surveyed document.
  ///
  /// - Parameters:
  ///   - source: the document.
  ///   - survey: the survey of the document.
  ///   - contentType: the value of its `Content-Type` header.
  ///   - hasHeaders: whether it came with HTTP headers.
  ///   - isDecoded: whether it is UTF-8, whatever it declares.
  /// - Returns: the encoding with which the document is decoded, and whether it is JSON.
  /// - Throws: ``ReadFailure`` when the document cannot be read.
  static func decide(
    _ source: any ByteSource, _ survey: TextSurvey, contentType: String?, hasHeaders: Bool, isDecoded: Bool
  ) throws(ReadFailure) -> DocumentEncoding {
    let mark = ByteOrderMark(survey.head)
    let type = contentType.map(ContentType.init)
    let choice = Choice(source: source, survey: survey, mark: mark)
    // No XML begins with a brace, and no JSON Feed with `<`, whatever a server says.
    let first = firstByte(of: survey, mark)
    if first == UInt8(ascii: "{") || (type?.isJSON == true && first != UInt8(ascii: "<")) {
      let wanted = type?.charset ?? mark?.name ?? "utf-8"
      var result = isDecoded ? choice.decoded : try choice.choose(wanted, declared: nil)
      result.isJSON = true
      return result
    }
    let declared = XMLDeclaration.encoding(in: survey.head, mark)
    let preferred = preferredName(type, declared: declared, marked: mark?.name, hasHeaders: hasHeaders)
    var result = isDecoded ? choice.decoded : try choice.choose(preferred, declared: declared)
    if hasHeaders, type?.isXML != true { result.nonXMLType = type?.mediaType ?? "no content type" }
    return result
  }

  /// Returns the first byte after a byte order mark and white space, as UTF-8.
  private static func firstByte(of survey: TextSurvey, _ mark: ByteOrderMark?) -> UInt8? {
    guard let mark, var decoder = CharacterDecoder(mark.name, .replace) else { return survey.firstByte }
    var text: [UInt8] = []
    _ = decoder.decode(survey.head.span.extracting(mark.length...), into: &text)
    return text.first { !$0.isHTMLSpace }
  }

  /// Returns the preferred encoding by the table of RFC 3023, or without headers.
  private static func preferredName(
    _ type: ContentType?, declared: String?, marked: String?, hasHeaders: Bool
  ) -> String {
    // A plain utf-16 yields to the byte order mark, which tells the byte order.
    let wide = [
      "utf-16", "utf-32", "utf_16", "utf_32", "utf16", "u16", "iso-10646-ucs-2", "iso-10646-ucs-4", "csucs4",
      "csunicode", "ucs-2", "ucs-4",
    ]
    let own = declared.flatMap { marked != nil && wide.contains($0) ? marked : $0 } ?? nil
    guard let type else { return own ?? marked ?? (hasHeaders ? "iso-8859-1" : "utf-8") }
    if type.isApplicationXML { return type.charset ?? own ?? marked ?? "utf-8" }
    // ISO-2022-JP and its kin write all characters in bytes of ASCII.
    let isOfSevenBits =
      own.map { $0.hasPrefix("iso-2022-") || $0.hasPrefix("csiso2022") || $0.hasPrefix("hz-") } ?? false
    if type.isText { return type.charset ?? (isOfSevenBits ? own : nil) ?? "us-ascii" }
    return own ?? marked ?? "utf-8"
  }
}

/// The choice among the encodings that a document may be in.
private struct Choice {
  let source: any ByteSource
  let survey: TextSurvey
  let mark: ByteOrderMark?

  /// The encoding of a document that the caller has already decoded.
  var decoded: DocumentEncoding {
    let length = mark.map { $0.name == "utf-8" ? $0.length : 0 } ?? 0
    return DocumentEncoding(method: "utf-8", name: "utf-8", markLength: length, isSeenUTF8: survey.isUTF8)
  }

  /// Returns the first encoding that fits.
  ///
  /// When none does, the result is UTF-8 with strays if most of the text is UTF-8, else the declared encoding or that
  /// of the byte order mark with strays, else a detected one, else windows-1252.
  func choose(_ preferred: String, declared: String?) throws(ReadFailure) -> DocumentEncoding {
    func result(method: String, name: String) -> DocumentEncoding {
      DocumentEncoding(
        method: method, name: Self.canonical(name), overridden: name == preferred ? nil : preferred,
        markLength: mark?.length ?? 0, isSeenUTF8: survey.isUTF8 && ["utf-8", "utf8", "utf_8"].contains(method))
    }
    // A document that begins with a tag in ASCII has no characters of two bytes, whatever is said of it.
    if survey.beginsWithASCIITag, Self.isWide(preferred) || declared.map(Self.isWide) == true {
      return result(method: "utf-8", name: survey.isUTF8 ? "utf-8" : "windows-1252")
    }
    // Any bytes fit a single-byte encoding, and UTF-8 read in one shows as two or three characters for each. A byte
    // order mark is no coincidence, nor are many characters that are all UTF-8.
    if !Self.isUnicodeName(preferred) {
      if let mark, try fits(mark.name) { return result(method: mark.name, name: mark.name) }
      if Self.hasOneByteACharacter(preferred) ? survey.isPlainlyUTF8 : survey.isSurelyUTF8 {
        return result(method: "utf-8", name: "utf-8")
      }
    }
    for name in [preferred, declared, mark?.name].compactMap({ $0 }) where try fits(name) {
      return result(method: name, name: name)
    }
    // Mostly UTF-8: the strays are repaired without guessing.
    if survey.isMostlyUTF8 || (Self.isUTF8Name(preferred) && survey.isPartlyUTF8) {
      return result(method: "utf-8", name: "windows-1252")
    }
    if let known = declared ?? mark?.name, !Self.isUTF8Name(known), CharacterDecoder(known, .replace) != nil {
      var choice = result(method: known, name: known)
      choice.hasStrays = true
      return choice
    }
    if let guess = try guess(), try fits(guess.asciiLowercased()) {
      return result(method: guess.asciiLowercased(), name: guess)
    }
    return result(method: "windows-1252", name: "windows-1252")
  }

  /// Whether the whole document is text in an encoding.
  private func fits(_ name: String) throws(ReadFailure) -> Bool {
    switch name {
    case "utf-8", "utf8", "utf_8": return survey.isUTF8
    case "us-ascii", "ascii": return survey.isASCII
    default: break
    }
    guard var decoder = CharacterDecoder(name, .refuse) else { return false }
    var reader = try source.makeReader()
    var (skipped, output) = (mark?.length ?? 0, [UInt8]())
    while true {
      let piece = try reader.next()
      if piece.isEmpty { return decoder.finish(into: &output) }
      let start = min(skipped, piece.count)
      skipped -= start
      output.removeAll(keepingCapacity: true)
      guard decoder.decode(piece.span.extracting(start...), into: &output) else { return false }
    }
  }

  private func guess() throws(ReadFailure) -> String? {
    guard let detector = EncodingDetector() else { return nil }
    var reader = try source.makeReader()
    // In blocks of one size, since the detector's result depends on how it is fed.
    let size = 1 << 16
    var block: [UInt8] = []
    while true {
      let piece = try reader.next()
      block += piece
      while block.count >= size {
        detector.add(Array(block.prefix(size)))
        block.removeFirst(size)
      }
      if piece.isEmpty { break }
    }
    detector.add(block)
    return detector.finish()
  }

  /// Returns GB 18030 for GB 2312, which it contains.
  private static func canonical(_ name: String) -> String { name == "gb2312" ? "gb18030" : name }

  private static func isUnicodeName(_ name: String) -> Bool {
    ["ut", "u8", "u16", "ucs", "iso-10646", "csucs", "csunicode", "us-ascii", "ascii"].contains { name.hasPrefix($0) }
  }

  /// Whether the characters of an encoding have two or four bytes.
  private static func isWide(_ name: String) -> Bool {
    ["utf-16", "utf16", "utf_16", "utf-32", "utf32", "utf_32", "u16", "u32", "ucs", "iso-10646", "csucs", "csunicode"]
      .contains { name.hasPrefix($0) }
  }

  private static func hasOneByteACharacter(_ name: String) -> Bool {
    let families = [
      "iso-8859", "iso8859", "iso_8859", "windows-125", "cp125", "latin", "l1", "koi8", "macintosh",
    ]
    return families.contains { name.hasPrefix($0) }
  }

  private static func isUTF8Name(_ name: String) -> Bool { ["utf-8", "utf8", "us-ascii", "ascii"].contains(name) }
}
