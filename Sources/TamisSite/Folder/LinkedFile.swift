public import TamisCore
import TamisDigest
public import TamisFiles

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file of a site that lies elsewhere already: a picture, named by the SHA-256 of its bytes.
public struct LinkedFile: Sendable, Hashable {
  /// Where it belongs.
  public var path: PagePath
  /// Where it lies.
  public var source: FilePath
  /// By what it is known.
  public var mark: FileMark

  /// Makes a file.
  public init(path: PagePath, source: FilePath, mark: FileMark) {
    (self.path, self.source, self.mark) = (path, source, mark)
  }

  /// More bytes none has.
  static let mostBytes = 1 << 28

  /// Whether the name of a file says what is in it.
  static func isNamed(_ path: PagePath, by bytes: [UInt8]) -> Bool {
    SiteFolder.name(of: path.text).hasPrefix(SHA256(bytes).hex + ".")
  }
}

extension SiteFolder {
  /// Puts a file in its place that lies elsewhere: under one more name where that is possible, else as a copy.
  ///
  /// - Parameters:
  ///   - known: by what the file is known that an earlier build has put there; nil when none has.
  ///   - isTrusted: whether the file is as it is known to be, so that nobody needs to look when it would not change.
  /// - Returns: nil when it does not lie there any more as it was.
  /// - Throws: when it cannot be written, or something that is not the site's own has its name.
  public func put(_ file: LinkedFile, known: FileMark?, isTrusted: Bool) throws(SiteError) -> PutResult? {
    guard Self.isInside(file.path.text) else { return nil }
    if isTrusted, known == file.mark { return PutResult(mark: file.mark, outcome: .unchanged) }
    var note: String?
    switch look(at: file.path, most: max(file.mark.size, known?.size ?? 0)) {
    case .nothing: break
    case .file(let present) where file.mark.fits(present): return PutResult(mark: file.mark, outcome: .unchanged)
    case .file, .other:
      guard known != nil else {
        throw SiteError(
          description:
            "\(name(file.path.text)): this file was not written by tamis; move it away, or name another folder with --output"
        )
      }
      note = "\(file.path): somebody has changed this file; it is written anew"
    }
    guard let bytes = try? FileSource(file.source).beginning(file.mark.size + 1), file.mark.fits(bytes) else {
      return nil
    }
    if isWritten, !link(file) { try write(SiteFile(path: file.path, bytes: bytes)) }
    return PutResult(mark: file.mark, outcome: .written, note: note)
  }

  /// Gives a file one more name, in place of what has it; false when that cannot be, as on another disk.
  private func link(_ file: LinkedFile) -> Bool {
    guard let folder = parent(of: file.path.text, isMade: true) else { return false }
    let name = Self.name(of: file.path.text)
    let part = name + ".part"
    unlinkat(folder.descriptor, part, 0)
    let isLinked = file.source.withSystemPath { linkat(AT_FDCWD, $0, folder.descriptor, part, 0) == 0 }
    guard isLinked else { return false }
    let isMoved = renameat(folder.descriptor, part, folder.descriptor, name) == 0
    // Of two names of one file neither goes.
    unlinkat(folder.descriptor, part, 0)
    return isMoved
  }
}
