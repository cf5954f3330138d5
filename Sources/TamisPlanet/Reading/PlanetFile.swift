package import TamisCore
import TamisYAML

/// Reads a configuration, or a list of subscriptions of another program.
package struct PlanetFile: Sendable {
  /// The format of a file.
  package enum Format: String, Sendable, Hashable, CaseIterable {
    /// A configuration of this program.
    case tamis
    /// An outline, as feed readers exchange subscriptions (OPML 1.0 and 2.0).
    case opml
    /// Addresses, a line each.
    case list
    /// Planet Venus, Planet 2.0 and their kin.
    case venus
    /// Pluto.
    case pluto
    /// osmosfeed.
    case osmosfeed

    /// In words.
    package var name: String {
      switch self {
      case .tamis: "a configuration"
      case .opml: "OPML"
      case .list: "a list of addresses"
      case .venus: "a configuration of Planet Venus"
      case .pluto: "a configuration of Pluto"
      case .osmosfeed: "a configuration of osmosfeed"
      }
    }
  }

  /// The format.
  package var format: Format
  /// The configuration, as far as it can be read.
  package var planet: Planet
  /// Its name in findings.
  let name: String
  /// The findings: mistakes, and settings without a counterpart; errors for what has to be changed.
  package var findings: [Finding]

  /// Largest file of any kind, in bytes (16 MiB).
  package static let maximumBytes = YAMLDocument.maximumBytes

  /// Whether it is a configuration without mistakes that has no feeds on purpose: `feeds: []`.
  ///
  /// A file without feeds is not enough: it may be cut off, or something else.
  package private(set) var saysNone = false

  /// Whether there are no errors.
  package var isValid: Bool { !findings.contains { $0.severity == .error } }

  /// Reads a file of any kind, told by its content.
  ///
  /// - Parameter name: the file's name in findings.
  package init(reading bytes: [UInt8], name: String) {
    self.init(reading: bytes, name: name, as: Self.format(of: bytes))
  }

  /// Reads a file of one kind.
  ///
  /// - Parameter name: the file's name in findings.
  package init(reading bytes: [UInt8], name: String, as format: Format) {
    (self.format, self.name) = (format, name)
    planet = Planet()
    findings = []
    guard bytes.count <= Self.maximumBytes else {
      let message = "this file has more than the \(Self.maximumBytes) bytes that are read"
      findings = [Finding(.error, Self.invalid, message, at: SourceLocation(file: name))]
      return
    }
    switch format {
    case .tamis:
      var reader = ConfigReader(file: name)
      if let root = reader.yaml.root(bytes) { reader.read(root) }
      (planet, findings) = (reader.planet, reader.yaml.findings)
      saysNone = reader.listsFeeds && isValid && planet.feeds.isEmpty && planet.readingLists.isEmpty
      // Where feeds could not be read it is not said that there are none.
      if !planet.feeds.isEmpty || isValid { findings += PlanetLint.findings(of: planet, file: name) }
    case .osmosfeed:
      var reader = OsmosfeedReader(file: name)
      if let root = reader.config.yaml.root(bytes) { reader.read(root) }
      (planet, findings) = (reader.config.planet, reader.config.yaml.findings)
    case .opml: (planet, findings) = OPMLReader.read(bytes, file: name)
    case .list: (planet, findings) = AddressList.read(bytes, file: name)
    case .venus: (planet, findings) = VenusReader.read(bytes, file: name)
    case .pluto: (planet, findings) = PlutoReader.read(bytes, file: name)
    }
    findings = Self.bounded(findings, file: name)
  }

  // MARK: - Findings

  static let invalid = "config.invalid"
  static let doubtful = "config.doubtful"

  /// The first of many findings, and how many more there are.
  private static func bounded(_ findings: [Finding], file: String) -> [Finding] {
    let most = Limits.standard.findings
    guard findings.count > most else { return findings }
    let rest = findings.dropFirst(most)
    let severity = rest.map(\.severity).max() ?? .note
    return findings.prefix(most) + [
      Finding(severity, invalid, "there are \(rest.count) more like these", at: SourceLocation(file: file))
    ]
  }
}
