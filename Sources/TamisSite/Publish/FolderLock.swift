#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Lets one run at a time build a site: a lock on its folder, held as long as the run lives, however it ends.
final class FolderLock: Sendable {
  private let descriptor: Int32

  /// - Parameter seconds: how long to wait.
  /// - Returns: nil when another run holds it for longer, or there is no such folder.
  init?(_ path: String, seconds: Int) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    for attempt in 0...(seconds * 10) {
      if attempt > 0 { usleep(100_000) }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        self.descriptor = descriptor
        return
      }
    }
    close(descriptor)
    return nil
  }

  deinit { close(descriptor) }
}
