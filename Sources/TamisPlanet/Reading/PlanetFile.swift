public import TamisCore
import TamisYAML

/// Reads what says which feeds are to be read: a configuration, or a list of subscriptions of some other program.
public struct PlanetFile: Sendable {
  /// What a file is.
  public enum Format: String, Sendable, Hashable, CaseIterable {
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
    public var name: String {
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

  /// What it is.
  public var format: Format
  /// What it says, as far as it can be read.
  public var planet: Planet
  /// Its name in findings.
  let name: String
  /// What is wrong with it, or has no counterpart: errors for what has to be changed.
  public var findings: [Finding]

  /// Largest file of any kind, in bytes (16 MiB).
  public static let maximumBytes = YAMLDocument.maximumBytes

  /// Whether it is a configuration that says that there are no feeds: `feeds: []`, and no mistake in all of it.
  ///
  /// That there are none in a file says less: it may be a part of one, or something else.
  public private(set) var saysNone = false

  /// Whether nothing has to be changed.
  public var isValid: Bool { !findings.contains { $0.severity == .error } }

  /// Reads a file of any kind, told by its content.
  ///
  /// - Parameter name: the file's name in findings.
  public init(reading bytes: [UInt8], name: String) {
    self.init(reading: bytes, name: name, as: Self.format(of: bytes))
  }

  /// Reads a file of one kind.
  ///
  /// - Parameter name: the file's name in findings.
  public init(reading bytes: [UInt8], name: String, as format: Format) {
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
