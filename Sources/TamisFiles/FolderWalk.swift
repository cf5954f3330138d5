/// The content of a folder and its subfolders, without hidden names, which begin with a dot.
///
/// Links to files count as files; links to folders are not followed.
package struct FolderWalk: Sendable {
  /// The files, sorted by the bytes of their paths, each of which begins with the path of the folder as given.
  package private(set) var files: [FilePath] = []
  /// Entries other than files, in the same order: pipes, devices, links to folders and broken links.
  package private(set) var others: [FilePath] = []
  /// The folders that cannot be read, in the same order, and the reasons.
  package private(set) var failures: [(folder: FilePath, failure: FileFailure)] = []

  /// Walks through a folder and its subfolders.
  package init(_ folder: FilePath) {
    var folders = [folder]
    while let next = folders.popLast() {
      do {
        for name in try next.names() where name.bytes.first != UInt8(ascii: ".") {
          let path = next.appending(name)
          switch path.kind {
          case .file: files.append(path)
          case .folder where !path.isLink: folders.append(path)
          case .folder, .special, nil: others.append(path)
          }
        }
      } catch {
        failures.append((next, error))
      }
    }
    files.sort()
    others.sort()
    failures.sort { $0.folder < $1.folder }
  }
}
