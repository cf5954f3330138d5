/// Why a feed could not be fetched.
public struct FetchProblem: Error, Sendable, Hashable {
  /// What went wrong, as programs know it.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// The address is none that can be asked for.
    case address
    /// The address is on a network that feeds may not lead to: loopback, private, link-local, metadata.
    case forbidden
    /// The host has no address.
    case resolve
    /// Nobody answers there.
    case connect
    /// No secure connection, or the certificate is not in order.
    case tls
    /// It took too long: to connect, to begin, or in all.
    case timeout
    /// What came is not HTTP.
    case `protocol`
    /// The answer ended before its announced end.
    case cutOff = "cut-off"
    /// The content coding is unknown, or what it packed is damaged.
    case encoding
    /// The answer is larger than allowed, as it came or unpacked.
    case tooLarge = "too-large"
    /// The header is larger than allowed.
    case headers
    /// Redirects go round, are too many, lead nowhere, or from https to http.
    case redirect
    /// A status that is no success.
    case http
    /// The server asks to be left alone for a while (429, 503).
    case rateLimited = "rate-limited"
    /// There is nothing at the address (404).
    case notFound = "not-found"
    /// There will never be anything there again (410).
    case gone
    /// What came is something else.
    case notAFeed = "not-a-feed"
    /// The answer holds nothing.
    case empty
    /// What came could not be kept here: the disk is full, say.
    case write
  }

  /// What went wrong.
  public var reason: Reason
  /// The same in a sentence without its full stop, for people.
  public var message: String
  /// The HTTP status that said so; nil when none came.
  public var status: Int?
  /// What the one who asked can do about it, in words that follow the message; nil when nothing is to be recommended.
  ///
  /// It is for those who run the program, not for pages, and not remembered.
  public var advice: String?

  /// Makes a problem.
  public init(_ reason: Reason, _ message: String, status: Int? = nil) {
    (self.reason, self.message, self.status) = (reason, message, status)
  }

  /// The message with the advice behind it.
  public var advised: String { advice.map { "\(message); \($0)" } ?? message }
}
