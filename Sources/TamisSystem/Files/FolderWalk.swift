import TamisLibC

/// The content of a folder and its subfolders, without hidden names, which begin with a dot.
///
/// Links to files count as files; links to folders are not followed.
package struct FolderWalk: Sendable {
  /// A file, as it was when the walk came by.
  package struct File: Sendable, Hashable {
    /// The path, which begins with the path of the folder as given.
    package let path: FilePath
    /// Whether the path names a symbolic link.
    package let isLink: Bool
    /// The stamp of the file, links followed.
    package let stamp: FileStamp

    /// Looks at a file; nil when a link names anything but a file.
    fileprivate init?(_ path: FilePath, _ status: stat) {
      isLink = status.st_mode & S_IFMT == S_IFLNK
      guard let stamp = isLink ? path.stamp : FileStamp(status) else { return nil }
      (self.path, self.stamp) = (path, stamp)
    }
  }

  /// The files, sorted by the bytes of their paths.
  package private(set) var files: [File] = []
  /// Entries other than files, in the same order: pipes, devices, links to folders and broken links.
  package private(set) var others: [FilePath] = []
  /// The folders that cannot be read, in the same order, and the reasons.
  package private(set) var failures: [(folder: FilePath, failure: FileFailure)] = []

  /// The paths of the files.
  package var paths: [FilePath] { files.map(\.path) }

  /// Walks through a folder and its subfolders.
  package init(_ folder: FilePath) {
    var folders = [folder]
    while let next = folders.popLast() {
      do {
        for name in try next.names() where name.bytes.first != UInt8(ascii: ".") {
          let path = next.appending(name)
          let status = path.ownStatus
          if let file = status.flatMap({ File(path, $0) }) {
            files.append(file)
          } else if let status, FilePath.kind(status.st_mode) == .folder {
            folders.append(path)
          } else {
            others.append(path)
          }
        }
      } catch {
        failures.append((next, error))
      }
    }
    files.sort { $0.path < $1.path }
    others.sort()
    failures.sort { $0.folder < $1.folder }
  }
}
