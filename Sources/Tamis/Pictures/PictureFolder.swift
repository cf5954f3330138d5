import TamisArchive
import TamisCore
import TamisFetch
import TamisSystem

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
    try FileOutput.replace(file, with: bytes)
    file.forbidWriting()
    return stored
  }

  /// Whether a picture's file exists with the right size.
  func holds(_ picture: StoredPicture) -> Bool {
    let file = file(of: picture)
    return !file.isLink && file.stamp?.size == Int64(picture.size)
  }

  /// Deletes all pictures except some, including leftovers of interrupted runs; files of others stay.
  func sweep(keeping pictures: [StoredPicture]) {
    if path.isLink { return }
    let kept = Set(pictures.map(file))
    for file in FolderWalk(path).paths where !kept.contains(file) && Self.isOwn(file) {
      file.removeFile()
      file.folder.removeFolder()
    }
    path.removeFolder()
  }

  /// Whether a file has a name that ``store(_:_:)`` gives, complete or not: the digest of a picture, in a folder of its
  /// first two digits.
  private static func isOwn(_ file: FilePath) -> Bool {
    let digest = file.name.bytes.prefix { $0 != UInt8(ascii: ".") }
    return digest.count == 64 && digest.allSatisfy { $0.isASCIIDigit || (0x61...0x66).contains($0) }
      && file.folder.name.bytes.elementsEqual(digest.prefix(2))
  }

  private func file(of picture: StoredPicture) -> FilePath { path.appending(FilePath(picture.pathInFolder)) }
}
