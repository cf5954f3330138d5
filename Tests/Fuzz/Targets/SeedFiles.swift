import TamisCheck
import TamisFoundation

/// The files of `Fixtures` from which fuzzing begins.
package struct SeedFiles: Sendable {
  private let folder: String

  /// Names the folder `Fixtures`.
  package init(fixtures folder: String) { self.folder = folder }

  /// Returns the files of a folder, by name.
  func files(in folder: String, withExtension ext: String) -> [[UInt8]] {
    paths(in: folder, withExtension: ext).compactMap(bytes)
  }

  /// Returns a section of each case in the case files of a folder.
  func sections(_ name: String, in folder: String) -> [[UInt8]] {
    paths(in: folder, withExtension: "txt").flatMap { path in
      CaseFile(String(decoding: bytes(path) ?? [], as: UTF8.self), file: path).cases
        .compactMap { $0.section(name).map { Array($0.utf8) } }
    }
  }

  /// Returns the paths of the files of a folder, by name.
  func paths(in folder: String, withExtension ext: String) -> [String] {
    let path = self.folder + "/" + folder
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix("." + ext) }.sorted().map { path + "/" + $0 }
  }

  private func bytes(_ path: String) -> [UInt8]? { FileManager.default.contents(atPath: path).map { Array($0) } }
}
