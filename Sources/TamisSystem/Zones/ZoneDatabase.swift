import TamisCore

/// The time zone database of the machine: a folder of files that the IANA's `zic` has compiled.
package struct ZoneDatabase: Sendable {
  /// The database in the folder in which Debian (package tzdata), other Linux systems and macOS have it.
  package static let system = ZoneDatabase(folder: "/usr/share/zoneinfo")

  /// The most bytes that are read of a file of the folder; the largest of the release 2025b has 110 kB.
  private static let mostBytes = 1 << 20

  /// The folder.
  package let folder: String

  /// Names a folder, which is read when a zone is asked for.
  package init(folder: String) { self.folder = folder }

  /// Whether the folder has a database.
  package var exists: Bool { has("Etc/UTC") }

  /// The release of the database, such as `2025b`; nil when the folder does not say it.
  package var release: String? {
    // "# version 2025b"; macOS has a file for it.
    let line = source?.prefix { $0 != "\n" } ?? read("+VERSION").map { String(decoding: $0, as: UTF8.self)[...] }
    return line?.split(whereSeparator: \.isWhitespace).last.map(String.init)
  }

  /// The names of all zones, also of older names for them; empty when the folder does not list them.
  package var names: [String] {
    lines.compactMap { words in
      switch words.first {
      case "Z" where words.count > 1: String(words[1])
      case "L" where words.count > 2: String(words[2])
      default: nil
      }
    }
    .sorted()
  }

  /// The words of the lines of the source, such as `Z Europe/Vienna 1:5:21 - LMT` and, for an older name of a zone,
  /// `L Europe/Berlin Arctic/Longyearbyen` (zic(8), whose words may be short).
  private var lines: [[Substring]] { (source ?? "").split(separator: "\n").map { $0.split(separator: " ") } }

  /// Whether the folder has a zone of a name that can be one.
  package func has(_ name: String) -> Bool { zone(named: name) != nil }

  /// Returns the offsets of a zone; nil when the folder has no file of that name, or none that can be read.
  ///
  /// Debian 13 has files of older names, such as `US/Eastern`, in a package of their own: without it they are links.
  ///
  /// - Parameter name: the name, such as `Europe/Vienna`: words of letters, digits, `_`, `-` and `+` between slashes.
  /// - Returns: the offsets; nil for other names too.
  package func zone(named name: String) -> Zone? {
    guard name.utf8.count <= 64, name.utf8.allSatisfy({ $0.isASCIIAlphanumeric || "/_-+".utf8.contains($0) }),
      !name.hasPrefix("/")
    else { return nil }
    if let file = read(name) { return Zone(file) }
    let link = lines.first { $0.first == "L" && $0.count > 2 && $0[2] == name }
    return link.flatMap { read(String($0[1])) }.flatMap { Zone($0) }
  }

  /// The database in the form for people, shortened, which has the release in its first line.
  private var source: String? { read("tzdata.zi").map { String(decoding: $0, as: UTF8.self) } }

  private func read(_ name: String) -> [UInt8]? {
    try? FileSource(FilePath(folder).appending(FilePath(name))).beginning(Self.mostBytes)
  }
}
