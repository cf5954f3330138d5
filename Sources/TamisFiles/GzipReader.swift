import TamisCore

/// Unpacks what gzip has packed (RFC 1952), and hands on everything else as it is.
///
/// One member after the other, as `cat a.gz b.gz` writes them; zeros after the last are padding (2.2 there does not know them,
/// tapes do).
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

  /// Whether bytes begin as gzip's do: two bytes by which it is known, and the one method that there is.
  private static func isPacked(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B, 0x08]) }

  private mutating func unpack(_ inflater: Inflater) throws(ReadFailure) -> [UInt8] {
    while true {
      // What came out before was good.
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
