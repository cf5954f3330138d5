import TamisSystem
import TamisSite

/// Finds the files that tamis itself has written; if they were read as feeds, they would grow with each build.
struct OwnFiles {
  /// The folders of the sites.
  private(set) var folders: [FilePath] = []
  /// The same folders with symbolic links resolved.
  private var sites: [FilePath] = []

  /// Finds the sites among some files.
  ///
  /// - Parameters:
  ///   - files: the files, among them the markers of sites.
  ///   - output: the folder of the site that is being built, resolved; nil when none is built.
  init(_ files: [FilePath], output: FilePath?) {
    // A build may have been killed before it marked the folder as a site.
    if let output { sites.append(output) }
    for marker in files where marker.name == FilePath(Site.markerName) && Self.isOwn(marker) {
      folders.append(marker.folder)
      sites.append(marker.folder.resolved ?? marker.folder)
    }
  }

  /// Whether a file is of one of the sites.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - target: the same with symbolic links resolved.
  /// - Returns: whether tamis has written the file into a site.
  func contains(_ path: FilePath, at target: FilePath) -> Bool {
    sites.contains(where: target.isInside) && Self.isOwn(path)
  }

  private static func isOwn(_ path: FilePath) -> Bool {
    (try? FileSource(path).beginning(1 << 12)).map(Site.wrote) ?? false
  }
}
