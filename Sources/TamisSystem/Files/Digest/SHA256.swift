import CNettle

/// A SHA-256 digest (FIPS 180-4), computed by nettle.
package struct SHA256: Sendable, Hashable {
  /// The 32 bytes of the digest.
  package let bytes: [UInt8]

  /// Digests the UTF-8 bytes of a text.
  package init(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// Digests bytes.
  package init(_ data: [UInt8]) {
    var stream = Stream()
    stream.add(data)
    self = stream.finish()
  }

  /// A digest of bytes that arrive piece by piece.
  package struct Stream {
    private var context = sha256_ctx()

    /// Creates a digest of no bytes.
    package init() { unsafe nettle_sha256_init(&context) }

    /// Appends bytes.
    package mutating func add(_ data: [UInt8]) {
      unsafe nettle_sha256_update(&context, data.count, data)
    }

    /// Returns the digest of all bytes.
    package mutating func finish() -> SHA256 {
      var digest = [UInt8](repeating: 0, count: 32)
      unsafe tamis_sha256_digest(&context, &digest)
      return SHA256(digest: digest)
    }
  }

  private init(digest: [UInt8]) { bytes = digest }

  /// The digest as lower-case hexadecimal digits.
  package var hex: String { Hexadecimal.text(bytes) }

  /// The digest in base64, as a Content-Security-Policy states it.
  package var base64: String {
    var output: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let value = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for position in 0..<4 {
        let isPadding = position > group.count
        output.append(isPadding ? UInt8(ascii: "=") : Self.alphabet[Int(value >> UInt32(18 - 6 * position) & 63)])
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
