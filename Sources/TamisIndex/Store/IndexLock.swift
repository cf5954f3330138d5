#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Lets one run at a time write an index: a file beside it that is locked as long as the run lives, however it ends.
final class IndexLock: Sendable {
  private let descriptor: Int32
  private let path: String

  /// Waits for the lock.
  ///
  /// - Parameter seconds: how long.
  /// - Returns: nil when another run holds it for longer, or the file cannot be made.
  init?(beside file: String, seconds: Int) {
    path = file + ".lock"
    for attempt in 0...(seconds * 10) {
      if attempt > 0 { usleep(100_000) }
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else { return nil }
      // The one who held it may have removed the file in between: then this lock is on nothing.
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0, Self.isSame(descriptor, path) {
        self.descriptor = descriptor
        return
      }
      close(descriptor)
    }
    return nil
  }

  deinit {
    unlink(path)
    close(descriptor)
  }

  private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
    var ours = stat()
    var theirs = stat()
    return fstat(descriptor, &ours) == 0 && stat(path, &theirs) == 0 && ours.st_ino == theirs.st_ino
  }
}
