import TamisSystem

/// Digests of texts as 64 bits, for comparison: the same in every run and on every machine.
enum Digest {
  /// Returns the first eight bytes of the SHA-256 digest of a text and its kind.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - kind: the kind of the text, so that a link and a title with the same text have different digests.
  /// - Returns: the first eight bytes of the digest, as a big-endian number.
  static func of(_ text: String, kind: String) -> Int64 {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(kind.utf8.count + 1 + text.utf8.count)
    bytes += kind.utf8
    bytes.append(UInt8(ascii: "\n"))
    bytes += text.utf8
    return SHA256(bytes).bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
  }

  /// Mixes two numbers so that each bit of the result depends on each of theirs (the finalizer of SplitMix64).
  static func mix(_ one: UInt64, _ other: UInt64) -> UInt64 {
    var value = one &* 0x9E37_79B9_7F4A_7C15 &+ other
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
