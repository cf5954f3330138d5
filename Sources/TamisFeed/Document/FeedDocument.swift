public import TamisCore
import TamisURL

/// The bytes of a feed, with the URL and the headers of its download.
public struct FeedDocument: Sendable {
  /// The name used in findings, as given by the user.
  public var name: String
  /// The document.
  public var source: any ByteSource
  /// The URL of the document, or nil when not known.
  ///
  /// The URL is the base of relative URLs for which the document has no closer one: an `xml:base`, the page of the
  /// entry, the feed's home page.
  public var url: String?
  /// The header fields of the HTTP response in order, empty when there was none.
  public var headers: [HeaderField]
  /// Whether the bytes are UTF-8 whatever the document and its headers declare, because the caller has decoded them.
  public var isDecoded = false

  /// Creates a document whose bytes are read as they are needed.
  ///
  /// - Parameters:
  ///   - name: the name used in findings.
  ///   - source: the document.
  ///   - url: the URL of the document, or nil when not known.
  ///   - headers: the header fields of the HTTP response in order.
  public init(name: String, source: any ByteSource, url: String? = nil, headers: [HeaderField] = []) {
    self.name = name
    self.source = source
    self.url = url
    self.headers = headers
  }

  /// Creates a document that is in memory.
  ///
  /// - Parameters:
  ///   - name: the name used in findings.
  ///   - bytes: the document.
  ///   - url: the URL of the document, or nil when not known.
  ///   - headers: the header fields of the HTTP response in order.
  public init(name: String, bytes: [UInt8], url: String? = nil, headers: [HeaderField] = []) {
    self.init(name: name, source: ByteArray(bytes), url: url, headers: headers)
  }

  /// Returns the trimmed value of the first header field of this name, or nil when there is none or it is blank.
  public func header(_ name: String) -> String? { headers.value(of: name) }

  /// The base URL of the document: its URL, or its `Content-Location` resolved against it if that can be fetched.
  package var base: String? {
    guard let location = header("Content-Location"), let url = WebURL(location, base: url.flatMap { WebURL($0) }),
      ["http", "https", "ftp"].contains(url.scheme)
    else { return url }
    return url.href
  }
}
