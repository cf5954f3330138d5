import TamisLibC

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
    guard let status else { return }
    _ = unsafe withSystemPath { unsafe chmod($0, status.st_mode & 0o555) }
  }

  /// Removes the file if it exists.
  package func removeFile() { _ = unsafe withSystemPath { unsafe unlink($0) } }

  /// Removes the folder if it exists and is empty.
  package func removeFolder() { _ = unsafe withSystemPath { unsafe rmdir($0) } }
}
