import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Why the site could not be written.
public struct SiteError: Error, CustomStringConvertible {
  /// What is wrong and what to do, with the file's name.
  public let description: String
}

/// The folder a site is written to.
///
/// A file appears whole or not at all, and one that would not change is left alone.
struct SiteFolder: Sendable {
  /// What writing a file came to.
  enum Outcome: Sendable {
    case written
    case unchanged
  }

  let root: String

  /// Makes the folder if it is not there, and makes sure that files can be written in it.
  init(root: String) throws(SiteError) {
    self.root = root
    do {
      try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    } catch {
      throw SiteError(description: "\(root): this folder cannot be made; name another with --output")
    }
    guard FileManager.default.isWritableFile(atPath: root) else {
      throw SiteError(description: "\(root): this folder cannot be written to; name another with --output")
    }
  }

  func contains(_ path: String) -> Bool { FileManager.default.fileExists(atPath: root + "/" + path) }

  func read(_ path: String) -> [UInt8]? {
    guard let data = FileManager.default.contents(atPath: root + "/" + path) else { return nil }
    return Array(data)
  }

  func write(_ bytes: [UInt8], to path: String) throws(SiteError) -> Outcome {
    let target = root + "/" + path
    guard !path.split(separator: "/").contains("..") else {
      throw SiteError(
        description: "\(target): this path leads out of the site; is the index or the manifest someone else's?")
    }
    if read(path) == bytes { return .unchanged }
    do {
      let folder = URL(filePath: target).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      // A name of its own, the same each time: what a killed run leaves is written over by the next.
      let part = target + ".part"
      try Data(bytes).write(to: URL(filePath: part))
      guard rename(part, target) == 0 else { throw CocoaError(.fileWriteUnknown) }
    } catch {
      throw SiteError(description: "\(target): this file cannot be written: \(Self.reason(error))")
    }
    return .written
  }

  /// Removes a page of a post; false when there is none, it cannot be removed, or the path leads elsewhere: it comes from
  /// a file that others may have changed.
  func removePage(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "posts", parts[2].hasSuffix(".html"), !parts.contains("..") else {
      return false
    }
    return (try? FileManager.default.removeItem(atPath: root + "/" + path)) != nil
  }

  private static func reason(_ error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileWriteOutOfSpace: "the disk is full"
    case .fileWriteNoPermission: "writing is not permitted"
    case .fileWriteVolumeReadOnly: "the disk is read-only"
    case .fileWriteFileExists: "something else has its name"
    default: "\(error)"
    }
  }
}
