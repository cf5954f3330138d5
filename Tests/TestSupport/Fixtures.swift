package import Foundation

/// Where the tests' files are.
package enum Fixtures {
  /// The package's folder.
  package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Public test suites beside the project; they may be absent.
  package static let shared = root.deletingLastPathComponent().appending(path: "shared")

  /// Whether a public suite is there.
  package static func hasShared(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: shared.appending(path: path).path)
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
