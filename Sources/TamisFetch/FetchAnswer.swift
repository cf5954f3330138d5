package import TamisCore

/// The result of fetching a feed.
package struct FetchAnswer: Sendable, Hashable {
  /// How it went.
  package enum Outcome: Sendable, Hashable {
    /// A document came; its bytes have gone to the body.
    case document
    /// Nothing has changed since the last time.
    case notModified
    /// It failed.
    case failed(FetchProblem)
  }

  /// How it went.
  package var outcome: Outcome
  /// The URL of the response after all redirects.
  package var address: String
  /// The target of permanent redirects, if all from the first on are permanent; nil when the first was not.
  package var permanent: String?
  /// The status of the last answer; nil when there was no response.
  package var status: Int?
  /// The header fields of the last answer.
  package var fields: [HeaderField] = []
  /// How many requests were made.
  package var requests = 0
  /// How many bytes of content came over the wire.
  package var wireBytes = 0
  /// How many bytes the document has, decompressed; 0 when there was none.
  package var unpackedBytes = 0
  /// How many milliseconds the last answer took.
  package var milliseconds = 0
  /// The digest of the guard that the requests were under (``AddressGuard/digest``).
  package var guardDigest: Int64?

  /// Makes an answer with only its outcome.
  package init(_ outcome: Outcome, address: String) { (self.outcome, self.address) = (outcome, address) }
}
