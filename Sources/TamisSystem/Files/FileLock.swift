import TamisLibC

/// A lock that lets one process at a time do something, held while the object lives and released however the process
/// ends.
package final class FileLock: Sendable {
  private let descriptor: Int32
  /// The lock file; nil when a folder itself is locked.
  private let file: FilePath?

  /// Waits for the lock on a folder.
  ///
  /// The result is nil when another process holds the lock for longer, or the folder does not exist.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - seconds: the timeout.
  package init?(folder: FilePath, seconds: Int) {
    let descriptor = unsafe folder.withSystemPath { unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    guard Self.wait(seconds, { flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? true : nil }) != nil else {
      close(descriptor)
      return nil
    }
    (self.descriptor, file) = (descriptor, nil)
  }

  /// Waits for the lock of a file, which is held on a file beside it: its name and `.lock`.
  ///
  /// The result is nil when another process holds the lock for longer, or the lock file cannot be created.
  ///
  /// - Parameters:
  ///   - path: the file to protect.
  ///   - seconds: the timeout.
  package init?(beside path: FilePath, seconds: Int) {
    let file = path.appending(ending: ".lock")
    let descriptor = Self.wait(seconds) { () -> Int32? in
      let descriptor = unsafe file.withSystemPath { unsafe open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o644) }
      guard descriptor >= 0 else { return descriptor }
      // The previous holder may have removed the file meanwhile; this lock is then on an unlinked file.
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0, Self.isSame(descriptor, file) { return descriptor }
      close(descriptor)
      return nil
    }
    guard let descriptor, descriptor >= 0 else { return nil }
    (self.descriptor, self.file) = (descriptor, file)
  }

  deinit {
    if let file { _ = unsafe file.withSystemPath { unsafe unlink($0) } }
    close(descriptor)
  }

  /// Calls `attempt` ten times a second until it returns an answer or the timeout is over.
  private static func wait<Answer>(_ seconds: Int, _ attempt: () -> Answer?) -> Answer? {
    for number in 0...max(seconds, 0) * 10 {
      if number > 0 { usleep(100_000) }
      if let answer = attempt() { return answer }
    }
    return nil
  }

  private static func isSame(_ descriptor: Int32, _ path: FilePath) -> Bool {
    var ours = stat()
    var theirs = stat()
    return unsafe fstat(descriptor, &ours) == 0 && path.withSystemPath { unsafe stat($0, &theirs) } == 0
      && ours.st_ino == theirs.st_ino
  }
}
