import TamisCore
import TamisEncoding

/// A document's text in UTF-8, piece by piece, without the byte order mark and a declared encoding.
///
/// In XML it has no NULs either, which XML does not allow, and line feeds at the ends of its lines (XML 1.0, 2.11).
final class DocumentText {
  /// The encoding of the document.
  let encoding: DocumentEncoding
  private var reader: any ByteReader
  private var decoder: CharacterDecoder
  private var toSkip: Int
  private var isAtStart = true
  private var isAtEnd = false
  private let isXML: Bool
  /// Whether the last piece ended in a carriage return.
  private var isAfterReturn = false
  /// The reason why reading ended before the document did.
  private(set) var failure: ReadFailure?

  /// Begins to read, or returns nil when the encoding is unknown.
  init?(_ source: any ByteSource, _ encoding: DocumentEncoding, isXML: Bool) throws(ReadFailure) {
    guard let decoder = CharacterDecoder(encoding.method, .replace) else { return nil }
    reader = try source.makeReader()
    self.decoder = decoder
    self.encoding = encoding
    toSkip = encoding.markLength
    self.isXML = isXML
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
    let begin = text.count
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
    if isXML { normalize(&text, from: begin) }
  }

  /// Removes NULs, and replaces the ends of lines with line feeds.
  private func normalize(_ text: inout [UInt8], from begin: Int) {
    let first = ByteScan.index(of: 0, or: ASCII.carriageReturn, in: text.span, from: begin)
    guard first < text.count || isAfterReturn else { return }
    var kept = isAfterReturn ? begin : first
    for index in kept..<text.count {
      let byte = text[index]
      if byte == 0 { continue }
      let isEnded = isAfterReturn && byte == ASCII.lineFeed
      isAfterReturn = byte == ASCII.carriageReturn
      if isEnded { continue }
      text[kept] = isAfterReturn ? ASCII.lineFeed : byte
      kept += 1
    }
    text.removeLast(text.count - kept)
  }
}
