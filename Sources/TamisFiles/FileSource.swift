public import TamisCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The bytes of a file, read piece by piece; gzip is decompressed on the way, whatever the file's name.
public struct FileSource: ByteSource {
  private let path: FilePath
  /// The bytes of what can be read only once: standard input, a pipe.
  private let kept: [UInt8]?

  /// Makes a source; `-` is standard input.
  ///
  /// - Parameter limits: what can be read only once is kept up to a byte more than ``Limits/documentBytes``.
  /// - Throws: when there is no such file or it cannot be read.
  public init(_ path: FilePath, limits: Limits = .standard) throws(ReadFailure) {
    self.path = path
    var reader = try FileReader(path)
    if reader.isRegular {
      kept = nil
    } else {
      var bytes: [UInt8] = []
      while bytes.count <= limits.documentBytes {
        let piece = try reader.next()
        if piece.isEmpty { break }
        bytes += piece
      }
      kept = bytes
    }
  }

  /// Begins at the first byte.
  public func makeReader() throws(ReadFailure) -> any ByteReader { try GzipReader(makePackedReader()) }

  /// The bytes of the file as it lies there, packed or not.
  public var packed: some ByteSource { PackedSource(source: self) }

  /// Begins at the first byte of the file as it lies there, packed or not.
  public func makePackedReader() throws(ReadFailure) -> any ByteReader {
    if let kept { return ByteArray(kept).makeReader() }
    return try FileReader(path)
  }

  /// The first bytes, at least as many as asked for where there are so many; unpacked.
  ///
  /// - Throws: when they cannot be read.
  public func beginning(_ count: Int) throws(ReadFailure) -> [UInt8] {
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

/// A file as it lies there.
private struct PackedSource: ByteSource {
  let source: FileSource

  func makeReader() throws(ReadFailure) -> any ByteReader { try source.makePackedReader() }
}

/// An open file.
private struct FileReader: ByteReader {
  private final class Handle {
    let descriptor: Int32
    let isOwn: Bool

    init(_ descriptor: Int32, isOwn: Bool) { (self.descriptor, self.isOwn) = (descriptor, isOwn) }

    deinit { if isOwn { close(descriptor) } }
  }

  private let handle: Handle
  let isRegular: Bool

  init(_ path: FilePath) throws(ReadFailure) {
    if path == .standardInput {
      handle = Handle(STDIN_FILENO, isOwn: false)
    } else {
      let descriptor = unsafe path.withSystemPath { unsafe open($0, O_RDONLY | O_CLOEXEC) }
      guard descriptor >= 0 else { throw Self.failure }
      handle = Handle(descriptor, isOwn: true)
    }
    var status = stat()
    guard unsafe fstat(handle.descriptor, &status) == 0 else { throw Self.failure }
    // Standard input may stand anywhere in its file.
    isRegular = status.st_mode & S_IFMT == S_IFREG && path != .standardInput
    if status.st_mode & S_IFMT == S_IFDIR { throw ReadFailure("it is a folder") }
  }

  mutating func next() throws(ReadFailure) -> [UInt8] {
    var isFailed = false
    let descriptor = handle.descriptor
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
