/// The hash that identifies names by their bytes: FNV-1a with 64 bits, the same in every run.
@usableFromInline package enum NameHash {
  /// The hash of no bytes.
  @inlinable package static var empty: UInt64 { 0xcbf2_9ce4_8422_2325 }

  /// Returns the hash of the bytes of `hash` and one more byte.
  @inlinable package static func adding(_ byte: UInt8, to hash: UInt64) -> UInt64 {
    (hash ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  /// Returns the hash of a range of bytes.
  @inlinable package static func of(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    var hash = empty
    for index in range { hash = adding(bytes[index], to: hash) }
    return hash
  }
}
