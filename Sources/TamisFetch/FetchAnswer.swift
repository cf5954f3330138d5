package import TamisCore

/// The result of fetching a feed.
package struct FetchAnswer: Sendable, Hashable {
  /// The outcome of a fetch.
  package enum Outcome: Sendable, Hashable {
    /// A document was received; its bytes have gone to the body.
    case document
    /// The document has not changed since the last time.
    case notModified
    /// The fetch failed.
    case failed(FetchProblem)
  }

  /// The outcome.
  package var outcome: Outcome
  /// The URL of the response after all redirects.
  package var address: String
  /// The target of the permanent redirects before the first other one; nil when the first was not permanent.
  package var permanent: String?
  /// The status of the last response; nil when there was no response.
  package var status: Int?
  /// The header fields of the last response.
  package var fields: [HeaderField] = []
  /// The number of requests made.
  package var requests = 0
  /// The number of bytes of content received over the wire.
  package var wireBytes = 0
  /// The size of the document in bytes, decompressed; 0 when there was none.
  package var unpackedBytes = 0
  /// The duration of the last response in milliseconds.
  package var milliseconds = 0
  /// The digest of the guard under which the requests were made (``AddressGuard/digest``).
  package var guardDigest: Int64?

  /// Creates an answer with only its outcome.
  package init(_ outcome: Outcome, address: String) { (self.outcome, self.address) = (outcome, address) }
}
