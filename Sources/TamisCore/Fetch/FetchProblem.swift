/// The reason why a feed could not be fetched.
package struct FetchProblem: Error, Sendable, Hashable {
  /// The kind of problem, for programs.
  package enum Reason: String, Sendable, Hashable, CaseIterable {
    /// The address is not a URL that can be fetched.
    case address
    /// The address is on a network that must not be fetched from: loopback, private, link-local, metadata.
    case forbidden
    /// The configuration does not say all that is to be sent: a secret has no value, or a setting cannot be read.
    ///
    /// Nothing was asked then.
    case request
    /// No server can be reached: this machine's network is at fault.
    case offline
    /// The host name does not resolve.
    case resolve
    /// No connection could be made.
    case connect
    /// No secure connection could be made, or the certificate is not valid.
    case tls
    /// A time limit was exceeded: for the connection, the start of the response, or the whole fetch.
    case timeout
    /// The response is not HTTP.
    case `protocol`
    /// The response ended before its announced end.
    case cutOff = "cut-off"
    /// The content coding is unknown, or the compressed data is damaged.
    case encoding
    /// The response is larger than allowed, compressed or decompressed.
    case tooLarge = "too-large"
    /// The header is larger than allowed.
    case headers
    /// Redirects form a loop, are too many, have no valid target, or lead from https to http.
    case redirect
    /// An HTTP status that is not success.
    case http
    /// The server asks for fewer requests (429, 503).
    case rateLimited = "rate-limited"
    /// A service before the server asks for proof that a person reads, such as Cloudflare or Anubis.
    case challenge
    /// There is nothing at the address (404).
    case notFound = "not-found"
    /// The resource is gone for good (410).
    case gone
    /// The document is not a feed.
    case notAFeed = "not-a-feed"
    /// The response is empty.
    case empty
    /// The document could not be stored, for example because the disk is full.
    case write
  }

  /// The kind of problem.
  package var reason: Reason
  /// The problem for people: a sentence without its full stop.
  package var message: String
  /// The HTTP status; nil when there was no response.
  package var status: Int?
  /// The advice for the user, in words that follow the message; nil when there is none.
  ///
  /// The advice is for the user of the command: pages do not show it, and the archive does not store it.
  package var advice: String?

  /// Makes a problem.
  package init(_ reason: Reason, _ message: String, status: Int? = nil) {
    (self.reason, self.message, self.status) = (reason, message, status)
  }

  /// The message, followed by the advice.
  package var advised: String { advice.map { "\(message); \($0)" } ?? message }
}
