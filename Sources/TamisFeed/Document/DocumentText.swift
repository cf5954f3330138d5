import TamisCore
import TamisEncoding

/// A document's text in UTF-8, piece by piece: the byte order mark, NULs and a declared encoding left out.
final class DocumentText {
  /// The encoding it is read in.
  let encoding: DocumentEncoding
  private var reader: any ByteReader
  private var decoder: CharacterDecoder
  private var toSkip: Int
  private var isAtStart = true
  private var isAtEnd = false
  /// XML allows no NUL, and libxml2 stops at one; in JSON it is a fault like others.
  private let dropsNUL: Bool
  /// Why reading ended before the document did.
  private(set) var failure: ReadFailure?

  /// Begins to read; nil when there is no such encoding.
  init?(_ source: any ByteSource, _ encoding: DocumentEncoding, dropsNUL: Bool) throws(ReadFailure) {
    guard let decoder = CharacterDecoder(encoding.method, .replace) else { return nil }
    reader = try source.makeReader()
    self.decoder = decoder
    self.encoding = encoding
    toSkip = encoding.markLength
    self.dropsNUL = dropsNUL
  }

  /// The next piece, empty at the end.
  func next() -> [UInt8] {
    var text: [UInt8] = []
    while !isAtEnd, text.isEmpty || (isAtStart && text.count < TextSurvey.headSize) { decodePiece(into: &text) }
    if isAtStart {
      // The declaration is in the first piece as a whole.
      XMLDeclaration.removeEncoding(from: &text)
      isAtStart = false
    }
    return text
  }

  private func decodePiece(into text: inout [UInt8]) {
    var piece: [UInt8] = []
    do { piece = try reader.next() } catch { failure = error }
    let start = min(toSkip, piece.count)
    toSkip -= start
    if piece.isEmpty {
      isAtEnd = true
      _ = decoder.finish(into: &text)
    } else if encoding.isSeenUTF8 {
      text.append(piece.span, start..<piece.count)
    } else {
      _ = decoder.decode(piece.span.extracting(start...), into: &text)
    }
    if dropsNUL, ByteScan.index(of: 0, in: text.span, from: 0) < text.count { text.removeAll { $0 == 0 } }
  }
}
