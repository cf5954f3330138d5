import Foundation
import TestSupport
import Testing

/// What documents say is so.
@Suite struct DocumentTests {
  /// Swift examples of these pages are compiled by `make check-products`, line for line.
  @Test(arguments: ["README.md", "docs/library.md"])
  func examplesAreCompiled(_ page: String) throws {
    let folder = Fixtures.root.appending(path: "Tests/Products")
    let sources = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }.map
    {
      Self.lines(try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
    }
    let blocks = try String(contentsOf: Fixtures.root.appending(path: page), encoding: .utf8)
      .components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    #expect(!blocks.isEmpty)
    for block in blocks {
      // Between empty lines stand examples of their own.
      for example in block.components(separatedBy: "\n\n") {
        let lines = Self.lines(example)
        let isThere = sources.contains { source in source.indices.contains { source[$0...].starts(with: lines) } }
        #expect(isThere, "\(page): \(example)")
      }
    }
  }

  /// Links between documents resolve to files.
  @Test func linksInDocumentsResolve() throws {
    let root = Fixtures.root
    let pages =
      ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]
      + (try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "docs").path).map { "docs/\($0)" })
      + (try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "Sources/Tamis/Tamis.docc").path)
        .map { "Sources/Tamis/Tamis.docc/\($0)" })
    for page in pages where page.hasSuffix(".md") {
      let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
      for match in text.matches(of: /\]\(([^)#:\s]+)(#[^)\s]*)?\)/) {
        let target = root.appending(path: page).deletingLastPathComponent().appending(path: String(match.1))
        #expect(FileManager.default.fileExists(atPath: target.path), "\(page): \(match.1)")
      }
    }
  }

  /// Source files that documents name exist.
  @Test func sourceFilesInDocumentsExist() throws {
    let root = Fixtures.root
    let files = try ["Sources", "Tests"].flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path).map { "/\(folder)/\($0)" }
    }
    for page in files.filter({ $0.hasSuffix(".md") }) + ["/CONTRIBUTING.md", "/SECURITY.md", "/README.md"] {
      let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
      for match in text.matches(of: /`([A-Za-z\/+]+\.swift)`/) {
        #expect(files.contains { $0.hasSuffix("/\(match.1)") }, "\(page): \(match.1)")
      }
    }
  }

  /// The README says the most important things and leads to the rest.
  @Test func readmeIsShort() throws {
    let text = try String(contentsOf: Fixtures.root.appending(path: "README.md"), encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 91)
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }
}
