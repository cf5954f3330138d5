package import TamisCore
import TamisURL
import TamisYAML

/// A configuration, or a subscription list of another program, read from a file.
package struct PlanetFile: Sendable {
  /// The format of a file.
  package enum Format: String, Sendable, Hashable, CaseIterable {
    /// A configuration of Tamis.
    case tamis
    /// An outline, as feed readers exchange subscriptions (OPML 1.0 and 2.0).
    case opml
    /// URLs, one on each line.
    case list
    /// A configuration of Planet Venus, Planet 2.0 or a relative.
    case venus
    /// A configuration of osmosfeed.
    case osmosfeed

    /// The format in words.
    package var name: String {
      switch self {
      case .tamis: "a configuration"
      case .opml: "OPML"
      case .list: "a list of addresses"
      case .venus: "a configuration of Planet Venus"
      case .osmosfeed: "a configuration of osmosfeed"
      }
    }
  }

  /// The format.
  package var format: Format
  /// The configuration, as far as it can be read.
  package var planet: Planet
  /// The name of the file in findings.
  let name: String
  /// The findings: mistakes, and settings without a counterpart; errors for what has to be changed.
  package var findings: [Finding]

  /// The maximum size of a file of any format, in bytes (16 MiB).
  package static let maximumBytes = YAMLDocument.maximumBytes

  /// Whether the file is a valid configuration that explicitly has no feeds: `feeds: []`.
  ///
  /// A file without feeds is not enough: it may be truncated, or something else.
  package private(set) var saysNone = false

  /// Whether there are no errors.
  package var isValid: Bool { !findings.contains { $0.severity == .error } }

  /// Whether all of it could be read but addresses that no feed can have, so that feeds that are missing were removed.
  package private(set) var isWhole = false

  /// Whether the settings of the site are not, or not all, as the file has them.
  package private(set) var isSiteFaulty = false

  /// Reads a file, detecting its format from the content.
  ///
  /// - Parameters:
  ///   - bytes: the content of the file.
  ///   - name: the file's name in findings.
  package init(reading bytes: [UInt8], name: String) {
    self.init(reading: bytes, name: name, as: Self.format(of: bytes))
  }

  /// Reads a file of a given format.
  ///
  /// - Parameters:
  ///   - bytes: the content of the file.
  ///   - name: the file's name in findings.
  ///   - format: the format.
  package init(reading bytes: [UInt8], name: String, as format: Format) {
    let bytes = Array(Self.withoutMark(bytes))
    (self.format, self.name) = (format, name)
    planet = Planet()
    findings = []
    guard bytes.count <= Self.maximumBytes else {
      let message = "this file has more than the \(Self.maximumBytes) bytes that are read"
      findings = [Finding(.error, Self.invalid, message, at: Finding.Location(file: name))]
      return
    }
    switch format {
    case .tamis:
      var reader = ConfigReader(file: name)
      let root = reader.yaml.root(bytes)
      if let root { reader.read(root) }
      (planet, findings) = (reader.planet, reader.yaml.findings)
      isSiteFaulty = root == nil ? !isValid : reader.isSiteFaulty
      saysNone = reader.listsFeeds && isValid && planet.feeds.isEmpty && planet.readingLists.isEmpty
      // When feeds could not be read, the finding that there are none would be wrong.
      if !planet.feeds.isEmpty || isValid { findings += PlanetLint.findings(of: planet, file: name) }
    case .osmosfeed:
      var reader = OsmosfeedReader(file: name)
      if let root = reader.config.yaml.root(bytes) { reader.read(root) }
      (planet, findings) = (reader.config.planet, reader.config.yaml.findings)
    case .opml: (planet, findings) = OPMLReader.read(bytes, file: name)
    case .list: (planet, findings) = AddressList.read(bytes, file: name)
    case .venus: (planet, findings) = VenusReader.read(bytes, file: name)
    }
    // What is missing of an ill-formed document, nobody knows.
    isWhole = !findings.contains { $0.severity == .error && $0.code != Self.refused || $0.code == "parse.ill-formed" }
    findings = Self.bounded(findings, file: name)
  }

  // MARK: - Findings

  static let invalid = "config.invalid"
  /// The code of an address that no feed can have, which costs only itself.
  static let refused = "config.address"
  static let doubtful = "config.doubtful"

  /// Returns the first of many findings, and a finding with the number of the others.
  private static func bounded(_ findings: [Finding], file: String) -> [Finding] {
    let most = Limits.standard.findings
    guard findings.count > most else { return findings }
    let rest = findings.dropFirst(most)
    let severity = rest.map(\.severity).max() ?? .note
    return findings.prefix(most) + [
      Finding(severity, invalid, "there are \(rest.count) more like these", at: Finding.Location(file: file))
    ]
  }
}

extension PlanetFile {
  /// The number of bytes examined to detect the format.
  private static let headSize = 1 << 18

  /// Returns the format of a file, judged by its beginning.
  package static func format(of bytes: [UInt8]) -> Format {
    let head = withoutMark(bytes).prefix(headSize)
    // XML in any encoding begins with `<`, which may take two bytes.
    let first = head.drop { $0 >= 0xEF || $0 == 0 || $0.isHTMLSpace }.first
    if first == UInt8(ascii: "<") || head.prefix(4).contains(UInt8(ascii: "<")) { return .opml }
    let lines = String(decoding: head, as: UTF8.self)
      .split { $0.isNewline }.filter { !$0.trimmed().isEmpty && !$0.hasPrefix("#") && !$0.hasPrefix(";") }
    guard let line = lines.first else { return .tamis }
    let words = line.trimmed()
    if isSection(words) || isSetting(words) { return .venus }
    if words.hasPrefix("---") || words.hasPrefix("%YAML") || words.hasPrefix("- ") || words.hasPrefix("{")
      || isKey(line)
    {
      return lines.contains(where: isOsmosfeed) ? .osmosfeed : .tamis
    }
    return .list
  }

