import TamisCore
public import TamisFeed
public import TamisFiles

extension FeedDocument {
  /// A document in a file, or on standard input when the path is `-`.
  ///
  /// - Throws: when it cannot be read.
  public init(file path: FilePath, url: String? = nil, headers: [HeaderField] = []) throws(FeedParserError) {
    self.init(name: path.description, source: try Self.source(of: path), url: url, headers: headers)
  }

  /// The bytes of a file.
  ///
  /// - Throws: when it cannot be read.
  static func source(of path: FilePath) throws(FeedParserError) -> FileSource {
    if path != .standardInput, path.kind == nil, !path.isLink {
      throw FeedParserError(unreadable: path.description, ReadFailure(path.absence))
    }
    do { return try FileSource(path) } catch { throw FeedParserError(unreadable: path.description, error) }
  }
}

extension FileSource {
  /// The SHA-256 digest of the file's bytes, before any decompression, in hexadecimal.
  func digest() throws(ReadFailure) -> String {
    var reader = try makePackedReader()
    var stream = SHA256.Stream()
    while true {
      let piece = try reader.next()
      if piece.isEmpty { return stream.finish().hex }
      stream.add(piece)
    }
  }
}
