import ArgumentParser
import Tamis
import TamisArchive
import TamisCore
import TamisSystem
import TamisSanitizer
import TamisFeed

/// What `tamis --version` prints, and whether the C libraries are new enough.
enum ProgramVersion {
  /// The libraries that the command links; libcurl is compared when it is loaded.
  private static var libraries: [(minimum: LibraryMinimum, version: String)] {
    [(.libxml2, LibXML2.version), (.libtidy, LibTidy.version), (.sqlite, SQLiteLibrary.version)]
  }

  /// The version, a digest of the rules that are built in, and the libraries that run.
  static var description: String {
    // The lengths distinguish lists that are equal when joined.
    let rules = Policy.shippedNames.sorted().flatMap { [$0, Policy.shippedText(named: $0) ?? ""] }
    let digest = SHA256(rules.map { "\($0.utf8.count):\($0)" }.joined()).hex.prefix(16)
    let names = libraries.map { "\($0.minimum.name) \($0.version)" }.joined(separator: ", ")
    return "tamis \(ReleaseVersion.current)\nrules \(digest)\n\(names)"
  }

  /// Ends the command with exit code 69 when a library is too old to be given input.
  static func checkLibraries() throws {
    let objections = libraries.compactMap { $0.minimum.objection(to: $0.version) }
    objections.forEach { Terminal.error("tamis: error: \($0)") }
    if !objections.isEmpty { throw ExitCode.unavailable }
  }
}
