/// The fingerprint of a written file: its size and digest.
package struct FileMark: Sendable, Hashable {
  /// The size in bytes.
  package var size: Int
  /// The digest of the bytes.
  package var digest: Checksum

  /// Creates a stored fingerprint.
  package init(size: Int, digest: Checksum) { (self.size, self.digest) = (size, digest) }

  /// Creates the fingerprint of a file with these bytes.
  package init(_ bytes: [UInt8]) { self.init(size: bytes.count, digest: Checksum(bytes)) }

  /// Whether a file with these bytes is unchanged since it was written, judged by size and digest.
  package func fits(_ bytes: [UInt8]) -> Bool { size == bytes.count && digest == Checksum(bytes) }
}
