package import TamisSystem

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
