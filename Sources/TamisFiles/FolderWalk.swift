/// What is in a folder and in the folders in it, without what is hidden: names that begin with a dot.
///
/// Links to files count as files; links to folders are not followed.
package struct FolderWalk: Sendable {
  /// The files, by the bytes of their paths, each beginning with the folder's as it was given.
  package private(set) var files: [FilePath] = []
  /// Other things than files, in the same order: pipes, devices, links to folders and broken links.
  package private(set) var others: [FilePath] = []
  /// The folders that cannot be read, in the same order, and why.
  package private(set) var failures: [(folder: FilePath, failure: FileFailure)] = []

  /// Walks through a folder.
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
