import TamisArchive
import TamisCore
import TamisDigest
import TamisFetch
import TamisFiles
import TamisPictures

/// The folder in which pictures are kept, each under the digest of its bytes; a file appears whole or not at all.
struct PictureFolder {
  private let path: FilePath

  /// - Parameter path: where it is; made when the first picture comes.
  init(_ path: FilePath) { self.path = path }

  /// Keeps a picture.
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

  /// Whether a picture is there, by its size.
  func holds(_ picture: StoredPicture) -> Bool { file(of: picture).stamp?.size == Int64(picture.size) }

  /// Removes all files but those of some pictures, and what runs that were cut short have left.
  func sweep(keeping pictures: [StoredPicture]) {
    let kept = Set(pictures.map(file))
    for file in FolderWalk(path).files where !kept.contains(file) {
      file.removeFile()
      file.folder.removeFolder()
    }
    path.removeFolder()
  }

  private func file(of picture: StoredPicture) -> FilePath { path.appending(FilePath(picture.place)) }
}
