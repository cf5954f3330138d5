import CZlib
import TamisCore

/// Unpacks what gzip has packed (RFC 1952), and hands on everything else as it is.
///
/// One member after the other, as `cat a.gz b.gz` writes them; zeros behind the last are padding (2.2 there does not know them,
/// tapes do).
struct GzipReader: ByteReader {
  private var reader: any ByteReader
  private var state = State.unknown

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
      guard let inflater = Inflater() else { throw ReadFailure("there is no memory to unpack it") }
      inflater.take(piece)
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
      if inflater.needsInput {
        let piece = try reader.next()
        if piece.isEmpty {
          if inflater.isBetweenMembers { return [] }
          throw ReadFailure("its gzip data ends too early")
        }
        inflater.take(piece)
      }
      if inflater.isBetweenMembers, try !inflater.beginMember() { continue }
      let output = try inflater.inflate()
      if !output.isEmpty { return output }
    }
  }
}

/// zlib's stream, which has to stay where it is in memory.
@safe private final class Inflater {
  private let stream: UnsafeMutablePointer<z_stream>
  private var used = 0
  /// Whether a member has ended and the next has not begun.
  private(set) var isBetweenMembers = false

  /// Whether all that was given is used, and nothing that follows from it waits for a place.
  var needsInput: Bool { used == input.count && !hasMore }
  private var input: [UInt8] = []
  private var hasMore = false

  init?() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    guard unsafe tamis_gunzip_init(stream) == Z_OK else {
      unsafe stream.deallocate()
      return nil
    }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  func take(_ piece: [UInt8]) { (input, used) = (piece, 0) }

  /// Skips padding; answers whether another member begins.
  func beginMember() throws(ReadFailure) -> Bool {
    while used < input.count, input[used] == 0 { used += 1 }
    if used == input.count { return false }
    guard unsafe inflateReset(stream) == Z_OK else { throw ReadFailure("its gzip data cannot be unpacked") }
    isBetweenMembers = false
    return true
  }

  /// Unpacks the next bytes of the input; none when more input is needed or a member has ended.
  func inflate() throws(ReadFailure) -> [UInt8] {
    var (code, isFull) = (Z_OK, false)
    let output = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      unsafe input.withUnsafeBufferPointer { packed in
        unsafe stream.pointee.next_in = packed.baseAddress.map { unsafe UnsafeMutablePointer(mutating: $0 + used) }
        unsafe stream.pointee.avail_in = UInt32(packed.count - used)
        unsafe stream.pointee.next_out = buffer.baseAddress
        unsafe stream.pointee.avail_out = UInt32(buffer.count)
        code = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
        used = unsafe packed.count - Int(stream.pointee.avail_in)
        count = unsafe buffer.count - Int(stream.pointee.avail_out)
        isFull = unsafe stream.pointee.avail_out == 0
      }
    }
    hasMore = code == Z_OK && isFull
    switch code {
    case Z_STREAM_END: isBetweenMembers = true
    case Z_OK, Z_BUF_ERROR: break
    // What came out before is good.
    default: if output.isEmpty { throw ReadFailure("its gzip data is damaged") }
    }
    return output
  }
}
