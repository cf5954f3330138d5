package import TamisLibC

/// The size and modification time of a file; while both are unchanged, so is the file, as git and make assume too.
package struct FileStamp: Sendable, Hashable {
  /// The size in bytes.
  package var size: Int64
  /// The modification time in nanoseconds since 1970-01-01T00:00:00Z.
  package var modified: Int64

  /// Creates a stamp.
  package init(size: Int64, modified: Int64) { (self.size, self.modified) = (size, modified) }

  /// Returns the stamp of a file with a status; nil when it is no regular file.
  init?(_ status: stat) {
    guard FilePath.kind(status.st_mode) == .file else { return nil }
    self.init(size: Int64(status.st_size), modified: Self.modified(status))
  }

  /// Returns the modification time of a status in nanoseconds since 1970-01-01T00:00:00Z.
  ///
  /// - Parameter status: the status. File systems have times that are too far away for a number of nanoseconds.
  /// - Returns: the time; the nearest possible one instead of one before 1677 or after 2262.
  package static func modified(_ status: stat) -> Int64 {
    #if canImport(Glibc)
      let time = status.st_mtim
    #else
      let time = status.st_mtimespec
    #endif
    let (seconds, isTooFar) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isBeyond) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
    return isTooFar || isBeyond ? (time.tv_sec < 0 ? .min : .max) : sum
  }

  /// Whether the file may have changed again after it was looked at without changing its stamp.
  ///
  /// This is true of a modification time within the last two seconds: some file systems count time in steps of two
  /// seconds.
  package var isFresh: Bool {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return modified > Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec) - 2_000_000_000
  }
}

extension FilePath {
  /// The stamp of the file, links followed; nil when there is no regular file.
  package var stamp: FileStamp? { status.flatMap(FileStamp.init) }
}
