import TamisArchive
import TamisCore
import TamisFeed
import TamisSystem
import TamisURL

/// The feeds in a WARC file, read one document after the other: successful responses whose bodies begin like a feed.
struct ArchivedFeeds {
  /// A document as it was captured.
  struct Capture: Sendable {
    /// The URL, without user name and password.
    var address: String
    /// The path by which the archive identifies the feed: the same for each spelling of the URL.
    var name: String
    /// The time of the capture, in seconds since 1970; nil when the file does not have it.
    var date: Int64?
    /// The header fields of the response.
    var headers: [HeaderField] = []
    /// The document; nil when the server reported it as unchanged.
    var body: [UInt8]?

    /// The document for the parser.
    var document: FeedDocument {
      FeedDocument(name: address, bytes: body ?? [], url: address, headers: headers)
    }

    /// The source as which the document is read.
    var file: FeedSources.File {
      var file = FeedSources.File(path: FilePath(address), name: name)
      (file.response.address, file.response.headers) = (address, headers)
      return file
    }
  }

  /// The number of bytes of a document that are read to determine whether it is a feed.
  private static let lengthOfBeginning = 256 << 10

  private var reader: WARCReader
  private let shard: Archive.Shard?

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: the file; `-` is standard input.
  ///   - shard: the shard whose feeds are wanted, by their paths; nil for all.
  /// - Throws: ``ReadFailure`` when the file cannot be read.
  init(_ path: FilePath, shard: Archive.Shard?) throws(ReadFailure) {
    let name = path == .standardInput ? "standard input" : path.description
    reader = try WARCReader(try FileSource(path).packed, name: name)
    self.shard = shard
  }

  /// Returns the next document; nil at the end.
  ///
  /// A broken record is skipped with a finding.
  mutating func next(into findings: inout [Finding]) -> Capture? {
    while let record = reader.next(into: &findings) {
      guard let address = WebAddress.absolute(record.targetURI) else { continue }
      let name = FeedIdentity(address: address, home: nil, path: "", tracking: PreparedDocument.tracking).key.text
      if shard?.holds(feedNamed: name) == false { continue }
      var capture = Capture(address: address, name: name, date: record.date)
      if record.kind == .revisit || record.http?.status == 304 { return capture }
      guard record.kind == .response || record.kind == .resource, !record.body.isEmpty else { continue }
      if let status = record.http?.status, !(200..<300).contains(status) { continue }
      guard FeedParser().recognize(Array(record.body.prefix(Self.lengthOfBeginning))) == .feed else { continue }
      (capture.headers, capture.body) = (record.http?.fields ?? [], record.body)
      return capture
    }
    return nil
  }
}
