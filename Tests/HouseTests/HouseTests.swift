import Foundation
import TestSupport
import Testing

/// The rules of the house that the compiler does not know.
@Suite struct HouseTests {
  /// Which of our own modules each may import: the stages never each other.
  static let mayImport: [String: Set<String>] = [
    "TamisCore": [], "TamisFoundation": [], "TamisLibC": [], "TamisSystem": ["TamisCore", "TamisLibC"],
    "TamisURL": ["TamisCore", "TamisLibC"],
    "TamisEncoding": ["TamisCore"],
    "TamisHTML": ["TamisCore", "TamisTeX"], "TamisTeX": ["TamisCore"],
    "TamisFetch": ["TamisCore", "TamisSystem", "TamisHTML", "TamisLibC", "TamisURL"],
    "TamisFeed": ["TamisCore", "TamisEncoding", "TamisURL"],
    "TamisSanitizer": ["TamisCore", "TamisHTML", "TamisURL", "TamisYAML"],
    "TamisMarkdown": ["TamisCore", "TamisHTML"],
    "TamisYAML": ["TamisCore"],
    "TamisPlanet": ["TamisCore", "TamisFeed", "TamisHTML", "TamisLibC", "TamisSystem", "TamisURL", "TamisYAML"],
    "TamisExtract": ["TamisCore", "TamisHTML", "TamisURL"],
    "TamisArticle": ["TamisCore", "TamisEncoding", "TamisHTML", "TamisURL", "TamisYAML"],
    "TamisArchive": ["TamisCore", "TamisSystem", "TamisFoundation", "TamisURL"],
    "TamisSite": ["TamisCore", "TamisSystem", "TamisFoundation", "TamisHTML", "TamisLibC", "TamisMarkdown"],
    "TamisServe": ["TamisCore", "TamisSystem", "TamisLibC"],
    "TamisCheck": ["TamisCore", "TamisSystem", "TamisFoundation", "TamisHTML", "TamisURL", "TamisSanitizer"],
    "Tamis": [
      "TamisCore", "TamisSystem", "TamisFoundation", "TamisURL", "TamisFetch", "TamisFeed", "TamisHTML",
      "TamisSanitizer", "TamisMarkdown", "TamisExtract", "TamisArticle", "TamisPlanet", "TamisArchive", "TamisSite",
    ],
    "TamisRecords": [
      "TamisCore", "TamisSystem", "TamisFoundation", "TamisURL", "TamisFeed", "TamisHTML", "TamisSanitizer",
      "TamisExtract", "TamisArticle", "TamisArchive", "TamisLibC", "Tamis",
    ],
    "TamisCommand": [
      "TamisCore", "TamisSystem", "TamisFoundation", "TamisURL", "TamisFetch", "TamisFeed", "TamisHTML",
      "TamisSanitizer", "TamisExtract", "TamisArticle", "TamisPlanet", "TamisArchive", "TamisSite", "Tamis",
      "TamisCheck", "TamisRecords", "TamisLibC", "TamisServe",
    ],
  ]

  /// The one module that may import each library.
  static let home = [
    "CCMarkGFM": "Tamis", "CLibXML2": "TamisFeed", "CTidy": "TamisSanitizer", "CIDN2": "TamisURL",
    "CNettle": "TamisSystem", "Glibc": "TamisLibC", "Darwin": "TamisLibC",
    "CXXHash": "TamisSystem", "CUnistring": "TamisSystem", "CCurl": "TamisFetch",
    "CMicroHTTPD": "TamisServe",
    "CEncoding": "TamisEncoding", "CZlib": "TamisSystem", "CZstd": "TamisSystem",
    "CRE2": "TamisPlanet", "CRE2Library": "TamisPlanet",
    "Yams": "TamisYAML",
    "GRDB": "TamisArchive", "GRDBSQLite": "TamisArchive", "ArgumentParser": "TamisCommand",
  ]

