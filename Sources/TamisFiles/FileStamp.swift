#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The size and time of change of a file: when both are as they were, so is the file, as git and make believe too.
package struct FileStamp: Sendable, Hashable {
  /// In bytes.
  package var size: Int64
  /// In nanoseconds since 1970-01-01T00:00:00Z.
  package var modified: Int64

  /// Makes a stamp.
  package init(size: Int64, modified: Int64) { (self.size, self.modified) = (size, modified) }

  /// Whether the file may have been changed once more in the moment in which it was looked at, so that it would have the same stamp.
  ///
  /// Some file systems count time in steps of two seconds.
  package var isFresh: Bool {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return modified > Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec) - 2_000_000_000
  }
}

extension FilePath {
  /// The stamp of a file, at the end of all links; nil when there is no file.
  package var stamp: FileStamp? {
    var status = stat()
    guard unsafe withSystemPath({ unsafe stat($0, &status) }) == 0, Self.kind(status.st_mode) == .file else {
      return nil
    }
    #if canImport(Glibc)
      let time = status.st_mtim
    #else
      let time = status.st_mtimespec
    #endif
    return FileStamp(size: Int64(status.st_size), modified: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
