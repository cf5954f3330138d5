package import TamisCore
import TamisLibC

/// A file or standard input that is read once, from its first byte to its last, as its bytes arrive.
///
/// Only its beginning is kept, until it is read.
package final class StreamedFile: ByteSource, ByteReader, @unchecked Sendable {
  /// The file descriptor, for use with `poll`.
  package let descriptor: Int32
  /// Whether the file can be opened again by its path and read from its first byte.
  package let isRegular: Bool
  private let isOwn: Bool
  private var first: [UInt8]?
  private var isSeenToEnd = false
  private var failureAhead: ReadFailure?
  private var isTaken = false

  /// Opens a file; `-` is standard input.
  ///
  /// - Parameter path: the file.
  /// - Throws: when the file does not exist or cannot be read.
  package init(_ path: FilePath) throws(ReadFailure) {
    isOwn = path != .standardInput
    descriptor =
      isOwn ? unsafe path.withSystemPath { unsafe open($0, O_RDONLY | O_CLOEXEC) } : STDIN_FILENO
    guard descriptor >= 0 else { throw Self.failure }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw Self.failure }
    isRegular = status.st_mode & S_IFMT == S_IFREG && isOwn
    if status.st_mode & S_IFMT == S_IFDIR { throw ReadFailure("it is a folder") }
  }

  deinit { if isOwn { close(descriptor) } }

  /// Returns whether the file, decompressed if it is packed, begins with these bytes, without consuming any.
  ///
  /// This waits for bytes only as long as they may match: a sender that waits for an answer to its first line is not
  /// kept waiting. A packed file whose first ``mostAhead`` bytes give no output does not begin with them.
  ///
  /// - Throws: when the file cannot be read.
  package func begins(with mark: [UInt8]) throws(ReadFailure) -> Bool {
    var reader = UnpackingReader(Beginning(file: self))
    var bytes: [UInt8] = []
    while bytes.count < mark.count, mark.starts(with: bytes) {
      guard let piece = try? reader.next(), !piece.isEmpty else { break }
      bytes += piece
    }
    if let failure = failureAhead { throw failure }
    return bytes.starts(with: mark)
  }

  /// The number of bytes that are read ahead at most (16 MiB): more than the largest dictionary and block together.
  private static let mostAhead = 16 << 20

  /// Reads the beginning of a file, which stays to be read.
  private struct Beginning: ByteReader {
    let file: StreamedFile
    var position = 0

    mutating func next() -> [UInt8] {
      let piece = file.ahead(of: position)
      position += piece.count
      return piece
    }
  }

  /// Returns bytes of the beginning from a position on, which are read if needed; none at the end.
  private func ahead(of position: Int) -> [UInt8] {
    if let first, position < first.count { return Array(first[position...]) }
    if isSeenToEnd || position >= Self.mostAhead { return [] }
    do throws(ReadFailure) {
      let piece = try nextPiece()
      isSeenToEnd = piece.isEmpty
      first = first ?? []
      first? += piece
      return piece
    } catch {
      failureAhead = error
      return []
    }
  }

  /// Returns the reader of the file, which can be taken only once.
  ///
  /// - Throws: when it has been taken already.
  package func makeReader() throws(ReadFailure) -> any ByteReader {
    if isTaken { throw ReadFailure("it can be read only once") }
    isTaken = true
    return self
  }

  /// Returns the next bytes, as many as are available at once; empty at the end.
  ///
  /// - Throws: when the file cannot be read.
  package func next() throws(ReadFailure) -> [UInt8] {
    if let piece = first, !piece.isEmpty {
      first = nil
      return piece
    }
    return try nextPiece()
  }

  /// Returns whether reading would wait for the writer; false when that cannot be tested.
  package static func wouldWait(_ descriptor: Int32) -> Bool {
    var end = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&end, 1, 0) == 0
  }

  private func nextPiece() throws(ReadFailure) -> [UInt8] {
    var isFailed = false
    let piece = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      var result = 0
      repeat {
        result = unsafe read(descriptor, buffer.baseAddress, buffer.count)
      } while result < 0 && errno == EINTR
      isFailed = result < 0
      count = max(0, result)
    }
    if isFailed { throw Self.failure }
    return piece
  }

  private static var failure: ReadFailure { ReadFailure(FileFailure(errno).description) }
}
