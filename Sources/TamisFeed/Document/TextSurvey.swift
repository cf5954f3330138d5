import TamisCore

/// Facts about a document from one pass over its bytes, before it is parsed.
struct TextSurvey {
  /// The first bytes, enough for a byte order mark and an XML declaration.
  private(set) var head: [UInt8] = []
  /// Number of bytes.
  private(set) var count = 0
  /// Whether there is nothing but white space.
  private(set) var isBlank = true
  private(set) var isASCII = true
  /// Bytes that are not part of well-formed UTF-8, and sequences of more than one byte that are.
  private var strays = 0
  private var sequences = 0
  /// The beginning of a sequence at the end of what was seen.
  private var rest: [UInt8] = []

  static let headSize = 1024

  var isUTF8: Bool { strays == 0 }

  /// Whether there are characters beyond ASCII that are UTF-8, and hardly anything else: in encodings of one byte a character
  /// that does not come about by chance.
  var isPlainlyUTF8: Bool { sequences > 4 * strays }

  /// Whether there are many characters beyond ASCII, and all are UTF-8: in encodings of two bytes a character one in ten may be
  /// by chance.
  var isSurelyUTF8: Bool { strays == 0 && sequences > 5 }

  /// Whether some of what is beyond ASCII is UTF-8, enough for a document that is declared as UTF-8.
  var isPartlyUTF8: Bool { sequences * 4 > strays }

  /// Whether more of what is beyond ASCII is well-formed UTF-8 than not.
  var isMostlyUTF8: Bool { sequences > strays }

  /// The first byte that is not white space, nil when there is none in the first ones.
  var firstByte: UInt8? { head.first { !$0.isHTMLSpace } }

  /// Whether it could not be read to its end.
  private(set) var isCutShort = false

  /// Surveys a document up to `limit` bytes; one of more is only counted so far.
  ///
  /// - Throws: when nothing of it can be read.
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
