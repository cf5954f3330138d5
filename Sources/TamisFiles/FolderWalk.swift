/// What is in a folder and in the folders in it, without what is hidden: names that begin with a dot.
///
/// Links to files count as files; links to folders are not followed.
public struct FolderWalk: Sendable {
  /// The files, by the bytes of their paths, each beginning with the folder's as it was given.
  public private(set) var files: [FilePath] = []
  /// What is there and is no file, in the same order: pipes, devices, links that lead to folders or nowhere.
  public private(set) var others: [FilePath] = []
  /// The folders that cannot be read, in the same order, and why.
  public private(set) var failures: [(folder: FilePath, failure: FileFailure)] = []

  /// Walks through a folder.
  public init(_ folder: FilePath) {
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
