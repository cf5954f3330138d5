import CZlib

/// Decompresses one zlib stream or gzip member after another.
///
/// This is a class because the state of zlib must not move in memory.
@safe package final class Inflater {
  /// The container of the compressed bytes.
  package enum Format: Sendable {
    /// A gzip member (RFC 1952).
    case gzip
    /// A zlib stream, with header and checksum (RFC 1950).
    case zlib
    /// Raw deflate data (RFC 1951).
    case raw
  }

  private let stream: UnsafeMutablePointer<z_stream>
  /// Whether more output is available without more input.
  package private(set) var hasMore = false
  /// Whether the stream has ended, with the right checksum.
  package private(set) var isEnded = false
  /// Whether the input is damaged; there is no further output.
  package private(set) var isDamaged = false

  /// Creates a stream; nil when there is no memory for it.
  package init?(_ format: Format) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let code =
      switch format {
      case .gzip: unsafe tamis_gunzip_init(stream)
      case .zlib: unsafe tamis_inflate_init(stream)
      case .raw: unsafe tamis_raw_inflate_init(stream)
      }
    guard code == Z_OK else {
      unsafe stream.deallocate()
      return nil
    }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Begins another stream of the same format.
  package func reset() {
    (hasMore, isEnded) = (false, false)
    // This fails only for streams that were never initialized.
    isDamaged = unsafe inflateReset(stream) != Z_OK
  }

  /// Returns the next decompressed bytes, at most 64 KiB.
  ///
  /// The result is empty when more input is needed, or when the stream has ended or is damaged.
  ///
  /// - Parameters:
  ///   - input: the compressed bytes.
  ///   - used: the index at which to begin; afterwards that of the first unused byte.
  /// - Returns: the decompressed bytes; empty when there are none for now.
  package func inflate(_ input: [UInt8], from used: inout Int) -> [UInt8] {
    if isEnded || isDamaged { return [] }
    var (code, isFull, end) = (Z_OK, false, used)
    let output = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      unsafe input.withUnsafeBufferPointer { packed in
        let most = min(packed.count - used, 1 << 30)
        unsafe stream.pointee.next_in = packed.baseAddress.map { unsafe UnsafeMutablePointer(mutating: $0 + used) }
        unsafe stream.pointee.avail_in = UInt32(most)
        unsafe stream.pointee.next_out = buffer.baseAddress
        unsafe stream.pointee.avail_out = UInt32(buffer.count)
        code = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
        end = unsafe used + most - Int(stream.pointee.avail_in)
        count = unsafe buffer.count - Int(stream.pointee.avail_out)
        isFull = unsafe stream.pointee.avail_out == 0
      }
    }
    used = end
    hasMore = code == Z_OK && isFull
    isEnded = code == Z_STREAM_END
    isDamaged = ![Z_OK, Z_BUF_ERROR, Z_STREAM_END].contains(code)
    return output
  }
}

extension Inflater: FrameDecoder {
  package var fault: String? { isDamaged ? "is damaged" : nil }

  package func decode(_ input: [UInt8], from used: inout Int) -> [UInt8] { inflate(input, from: &used) }
}

extension FrameFormat {
  /// gzip (RFC 1952), whose frames are members; of these the only method of compression.
  static let gzip = FrameFormat(
    name: "gzip", unit: "gzip member", mark: [0x1F, 0x8B, 0x08],
    fitsHead: { head in
      // Section 2.3.1: reserved flags, extra flags of deflate, operating systems.
      let (flags, extra, system) = (head[head.startIndex + 3], head[head.startIndex + 8], head[head.startIndex + 9])
      return flags & 0xE0 == 0 && [0, 2, 4].contains(extra) && (system <= 13 || system == 255)
    }, makeDecoder: { _ in Inflater(.gzip) })
}
