import TamisCore

/// Facts about a document from one pass over its bytes, before it is parsed.
struct TextSurvey {
  /// The first bytes, enough for a byte order mark and an XML declaration.
  private(set) var head: [UInt8] = []
  /// The number of bytes.
  private(set) var count = 0
  /// Whether the document has nothing but white space.
  private(set) var isBlank = true
  private(set) var isASCII = true
  /// The number of bytes that are not part of well-formed UTF-8, and of well-formed sequences of more than one byte.
  private var strays = 0
  private var sequences = 0
  /// An incomplete sequence at the end of the bytes seen so far.
  private var rest: [UInt8] = []

  static let headSize = 1024

  var isUTF8: Bool { strays == 0 }

  /// Whether non-ASCII characters exist and hardly any are not UTF-8.
  ///
  /// In single-byte encodings this does not happen by chance.
  var isPlainlyUTF8: Bool { sequences > 4 * strays }

  /// Whether there are many non-ASCII characters, all UTF-8.
  ///
  /// In double-byte encodings one in ten may be by chance.
  var isSurelyUTF8: Bool { strays == 0 && sequences > 5 }

  /// Whether enough of the non-ASCII text is UTF-8 for a document that declares UTF-8.
  var isPartlyUTF8: Bool { sequences * 4 > strays }

  /// Whether more of the non-ASCII text is well-formed UTF-8 than not.
  var isMostlyUTF8: Bool { sequences > strays }

  /// Whether the document begins with `<`, another ASCII character and no NUL near them.
  var beginsWithASCIITag: Bool {
    let start = head.drop { $0.isHTMLSpace }.prefix(16)
    return start.first == UInt8(ascii: "<") && start.count == 16 && !start.contains { $0 == 0 || $0 >= 0x80 }
  }

  /// The first byte that is not white space, or nil when ``head`` has none.
  var firstByte: UInt8? { head.first { !$0.isHTMLSpace } }

  /// Whether reading failed before the end of the document.
  private(set) var isCutShort = false

  /// Surveys a document up to `limit` bytes; the rest of a longer one is not counted.
  ///
  /// - Parameters:
  ///   - source: the document.
  ///   - limit: the number of bytes after which reading stops.
  /// - Throws: when nothing of the document can be read.
  init(_ source: any ByteSource, limit: Int) throws(ReadFailure) {
    var reader = try source.makeReader()
    while count <= limit {
      do {
        let piece = try reader.next()
        if piece.isEmpty { break }
        add(piece)
      } catch {
        if count == 0 { throw error }
        isCutShort = true
        break
      }
    }
    look(at: rest)
  }

  private mutating func add(_ piece: [UInt8]) {
    count += piece.count
    if head.count < Self.headSize { head += piece.prefix(Self.headSize - head.count) }
    if isBlank { isBlank = piece.allSatisfy(\.isHTMLSpace) }
    if isASCII { isASCII = ByteScan.indexOfHighByte(in: piece.span, from: 0) == piece.count }
    if isASCII { return }
    let whole = rest + piece
    let end = whole.count - UTF8Sequence.lengthOfIncompleteEnd(whole.span)
    look(at: Array(whole[..<end]))
    rest = Array(whole[end...])
  }

  private mutating func look(at bytes: [UInt8]) {
    let span = bytes.span
    var index = ByteScan.indexOfHighByte(in: span, from: 0)
    while index < span.count {
      let length = UTF8Sequence.length(span, at: index)
      if length == 0 { strays += 1 } else { sequences += 1 }
      index += max(length, 1)
      if index < span.count, span[index] < 0x80 { index = ByteScan.indexOfHighByte(in: span, from: index) }
    }
  }
}
