import TamisCore
import TamisLibC

/// Queries of the file system about a path.
extension FilePath {
  /// The kind of file at a path.
  package enum Kind: Sendable, Hashable {
    case file
    case folder
    /// A pipe, a device or a socket.
    case special
  }

  /// The kind of file at the path, links followed; nil when nothing is there or it cannot be read.
  package var kind: Kind? { status.map { Self.kind($0.st_mode) } }

  /// Whether the path names a symbolic link.
  package var isLink: Bool { ownStatus.map { $0.st_mode & S_IFMT == S_IFLNK } ?? false }

  /// The status of the file at the path, links followed; nil when nothing is there or it cannot be read.
  var status: stat? {
    var status = stat()
    return unsafe withSystemPath { unsafe stat($0, &status) } == 0 ? status : nil
  }

  /// The status of what is at the path itself, which may be a link; nil when nothing is there or it cannot be read.
  var ownStatus: stat? {
    var status = stat()
    return unsafe withSystemPath { unsafe lstat($0, &status) } == 0 ? status : nil
  }

  /// Whether the file can be written, or files can be created in the folder.
  package var isWritable: Bool { unsafe withSystemPath { unsafe access($0, W_OK) } == 0 }

  /// Whether users other than the owner of the file may read or change it.
  package var isOpenToOthers: Bool { status.map { $0.st_mode & 0o077 != 0 } ?? false }

  static func kind(_ mode: mode_t) -> Kind {
    switch mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    default: .special
    }
  }

  /// The absolute path of the file, without links and dots; nil when nothing is there.
  package var resolved: FilePath? {
    unsafe withSystemPath { path in
      guard let found = unsafe realpath(path, nil) else { return nil }
      defer { unsafe free(found) }
      return FilePath(bytes: unsafe Self.bytes(found))
    }
  }

  /// The absolute path, with its folders resolved and its last component unchanged; the file need not exist.
  package var absolute: FilePath {
    let name = name
    // `.` and `..` are not names.
    if name.bytes.isEmpty || name == "." || name == ".." { return resolved ?? self }
    if let around = folder.resolved { return around.appending(name) }
    return folder == self ? self : folder.absolute.appending(name)
  }

  /// The file of the running program; nil when the system does not tell.
  package static var executable: FilePath? {
    #if canImport(Darwin)
      var count = UInt32(PATH_MAX)
      var path = [CChar](repeating: 0, count: Int(count))
      guard unsafe _NSGetExecutablePath(&path, &count) == 0 else { return nil }
      return FilePath(bytes: path.map { UInt8(bitPattern: $0) }).resolved
    #else
      return FilePath("/proc/self/exe").resolved
    #endif
  }

  /// Returns the names in the folder, sorted by their bytes.
  ///
  /// - Throws: when the folder cannot be read.
  package func names() throws(FileFailure) -> [FilePath] {
    guard let folder = unsafe withSystemPath({ unsafe opendir($0) }) else { throw FileFailure(errno) }
    defer { unsafe closedir(folder) }
    var names: [FilePath] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(folder) else { break }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: entry.pointee.d_name)) {
          FilePath(bytes: unsafe Self.bytes($0))
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    if errno != 0 { throw FileFailure(errno) }
    return names.sorted()
  }

  /// Calls the body with the path as a C string.
  package func withSystemPath<Value>(_ body: (UnsafePointer<CChar>) -> Value) -> Value {
    unsafe (bytes + [0]).withUnsafeBufferPointer { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { path in
        guard let address = path.baseAddress else { preconditionFailure("an array with an element has an address") }
        return unsafe body(address)
      }
    }
  }

  private static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
    unsafe UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
  }
}

/// The reason why an operation on a file failed.
package struct FileFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason in a few lower-case words.
  package let description: String

  /// Describes an `errno`.
  package init(_ code: Int32) { description = unsafe String(cString: strerror(code)).lowercased() }

  init(_ words: String) { description = words }
}

/// Explanations of missing files.
extension FilePath {
  /// The reason why nothing is at the path, and what to do about it.
  package var absence: String {
    let text = description
    guard text.beginsAsHTTP else { return "there is no such file or folder" }
    return "only files are read here; fetch it first: tamis fetch '\(text)' --into feeds"
  }
}
