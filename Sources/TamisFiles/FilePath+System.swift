import TamisCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the system knows about a path.
extension FilePath {
  /// What is at a path.
  public enum Kind: Sendable, Hashable {
    case file
    case folder
    /// A pipe, a device, a socket.
    case special
  }

  /// The kind of file at the path, links followed; nil when there is nothing, or it cannot be read.
  public var kind: Kind? {
    var status = stat()
    guard unsafe withSystemPath({ unsafe stat($0, &status) }) == 0 else { return nil }
    return Self.kind(status.st_mode)
  }

  /// Whether a symbolic link has this name.
  public var isLink: Bool {
    var status = stat()
    return unsafe withSystemPath({ unsafe lstat($0, &status) }) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Whether a file can be written, or files in a folder be made.
  public var isWritable: Bool { unsafe withSystemPath { unsafe access($0, W_OK) } == 0 }

  static func kind(_ mode: mode_t) -> Kind {
    switch mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    default: .special
    }
  }

  /// The absolute path of the file, without links and dots; nil when there is nothing.
  public var resolved: FilePath? {
    unsafe withSystemPath { path in
      guard let found = unsafe realpath(path, nil) else { return nil }
      defer { unsafe free(found) }
      return FilePath(bytes: unsafe Self.bytes(found))
    }
  }

  /// The absolute path with its folders resolved and its last name unchanged; also when there is nothing yet.
  public var absolute: FilePath {
    let name = name
    // Dots are no names.
    if name.bytes.isEmpty || name == "." || name == ".." { return resolved ?? self }
    if let around = folder.resolved { return around.appending(name) }
    return folder == self ? self : folder.absolute.appending(name)
  }

  /// The names in a folder, in the order of their bytes.
  ///
  /// - Throws: when it cannot be read.
  public func names() throws(FileFailure) -> [FilePath] {
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

  /// Hands the path to a call of the system.
  package func withSystemPath<Value>(_ body: (UnsafePointer<CChar>) -> Value) -> Value {
    let path = bytes.map { CChar(bitPattern: $0) } + [0]
    return unsafe path.withUnsafeBufferPointer { buffer in
      guard let address = buffer.baseAddress else { preconditionFailure("an array with an element has an address") }
      return unsafe body(address)
    }
  }

  private static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
    unsafe UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
  }
}

/// Why the system did not do something with a file.
public struct FileFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong, in a few lower-case words.
  public let description: String

  init(_ code: Int32) { description = unsafe String(cString: strerror(code)).lowercased() }

  init(_ words: String) { description = words }
}

/// What is to be said of a path at which nothing is.
extension FilePath {
  /// Why nothing is there and what to do.
  public var absence: String {
    let text = description
    guard text.beginsAsHTTP else { return "there is no such file or folder" }
    return "only files are read here; fetch it first: tamis fetch '\(text)' --into feeds"
  }
}
