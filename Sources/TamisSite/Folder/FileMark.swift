package import TamisFiles

/// The fingerprint of a written file: its stamp and digest.
package struct FileMark: Sendable, Hashable {
  /// In bytes.
  package var size: Int
  /// Of its bytes.
  package var digest: Checksum

  /// A mark as it was kept.
  package init(size: Int, digest: Checksum) { (self.size, self.digest) = (size, digest) }

  /// The mark of a file that holds these bytes.
  package init(_ bytes: [UInt8]) { self.init(size: bytes.count, digest: Checksum(bytes)) }

  /// Whether a file with these bytes is unchanged since it was written, as far as can be told.
  func fits(_ bytes: [UInt8]) -> Bool { size == bytes.count && digest == Checksum(bytes) }
}

/// The result of putting a file into the site.
package struct PutResult: Sendable, Hashable {
  /// What was done.
  package enum Outcome: Sendable, Hashable {
    /// It was new, or something else was there.
    case written
    /// It was there already.
    case unchanged
  }

  /// Its new fingerprint.
  package var mark: FileMark
  /// What was done; without writing (``SiteFolder/isWritten``) what would be.
  package var outcome: Outcome
  /// A note for the owner; nil when there is none.
  package var note: String?
}

/// The result of removing a file.
package enum RemoveResult: Sendable, Hashable {
  /// It is gone; without writing (``SiteFolder/isWritten``) it would be.
  case removed
  /// It was gone already.
  case absent
  /// It stays, and this is what the owner should know.
  case kept(note: String)
}

/// Why a site could not be written.
public struct SiteError: Error, CustomStringConvertible {
  /// What is wrong and what to do, with the file's name.
  public let description: String
}
