import Foundation
import FuzzTargets
import TestSupport
import Testing

/// The targets of the fuzzer, on what it has found and on what it begins with.
@Suite struct FuzzTests {
  static let names = FuzzTargets.all.map(\.name)

  @Test("an input that the fuzzer found is no fault any more", arguments: names)
  func foundInputIsNoFault(_ name: String) throws {
    let target = try #require(FuzzTargets.named(name))
    for file in Fixtures.files(in: "Fuzz/\(name)", withExtension: "bin") {
      #expect(target.fault(in: Array(try Data(contentsOf: file))) == nil, "\(file.lastPathComponent)")
    }
  }

  @Test("an input that fuzzing begins with is no fault, and not too long", arguments: names)
  func seedIsNoFault(_ name: String) async throws {
    let target = try #require(FuzzTargets.named(name))
    let seeds = try await target.seeds(from: SeedFiles(fixtures: Fixtures.url("").path))
    #expect(seeds.count > 10)
    for seed in seeds {
      #expect(target.fault(in: seed) == nil, "\(target.text(of: seed))")
    }
  }

  @Test("each target has a dictionary, and each folder and dictionary a target")
  func targetsHaveFiles() throws {
    func names(in folder: URL) throws -> Set<String> {
      let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      return Set(files.map { $0.deletingPathExtension().lastPathComponent })
    }
    let dictionaries = Fixtures.root.appending(path: "Tests/Fuzz/dictionaries")
    #expect(try names(in: dictionaries) == Set(Self.names))
    #expect(try names(in: Fixtures.url("Fuzz")).isSubset(of: Self.names))
  }

  /// The list of OSS-Fuzz's script is that of the targets, and so is the one that `make help` shows.
  @Test("scripts name all targets")
  func scriptsNameTargets() throws {
    for path in ["Tests/Fuzz/oss-fuzz/build.sh", "Makefile", "docs/developing.md"] {
      let text = try String(contentsOf: Fixtures.root.appending(path: path), encoding: .utf8)
      for name in Self.names { #expect(text.contains(name), "\(path) lacks \(name)") }
    }
  }
}
