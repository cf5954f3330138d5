import TamisCore

/// A content coding of HTTP (RFC 9110, section 8.4.1) that can be decoded.
package enum ContentCoding: Sendable, Hashable {
  /// gzip (RFC 1952).
  case gzip
  /// zlib's format (RFC 1950), or raw deflate data, which some servers send instead.
  case deflate
  /// zstd (RFC 8878), with a window of 8 MiB at most (RFC 9659).
  case zstd

  /// Creates a coding from its name in a header field; nil when it cannot be decoded.
  package init?(name: String) {
    switch name.asciiLowercased() {
    case "gzip", "x-gzip": self = .gzip
    case "deflate": self = .deflate
    case "zstd": self = .zstd
    default: return nil
    }
  }

  /// The result of decompression.
  package struct Unpacked: Sendable {
    /// The decompressed bytes, as far as there are any.
    package var bytes: [UInt8] = []
    /// The way in which decompression ended.
    package var end = End.whole
  }

  /// The way in which decompression ended.
  package enum End: Sendable, Hashable {
    /// The input was complete and valid.
    case whole
    /// The compressed bytes end too early.
    case cut
    /// The compressed bytes are damaged after those that gave the output.
    case damaged
    /// The output exceeds the limit; `bytes` has a little more than that.
    case tooLarge
    /// The input does not begin with the header of the coding.
    case notThisCoding
  }

  /// Decompresses bytes.
  ///
  /// - Parameters:
  ///   - packed: the compressed bytes.
  ///   - most: the limit of the output in bytes; decompression stops soon after it.
  /// - Returns: the decompressed bytes as far as there are any, and the way in which decompression ended.
  package func unpack(_ packed: [UInt8], most: Int) -> Unpacked {
    switch self {
    case .gzip:
      if !packed.starts(with: [0x1F, 0x8B]) { return Unpacked(end: .notThisCoding) }
      return Self.inflate(packed, .gzip, most: most)
    case .deflate:
      let isMarked = packed.count > 1 && packed[0] & 0x0F == 8 && (Int(packed[0]) << 8 | Int(packed[1])) % 31 == 0
      let unpacked = Self.inflate(packed, isMarked ? .zlib : .raw, most: most)
      return !isMarked && unpacked.end == .damaged && unpacked.bytes.isEmpty ? Unpacked(end: .notThisCoding) : unpacked
    case .zstd:
      if !packed.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return Unpacked(end: .notThisCoding) }
      return Self.expand(packed, most: most)
    }
  }

  private static func inflate(_ packed: [UInt8], _ format: Inflater.Format, most: Int) -> Unpacked {
    guard let inflater = Inflater(format) else { preconditionFailure("there is no memory for zlib's tables") }
    var (unpacked, used) = (Unpacked(), 0)
    while true {
      unpacked.bytes += inflater.inflate(packed, from: &used)
      if unpacked.bytes.count > most {
        unpacked.end = .tooLarge
        return unpacked
      }
      if inflater.isDamaged { unpacked.end = .damaged }
      if inflater.isEnded {
        // Browsers ignore other bytes after the last member.
        guard format == .gzip, packed[used...].starts(with: [0x1F, 0x8B, 0x08]) else { return unpacked }
        inflater.reset()
      } else if used == packed.count, !inflater.hasMore, unpacked.end == .whole {
        unpacked.end = .cut
      }
      if unpacked.end != .whole { return unpacked }
    }
  }

  private static func expand(_ packed: [UInt8], most: Int) -> Unpacked {
    guard let stream = ZstdStream(windowLog: 23) else { preconditionFailure("there is no memory for zstd's tables") }
    var (unpacked, used) = (Unpacked(), 0)
    while true {
      let start = used
      let piece = stream.expand(packed, from: &used)
      unpacked.bytes += piece
      if unpacked.bytes.count > most {
        unpacked.end = .tooLarge
      } else if stream.fault != nil {
        unpacked.end = .damaged
      } else if stream.isEnded, used == packed.count {
        return unpacked
      } else if piece.isEmpty, used == start {
        unpacked.end = .cut
      }
      if unpacked.end != .whole { return unpacked }
    }
  }
}
