public import TamisCore

/// What sends one request and brings its answer: libcurl, or what a test puts in its place.
///
/// Redirects are not followed, nothing is remembered from one request to the next, and no credentials are added: that is for those
/// who ask.
package protocol HTTPTransport: Sendable {
  /// Sends a GET request.
  ///
  /// - Parameters:
  ///   - request: what is asked for.
  ///   - body: takes the content of a successful answer piece by piece, unpacked.
  /// - Returns: the answer when it has come as a whole.
  /// - Throws: when none comes, or not as a whole.
  func send(_ request: HTTPRequest, into body: any HTTPBody) async throws(FetchProblem) -> HTTPResponse
}

/// What takes the content of an answer.
package protocol HTTPBody: AnyObject, Sendable {
  /// Takes the next bytes; called from any thread, never twice at once.
  ///
  /// - Throws: when they cannot be kept: the answer is given up.
  func add(_ bytes: [UInt8]) throws(FetchProblem)
}

/// A GET request.
public struct HTTPRequest: Sendable, Hashable {
  /// What is asked for: http or https, without a fragment, a name and a password.
  public var address: String
  /// The name and the password for the server; nil for none.
  public var credentials: Credentials?
  /// Header fields besides those that every request has.
  public var fields: [HeaderField] = []

  /// Asks for an address.
  public init(address: String) { self.address = address }

  /// A name and a password (RFC 7617).
  public struct Credentials: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The password.
    public var password: String

    /// Makes them.
    public init(name: String, password: String) { (self.name, self.password) = (name, password) }
  }
}

/// The answer to a request, but for its content.
public struct HTTPResponse: Sendable, Hashable {
  /// The status code.
  public var status: Int
  /// The header fields, in order.
  public var fields: [HeaderField]
  /// How many bytes of content came over the wire, packed as they were.
  public var wireBytes = 0
  /// How many milliseconds it took until the answer was whole.
  public var milliseconds = 0

  /// Makes an answer.
  public init(status: Int, fields: [HeaderField] = []) { (self.status, self.fields) = (status, fields) }
}

/// How much of an answer is taken, and how long is waited for it.
public struct HTTPLimits: Sendable, Hashable {
  /// Milliseconds until a connection stands, with the look-up of the name and TLS (default 10,000).
  public var connecting = 10_000
  /// Milliseconds until the first byte of the answer, from the request on (default 20,000).
  public var firstByte = 20_000
  /// Milliseconds for all (default 60,000).
  public var whole = 60_000
  /// Most bytes of content on the wire (default 16 MiB).
  public var wireBytes = 16 << 20
  /// Most bytes of content, unpacked (default 64 MiB).
  public var unpackedBytes = 64 << 20
  /// Most bytes of header, informational responses and trailers among them (default 64 KiB).
  public var headerBytes = 64 << 10
  /// Most redirects that are followed (default 5).
  public var redirects = 5

  /// The defaults.
  public init() {}
}
