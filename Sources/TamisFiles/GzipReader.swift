import TamisCore

/// Decompresses gzip data (RFC 1952) and passes everything else through unchanged.
///
/// Concatenated members, as written by `cat a.gz b.gz`, are read one after another. Zeros after a member are skipped as
/// padding, which tapes add; RFC 1952, section 2.2, does not provide for it.
struct GzipReader: ByteReader {
  private var reader: any ByteReader
  private var state = State.unknown
  private var input: [UInt8] = []
  private var used = 0

  private enum State {
    case unknown
    case plain
    case packed(Inflater)
    case ended
  }

  init(_ reader: any ByteReader) { self.reader = reader }

  mutating func next() throws(ReadFailure) -> [UInt8] {
    if case .unknown = state {
      let piece = try reader.next()
      guard Self.isPacked(piece) else {
        state = .plain
        return piece
      }
      guard let inflater = Inflater(.gzip) else { throw ReadFailure("there is no memory to unpack it") }
      (input, used) = (piece, 0)
      state = .packed(inflater)
    }
    switch state {
    case .packed(let inflater):
      let piece = try unpack(inflater)
      if piece.isEmpty { state = .ended }
      return piece
    case .ended: return []
    case .plain, .unknown: return try reader.next()
    }
  }

  /// Whether bytes begin with the two identification bytes of gzip and its only compression method.
  private static func isPacked(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B, 0x08]) }

  private mutating func unpack(_ inflater: Inflater) throws(ReadFailure) -> [UInt8] {
    while true {
      // Output from before the damage was valid and has been returned.
      if inflater.isDamaged { throw ReadFailure("its gzip data is damaged") }
      if used == input.count, !inflater.hasMore {
        let piece = try reader.next()
        if piece.isEmpty {
          if inflater.isEnded { return [] }
          throw ReadFailure("its gzip data ends too early")
        }
        (input, used) = (piece, 0)
      }
      if inflater.isEnded {
        while used < input.count, input[used] == 0 { used += 1 }
        if used == input.count { continue }
        inflater.reset()
      }
      let output = inflater.inflate(input, from: &used)
      if !output.isEmpty { return output }
    }
  }
}
