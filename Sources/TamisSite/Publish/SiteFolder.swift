import TamisCore
import TamisDigest

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Why the site could not be written.
public struct SiteError: Error, CustomStringConvertible {
  /// What is wrong and what to do, with the file's name.
  public let description: String
}

/// The folder a site is written to.
///
/// A file appears whole or not at all. Everything is opened relative to the folder, one part of a path after the other, and no
/// symbolic link below it is followed: who can write into a site decides nothing about files outside.
struct SiteFolder: Sendable {
  let root: String
  /// Nil when there is no such folder, as in a trial run.
  private let folder: Folder?

  /// An open folder.
  private final class Folder: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
  }

  /// - Parameter isWritten: whether files are to be written: the folder is made if it is not there.
  init(root: String, isWritten: Bool = true) throws(SiteError) {
    self.root = root
    if isWritten, !Self.makeFolder(root) {
      throw SiteError(description: "\(root): this folder cannot be made (\(Self.reason)); name another with --output")
    }
    // The folder itself may be named by a link.
    let descriptor = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    folder = descriptor < 0 ? nil : Folder(descriptor)
    guard isWritten else { return }
    guard folder != nil, access(root, W_OK | X_OK) == 0 else {
      throw SiteError(
        description: "\(root): this folder cannot be written to (\(Self.reason)); name another with --output")
    }
  }

  /// What is at a path.
  enum Content {
    case nothing
    case file([UInt8])
    /// Something that is no file, or a file that cannot be read.
    case other
  }

  /// Looks what is at a path.
  func look(at path: String) -> Content {
    guard let folder = parent(of: path) else { return errno == ENOENT ? .nothing : .other }
    // A pipe is not waited for.
    let descriptor = openat(
      folder.descriptor, Self.name(of: path), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else { return errno == ENOENT ? .nothing : .other }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .other }
    return .file(
      [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
        while count < buffer.count {
          let got = Self.again {
            Self.readBytes(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
          }
          if got <= 0 { break }
          count += got
        }
      })
  }

  /// The bytes of a file, nil when there is none.
  func read(_ path: String) -> [UInt8]? {
    guard case .file(let bytes) = look(at: path) else { return nil }
    return bytes
  }

  /// The size of a file in bytes, nil when there is none.
  func size(of path: String) -> Int? {
    var status = stat()
    guard let folder = parent(of: path),
      fstatat(folder.descriptor, Self.name(of: path), &status, AT_SYMLINK_NOFOLLOW) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return Int(status.st_size)
  }

  /// Writes a file beside its place, under a name that is the same each time, so that what a killed run leaves is removed by
  /// the next; then moves it there.
  ///
  /// - Returns: whether the folder that it lies in had to be made.
  func write(_ bytes: [UInt8], to path: String) throws(SiteError) -> Bool {
    let target = root + "/" + path
    guard Self.isInside(path) else {
      throw SiteError(
        description: "\(target): this path leads out of the site; is the index or the manifest someone else's?")
    }
    var isFirst = false
    var folder = parent(of: path)
    if folder == nil, errno == ENOENT {
      isFirst = true
      folder = parent(of: path, isMade: true)
    }
    guard let folder else {
      throw SiteError(description: "\(target): this file cannot be written: \(Self.reason)")
    }
    let name = Self.name(of: path)
    let part = name + ".part"
    let descriptor = Self.create(part, in: folder)
    var isDone = descriptor >= 0
    if isDone {
      isDone = Self.write(bytes, descriptor)
      let failure = errno
      isDone = (close(descriptor) == 0) && isDone
      if !isDone { errno = failure }
    }
    guard isDone, renameat(folder.descriptor, part, folder.descriptor, name) == 0 else {
      let reason = Self.reason
      if descriptor >= 0 { unlinkat(folder.descriptor, part, 0) }
      throw SiteError(description: "\(target): this file cannot be written: \(reason)")
    }
    return isFirst
  }

  /// Makes a new file, in place of whatever has its name: what a killed run has left, a pipe, a link.
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

  /// Removes a file, and the folders that it leaves empty.
  func remove(_ path: String) -> Bool {
    guard Self.isInside(path), let folder = parent(of: path),
      unlinkat(folder.descriptor, Self.name(of: path), 0) == 0
    else { return false }
    var path = path
    while let empty = Self.folder(of: path), let outer = parent(of: empty),
      unlinkat(outer.descriptor, Self.name(of: empty), AT_REMOVEDIR) == 0
    {
      path = empty
    }
    return true
  }

  // MARK: - Paths

  /// The folder that a path lies in; nil, with `errno`, when it is not there or a link leads to it.
  private func parent(of path: String, isMade: Bool = false) -> Folder? {
    guard var folder else {
      errno = ENOENT
      return nil
    }
    for part in path.utf8.split(separator: UInt8(ascii: "/")).dropLast() {
      let name = String(decoding: part, as: UTF8.self)
      if isMade, mkdirat(folder.descriptor, name, 0o755) != 0, errno != EEXIST { return nil }
      let descriptor = openat(folder.descriptor, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
      if descriptor < 0 { return nil }
      folder = Folder(descriptor)
    }
    return folder
  }

  /// The last part of a path.
  private static func name(of path: String) -> String {
    String(decoding: path.utf8.split(separator: UInt8(ascii: "/")).last ?? "".utf8[...], as: UTF8.self)
  }

  /// Whether a path stays in the site: paths come from files that others may have changed.
  ///
  /// Byte by byte, as the system reads them: a slash with an accent behind it is another character to Swift.
  static func isInside(_ path: String) -> Bool {
    // Of each part how long it is and how many dots are in it.
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

  /// The folder of a path, nil when it is in none.
  static func folder(of path: String) -> String? {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else { return nil }
    return String(path.utf8[..<slash])
  }

  // MARK: - The system

  private static func write(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset < buffer.count {
        let count = again { writeBytes(descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset) }
        if count <= 0 { return false }
        offset += count
      }
      return true
    }
  }

  private static func again(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }

  #if canImport(Glibc)
    private static let readBytes = Glibc.read
    private static let writeBytes = Glibc.write
  #else
    private static let readBytes = Darwin.read
    private static let writeBytes = Darwin.write
  #endif

  /// Makes the site's own folder and those around it.
  private static func makeFolder(_ path: String) -> Bool {
    if mkdir(path, 0o755) == 0 || (errno == EEXIST && isFolder(path)) { return true }
    guard errno == ENOENT, let folder = folder(of: path) else { return false }
    return makeFolder(folder) && (mkdir(path, 0o755) == 0 || (errno == EEXIST && isFolder(path)))
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    let isThere = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    if !isThere { errno = ENOTDIR }
    return isThere
  }

  private static var reason: String {
    switch errno {
    case ENOSPC, EDQUOT: "the disk is full"
    case EACCES, EPERM: "writing is not permitted"
    case EROFS: "the disk is read-only"
    case ELOOP: "a symbolic link has the name of its folder, and links are not followed here"
    case EISDIR, ENOTDIR, EEXIST: "something else, or a symbolic link, has its name or that of its folder"
    default: String(cString: strerror(errno)).lowercased()
    }
  }
}
