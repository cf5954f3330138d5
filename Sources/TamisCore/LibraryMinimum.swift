/// The oldest version of a C library that may be used.
///
/// Older ones have holes that input can reach, or are not tested with. `make setup` reads the table of this file, so
/// that a build does not begin with them, and the command compares what it runs with.
///
/// Distributions mend holes without a new version: a library that is new enough can lack their updates.
package struct LibraryMinimum: Sendable, Hashable {
  /// The name for messages.
  package let name: String

  /// The name in pkg-config.
  package let module: String

  /// The version, numbers with dots between them.
  package let version: String

  /// The reason: holes that are mended in it, by their CVE numbers.
  package let reason: String

  private init(_ name: String, _ module: String, _ version: String, _ reason: String) {
    self.name = name
    self.module = module
    self.version = version
    self.reason = reason
  }

  // The Makefile reads the second and the third text of each line. All are of Debian 12, the oldest system
  // on which the tests run.
  package static let libxml2 = Self("libxml2", "libxml-2.0", "2.9.14", "CVE-2022-23308, CVE-2022-29824")
  package static let libtidy = Self("libtidy", "tidy", "5.6.0", "CVE-2017-13692")
  package static let sqlite = Self("SQLite", "sqlite3", "3.40.1", "CVE-2022-35737")
  package static let libcurl = Self("libcurl", "libcurl", "7.88.1", "CVE-2022-32206, CVE-2023-23916")

  /// Returns why a version cannot be used; nil when it can.
  ///
  /// - Parameter found: what the library says of itself, such as `8.5.0` or `2.15.0-GITv2.15`.
  /// - Returns: a message for the user.
  package func objection(to found: String) -> String? {
    guard Self.numbers(found).lexicographicallyPrecedes(Self.numbers(version)) else { return nil }
    return "\(name) \(found) is older than \(version), which mends \(reason); update it"
  }

  /// The numbers of a version up to the first character that is neither a digit nor a dot.
  private static func numbers(_ version: String) -> [Int] {
    version.prefix { $0 == "." || ("0"..."9").contains($0) }.split(separator: ".").map { Int($0) ?? .max }
  }
}
