import Synchronization
package import TamisCore
package import TamisSystem
import TamisLibC

/// The folder that a site is written to, locked against other processes as long as this value lives.
///
/// A file appears complete or not at all. Everything is opened relative to the folder, component by component, and no
/// symbolic link below it is followed, so that whoever can write into a site cannot affect files outside. Files of
/// different paths may be put and removed in several tasks at once.
package final class SiteFolder: Sendable {
  /// The folder's path.
  package let path: FilePath
  /// Whether files are written and removed; false for a dry run.
  package let isWritten: Bool
  /// The open folder; nil when there is none, and nothing is to be written.
  private let root: Folder?
  private let lock: FileLock?
  /// The open folders by path; files come folder by folder, and opening one takes as long as writing a file.
  private let opened = Mutex<[String: Folder]>([:])
  /// The maximum number of folders that stay open.
  private static let mostOpened = 64

  /// An open folder.
  final class Folder: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Whether the folder still exists; another of its name may be there now.
    var isThere: Bool {
      var status = stat()
      return fstat(descriptor, &status) == 0 && status.st_nlink > 0
    }
  }

  /// Opens a site's folder, creating it if needed except for a dry run.
  ///
  /// - Parameters:
  ///   - path: the folder; may be a symbolic link.
  ///   - isWritten: whether files are written and removed; false for a dry run.
  ///   - patience: the number of seconds to wait for another build of the same site.
  /// - Throws: when the folder cannot be written to, belongs to something else, or is being built by another run.
  package init(path: FilePath, isWritten: Bool, patience: Int = 30) throws(Site.Failure) {
    self.path = path
    self.isWritten = isWritten
    let name = path.description
    if isWritten, !Self.makeFolder(path) {
      throw Site.Failure(
        description: "\(name): this folder cannot be made (\(Self.reason)); name another with --output")
    }
    let descriptor = path.withSystemPath { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    root = descriptor < 0 ? nil : Folder(descriptor)
    if isWritten {
      guard root != nil, path.withSystemPath({ access($0, W_OK | X_OK) }) == 0 else {
        throw Site.Failure(
          description: "\(name): this folder cannot be written to (\(Self.reason)); name another with --output")
      }
      lock = FileLock(folder: path, seconds: patience)
      guard lock != nil else {
        throw Site.Failure(description: "\(name): another run is building this site; try again when it is done")
      }
    } else {
      lock = nil
    }
    try checkOwner()
  }

  /// Checks that the folder is a site's or unused.
  ///
  /// - Throws: when it is not.
  private func checkOwner() throws(Site.Failure) {
    switch look(at: PagePath(Site.markerName), most: Site.markLength) {
    case .file(let bytes) where Site.wrote(bytes): return
    case .file:
      throw foreign(Site.markerName)
    case .other:
      throw Site.Failure(
        description:
          "\(name(Site.markerName)): this file cannot be read; make it readable, or name another folder with --output")
    case .nothing: break
    }
    switch look(at: PagePath("index.html"), most: Site.markLength) {
    case .nothing: return
    case .file(let bytes) where Site.wrote(bytes): return
    case .file, .other:
      throw Site.Failure(
        description: "\(path): this folder holds an index.html that tamis did not write; name another with --output")
    }
  }

  func name(_ file: String) -> String { path.appending(FilePath(file)).description }

  /// Returns the failure for a file that is not of the site.
  func foreign(_ file: String) -> Site.Failure {
    let words = "this file was not written by tamis; move it, or choose another folder with --output"
    return Site.Failure(description: "\(name(file)): \(words)")
  }

  // MARK: - Files

  /// Puts a file into the site.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - known: the fingerprint of the file that an earlier build put there; nil when there is none.
  ///   - isTrusted: whether to assume that the present file is unchanged and skip reading it.
  /// - Returns: the new fingerprint, and whether the file was written.
  /// - Throws: ``Site/Failure`` when the file cannot be written, or a file that is not of the site has its name.
  package func put(_ file: SiteFile, known: FileMark?, isTrusted: Bool = false) throws(Site.Failure) -> PutResult {
    guard Self.isInside(file.path.text) else {
      throw Site.Failure(
        description: "\(name(file.path.text)): this path leads outside of the site; do you trust this archive?")
    }
    let mark = FileMark(file.bytes)
    var note = file.note
    if isTrusted, known == mark { return PutResult(mark: mark, outcome: .unchanged, note: note) }
    let changed = "\(file.path): this file was changed by somebody else; it is overwritten"
    switch look(at: file.path, most: max(file.bytes.count, known?.size ?? 0, Site.markLength)) {
    case .nothing: break
    case .file(let present):
      if present == file.bytes { return PutResult(mark: mark, outcome: .unchanged, note: note) }
      if let known {
        if !known.fits(present) { note = changed }
      } else if !Site.wrote(present) {
        // A killed run may have written files that are not recorded.
        throw foreign(file.path.text)
      }
    case .other:
      guard known != nil else {
        throw Site.Failure(
          description:
            "\(name(file.path.text)): this is not a readable file, or it is behind a symbolic link; move it, or choose another folder with --output"
        )
      }
      note = changed
    }
    if isWritten { try write(file) }
    return PutResult(mark: mark, outcome: .written, note: note)
  }

  /// Removes a file that a build has written, unless it was changed since, and the folders that become empty.
  package func remove(_ path: PagePath, known: FileMark) -> RemoveResult {
    guard Self.isInside(path.text) else { return .absent }
    switch look(at: path, most: known.size) {
    case .nothing: return .absent
    case .file(let present) where known.fits(present): break
    case .file, .other:
      return .kept(
        note: "\(path): this file was changed by somebody else; it is kept, although no page links to it any more")
    }
    return unlink(path)
  }

  /// Removes an unrecorded file that its content shows to be written by an interrupted build.
  ///
  /// - Returns: `absent` also when the file was not written by a build.
  package func removeOwn(_ path: PagePath) -> RemoveResult {
    let isPicture = path.text.hasPrefix(KeptPicture.folder)
    guard Self.isInside(path.text),
      case .file(let present) = look(at: path, most: isPicture ? LinkedFile.mostBytes : Site.markLength),
      isPicture ? LinkedFile.isNamed(path, by: present) : Site.wrote(present)
    else {
      return .absent
    }
    return unlink(path)
  }

  private func unlink(_ path: PagePath) -> RemoveResult {
    guard isWritten else { return .removed }
    guard let folder = parent(of: path.text), unlinkat(folder.descriptor, Self.name(of: path.text), 0) == 0 else {
      return errno == ENOENT ? .absent : .kept(note: "\(path): this file cannot be removed: \(Self.reason)")
    }
    var inner = path.text
    while let outer = Self.folder(of: inner), removeFolder(outer) { inner = outer }
    return .removed
  }

  /// Removes a folder if it is empty.
  ///
  /// The lock is held meanwhile, so that no other task keeps a handle of the removed folder.
  private func removeFolder(_ path: String) -> Bool {
    opened.withLock { opened in
      guard let outer = parent(of: path, isMade: false, opened: &opened),
        unlinkat(outer.descriptor, Self.name(of: path), AT_REMOVEDIR) == 0
      else { return false }
      opened.removeValue(forKey: path)
      return true
    }
  }

  /// Returns when a name was last added to or removed from a folder, in nanoseconds since 1970-01-01T00:00:00Z.
  ///
  /// - Parameter folder: the path from the site's root; empty for the root.
  /// - Returns: the time, or nil when there is no such folder.
  package func modified(folder: String) -> Int64? {
    var status = stat()
    if folder.isEmpty {
      guard let root, fstat(root.descriptor, &status) == 0 else { return nil }
    } else {
      guard let found = self.status(of: folder), found.st_mode & S_IFMT == S_IFDIR else { return nil }
      status = found
    }
    return FileStamp.modified(status)
  }

  private func status(of path: String) -> stat? {
    var status = stat()
    guard Self.isInside(path), let folder = parent(of: path),
      fstatat(folder.descriptor, Self.name(of: path), &status, AT_SYMLINK_NOFOLLOW) == 0
    else { return nil }
    return status
  }

  // MARK: - Reading and writing

  /// The content of a path.
  enum Content {
    case nothing
    case file([UInt8])
    /// Something other than a file, or an unreadable file.
    case other
  }

  /// Returns what is at a path.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - most: the number of relevant bytes; one more is read of a longer file.
  /// - Returns: the bytes of a file; otherwise whether there is nothing or something else.
  func look(at path: PagePath, most: Int) -> Content {
    guard let folder = parent(of: path.text) else { return errno == ENOENT ? .nothing : .other }
    // Do not wait for a pipe.
    let descriptor = openat(folder.descriptor, Self.name(of: path.text), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else { return errno == ENOENT ? .nothing : .other }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .other }
    do {
      return .file(try FileDescriptor(descriptor).read(most: min(Int(status.st_size), most + 1)))
    } catch {
      return .other
    }
  }

  /// Writes a file under a temporary name next to its path, then renames it.
  ///
  /// The temporary name is fixed, so that the leftover of a killed run is replaced by the next.
  func write(_ file: SiteFile) throws(Site.Failure) {
    let path = file.path.text
    // Another task may remove the folder with its last file, between its creation and its use.
    for _ in 0..<100 {
      if let folder = parent(of: path, isMade: true),
        Self.write(file.bytes, as: Self.name(of: path), in: folder)
      {
        return
      }
      if errno != ENOENT { break }
      opened.withLock { $0.removeAll() }
    }
    throw Site.Failure(description: "\(name(path)): this file cannot be written: \(Self.reason)")
  }

  /// Writes a file in a folder.
  ///
  /// - Returns: whether it was written; if not, `errno` is set.
  private static func write(_ bytes: [UInt8], as name: String, in folder: Folder) -> Bool {
    let part = name + ".part"
    let descriptor = create(part, in: folder)
    guard descriptor >= 0 else { return false }
    var failure = FileDescriptor(descriptor).write(bytes)
    if close(descriptor) != 0, failure == 0 { failure = errno }
    if failure == 0, renameat(folder.descriptor, part, folder.descriptor, name) == 0 { return true }
    if failure == 0 { failure = errno }
    unlinkat(folder.descriptor, part, 0)
    errno = failure
    return false
  }

  /// Creates a new file, replacing whatever has its name: a leftover of a killed run, a pipe, a link.
  private static func create(_ name: String, in folder: Folder) -> Int32 {
    for _ in 0..<2 {
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      let descriptor = openat(folder.descriptor, name, flags, 0o644)
      if descriptor >= 0 || errno != EEXIST { return descriptor }
      guard unlinkat(folder.descriptor, name, 0) == 0 else { return -1 }
    }
    errno = EEXIST
    return -1
  }

  // MARK: - Paths

  /// Opens the folder of a path, or returns nil, with `errno`, when it does not exist or is reached by a link.
  func parent(of path: String, isMade: Bool = false) -> Folder? {
    opened.withLock { parent(of: path, isMade: isMade, opened: &$0) }
  }

  private func parent(of path: String, isMade: Bool, opened: inout [String: Folder]) -> Folder? {
    guard var folder = root else {
      errno = ENOENT
      return nil
    }
    guard let around = Self.folder(of: path) else { return folder }
    if let known = opened[around], known.isThere { return known }
    for part in around.utf8.split(separator: UInt8(ascii: "/")) {
      let name = String(decoding: part, as: UTF8.self)
      if isMade, mkdirat(folder.descriptor, name, 0o755) != 0, errno != EEXIST { return nil }
      let descriptor = openat(folder.descriptor, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
      if descriptor < 0 { return nil }
      folder = Folder(descriptor)
    }
    if opened.count >= Self.mostOpened { opened.removeAll() }
    opened[around] = folder
    return folder
  }

  /// Returns the last component of a path.
  static func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path.utf8[path.utf8.index(after: slash)...]) ?? ""
  }

  /// Whether a path stays in the site; paths come from files that others may have changed.
  ///
  /// The path is compared byte by byte, as the system does: to Swift a slash with a combining mark is another
  /// character.
  static func isInside(_ path: String) -> Bool {
    // The length of the component, and the number of dots in it.
    var (length, dots) = (0, 0)
    func isName() -> Bool { length > 0 && !(length == dots && dots <= 2) }
    for byte in path.utf8 {
      if byte == UInt8(ascii: "/") {
        guard isName() else { return false }
        (length, dots) = (0, 0)
      } else {
        length += 1
        if byte == UInt8(ascii: ".") { dots += 1 }
        if byte == 0 { return false }
      }
    }
    return isName()
  }

  /// Returns the folder of a path, or nil when it is in none.
  static func folder(of path: String) -> String? {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else { return nil }
    return String(path.utf8[..<slash])
  }

  // MARK: - The system

  /// Creates the site's own folder and its parents.
  private static func makeFolder(_ path: FilePath) -> Bool {
    func make() -> Bool {
      path.withSystemPath { mkdir($0, 0o755) } == 0 || (errno == EEXIST && isFolder(path))
    }
    if make() { return true }
    let around = path.folder
    guard errno == ENOENT, around != path else { return false }
    return makeFolder(around) && make()
  }

  private static func isFolder(_ path: FilePath) -> Bool {
    let isThere = path.kind == .folder
    if !isThere { errno = ENOTDIR }
    return isThere
  }

  private static var reason: String {
    switch errno {
    case ENOSPC, EDQUOT: "the disk is full"
    case EACCES, EPERM: "writing is not permitted"
    case EROFS: "the disk is read-only"
    case ELOOP: "its folder is a symbolic link, and links are not followed"
    case EISDIR, ENOTDIR, EEXIST: "its name, or that of its folder, is taken by something else or by a symbolic link"
    default: String(cString: strerror(errno)).lowercased()
    }
  }
}
