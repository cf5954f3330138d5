public import TamisCore

/// A record of a WARC file (ISO 28500; https://iipc.github.io/warc-specifications/).
public struct WARCRecord: Sendable, Hashable {
  /// What a record holds (6).
  public enum Kind: Sendable, Hashable {
    /// A response of a server as it came (6.3).
    case response
    /// What was found at the address, without the words of a protocol (6.4).
    case resource
    /// What was found is what an earlier record holds (6.7).
    case revisit
    /// Anything else, of whose block nothing is kept: `warcinfo`, `request`, `metadata`, `conversion`, `continuation`, and what later
    /// editions may add.
    case other(String)
  }

  /// What it holds: `WARC-Type` (5.5).
  public var kind: Kind
  /// Where it was found: `WARC-Target-URI` (5.11), as it was written, without the angle brackets that some writers set.
  public var targetURI: String?
  /// When it was: `WARC-Date` (5.4) in seconds since 1970; nil when there is none that can be read.
  public var date: Int64?
  /// What it is known by: `WARC-Record-ID` (5.2), without its angle brackets.
  public var id: String?
  /// Where it begins in the file, in bytes; in a packed file, where its gzip member begins.
  public var offset: Int
  /// How many bytes behind that it begins when they are unpacked; 0 in a file that is not packed, and where each record is a member.
  public var offsetInMember: Int
  /// All named fields, in order (4).
  public var fields: [HeaderField]
  /// The head of the HTTP message in a response, or in a revisit that has one; nil for other protocols.
  public var http: HTTPMessage?
  /// What was found, with the transfer codings and content codings of HTTP undone; empty in a revisit, and in `other`.
  public var body: [UInt8] = []
  /// Whether the body lacks its end: the crawler has cut it (`WARC-Truncated`, 5.13), or it is a segment (7), or what packed it is
  /// damaged from there on.
  public var isCut = false

  /// The media type of the body, with its parameters, as the server said it, or for a resource the crawler; nil when nobody did.
  public var contentType: String? {
    http == nil ? fields.value(of: "Content-Type") : http?.fields.value(of: "Content-Type")
  }
}

/// The head of an HTTP response (RFC 9112).
public struct HTTPMessage: Sendable, Hashable {
  /// The status code.
  public var status: Int
  /// The header fields, in order, as the server sent them: those that announce codings too, which are undone.
  public var fields: [HeaderField]

  /// Makes a head.
  public init(status: Int, fields: [HeaderField]) { (self.status, self.fields) = (status, fields) }
}
