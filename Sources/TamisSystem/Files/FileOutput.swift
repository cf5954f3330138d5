import TamisLibC

/// Writes to a file named by the user.
package enum FileOutput {
  /// Writes bytes to a path.
  ///
  /// A regular file is created or replaced as a whole or not at all. Anything else (a device, a pipe, the target of a
  /// symbolic link) is opened and written to.
  ///
  /// - Parameters:
  ///   - bytes: the new content.
  ///   - path: the destination.
  /// - Throws: when the file cannot be written; a regular file is unchanged then.
  package static func write(_ bytes: [UInt8], to path: FilePath) throws(FileFailure) {
    var status = stat()
    let isThere = unsafe path.withSystemPath { unsafe lstat($0, &status) } == 0
    if !isThere, errno != ENOENT { throw FileFailure(errno) }
    guard !isThere || status.st_mode & S_IFMT == S_IFREG else { return try writeInto(path) { $0.write(bytes) } }
    try replace(path, with: bytes, mode: isThere ? status.st_mode & 0o7777 : nil)
  }

  /// Replaces whatever is at a path, also a symbolic link, by a regular file: for files with names that no user gave.
  ///
  /// - Parameters:
  ///   - path: the destination.
  ///   - bytes: the new content.
  /// - Throws: when the file cannot be written; what was at the path is unchanged then.
  package static func replace(_ path: FilePath, with bytes: [UInt8]) throws(FileFailure) {
    try replace(path, with: bytes, mode: nil)
  }

  /// Writes the content of a file into what is at a path.
  static func copy(_ file: FilePath, into path: FilePath) throws(FileFailure) {
    try writeInto(path) { output throws(FileFailure) in
      var failure: Int32 = 0
      try file.readPieces { if failure == 0 { failure = output.write($0) } }
      return failure
    }
  }

  private static func writeInto(
    _ path: FilePath, _ write: (FileDescriptor) throws(FileFailure) -> Int32
  ) throws(FileFailure) {
    let descriptor = unsafe path.withSystemPath { unsafe open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else { throw FileFailure(errno) }
    defer { close(descriptor) }
    var failure = try write(FileDescriptor(descriptor))
    if failure == 0, fsync(descriptor) != 0, errno != EINVAL, errno != EROFS { failure = errno }
    if failure != 0 { throw FileFailure(failure) }
  }

  private static func replace(_ path: FilePath, with bytes: [UInt8], mode: mode_t?) throws(FileFailure) {
    let draft = try DraftFile(of: path, mode: 0o666, replacesAll: true)
    try draft.add(bytes)
    if let mode, unsafe draft.path.withSystemPath({ unsafe chmod($0, mode) }) != 0 { throw FileFailure(errno) }
    try draft.finish(isFlushed: false)
  }
}

/// A temporary folder that only this user can read, removed when the object is released.
package final class PrivateFolder: Sendable {
  /// The path of the folder.
  package let path: FilePath

  /// Creates a folder in `TMPDIR`, or in `/tmp`.
  ///
  /// - Throws: when the folder cannot be created.
  package init() throws(FileFailure) {
    let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var name = FilePath(parent).appending("tamis-XXXXXX").bytes.map { CChar(bitPattern: $0) } + [0]
    guard
      unsafe name.withUnsafeMutableBufferPointer({ buffer in
        unsafe buffer.baseAddress.map { unsafe mkdtemp($0) != nil } ?? false
      })
    else {
      throw FileFailure(errno)
    }
    path = FilePath(bytes: name.map { UInt8(bitPattern: $0) })
  }

  deinit {
    // Only files are put into it.
    for name in (try? path.names()) ?? [] { _ = unsafe path.appending(name).withSystemPath { unsafe unlink($0) } }
    _ = unsafe path.withSystemPath { unsafe rmdir($0) }
  }
}
