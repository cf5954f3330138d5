package import TamisCore

/// The bytes of a file, read piece by piece; gzip and zstd are decompressed on the way, whatever the file's name.
package struct FileSource: ByteSource {
  private let path: FilePath
  /// The content of an input that can be read only once, such as standard input or a pipe.
  private let kept: [UInt8]?

  /// Creates a source; `-` is standard input.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - limits: an input that can be read only once is buffered until it exceeds ``Limits/documentBytes``.
  /// - Throws: when the file does not exist or cannot be read.
  package init(_ path: FilePath, limits: Limits = .standard) throws(ReadFailure) {
    self.path = path
    var reader = try StreamedFile(path)
    kept = try reader.isRegular ? nil : reader.rest(upTo: limits.documentBytes)
  }

  /// Returns a reader of the decompressed bytes, from the first one.
  ///
  /// - Throws: when the file cannot be opened.
  package func makeReader() throws(ReadFailure) -> any ByteReader { try UnpackingReader(makePackedReader()) }

  /// The stored bytes of the file, compressed or not.
  package var packed: some ByteSource { PackedSource(source: self) }

  /// Returns a reader of the stored bytes, compressed or not, from the first one.
  ///
  /// - Throws: when the file cannot be opened.
  package func makePackedReader() throws(ReadFailure) -> any ByteReader {
    if let kept { return ByteArray(kept).makeReader() }
    return try StreamedFile(path)
  }

  /// Returns the first bytes, decompressed, at least `count` of them if the file has as many.
  ///
  /// - Throws: when the file cannot be opened, or its first bytes cannot be read.
  package func beginning(_ count: Int) throws(ReadFailure) -> [UInt8] {
    var reader = try makeReader()
    var bytes: [UInt8] = []
    while bytes.count < count {
      do {
        let piece = try reader.next()
        if piece.isEmpty { break }
        bytes += piece
      } catch {
        if bytes.isEmpty { throw error }
        break
      }
    }
    return bytes
  }
}

/// The stored bytes of a file.
private struct PackedSource: ByteSource {
  let source: FileSource

  func makeReader() throws(ReadFailure) -> any ByteReader { try source.makePackedReader() }
}
