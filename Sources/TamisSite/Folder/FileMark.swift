public import TamisDigest

/// By what a file is known as it was written.
public struct FileMark: Sendable, Hashable {
  /// In bytes.
  public var size: Int
  /// Of its bytes.
  public var digest: Checksum

  /// A mark as it was kept.
  public init(size: Int, digest: Checksum) { (self.size, self.digest) = (size, digest) }

  /// The mark of a file that holds these bytes.
  public init(_ bytes: [UInt8]) { self.init(size: bytes.count, digest: Checksum(bytes)) }

  /// Whether a file that holds these bytes is as it was written, as far as can be told.
  func fits(_ bytes: [UInt8]) -> Bool { size == bytes.count && digest == Checksum(bytes) }
}

/// What became of a file that was put in its place.
public struct PutResult: Sendable, Hashable {
  /// What was done.
  public enum Outcome: Sendable, Hashable {
    /// It was new, or something else was there.
    case written
    /// It was there already.
    case unchanged
  }

  /// By what it is known from now on.
  public var mark: FileMark
  /// What was done; without writing (``SiteFolder/isWritten``) what would be.
  public var outcome: Outcome
  /// What the owner should know.
  public var note: String?
}

/// What became of a file that was to go.
public enum RemoveResult: Sendable, Hashable {
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
