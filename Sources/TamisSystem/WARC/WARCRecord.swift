package import TamisCore

/// A record of a WARC file (ISO 28500; https://iipc.github.io/warc-specifications/).
package struct WARCRecord: Sendable, Hashable {
  /// The type of a record (6).
  package enum Kind: Sendable, Hashable {
    /// A response as the server sent it (6.3).
    case response
    /// The content found at the address, without headers of a protocol (6.4).
    case resource
    /// A reference to an earlier record with the same content (6.7).
    case revisit
    /// Any other type, whose block is not kept: `warcinfo`, `request`, `metadata`, `conversion`, `continuation`, and
    /// those of later editions.
    case other(String)
  }

  /// The type: `WARC-Type` (5.5).
  package var kind: Kind
  /// The address: `WARC-Target-URI` (5.11) as written, without the angle brackets that some writers add.
  package var targetURI: String?
  /// The date: `WARC-Date` (5.4) in seconds since 1970; nil when it is missing or invalid.
  package var date: Int64?
  /// The ID: `WARC-Record-ID` (5.2), without its angle brackets.
  package var id: String?
  /// The offset of the record in the file, in bytes; in a packed file, that of its frame (a member of gzip).
  package var offset: Int
  /// The offset in the decompressed frame; 0 in a file that is not packed, and where each record is a frame.
  package var offsetInMember: Int
  /// The named fields, in order (4).
  package var fields: [HeaderField]
  /// The head of the HTTP message in a response, or in a revisit that has one; nil for other protocols.
  package var http: HTTPMessage?
  /// The captured body, with HTTP's transfer codings and content codings decoded; empty in a revisit, and in `other`.
  package var body: [UInt8] = []
  /// Whether the body is incomplete.
  ///
  /// The crawler has truncated it (`WARC-Truncated`, 5.13), it is a segment (7), or its coding is damaged from some
  /// point on.
  package var isCut = false

  /// The media type of the body, with its parameters; nil when there is none.
  ///
  /// For a response it is what the server sent, for a resource what the crawler recorded.
  package var contentType: String? {
    http == nil ? fields.value(of: "Content-Type") : http?.fields.value(of: "Content-Type")
  }
}

/// The head of an HTTP response (RFC 9112).
package struct HTTPMessage: Sendable, Hashable {
  /// The status code.
  package var status: Int
  /// The header fields, in order, as the server sent them, including those of codings that have been decoded.
  package var fields: [HeaderField]

  /// Creates a head.
  package init(status: Int, fields: [HeaderField]) { (self.status, self.fields) = (status, fields) }
}
