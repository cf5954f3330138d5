package import TamisCore

/// What the requests for a feed send to the feed's own server besides what all requests send.
///
/// ``Fetcher`` sends it to the scheme, host and port of the subscribed address and to no other, whatever redirects say.
package struct RequestIdentity: Sendable, Hashable {
  /// A header field whose value is never shown.
  package struct Field: Sendable, Hashable {
    /// The name.
    package var name: String
    /// The value.
    package var value: Secret

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - value: the value.
    package init(name: String, value: Secret) { (self.name, self.value) = (name, value) }
  }

  /// The user agent; nil for that of all requests.
  package var userAgent: String?
  /// The user name and the password; nil for none.
  package var credentials: HTTPRequest.Credentials?
  /// Header fields, cookies among them.
  package var fields: [Field] = []

  /// Creates an identity that adds nothing.
  package init() {}

  /// Whether nothing is added.
  package var isEmpty: Bool { self == RequestIdentity() }
}
