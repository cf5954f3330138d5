package import TamisFiles

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
  func fits(_ bytes: [UInt8]) -> Bool { size == bytes.count && digest == Checksum(bytes) }
}

/// The result of putting a file into the site.
package struct PutResult: Sendable, Hashable {
  /// The effect on the file.
  package enum Outcome: Sendable, Hashable {
    /// The file was new, or something else was there.
    case written
    /// The file was already there.
    case unchanged
  }

  /// The new fingerprint.
  package var mark: FileMark
  /// The outcome; without writing (``SiteFolder/isWritten``), the one that writing would have.
  package var outcome: Outcome
  /// A note for the owner; nil when there is none.
  package var note: String?
}

/// The result of removing a file.
package enum RemoveResult: Sendable, Hashable {
  /// The file is gone; without writing (``SiteFolder/isWritten``), it would be.
  case removed
  /// The file was already gone.
  case absent
  /// The file stays, with a note for the owner.
  case kept(note: String)
}

extension Site {
  /// The error for a site that cannot be written.
  public struct Failure: Error, CustomStringConvertible {
    /// The problem and its remedy, with the file's name.
    public let description: String
  }
}
