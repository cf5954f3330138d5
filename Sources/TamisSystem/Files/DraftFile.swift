import TamisCore
package import TamisLibC

/// A file that is written beside its destination under a unique name, and that one rename moves there when complete.
///
/// When the object is released, an unfinished draft is removed, and so are files whose names begin with that of a draft
/// that other code writes. Several processes may write drafts of the same file at once: the last rename wins.
package final class DraftFile {
  /// The path of the draft: the destination, `.tmp-` and eight hexadecimal digits.
  package let path: FilePath
  private let target: FilePath
  /// The folder of the draft of what is no regular file; nil for one beside its destination.
  private let folder: PrivateFolder?
  /// The descriptor to which bytes are added; -1 before the first ones.
  private var number: Int32 = -1
  private var isDone = false

  /// The text that the name of every draft contains.
  package static let mark = ".tmp-"

  /// Creates an empty draft.
  ///
  /// - Parameters:
  ///   - target: the destination; its folder has to exist.
  ///   - mode: the permissions, of which the process's mask is taken away.
  ///   - replacesAll: whether the draft replaces what is no regular file too, rather than being written into it.
  /// - Throws: when the draft cannot be created.
  package init(of target: FilePath, mode: mode_t = 0o644, replacesAll: Bool = false) throws(FileFailure) {
    self.target = target
    let isSpecial = target.isLink || (target.kind ?? .file) != .file
    folder = isSpecial && !replacesAll ? try PrivateFolder() : nil
    for _ in 0..<100 {
      let digits = String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16)
      let beside = folder?.path.appending(target.name) ?? target
      let path = beside.appending(ending: Self.mark + digits)
      let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      let number = unsafe path.withSystemPath { unsafe open($0, flags, mode) }
      if number < 0, errno == EEXIST { continue }
      guard number >= 0 else { throw FileFailure(errno) }
      // A database that opens the draft must be the only one that closes it: its locks would go.
      close(number)
      self.path = path
      return
    }
    throw FileFailure(EEXIST)
  }

  deinit {
    if !isDone { path.removeFile() }
    if number < 0 { Self.removeWhatIsBeside(path) } else { close(number) }
  }

  /// Appends bytes.
  ///
  /// - Throws: when they cannot be written.
  package func add(_ bytes: [UInt8]) throws(FileFailure) {
    if number < 0 { number = unsafe path.withSystemPath { unsafe open($0, O_WRONLY | O_CLOEXEC) } }
    let failure = number < 0 ? errno : FileDescriptor(number).write(bytes)
    if failure != 0 { throw FileFailure(failure) }
  }

  /// Removes the drafts of a file that ended processes have left.
  ///
  /// The caller holds a lock that keeps all other processes from writing drafts of the file.
  ///
  /// - Parameter target: the destination of the drafts.
  package static func removeAbandoned(of target: FilePath) {
    guard let names = try? target.folder.names() else { return }
    let own = target.name.appending(ending: mark).bytes
    for name in names where name.bytes.count == own.count + 8 && name.bytes.starts(with: own) {
      guard name.bytes.suffix(8).allSatisfy({ $0.hexDigitValue != nil }) else { continue }
      let draft = target.folder.appending(name)
      draft.removeFile()
      removeWhatIsBeside(draft)
    }
  }

  /// Renames the draft to its destination, replacing an existing file.
  ///
  /// A device, a pipe or the target of a symbolic link is opened and written to.
  ///
  /// - Parameter isFlushed: whether the draft and the rename are on the disk then.
  /// - Throws: when that fails; a regular file is unchanged then.
  package func finish(isFlushed: Bool = true) throws(FileFailure) {
    if folder != nil { return try FileOutput.copy(path, into: target) }
    if isFlushed { try Self.synchronize(path, O_RDWR) }
    guard unsafe path.withSystemPath({ new in unsafe target.withSystemPath { unsafe rename(new, $0) } }) == 0 else {
      throw FileFailure(errno)
    }
    isDone = true
    // Not all file systems support flushing folders.
    if isFlushed { try? Self.synchronize(target.folder, O_RDONLY) }
  }

  private static func synchronize(_ path: FilePath, _ flags: Int32) throws(FileFailure) {
    let number = unsafe path.withSystemPath { unsafe open($0, flags | O_CLOEXEC) }
    guard number >= 0 else { throw FileFailure(errno) }
    let failure = fsync(number) == 0 ? 0 : errno
    close(number)
    if failure != 0 { throw FileFailure(failure) }
  }

  /// Removes files and folders whose names begin with that of a draft.
  private static func removeWhatIsBeside(_ path: FilePath) {
    guard let names = try? path.folder.names() else { return }
    let own = path.name.bytes
    for name in names where name.bytes.count > own.count && name.bytes.starts(with: own) {
      let path = path.folder.appending(name)
      guard path.kind == .folder, !path.isLink else {
        path.removeFile()
        continue
      }
      for file in FolderWalk(path).paths { file.removeFile() }
      path.removeFolder()
    }
  }
}

extension FilePath {
  /// Passes the stored bytes of the file to a closure, in pieces of at most 1 MiB.
  ///
  /// - Parameter body: the closure, called for each piece.
  /// - Throws: when the file cannot be read.
  package func readPieces(_ body: ([UInt8]) -> Void) throws(FileFailure) {
    let number = unsafe withSystemPath { unsafe open($0, O_RDONLY | O_CLOEXEC) }
    guard number >= 0 else { throw FileFailure(errno) }
    defer { close(number) }
    while true {
      let piece = try FileDescriptor(number).read(most: 1 << 20)
      if piece.isEmpty { return }
      body(piece)
    }
  }

  /// The maximum size of a rules file or configuration in bytes: 16 MiB.
  package static let longestConfiguration = 16 << 20
  /// The maximum size of a file of cases, or of a baseline, in bytes: 256 MiB.
  package static let longestCases = 256 << 20

  /// Returns the stored bytes of the file; nil when it cannot be read, or has more than a number of bytes.
  package func contents(upTo most: Int) -> [UInt8]? {
    guard stamp?.size ?? 0 <= most else { return nil }
    var bytes: [UInt8] = []
    // A pipe has no size.
    guard (try? readPieces { if bytes.count <= most { bytes += $0 } }) != nil else { return nil }
    return bytes.count <= most ? bytes : nil
  }

  /// Writes the file as a whole: under another name, then renamed when it is on the disk.
  ///
  /// - Parameter bytes: the new content.
  /// - Throws: when the file cannot be written.
  package func write(whole bytes: [UInt8]) throws(FileFailure) {
    let draft = try DraftFile(of: self)
    try draft.add(bytes)
    try draft.finish()
  }
}
