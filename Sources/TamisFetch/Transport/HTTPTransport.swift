package import TamisCore

/// Sends single requests and returns their responses, with libcurl or a substitute in tests.
///
/// Redirects are not followed, nothing is remembered from one request to the next, and no credentials are added: that
/// is up to the caller.
package protocol HTTPTransport: Sendable {
  /// Sends a GET request.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - body: receives the content of a successful response piece by piece, decompressed.
  /// - Returns: the response, when it is complete.
  /// - Throws: when there is no response, or an incomplete one.
  func send(_ request: HTTPRequest, into body: any HTTPBody) async throws(FetchProblem) -> HTTPResponse
}

/// A receiver of the content of a response.
package protocol HTTPBody: AnyObject, Sendable {
  /// Receives the next bytes; called from any thread, never concurrently.
  ///
  /// - Throws: when the bytes cannot be stored, which ends the transfer.
  func add(_ bytes: [UInt8]) throws(FetchProblem)
}

/// A GET request.
package struct HTTPRequest: Sendable, Hashable {
  /// The http or https URL, without fragment and credentials.
  package var address: String
  /// The credentials for the server; nil for none.
  package var credentials: Credentials?
  /// The user agent; nil for that of the transport.
  package var userAgent: String?
  /// Header fields in addition to those of every request.
  package var fields: [HeaderField] = []
  /// Further header fields, whose values are never shown; they replace those of every request.
  package var hiddenFields: [RequestIdentity.Field] = []

  /// A username and a password (RFC 7617).
  package struct Credentials: Sendable, Hashable {
    /// The username.
    package var name: Secret
    /// The password.
    package var password: Secret

    /// Creates credentials.
    ///
    /// - Parameters:
    ///   - name: the username.
    ///   - password: the password.
    package init(name: Secret, password: Secret) { (self.name, self.password) = (name, password) }
  }
}

/// A response without its content.
package struct HTTPResponse: Sendable, Hashable {
  /// The status code.
  package var status: Int
  /// The header fields, in order.
  package var fields: [HeaderField]
  /// The number of bytes of content received over the wire, as compressed by the server.
  package var wireBytes = 0
  /// The time in milliseconds until the response was complete.
  package var milliseconds = 0

  /// Creates a response.
  ///
  /// - Parameters:
  ///   - status: the status code.
  ///   - fields: the header fields, in order.
  package init(status: Int, fields: [HeaderField] = []) { (self.status, self.fields) = (status, fields) }
}

/// The size limits and timeouts of a response.
package struct HTTPLimits: Sendable, Hashable {
  /// The timeout of a connection in milliseconds, including name lookup and TLS (default 10,000).
  package var connecting = 10_000
  /// The timeout of the first byte of the response in milliseconds, from the request on (default 20,000).
  package var firstByte = 20_000
  /// The timeout of the whole transfer in milliseconds (default 60,000).
  package var whole = 60_000
  /// The maximum number of bytes of content on the wire (default 16 MiB).
  package var wireBytes = 16 << 20
  /// The maximum number of bytes of content after decompression (default 64 MiB).
  package var unpackedBytes = 64 << 20
  /// The maximum number of content and transfer codings, `chunked` and `identity` excepted (default 1).
  ///
  /// The output of an outer coding counts for no other limit: four codings of nothing in 600 bytes take hours.
  package var codings = 1
  /// The maximum number of header bytes, including informational responses and trailers (default 64 KiB).
  package var headerBytes = 64 << 10
  /// The maximum number of redirects that are followed (default 5).
  package var redirects = 5
}
