import TamisArchive
import TamisCore
import TamisSystem
import TamisSite

/// The picture files of a site.
struct PublishedPictures {
  private let archive: Archive
  private let folder: FilePath
  private let isUsed: Bool

  init(_ configuration: SiteBuild.Configuration, _ archive: Archive) {
    (self.archive, folder, isUsed) = (archive, configuration.pictureFolder, configuration.site.pictures == .keep)
  }

  /// Adds picture files to the site, before the pages that show them.
  ///
  /// - Parameters:
  ///   - all: whether files that are recorded as present are added too.
  ///   - writer: the writer of the site's files.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read or written; ``Site/Failure`` when a file cannot be
  ///   written.
  func put(all: Bool, _ writer: SiteWriter) async throws {
    for picture in try pictures() {
      if !all, try writer.published.file(picture.path) != nil { continue }
      let mark = FileMark(size: picture.size, digest: Checksum(stored: picture.checksum))
      try await writer.add(
        LinkedFile(path: picture.path, source: folder.appending(FilePath(picture.pathInFolder)), mark: mark))
    }
    try await writer.finish()
  }

  /// Removes the files that are no longer shown on any page.
  func removeUnused(_ writer: SiteWriter) throws {
    let known = try writer.published.files(beginning: KeptPicture.folder)
    if known.isEmpty { return }
    let used = Set(try pictures().map(\.path))
    for path in known where !used.contains(path) { try writer.remove(path) }
  }

  private func pictures() throws -> [StoredPicture] { isUsed ? try archive.storedPictures() : [] }
}
