import TamisArchive
import TamisCore
import TamisFetch
import TamisFiles

/// The folder of stored pictures, each named by the digest of its bytes; a file is written completely or not at all.
struct PictureFolder {
  private let path: FilePath

  /// Creates the folder's value.
  ///
  /// - Parameter path: the folder's path; the folder is created with the first picture.
  init(_ path: FilePath) { self.path = path }

  /// Stores a picture.
  func store(_ bytes: [UInt8], _ picture: PictureFile) throws(FileFailure) -> StoredPicture {
    let stored = StoredPicture(
      digest: SHA256(bytes).hex, ending: picture.format.ending, width: picture.width, height: picture.height,
      size: bytes.count, checksum: Int64(bitPattern: Checksum(bytes).value))
    let file = file(of: stored)
    if holds(stored) { return stored }
    try file.folder.makeFolder()
    try FileOutput.write(bytes, to: file)
    file.forbidWriting()
    return stored
  }

  /// Whether a picture's file exists with the right size.
  func holds(_ picture: StoredPicture) -> Bool { file(of: picture).stamp?.size == Int64(picture.size) }

  /// Deletes all files except those of some pictures, including leftovers of interrupted runs.
  func sweep(keeping pictures: [StoredPicture]) {
    let kept = Set(pictures.map(file))
    for file in FolderWalk(path).files where !kept.contains(file) {
      file.removeFile()
      file.folder.removeFolder()
    }
    path.removeFolder()
  }

  private func file(of picture: StoredPicture) -> FilePath { path.appending(FilePath(picture.pathInFolder)) }
}
