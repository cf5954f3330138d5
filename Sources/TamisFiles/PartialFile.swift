import TamisLibC

/// A file that is written piece by piece under a temporary name and renamed when complete; otherwise it is removed.
package final class PartialFile {
  /// The temporary path.
  package let path: FilePath
  private let target: FilePath
  private let number: Int32
  private var isDone = false

  /// Creates the file under its temporary name.
  ///
  /// - Parameter target: the destination.
  /// - Throws: when the file cannot be opened.
  package init(of target: FilePath) throws(FileFailure) {
    self.target = target
    path = target.appending(ending: ".part-\(getpid())")
    number = unsafe path.withSystemPath {
      unsafe open($0, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
    }
    guard number >= 0 else { throw FileFailure(errno) }
  }

  deinit {
    close(number)
    if !isDone { path.removeFile() }
  }

  /// Appends bytes.
  ///
  /// - Throws: when they cannot be written.
  package func add(_ bytes: [UInt8]) throws(FileFailure) {
    let failure = FileDescriptor(number).write(bytes)
    if failure != 0 { throw FileFailure(failure) }
  }

  /// Renames the file to its destination, replacing an existing file.
  ///
  /// - Throws: when it cannot be renamed.
  package func finish() throws(FileFailure) {
    guard unsafe path.withSystemPath({ new in unsafe target.withSystemPath { unsafe rename(new, $0) } }) == 0 else {
      throw FileFailure(errno)
    }
    isDone = true
  }
}

extension FilePath {
  /// Creates the folder and its missing parent folders.
  ///
  /// - Throws: when a folder cannot be created, or the path is not a folder.
  package func makeFolder() throws(FileFailure) {
    if kind == .folder { return }
    if folder != self { try folder.makeFolder() }
    guard unsafe withSystemPath({ unsafe mkdir($0, 0o755) }) == 0 || errno == EEXIST else { throw FileFailure(errno) }
    if kind != .folder { throw FileFailure(ENOTDIR) }
  }

  /// Removes all write permissions, since a change in place would show under each hard link of the file.
  package func forbidWriting() {
    var status = stat()
    guard unsafe withSystemPath({ unsafe stat($0, &status) }) == 0 else { return }
    _ = unsafe withSystemPath { unsafe chmod($0, status.st_mode & 0o555) }
  }

  /// Removes the file if it exists.
  package func removeFile() { _ = unsafe withSystemPath { unsafe unlink($0) } }

  /// Removes the folder if it exists and is empty.
  package func removeFolder() { _ = unsafe withSystemPath { unsafe rmdir($0) } }
}
