/// A document's bytes, piece by piece, readable several times.
///
/// A document is read twice: its encoding is decided from the whole document before the first element is read.
public protocol ByteSource: Sendable {
  /// Returns a reader that starts at the first byte.
  func makeReader() throws(ReadFailure) -> any ByteReader
}

/// One reading of a ``ByteSource``.
public protocol ByteReader {
  /// Returns the next bytes, as many as are convenient; empty at the end.
  mutating func next() throws(ReadFailure) -> [UInt8]
}

extension ByteReader {
  /// Returns the bytes up to the end; of more than `most`, only the first, which are more than `most` too.
  ///
  /// - Throws: when the bytes cannot be read to the end.
  package mutating func rest(upTo most: Int) throws(ReadFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count <= most {
      let piece = try next()
      if piece.isEmpty { break }
      bytes += piece
    }
    return bytes
  }
}

/// The reason why bytes could not be read.
public struct ReadFailure: Error, Sendable, Hashable {
  /// The reason, in a few lower-case words.
  public let message: String

  /// Makes a failure.
  public init(_ message: String) { self.message = message }
}

/// Bytes that are in memory.
package struct ByteArray: ByteSource {
  private let bytes: [UInt8]
  private let pieceSize: Int

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - bytes: the bytes that are read.
  ///   - pieceSize: the number of bytes that are handed out at once, at least 1; it does not affect what is read.
  package init(_ bytes: [UInt8], pieceSize: Int = 1 << 16) {
    self.bytes = bytes
    self.pieceSize = max(1, pieceSize)
  }

  /// Returns a reader that starts at the first byte.
  package func makeReader() -> any ByteReader { Reader(bytes: bytes, pieceSize: pieceSize) }

  private struct Reader: ByteReader {
    let bytes: [UInt8]
    let pieceSize: Int
    var start = 0

    mutating func next() -> [UInt8] {
      let end = min(bytes.count, start + pieceSize)
      defer { start = end }
      return Array(bytes[start..<end])
    }
  }
}

/// A source that ends after the first bytes of another.
package struct Beginning: ByteSource {
  private let source: any ByteSource
  private let count: Int

  /// Makes a source of the first `count` bytes of another.
  package init(of source: any ByteSource, count: Int) { (self.source, self.count) = (source, count) }

  /// Returns a reader that starts at the first byte.
  package func makeReader() throws(ReadFailure) -> any ByteReader {
    Reader(reader: try source.makeReader(), left: count)
  }

  private struct Reader: ByteReader {
    var reader: any ByteReader
    var left: Int

    mutating func next() throws(ReadFailure) -> [UInt8] {
      if left == 0 { return [] }
      let piece = Array(try reader.next().prefix(left))
      left = piece.isEmpty ? 0 : left - piece.count
      return piece
    }
  }
}
