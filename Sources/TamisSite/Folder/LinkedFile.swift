package import TamisCore
package import TamisSystem
import TamisLibC

/// A file of a site that already exists elsewhere: a stored picture, named by the SHA-256 of its bytes.
package struct LinkedFile: Sendable, Hashable {
  /// The path in the site.
  package var path: PagePath
  /// The path of the existing file.
  package var source: FilePath
  /// The fingerprint.
  package var mark: FileMark

  /// Creates a file.
  package init(path: PagePath, source: FilePath, mark: FileMark) {
    (self.path, self.source, self.mark) = (path, source, mark)
  }

  /// The maximum size of such a file, in bytes.
  static let mostBytes = 1 << 28

  /// Whether the digest in the name of a file is that of its bytes.
  static func isNamed(_ path: PagePath, by bytes: [UInt8]) -> Bool {
    SiteFolder.name(of: path.text).hasPrefix(SHA256(bytes).hex + ".")
  }
}

extension SiteFolder {
  /// Puts an existing file into the site, as a hard link if possible, else as a copy.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - known: the fingerprint of the file that an earlier build put there; nil when there is none.
  ///   - isTrusted: whether to assume that the present file is unchanged and skip reading it.
  /// - Returns: the result, or nil when the existing file is missing or has changed.
  /// - Throws: when the file cannot be written, or a file that is not of the site has its name.
  package func put(_ file: LinkedFile, known: FileMark?, isTrusted: Bool) throws(Site.Failure) -> PutResult? {
    guard Self.isInside(file.path.text) else { return nil }
    if isTrusted, known == file.mark { return PutResult(mark: file.mark, outcome: .unchanged) }
    var note: String?
    switch look(at: file.path, most: max(file.mark.size, known?.size ?? 0)) {
    case .nothing: break
    case .file(let present) where file.mark.fits(present): return PutResult(mark: file.mark, outcome: .unchanged)
    case .file, .other:
      guard known != nil else { throw foreign(file.path.text) }
      note = "\(file.path): this file was changed by somebody else; it is overwritten"
    }
    guard let bytes = try? FileSource(file.source).beginning(file.mark.size + 1), file.mark.fits(bytes) else {
      return nil
    }
    if isWritten, !link(file) { try write(SiteFile(path: file.path, bytes: bytes)) }
    return PutResult(mark: file.mark, outcome: .written, note: note)
  }

  /// Creates a hard link, replacing what has its name, or returns false when that is not possible, as on another disk.
  private func link(_ file: LinkedFile) -> Bool {
    guard let folder = parent(of: file.path.text, isMade: true) else { return false }
    let name = Self.name(of: file.path.text)
    let part = name + ".part"
    unlinkat(folder.descriptor, part, 0)
    let isLinked = file.source.withSystemPath { linkat(AT_FDCWD, $0, folder.descriptor, part, 0) == 0 }
    guard isLinked else { return false }
    let isMoved = renameat(folder.descriptor, part, folder.descriptor, name) == 0
    // `rename` does nothing when both names are links to one file.
    unlinkat(folder.descriptor, part, 0)
    return isMoved
  }
}
