public import TamisCore

/// What came of asking for a feed.
public struct FetchAnswer: Sendable, Hashable {
  /// How it went.
  public enum Outcome: Sendable, Hashable {
    /// A document came; its bytes have gone to the body.
    case document
    /// Nothing has changed since the last time.
    case notModified
    /// It failed.
    case failed(FetchProblem)
  }

  /// How it went.
  public var outcome: Outcome
  /// Where the answer is from, at the end of all redirects.
  public var address: String
  /// Where redirects that are permanent lead, all from the first on; nil when the first was none.
  public var permanent: String?
  /// The status of the last answer; nil when none came.
  public var status: Int?
  /// The header fields of the last answer.
  public var fields: [HeaderField] = []
  /// How many requests were made.
  public var requests = 0
  /// How many bytes of content came over the wire.
  public var wireBytes = 0
  /// How many bytes the document has, unpacked; 0 when none came.
  public var unpackedBytes = 0
  /// How many milliseconds the last answer took.
  public var milliseconds = 0

  /// An answer about which no more is known.
  public init(_ outcome: Outcome, address: String) { (self.outcome, self.address) = (outcome, address) }
}
