package import TamisCore
import TamisFeed
package import TamisSystem
package import TamisPlanet
import TamisSanitizer
import TamisSite
import TamisURL

/// The inputs that a user names, sorted by kind.
///
/// Inputs are files and folders with feeds, addresses, lists of addresses, and a configuration.
package struct CommandInputs: Sendable {
  /// The configuration; the defaults when there is none.
  package private(set) var planet = Planet()
  /// The configuration's file; nil when there is none.
  package private(set) var file: FilePath?
  /// The folder of the configuration, to which its paths are relative.
  package private(set) var folder: FilePath = "."
  /// Files and folders with feeds.
  package private(set) var files: [FilePath] = []
  /// The feeds to be fetched.
  package private(set) var subscriptions = Subscriptions()
  /// The lists of feeds to be fetched.
  package private(set) var readingLists: [Planet.ReadingList] = []
  /// The findings about the lists and the configuration.
  package private(set) var findings: [Finding] = []
  /// Whether the settings of the site have a mistake.
  package private(set) var isSiteFaulty = false
  private var addresses: Set<Planet.Address> = []

  /// Creates inputs from a configuration as it is.
  package init(_ configuration: FilePath? = nil) { self.init(configuration) { _ in } }

  /// Creates inputs from a configuration; if it can be read completely, its feeds are all subscriptions.
  ///
  /// - Parameters:
  ///   - configuration: the file; nil for none.
  ///   - change: changes its settings before its feeds are added.
  package init(_ configuration: FilePath?, settings change: (inout Planet) throws -> Void) rethrows {
    guard let path = configuration else {
      try change(&planet)
      return
    }
    (file, folder) = (path, path.folder)
    let parsed = read(path) { PlanetFile(reading: $0, name: path.description, as: .tamis) }
    isSiteFaulty = parsed?.isSiteFaulty ?? true
    guard let file = parsed else { return }
    planet = file.planet
    try change(&planet)
    let saysSome = !file.planet.feeds.isEmpty || !file.planet.readingLists.isEmpty
    subscriptions.isWhole = file.isValid && (saysSome || file.saysNone)
    add(file.planet.feeds.map { Planet.Subscription($0.address, settings: planet.settings(for: $0), at: $0.location) })
    for list in planet.readingLists {
      switch list.source {
      case .address: readingLists.append(list)
      case .file(let name): add(list: inFolder(name), list)
      }
    }
  }

  /// Returns a path of the configuration, relative to the current folder.
  package func inFolder(_ name: String) -> FilePath {
    name.hasPrefix("/") || folder == "." ? FilePath(name) : folder.appending(FilePath(name))
  }

  /// The files and folders that the configuration names and that decide about the site: rules, a theme, a language,
  /// lists of feeds, pages, rules for sites, and filter programs; names that are built in are left out.
  package var filesOfConfiguration: [FilePath] {
    let settings = [planet.defaults] + planet.feeds.map(\.settings) + planet.readingLists.map(\.settings)
    let rules = Set(settings.compactMap(\.rules)).subtracting(Policy.shippedNames)
    let lists = planet.readingLists.compactMap { list in
      if case .file(let name) = list.source { name } else { nil }
    }
    let programs = (planet.filters + settings.flatMap(\.filters)).compactMap { rule in
      if case .program(let program) = rule.action { program.command.first } else { nil }
    }
    let site = [planet.site.theme, planet.site.language].filter {
      !Site.Theme.names.contains($0) && !Site.Words.languages.contains($0)
    }
    let names = rules.sorted() + site + lists + programs.filter { $0.contains("/") } + planet.pages.known
    return (names + [planet.pages.siteRules].compactMap { $0 }).map(inFolder)
  }

  /// Adds a source that the user named: an address, a list of subscriptions, a file or a folder.
  package mutating func add(source: FilePath) {
    let text = source.utf8Text ?? ""
    if text.beginsAsHTTP || text.hasPrefix("feed:") {
      do throws(Planet.Address.Refusal) {
        add([named(Planet.Subscription(try Planet.Address(text)))])
      } catch {
        findings.append(Finding(.error, "fetch.address", "\(error)", at: Finding.Location(file: text)))
      }
    } else if text.hasPrefix("file://") {
      files.append(FilePath(bytes: WebURL.percentDecoded(Array(text.dropFirst("file://".count).utf8))))
    } else if Self.isList(source) {
      guard let file = readList(source) else { return }
      add(file.planet.feeds.map(named))
      // Paths in an included outline are relative to its own folder.
      for list in file.planet.readingLists {
        if case .address = list.source { readingLists.append(list) }
      }
    } else {
      files.append(source)
    }
  }

  /// Returns a feed with the configuration's settings for all feeds.
  private func named(_ feed: Planet.Subscription) -> Planet.Subscription {
    Planet.Subscription(feed.address, settings: planet.settings(for: feed), at: feed.location)
  }

  private mutating func add(list path: FilePath, _ list: Planet.ReadingList) {
    guard let file = readList(path) else {
      subscriptions.isWhole = false
      return
    }
    // An empty list is more likely a mistake than intended.
    if !file.isValid || !file.isWhole || file.planet.feeds.isEmpty { subscriptions.isWhole = false }
    add(Self.feeds(of: file, in: list, planet))
  }

  /// Returns the feeds of a list, with the settings for all of them.
  ///
  /// Who keeps a list at an address chooses its feeds, and must not learn secrets by that: those of the configuration
  /// are for feeds on the list's own server alone.
  static func feeds(of file: PlanetFile, in list: Planet.ReadingList, _ planet: Planet) -> [Planet.Subscription] {
    let server: Planet.Address? = if case .address(let address) = list.source { address } else { nil }
    return file.planet.feeds.map { feed in
      let own = Planet.Subscription(feed.address, settings: feed.settings.over(list.settings), at: feed.location)
      var settings = planet.settings(for: own)
      if let server, server.url.origin != own.address.url.origin { settings.request = settings.request.withoutSecrets }
      return Planet.Subscription(own.address, settings: settings, at: own.location)
    }
  }

  /// Adds feeds; the settings of the first mention of a feed are used.
  private mutating func add(_ feeds: [Planet.Subscription]) {
    for feed in feeds where addresses.insert(feed.address).inserted { subscriptions.feeds.append(feed) }
  }

  private mutating func readList(_ path: FilePath) -> PlanetFile? {
    read(path) { Self.list($0, name: path.description) }
  }

  /// Reads a list of subscriptions, as OPML or as addresses, one a line.
  ///
  /// A configuration is not accepted as a list: it can name programs to run, and only the user may do that.
  static func list(_ bytes: [UInt8], name: String) -> PlanetFile {
    let isOutline = PlanetFile.format(of: bytes) == .opml
    return PlanetFile(reading: bytes, name: name, as: isOutline ? .opml : .list)
  }

  /// Reads a stored list of subscriptions; nil when the file cannot be read.
  static func list(at path: FilePath, name: String) -> PlanetFile? {
    (try? FileSource(path).beginning(PlanetFile.maximumBytes + 1)).map { list($0, name: name) }
  }

  private mutating func read(_ path: FilePath, as read: ([UInt8]) -> PlanetFile) -> PlanetFile? {
    do throws(ReadFailure) {
      let file = read(try FileSource(path).beginning(PlanetFile.maximumBytes + 1))
      findings += file.findings
      return file
    } catch {
      let message = path.kind == nil ? path.absence : "this file cannot be read: \(error.message)"
      findings.append(Finding(.error, "read.failed", message, at: Finding.Location(file: path.description)))
      return nil
    }
  }

  /// The number of bytes of a file that are read to determine its kind.
  private static let lengthOfBeginning = 64 << 10

  /// Whether a file lists feeds, rather than being one.
  private static func isList(_ path: FilePath) -> Bool {
    guard path.kind == .file, let bytes = try? FileSource(path).beginning(lengthOfBeginning) else { return false }
    // A file that begins with an address is not a feed, whatever the addresses contain.
    if !bytes.beginsWithAddress, FeedParser().recognize(bytes) == .feed { return false }
    switch PlanetFile.format(of: bytes) {
    case .opml: return ByteScan.contains(Array("<opml".utf8), in: bytes[...])
    case .list: return PlanetFile(reading: bytes.wholeLines, name: "", as: .list).planet.feeds.isEmpty == false
    case .tamis, .venus, .osmosfeed: return false
    }
  }
}

extension [UInt8] {
  /// Whether the bytes begin with an address to subscribe to.
  fileprivate var beginsWithAddress: Bool {
    let beginning = String(decoding: prefix(8), as: UTF8.self).asciiLowercased()
    return ["http://", "https://", "feed:"].contains { beginning.hasPrefix($0) }
  }

  /// The bytes without a last line that may be incomplete.
  fileprivate var wholeLines: [UInt8] { lastIndex(of: UInt8(ascii: "\n")).map { Array(self[...$0]) } ?? self }
}
