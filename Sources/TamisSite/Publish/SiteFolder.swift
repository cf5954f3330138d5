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
/// A file appears whole or not at all.
struct SiteFolder: Sendable {
  let root: String

  /// - Parameter isWritten: whether files are to be written: the folder is made if it is not there.
  init(root: String, isWritten: Bool = true) throws(SiteError) {
    self.root = root
    guard isWritten else { return }
    guard Self.makeFolder(root) else {
      throw SiteError(description: "\(root): this folder cannot be made (\(Self.reason)); name another with --output")
    }
    guard access(root, W_OK | X_OK) == 0 else {
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
    // A pipe is not waited for.
    let descriptor = open(root + "/" + path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    var status = stat()
    guard descriptor >= 0 else { return lstat(root + "/" + path, &status) == 0 ? .other : .nothing }
    defer { close(descriptor) }
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
    guard lstat(root + "/" + path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Writes a file beside its place, under a name that is the same each time, so that what a killed run leaves is written
  /// over by the next; then moves it there.
  ///
  /// - Returns: whether the folder that it lies in had to be made.
  func write(_ bytes: [UInt8], to path: String) throws(SiteError) -> Bool {
    let target = root + "/" + path
    guard Self.isInside(path) else {
      throw SiteError(
        description: "\(target): this path leads out of the site; is the index or the manifest someone else's?")
    }
    let part = target + ".part"
    var descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
    var isFirst = false
    if descriptor < 0, errno == ENOENT, let folder = Self.folder(of: target), Self.makeFolder(folder) {
      isFirst = true
      descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
    }
    var isDone = descriptor >= 0
    if isDone {
      isDone = Self.write(bytes, descriptor)
      let failure = errno
      isDone = (close(descriptor) == 0) && isDone
      if !isDone { errno = failure }
    }
    guard isDone, rename(part, target) == 0 else {
      let reason = Self.reason
      unlink(part)
      throw SiteError(description: "\(target): this file cannot be written: \(reason)")
    }
    return isFirst
  }

  /// Removes a file, and the folders that it leaves empty.
  func remove(_ path: String) -> Bool {
    guard Self.isInside(path), unlink(root + "/" + path) == 0 else { return false }
    var folder = Self.folder(of: path)
    while let path = folder, rmdir(root + "/" + path) == 0 { folder = Self.folder(of: path) }
    return true
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
    case EISDIR, ENOTDIR, EEXIST: "something else has its name"
    default: String(cString: strerror(errno)).lowercased()
    }
  }
}
