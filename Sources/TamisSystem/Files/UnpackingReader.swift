import TamisCore

/// Decompresses what is packed (``FrameFormat``), and passes everything else through unchanged.
///
/// Frames are read one after another, as `cat a.gz b.gz` writes them. Zeros between and after them are skipped as
/// padding, which tapes add; RFC 1952, section 2.2, does not provide for it.
struct UnpackingReader: ByteReader {
  private var reader: any ByteReader
  private var decoders = FrameDecoders()
  private var state = State.beginning
  private var input: [UInt8] = []
  private var used = 0

  private enum State {
    case beginning
    case plain
    /// The position is behind a frame of this format.
    case between(FrameFormat)
    case frame(FrameFormat, any FrameDecoder)
    case ended
  }

  init(_ reader: any ByteReader) { self.reader = reader }

  mutating func next() throws(ReadFailure) -> [UInt8] {
    while true {
      switch state {
      case .beginning: try begin()
      case .plain:
        if input.isEmpty { return try reader.next() }
        defer { input = [] }
        return input
      case .between(let last): try beginFrame(after: last)
      case .frame(let format, let decoder):
        let piece = try unpack(format, decoder)
        if !piece.isEmpty { return piece }
      case .ended: return []
      }
    }
  }

  /// Adds the next bytes of the file; returns whether there are any.
  private mutating func fill() throws(ReadFailure) -> Bool {
    let piece = try reader.next()
    (input, used) = (used == input.count ? piece : Array(input[used...]) + piece, 0)
    return !piece.isEmpty
  }

  private mutating func match(after last: FrameFormat?) throws(ReadFailure) -> FrameFormat.Match {
    while true {
      let match = FrameFormat.match(input[used...], after: last)
      guard case .tooFew = match, try fill() else { return match }
    }
  }

  private mutating func begin() throws(ReadFailure) {
    guard case .frame(let format) = try match(after: nil) else {
      state = input.isEmpty ? .ended : .plain
      return
    }
    state = .frame(format, try decoders.decoder(of: format))
  }

  private mutating func beginFrame(after last: FrameFormat) throws(ReadFailure) {
    repeat {
      while used < input.count, input[used] == 0 { used += 1 }
      if used == input.count, !(try fill()) {
        state = .ended
        return
      }
    } while input[used] == 0
    switch try match(after: last) {
    case .frame(let format): state = .frame(format, try decoders.decoder(of: format))
    case .tooFew(let format): throw Self.cut(format)
    case .other: throw ReadFailure("its \(last.name) data is damaged")
    }
  }

  private mutating func unpack(_ format: FrameFormat, _ decoder: any FrameDecoder) throws(ReadFailure) -> [UInt8] {
    if used == input.count, !decoder.hasMore, !(try fill()) { throw Self.cut(format) }
    let output = decoder.decode(input, from: &used)
    if decoder.isEnded {
      state = .between(format)
    } else if output.isEmpty, let fault = decoder.fault {
      // Output from before the damage was valid and has been returned.
      throw ReadFailure("its \(format.name) data \(fault)")
    }
    return output
  }

  private static func cut(_ format: FrameFormat) -> ReadFailure {
    ReadFailure("its \(format.name) data ends too early")
  }
}
