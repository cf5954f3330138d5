import TamisCore

/// The bytes of a feed and what is known about where they came from.
public struct FeedDocument: Sendable {
  /// The name used in findings: the file as the user named it.
  public var name: String
  /// The document.
  public var bytes: [UInt8]
  /// The address it was read from, to which relative URLs in it are resolved; nil when not known.
  public var url: String?
  /// The header fields of the HTTP response it came in, in order; empty when it came from elsewhere.
  public var headers: [HeaderField]

  /// A header field of an HTTP response.
  public struct HeaderField: Sendable, Hashable {
    /// Name, in any case.
    public var name: String
    /// Value.
    public var value: String

    /// Makes a header field.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Makes a document.
  public init(name: String, bytes: [UInt8], url: String? = nil, headers: [HeaderField] = []) {
    self.name = name
    self.bytes = bytes
    self.url = url
    self.headers = headers
  }

  /// The value of the first header field of this name, trimmed; nil when there is none or it is blank.
  public func header(_ name: String) -> String? {
    let wanted = name.asciiLowercased()
    return headers.first { $0.name.asciiLowercased() == wanted }?.value.trimmedOrNil()
  }
}
