import TamisSystem
import TamisLibC

/// A file of a site that is open for reading.
struct ServedFile: ~Copyable {
  /// What a target names.
  enum Found: ~Copyable {
    case file(ServedFile)
    /// A folder, by a target that does not end with a slash.
    case folder
    case nothing
  }

  /// The type, by the ending of the file's name.
  let type: MediaType
  /// The size in bytes.
  let size: Int
  private var descriptor: Int32

  /// Finds what a target names below a folder, without following links.
  static func find(_ target: RequestTarget, in folder: FilePath) -> Found {
    var end = unsafe folder.withSystemPath { unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    var names = target.names
    if target.isFolder { names.append(Array("index.html".utf8)) }
    for name in names {
      guard end >= 0 else { return .nothing }
      let next = unsafe FilePath(bytes: name).withSystemPath {
        unsafe openat(end, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      }
      _ = close(end)
      end = next
    }
    guard end >= 0 else { return .nothing }
    var status = stat()
    guard unsafe fstat(end, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      _ = close(end)
      return status.st_mode & S_IFMT == S_IFDIR ? .folder : .nothing
    }
    let type = MediaType(ofFile: String(decoding: names.last ?? [], as: UTF8.self))
    return .file(ServedFile(type: type, size: Int(status.st_size), descriptor: end))
  }

  deinit { if descriptor >= 0 { _ = close(descriptor) } }

  /// Returns the content; nil when it cannot be read.
  consuming func content() -> [UInt8]? { try? FileDescriptor(descriptor).read(most: size) }

  /// Returns the descriptor, which the caller closes.
  consuming func takeDescriptor() -> Int32 {
    let taken = descriptor
    descriptor = -1
    return taken
  }
}
