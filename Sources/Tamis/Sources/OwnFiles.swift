import TamisFiles
import TamisSite

/// The files among others that tamis has written: read again as feeds, they would grow with each build.
struct OwnFiles {
  /// The folders of the sites.
  private(set) var folders: [FilePath] = []
  private var owned: Set<FilePath> = []
  /// The folders in which a build may have been killed before it said which files are its own.
  private var unsure: [FilePath] = []

  /// - Parameter output: the folder of the site that is being built, resolved.
  init(_ files: [FilePath], output: FilePath?) {
    if let output { unsure.append(output) }
    for manifest in files where manifest.name == FilePath(Site.manifestName) {
      guard let bytes = try? Self.whole(manifest), let paths = Site.files(ofManifest: bytes) else { continue }
      let folder = manifest.folder
      folders.append(folder)
      unsure.append(folder.resolved ?? folder)
      owned.insert(manifest)
      // Beside a file a killed build leaves the beginning of the next.
      for path in paths { owned.formUnion([path, path + ".part"].map { folder.appending(FilePath($0)) }) }
    }
  }

  func contains(_ path: FilePath) -> Bool {
    if owned.contains(path) { return true }
    guard let place = path.resolved, unsure.contains(where: place.isInside) else { return false }
    return (try? FileSource(path).beginning(1 << 12)).map(Site.wrote) ?? false
  }

  private static func whole(_ path: FilePath) throws -> [UInt8] {
    var reader = try FileSource(path).makeReader()
    var bytes: [UInt8] = []
    while true {
      let piece = try reader.next()
      if piece.isEmpty { return bytes }
      bytes += piece
    }
  }
}
