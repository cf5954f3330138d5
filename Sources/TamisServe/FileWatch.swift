package import TamisSystem
import TamisLibC

/// A watch over files and folders, which tells when one of them has changed.
///
/// Linux says at once that something happens beside a file (inotify); whether a file has changed is found by its size
/// and time, so that files written beside it do not count. Elsewhere, and on file systems of other machines, the files
/// are looked at every second: kqueue tells of writes only for files that are held open.
package final class FileWatch {
  private let paths: [FilePath]
  /// How the absolute paths begin of what a build itself writes.
  private let written: [[UInt8]]
  private var stamps: [FilePath: FileStamp]
  #if canImport(Glibc)
    private let events = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
  #else
    private let events: Int32 = -1
  #endif

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - paths: files, and folders with all files in and below them; they need not exist.
  ///   - site: a folder whose files do not count.
  ///   - archive: a file that does not count, nor what has its name with an ending.
  package init(_ paths: [FilePath], exceptSite site: FilePath, archive: FilePath) {
    self.paths = paths.map(\.absolute)
    written = [site.absolute.bytes + "/".utf8, archive.absolute.bytes]
    stamps = [:]
    stamps = presentStamps()
    listen()
  }

  deinit { if events >= 0 { _ = close(events) } }

  /// Waits until something has changed since the watch began, or since the last change that was told.
  package func wait() {
    while true {
      let start = ContinuousClock.now
      let present = presentStamps()
      // A large folder is not looked at all the time.
      let effort = ContinuousClock.now - start
      if present != stamps {
        settle()
        stamps = presentStamps()
        return
      }
      listen()
      if hasEvent(within: max(.seconds(1), effort * 20)) { settle() }
    }
  }

  /// Waits until nothing has happened for a tenth of a second, at most two seconds: editors write in several steps.
  private func settle() {
    let end = ContinuousClock.now + .seconds(2)
    repeat { drain() } while hasEvent(within: .milliseconds(100)) && ContinuousClock.now < end
  }

  private func hasEvent(within time: Duration) -> Bool {
    let milliseconds = Int32(clamping: Int64(time / .milliseconds(1)))
    var waiting = pollfd(fd: events, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&waiting, 1, milliseconds) > 0
  }

  private func drain() {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while events >= 0, unsafe read(events, &bytes, bytes.count) > 0 {}
  }

  /// Asks to be told about the folders of all files; those that are already watched stay so.
  private func listen() {
    #if canImport(Glibc)
      let kinds = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
      for folder in Set(stamps.keys.map(\.folder) + paths.map { $0.kind == .folder ? $0 : $0.folder }) {
        _ = unsafe folder.withSystemPath { unsafe inotify_add_watch(events, $0, UInt32(kinds)) }
      }
    #endif
  }

  private func presentStamps() -> [FilePath: FileStamp] {
    var stamps: [FilePath: FileStamp] = [:]
    for path in paths {
      guard path.kind == .folder else {
        stamps[path] = path.stamp
        continue
      }
      for file in FolderWalk(path).files where !written.contains(where: file.path.bytes.starts) {
        stamps[file.path] = file.stamp
      }
    }
    return stamps
  }
}
