import TamisCore
package import TamisFeed
package import TamisSystem

extension FeedDocument {
  /// Creates a document from a file, or from standard input when the path is `-`.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - url: the URL of the document; nil when it is not known.
  ///   - headers: the header fields of the response.
  /// - Throws: ``FeedParser/Failure`` when the file cannot be read.
  package init(file path: FilePath, url: String? = nil, headers: [HeaderField] = []) throws(FeedParser.Failure) {
    self.init(name: path.description, source: try Self.source(of: path), url: url, headers: headers)
  }

  /// Returns the bytes of a file.
  ///
  /// - Throws: ``FeedParser/Failure`` when the file cannot be read.
  static func source(of path: FilePath) throws(FeedParser.Failure) -> FileSource {
    if path != .standardInput, path.kind == nil, !path.isLink {
      throw FeedParser.Failure(unreadable: path.description, ReadFailure(path.absence))
    }
    do { return try FileSource(path) } catch { throw FeedParser.Failure(unreadable: path.description, error) }
  }
}

extension FileSource {
  /// Returns the SHA-256 digest of the file's bytes, before any decompression, in hexadecimal.
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