  /// Returns a text without UTF-8's byte order mark, which editors of Windows write.
  private static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
  }

  /// Whether a line is `[name]` and nothing else but a comment.
  private static func isSection(_ line: String) -> Bool {
    guard line.hasPrefix("["), let end = line.firstIndex(of: "]") else { return false }
    let rest = line[line.index(after: end)...].trimmed()
    return rest.isEmpty || rest.hasPrefix(";") || rest.hasPrefix("#")
  }

  /// Whether a line is `name = value`.
  private static func isSetting(_ line: String) -> Bool {
    let name = line.prefix { $0 != "=" }
    return name.utf8.count < line.utf8.count && !name.trimmed().isEmpty
      && name.trimmed().utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == 0x5F || $0 == 0x2D || $0 == 0x2E }
  }

  /// Whether a line begins with `name:`, followed by nothing or white space.
  private static func isKey(_ line: Substring) -> Bool {
    let name = line.prefix { $0 != ":" }
    let rest = line.dropFirst(name.count + 1)
    return !name.isEmpty && name.utf8.count < line.utf8.count && (rest.isEmpty || rest.first?.isWhitespace == true)
      && name.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == 0x5F || $0 == 0x2D }
  }

  private static func isOsmosfeed(_ line: Substring) -> Bool {
    ["sources:", "cacheUrl:", "siteTitle:", "cacheMaxDays:", "feedUrls:"].contains { line.hasPrefix($0) }
  }
}

extension PlanetFile {
  /// Removes the settings that an untrusted file must not decide, with a warning for each.
  ///
  /// These are programs to run, access to private networks, proxies, certificates, secrets, and output outside of the
  /// configuration's folder.
  package mutating func dropUntrustedSettings() {
    var commands: Set<[String]> = []
    func withoutPrograms(_ rules: [Planet.FilterRule]) -> [Planet.FilterRule] {
      rules.filter { rule in
        guard case .program(let program) = rule.action else { return true }
        if commands.insert(program.command).inserted {
          let command = program.command.joined(separator: " ")
          leaveOut(
            "the program '\(command)' of a filter", advice: "add it to your own configuration if you trust it",
            at: rule.location)
        }
        return false
      }
    }
    planet.filters = withoutPrograms(planet.filters)
    planet.defaults.filters = withoutPrograms(planet.defaults.filters)
    for index in planet.feeds.indices where !planet.feeds[index].settings.filters.isEmpty {
      planet.feeds[index].settings.filters = withoutPrograms(planet.feeds[index].settings.filters)
    }
    for index in planet.readingLists.indices {
      planet.readingLists[index].settings.filters = withoutPrograms(planet.readingLists[index].settings.filters)
    }
    if !planet.fetching.allowedNetworks.isEmpty {
      let networks = planet.fetching.allowedNetworks.map(\.description).joined(separator: ", ")
      leaveOut("'fetch: allow: [\(networks)]'", advice: "allow such networks in your own configuration", at: nil)
      planet.fetching.allowedNetworks = []
    }
    if Self.leavesFolder(planet.site.output) {
      leaveOut("'site: output: \(planet.site.output)'", advice: "name a folder with --output", at: nil)
      planet.site.output = SiteSettings().output
    }
    if let archive = planet.site.archive, Self.leavesFolder(archive) {
      leaveOut("'site: archive: \(archive)'", advice: "name a file with --archive", at: nil)
      planet.site.archive = nil
    }
    if planet.fetching.proxy != nil {
      leaveOut(
        "'fetch: proxy'", advice: "all requests would go through it; add it to your own configuration if you trust it",
        at: nil)
      planet.fetching.proxy = nil
    }
    if planet.fetching.authorities != nil {
      leaveOut(
        "'fetch: authorities'", advice: "it decides whom all requests trust; add it to your own configuration", at: nil)
      planet.fetching.authorities = nil
    }
    leaveOutSecrets()
  }

  /// Removes what names a secret: an address of the file would get its value.
  private mutating func leaveOutSecrets() {
    var names: Set<String> = []
    func withoutSecrets(_ settings: inout Planet.FeedSettings) {
      names.formUnion(settings.request.secrets.map(\.name))
      settings.request = settings.request.withoutSecrets
    }
    withoutSecrets(&planet.defaults)
    for index in planet.feeds.indices where !planet.feeds[index].settings.request.isEmpty {
      withoutSecrets(&planet.feeds[index].settings)
    }
    for index in planet.readingLists.indices { withoutSecrets(&planet.readingLists[index].settings) }
    if !names.isEmpty {
      leaveOut(
        "what sends a secret (\(names.sorted().joined(separator: ", ")))",
        advice: "add it to your own configuration if its server is to have it", at: nil)
    }
    if planet.fetching.secrets != nil {
      leaveOut("'fetch: secrets'", advice: "name your own file", at: nil)
      planet.fetching.secrets = nil
    }
  }

  /// Whether a path leads out of the folder that it is relative to.
  private static func leavesFolder(_ path: String) -> Bool {
    path.utf8.first == UInt8(ascii: "/")
      || path.utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
  }

  private mutating func leaveOut(_ what: String, advice: String, at location: Finding.Location?) {
    let message = "\(what) is left out: this file may not decide that; \(advice)"
    findings.append(Finding(.warning, Self.doubtful, message, at: location ?? Finding.Location(file: name)))
  }
}
