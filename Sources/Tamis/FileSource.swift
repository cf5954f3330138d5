import Foundation
import TamisDigest
public import TamisFeed

/// The bytes of a file, read piece by piece.
public struct FileSource: ByteSource {
  private let path: String
  /// The bytes of what can be read only once: standard input, a pipe.
  private let kept: [UInt8]?

  /// Makes a source; `-` is standard input.
  ///
  /// - Throws: when there is no such file or it cannot be read.
  public init(_ path: String) throws(ReadFailure) {
    self.path = path
    var reader = try Reader(path)
    if reader.isRegular {
      kept = nil
    } else {
      var bytes: [UInt8] = []
      while true {
        let piece = try reader.next()
        if piece.isEmpty { break }
        bytes += piece
      }
      kept = bytes
    }
  }

  /// Begins at the first byte.
  public func makeReader() throws(ReadFailure) -> any ByteReader {
    if let kept { return ByteArray(kept).makeReader() }
    return try Reader(path)
  }

  /// The SHA-256 digest of its bytes in hexadecimal.
  func digest() throws(ReadFailure) -> String {
    var reader = try makeReader()
    var stream = SHA256.Stream()
    while true {
      let piece = try reader.next()
      if piece.isEmpty { return stream.finish().hex }
      stream.add(piece)
    }
  }

  private struct Reader: ByteReader {
    private let handle: FileHandle
    let isRegular: Bool

    init(_ path: String) throws(ReadFailure) {
      if path == "-" {
        handle = .standardInput
      } else {
        guard let file = FileHandle(forReadingAtPath: path) else { throw Self.failure }
        handle = file
      }
      var status = stat()
      guard fstat(handle.fileDescriptor, &status) == 0 else { throw Self.failure }
      // Standard input may stand anywhere in its file.
      isRegular = status.st_mode & S_IFMT == S_IFREG && path != "-"
      if status.st_mode & S_IFMT == S_IFDIR { throw ReadFailure("it is a folder") }
    }

    mutating func next() throws(ReadFailure) -> [UInt8] {
      var isFailed = false
      let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        var result = 0
        repeat {
          result = read(handle.fileDescriptor, buffer.baseAddress, buffer.count)
        } while result < 0 && errno == EINTR
        isFailed = result < 0
        count = max(0, result)
      }
      if isFailed { throw Self.failure }
      return piece
    }

    private static var failure: ReadFailure { ReadFailure(String(cString: strerror(errno)).lowercased()) }
  }
}

extension FeedDocument {
  /// A document in a file, or on standard input when the path is `-`.
  ///
  /// - Throws: when it cannot be read.
  public init(file path: String, url: String? = nil, headers: [HeaderField] = []) throws(NotAFeed) {
    do {
      self.init(name: path, source: try FileSource(path), url: url, headers: headers)
    } catch {
      throw NotAFeed(unreadable: path, error)
    }
  }
}