  @Test func everyModuleIsKnown() throws {
    let modules = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path).filter {
      $0.hasPrefix("Tamis")
    }
    #expect(Set(modules) == Set(Self.mayImport.keys))
  }

  /// Files of a trial that a commit took along stand here first.
  @Test(
    .enabled(
      "no checkout of git", { FileManager.default.fileExists(atPath: Fixtures.root.appending(path: ".git").path) }))
  func topLevelIsKnown() throws {
    let listing = Process(), output = Pipe()
    listing.executableURL = URL(filePath: "/usr/bin/env")
    listing.arguments = ["git", "-c", "safe.directory=*", "-C", Fixtures.root.path, "ls-files", "-z"]
    listing.standardOutput = output
    try listing.run()
    let names = output.fileHandleForReading.readDataToEndOfFile().split(separator: 0).map {
      String(decoding: $0.prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
    }
    listing.waitUntilExit()
    let known: Set = [
      ".ci", ".github", ".gitignore", ".spi.yml", ".swift-format", "CHANGELOG.md", "CODE_OF_CONDUCT.md",
      "CONTRIBUTING.md", "Fixtures", "LICENSE", "Makefile", "NOTICE", "Package.swift", "Packaging", "README.md",
      "Rules", "SECURITY.md", "Sources", "Suite", "Tests", "Training", "action.yml", "docs",
    ]
    #expect(Set(names) == known)
  }

  @Test(arguments: Array(mayImport.keys))
  func importsFollowModuleOrder(_ module: String) throws {
    for (file, line) in try Self.lines(of: module) {
      guard let imported = Self.importedModule(line) else { continue }
      if imported.hasPrefix("Tamis") {
        #expect(Self.mayImport[module]?.contains(imported) == true, "\(file): \(line)")
      } else if let home = Self.home[imported] {
        #expect(home == module, "\(file): \(line)")
      } else if imported.hasPrefix("Foundation") {
        #expect(module == "TamisFoundation", "\(file): \(line)")
      }
    }
  }

  @Test func onlyTheSanitizerMakesSanitizedHTML() throws {
    for module in Self.mayImport.keys where module != "TamisSanitizer" && module != "TamisCore" {
      for (file, line) in try Self.lines(of: module) {
        #expect(!line.contains("sanitizerOutput"), "\(file): \(line)")
      }
    }
  }

  @Test func sourcesContainNoOpenTasks() throws {
    for module in Self.mayImport.keys {
      for (file, line) in try Self.lines(of: module) {
        #expect(!["TODO", "FIXME", "not implemented"].contains { line.contains($0) }, "\(file): \(line)")
      }
    }
  }

  /// The command is linked without ICU's data (`Sources/CICUData`).
  @Test("nothing asks Foundation for what needs ICU's data")
  func nothingNeedsDataOfICU() throws {
    let names = [
      "Locale(", "Locale.", "localized", "Calendar", "DateComponents", "DateFormatter", "NumberFormatter",
      "NSRegularExpression", "TimeZone(", "TimeZone.", ".formatted(", "folding(", "enumerateSubstrings",
    ]
    for module in Self.mayImport.keys {
      for (file, line) in try Self.lines(of: module) where !line.drop(while: { $0 == " " }).hasPrefix("//") {
        #expect(!names.contains { line.contains($0) }, "\(file): \(line)")
      }
    }
  }

  /// The formatter wraps code, not comments.
  @Test func commentsFitInLineLength() throws {
    for module in Self.mayImport.keys {
      for (file, line) in try Self.lines(of: module) where line.drop(while: { $0 == " " }).hasPrefix("//") {
        #expect(line.count <= 120, "\(file): \(line)")
      }
    }
  }

  /// A case whose `contxt: td` nothing reads tests something else than it says.
  @Test func settingsOfCasesAreRead() throws {
    let code = try Self.texts(below: "Sources", ".swift") + Self.texts(below: "Tests", ".swift")
    let names = Set(code.flatMap { Self.quoted($0.text) })
    var count = 0
    for (file, text) in try Self.texts(below: "Fixtures", ".txt") {
      var isHead = false
      for line in text.split(separator: "\n") {
        if line.hasPrefix("=== ") || line.hasPrefix("--- ") {
          isHead = line.hasPrefix("=")
        } else if isHead, let name = line.firstMatch(of: /^([A-Za-z][\w-]*):/)?.1 {
          if !names.contains(name) { Issue.record("\(file): nothing reads '\(name)'") }
          count += 1
        }
      }
    }
    #expect(count > 1000)
  }

  private static func quoted(_ text: String) -> [Substring] {
    text.split(separator: "\n").flatMap { line in
      line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
        .map(\.element)
    }
  }

  // MARK: - Sources

  static let sources = Fixtures.root.appending(path: "Sources")

  static func lines(of module: String) throws -> [(file: String, line: Substring)] {
    let folder = sources.appending(path: module)
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
      .flatMap { path in
        try String(contentsOf: folder.appending(path: path), encoding: .utf8).split(separator: "\n")
          .map { ("\(module)/\(path)", $0) }
      }
  }

  private static func texts(below folder: String, _ ending: String) throws -> [(file: String, text: String)] {
    let folder = Fixtures.root.appending(path: folder)
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(ending) }.map {
      ($0, String(decoding: try Data(contentsOf: folder.appending(path: $0)), as: UTF8.self))
    }
  }

  private static func importedModule(_ line: Substring) -> String? {
    let words = line.split(separator: " ")
    guard let position = words.firstIndex(of: "import"), position + 1 < words.count,
      words[..<position].allSatisfy({
        $0.hasPrefix("@") || ["public", "package", "internal", "fileprivate", "private"].contains($0)
      })
    else { return nil }
    return String(words[position + 1])
  }
}
