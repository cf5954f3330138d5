public import TamisCore
import TamisURL

/// The bytes of a feed, with the URL and the headers of its download.
public struct FeedDocument: Sendable {
  /// The name used in findings: the file as the user named it.
  public var name: String
  /// The document.
  public var source: any ByteSource
  /// The URL that it was read from, the base of its relative URLs; nil when not known.
  public var url: String?
  /// The header fields of the HTTP response it came in, in order; empty when it did not come by HTTP.
  public var headers: [HeaderField]
  /// Whether its bytes are UTF-8, whatever it and its header fields declare: the caller has decoded them.
  public var isDecoded = false

  /// Makes a document whose bytes are read as they are needed.
  public init(name: String, source: any ByteSource, url: String? = nil, headers: [HeaderField] = []) {
    self.name = name
    self.source = source
    self.url = url
    self.headers = headers
  }

  /// Makes a document that is in memory.
  public init(name: String, bytes: [UInt8], url: String? = nil, headers: [HeaderField] = []) {
    self.init(name: name, source: ByteArray(bytes), url: url, headers: headers)
  }

  /// The value of the first header field of this name, trimmed; nil when there is none or it is blank.
  public func header(_ name: String) -> String? { headers.value(of: name) }

  /// The base URL that the response gives the document: its address with its `Content-Location`, if that is a URL that
  /// can be fetched.
  var base: String? {
    guard let location = header("Content-Location"), let url = WebURL(location, base: url.flatMap { WebURL($0) }),
      ["http", "https", "ftp"].contains(url.scheme)
    else { return url }
    return url.href
  }
}
