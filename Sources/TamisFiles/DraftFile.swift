#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that others write beside its place under a name of its own, and that is put there by one rename when it is whole; else it
/// goes, with what was put beside it.
///
/// Several processes may write a draft of the same file at once: the last rename wins.
package final class DraftFile {
  /// The path of the draft: the destination, `.tmp-` and eight hexadecimal digits.
  package let path: FilePath
  private let target: FilePath
  private var isDone = false

  /// The text that the name of every draft contains.
  package static let mark = ".tmp-"

  /// Begins an empty file.
  ///
  /// - Parameter target: the destination; its folder has to exist.
  package init(of target: FilePath) throws(FileFailure) {
    self.target = target
    for _ in 0..<100 {
      let digits = String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16)
      let path = target.appending(ending: Self.mark + digits)
      let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      let number = unsafe path.withSystemPath { unsafe open($0, flags, 0o644) }
      if number < 0, errno == EEXIST { continue }
      guard number >= 0 else { throw FileFailure(errno) }
      close(number)
      self.path = path
      return
    }
    throw FileFailure(EEXIST)
  }

  deinit {
    if !isDone { path.removeFile() }
    removeWhatIsBeside()
  }

  /// Waits until the disk has all of it, and puts it in its place, where it replaces what was there.
  ///
  /// - Throws: when that fails; the destination is unchanged then.
  package func finish() throws(FileFailure) {
    try Self.synchronize(path, O_RDWR)
    guard unsafe path.withSystemPath({ new in unsafe target.withSystemPath { unsafe rename(new, $0) } }) == 0 else {
      throw FileFailure(errno)
    }
    isDone = true
    // That the name is on the disk too; not all file systems let folders be waited for.
    try? Self.synchronize(target.folder, O_RDONLY)
  }

  private static func synchronize(_ path: FilePath, _ flags: Int32) throws(FileFailure) {
    let number = unsafe path.withSystemPath { unsafe open($0, flags | O_CLOEXEC) }
    guard number >= 0 else { throw FileFailure(errno) }
    let failure = fsync(number) == 0 ? 0 : errno
    close(number)
    if failure != 0 { throw FileFailure(failure) }
  }

  /// Removes files and folders whose names begin as the draft's does.
  private func removeWhatIsBeside() {
    guard let names = try? path.folder.names() else { return }
    let own = path.name.bytes
    for name in names where name.bytes.count > own.count && name.bytes.starts(with: own) {
      let path = path.folder.appending(name)
      guard path.kind == .folder, !path.isLink else {
        path.removeFile()
        continue
      }
      for file in FolderWalk(path).files { file.removeFile() }
      path.removeFolder()
    }
  }
}

extension FilePath {
  /// Gives the bytes of a file as they lie there, a piece of at most 1 MiB after the other.
  public func readPieces(_ body: ([UInt8]) -> Void) throws(FileFailure) {
    let number = unsafe withSystemPath { unsafe open($0, O_RDONLY | O_CLOEXEC) }
    guard number >= 0 else { throw FileFailure(errno) }
    defer { close(number) }
    while true {
      let piece = try FileDescriptor(number).read(most: 1 << 20)
      if piece.isEmpty { return }
      body(piece)
    }
  }

  /// Writes a complete file: under another name, then renamed when it is on the disk.
  public func write(whole bytes: [UInt8]) throws(FileFailure) {
    let draft = try DraftFile(of: self)
    let number = unsafe draft.path.withSystemPath { unsafe open($0, O_WRONLY | O_CLOEXEC) }
    guard number >= 0 else { throw FileFailure(errno) }
    let failure = FileDescriptor(number).write(bytes)
    guard close(number) == 0, failure == 0 else { throw FileFailure(failure == 0 ? errno : failure) }
    try draft.finish()
  }
}
