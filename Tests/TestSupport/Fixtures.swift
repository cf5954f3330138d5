package import Foundation
package import Testing

/// Where the tests' files are.
package enum Fixtures {
  /// The package's folder.
  package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Folders in which public suites may be, the first first: that which TAMIS_SUITES names, what `make conformance` has
  /// fetched, and one beside the project.
  private static let suites: [URL] = {
    let named = ProcessInfo.processInfo.environment["TAMIS_SUITES"].map { URL(filePath: $0) }
    return [named, root.appending(path: ".build/suites"), root.deletingLastPathComponent().appending(path: "shared")]
      .compactMap { $0 }
  }()

  /// A file or folder of a public suite; a place where nothing is when it is nowhere.
  package static func suite(_ path: String) -> URL {
    let candidates = suites.map { $0.appending(path: path) }
    return candidates.first { FileManager.default.fileExists(atPath: $0.path) } ?? candidates[candidates.count - 1]
  }

  /// Whether a file or folder of a public suite is there.
  package static func hasSuite(_ path: String) -> Bool { FileManager.default.fileExists(atPath: suite(path).path) }

  /// Why a test of a public suite is skipped.
  package static func needs(_ path: String) -> Comment {
    "needs \(path): `make conformance` fetches public suites, SUITES=folder names a folder that has others"
  }

  /// The files in a folder of `Fixtures/`, by name.
  package static func files(in folder: String, withExtension ext: String) -> [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url(folder).path)) ?? []
    return names.filter { $0.hasSuffix(".\(ext)") }.sorted().map { url(folder).appending(path: $0) }
  }

  /// A path below `Fixtures/`.
  package static func url(_ path: String) -> URL { root.appending(path: "Fixtures").appending(path: path) }

  /// A new empty folder that goes when the value does.
  package static func temporaryFolder() throws -> TemporaryFolder { try TemporaryFolder() }
}

/// A folder that is removed with the last reference to it.
package final class TemporaryFolder: Sendable {
  package let path: String

  fileprivate init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "tamis-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
