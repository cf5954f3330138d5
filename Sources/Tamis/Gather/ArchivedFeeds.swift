import TamisArchive
import TamisCore
import TamisFeed
import TamisFiles
import TamisURL
import TamisWARC

/// The feeds in a WARC file, one document after the other: what servers answered with success and what begins as a feed does.
struct ArchivedFeeds {
  /// A document as it was found.
  struct Capture: Sendable {
    /// Where it was found, without a name and a password.
    var address: String
    /// What the feed is called where the archive keeps its places: the same for each spelling of the address.
    var place: String
    /// When, in seconds since 1970; nil when the file does not say.
    var date: Int64?
    /// The header fields of the answer.
    var headers: [HeaderField] = []
    /// The document; nil when it was as it had been before.
    var body: [UInt8]?

    /// The document, to be read.
    var document: FeedDocument {
      FeedDocument(name: address, bytes: body ?? [], url: address, headers: headers)
    }

    /// What it is read as.
    var file: Sources.File {
      var file = Sources.File(path: FilePath(address), place: place)
      (file.response.address, file.response.headers) = (address, headers)
      return file
    }
  }

  /// So much of a document tells what it is.
  private static let lengthOfBeginning = 256 << 10

  private var reader: WARCReader
  private let shard: Shard?

  /// Begins to read a file.
  ///
  /// - Parameters:
  ///   - path: the file; `-` is standard input.
  ///   - shard: the part of the feeds that is wanted, by their places; nil for all.
  init(_ path: FilePath, shard: Shard?) throws(ReadFailure) {
    let name = path == .standardInput ? "standard input" : path.description
    reader = try WARCReader(try FileSource(path).packed, name: name)
    self.shard = shard
  }

  /// The next document; nil at the end.
  ///
  /// What is broken costs its own record, with a finding.
  mutating func next(into findings: inout [Finding]) -> Capture? {
    while let record = reader.next(into: &findings) {
      guard let address = WebAddress.absolute(record.targetURI) else { continue }
      let place = FeedIdentity(address: address, home: nil, place: "", tracking: PreparedDocument.tracking).key.text
      if shard?.holds(feedNamed: place) == false { continue }
      var capture = Capture(address: address, place: place, date: record.date)
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
