package import TamisCore

/// A record of a WARC file (ISO 28500; https://iipc.github.io/warc-specifications/).
package struct WARCRecord: Sendable, Hashable {
  /// The type of a record (6).
  package enum Kind: Sendable, Hashable {
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

  /// Its type: `WARC-Type` (5.5).
  package var kind: Kind
  /// Where it was found: `WARC-Target-URI` (5.11), as it was written, without the angle brackets that some writers set.
  package var targetURI: String?
  /// Its date: `WARC-Date` (5.4) in seconds since 1970; nil when there is none that can be read.
  package var date: Int64?
  /// Its id: `WARC-Record-ID` (5.2), without its angle brackets.
  package var id: String?
  /// Where it begins in the file, in bytes; in a packed file, where its gzip member begins.
  package var offset: Int
  /// Its offset in the decompressed member; 0 in a file that is not compressed, and where each record is a member.
  package var offsetInMember: Int
  /// All named fields, in order (4).
  package var fields: [HeaderField]
  /// The head of the HTTP message in a response, or in a revisit that has one; nil for other protocols.
  package var http: HTTPMessage?
  /// The captured body, with HTTP's transfer codings and content codings decoded; empty in a revisit, and in `other`.
  package var body: [UInt8] = []
  /// Whether the body lacks its end: the crawler has cut it (`WARC-Truncated`, 5.13), or it is a segment (7), or what packed it is
  /// damaged from there on.
  package var isCut = false

  /// The media type of the body, with its parameters, as the server sent it, or for a resource as the crawler noted it; nil when
  /// there is none.
  package var contentType: String? {
    http == nil ? fields.value(of: "Content-Type") : http?.fields.value(of: "Content-Type")
  }
}

/// The head of an HTTP response (RFC 9112).
package struct HTTPMessage: Sendable, Hashable {
  /// The status code.
  package var status: Int
  /// The header fields, in order, as the server sent them: those that announce codings too, which are undone.
  package var fields: [HeaderField]

  /// Makes a head.
  package init(status: Int, fields: [HeaderField]) { (self.status, self.fields) = (status, fields) }
}
