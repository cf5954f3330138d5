import TamisCore
import TamisEncoding

/// A document's text in UTF-8, piece by piece, without the byte order mark, NULs and a declared encoding.
final class DocumentText {
  /// The encoding of the document.
  let encoding: DocumentEncoding
  private var reader: any ByteReader
  private var decoder: CharacterDecoder
  private var toSkip: Int
  private var isAtStart = true
  private var isAtEnd = false
  /// Whether NULs are removed: XML allows none, and libxml2 stops at one; in JSON a NUL is a fault like others.
  private let dropsNUL: Bool
  /// The reason why reading ended before the document did.
  private(set) var failure: ReadFailure?

  /// Begins to read, or returns nil when the encoding is unknown.
  init?(_ source: any ByteSource, _ encoding: DocumentEncoding, dropsNUL: Bool) throws(ReadFailure) {
    guard let decoder = CharacterDecoder(encoding.method, .replace) else { return nil }
    reader = try source.makeReader()
    self.decoder = decoder
    self.encoding = encoding
    toSkip = encoding.markLength
    self.dropsNUL = dropsNUL
  }

  /// Returns the next piece, empty at the end.
  func next() -> [UInt8] {
    var text: [UInt8] = []
    while !isAtEnd, text.isEmpty || (isAtStart && text.count < TextSurvey.headSize) { decodePiece(into: &text) }
    if isAtStart {
      // The first piece contains the whole declaration.
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
