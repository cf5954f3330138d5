public import TamisCore
import TamisFeed
public import TamisFiles
public import TamisPlanet
import TamisURL

/// What a user names to be read, sorted by what it is: files and folders with feeds, addresses, lists of those, a configuration.
public struct Gathering: Sendable {
  /// What the configuration says; the defaults when there is none.
  public private(set) var planet = Planet()
  /// The folder of the configuration, from which its paths are seen.
  public private(set) var folder: FilePath = "."
  /// Files and folders with feeds.
  public private(set) var files: [FilePath] = []
  /// Feeds that are elsewhere.
  public private(set) var subscriptions = Subscriptions()
  /// Lists of feeds that are elsewhere.
  public private(set) var readingLists: [ReadingList] = []
  /// What is wrong with the lists and the configuration.
  public private(set) var findings: [Finding] = []
  private var addresses: Set<FeedAddress> = []

  /// Nothing is named yet.
  public init() {}

  /// Takes over a configuration: its feeds are all that are subscribed to, if all of it can be read.
  public mutating func add(configuration path: FilePath) {
    folder = path.folder
    let parsed = read(path) { PlanetFile(reading: $0, name: path.description, as: .tamis) }
    guard let file = parsed else { return }
    planet = file.planet
    let saysSome = !file.planet.feeds.isEmpty || !file.planet.readingLists.isEmpty
    subscriptions.isWhole = file.isValid && (saysSome || file.saysNone)
    add(file.planet.feeds.map { Subscription($0.address, settings: planet.settings(for: $0), at: $0.location) })
    for list in planet.readingLists {
      switch list.place {
      case .address: readingLists.append(list)
      case .file(let name): add(list: inFolder(name), list)
      }
    }
  }

  /// A path of the configuration, as seen from here.
  public func inFolder(_ name: String) -> FilePath {
    name.hasPrefix("/") || folder == "." ? FilePath(name) : folder.appending(FilePath(name))
  }

  /// Takes over something that was named: an address, a list of subscriptions, a file or a folder.
  public mutating func add(source: FilePath) {
    let text = source.utf8Text ?? ""
    if text.hasPrefix("https://") || text.hasPrefix("http://") || text.hasPrefix("feed:") {
      do throws(FeedAddress.Refusal) {
        add([named(Subscription(try FeedAddress(text)))])
      } catch {
        findings.append(Finding(.error, "fetch.address", "\(error)", at: SourceLocation(file: text)))
      }
    } else if text.hasPrefix("file://") {
      files.append(FilePath(bytes: WebURL.percentDecoded(Array(text.dropFirst("file://".count).utf8))))
    } else if Self.isList(source) {
      guard let file = readList(source) else { return }
      add(file.planet.feeds.map(named))
      // Those of an outline in an outline stay in its folder.
      for list in file.planet.readingLists {
        if case .address = list.place { readingLists.append(list) }
      }
    } else {
      files.append(source)
    }
  }

  /// What the configuration says of all feeds holds for it too.
  private func named(_ feed: Subscription) -> Subscription {
    Subscription(feed.address, settings: planet.settings(for: feed), at: feed.location)
  }

  private mutating func add(list path: FilePath, _ list: ReadingList) {
    guard let file = readList(path) else {
      subscriptions.isWhole = false
      return
    }
    // One that has lost all its feeds was hardly meant to.
    if !file.isValid || file.planet.feeds.isEmpty { subscriptions.isWhole = false }
    add(Self.feeds(of: file, in: list, planet))
  }

  /// The feeds of a list, with what holds for all of them.
  static func feeds(of file: PlanetFile, in list: ReadingList, _ planet: Planet) -> [Subscription] {
    file.planet.feeds.map { feed in
      let own = Subscription(feed.address, settings: feed.settings.over(list.settings), at: feed.location)
      return Subscription(own.address, settings: planet.settings(for: own), at: own.location)
    }
  }

  /// The first to name a feed says what holds for it.
  private mutating func add(_ feeds: [Subscription]) {
    for feed in feeds where addresses.insert(feed.address).inserted { subscriptions.feeds.append(feed) }
  }

  private mutating func readList(_ path: FilePath) -> PlanetFile? {
    read(path) { Self.list($0, name: path.description) }
  }

  /// A list of subscriptions, as OPML or as addresses, a line each.
  ///
  /// A configuration is no list: it says which programs are run, which is for nobody else to say.
  static func list(_ bytes: [UInt8], name: String) -> PlanetFile {
    let isOutline = PlanetFile.format(of: bytes) == .opml
    return PlanetFile(reading: bytes, name: name, as: isOutline ? .opml : .list)
  }

  private mutating func read(_ path: FilePath, as read: ([UInt8]) -> PlanetFile) -> PlanetFile? {
    do throws(ReadFailure) {
      let file = read(try FileSource(path).beginning(PlanetFile.maximumBytes + 1))
      findings += file.findings
      return file
    } catch {
      let message = path.kind == nil ? path.absence : "this file cannot be read: \(error.message)"
      findings.append(Finding(.error, "read.failed", message, at: SourceLocation(file: path.description)))
      return nil
    }
  }

  /// So much of a file tells what it is.
  private static let lengthOfBeginning = 64 << 10

  /// Whether a file lists feeds, rather than being one.
  private static func isList(_ path: FilePath) -> Bool {
    guard path.kind == .file, let bytes = try? FileSource(path).beginning(lengthOfBeginning) else { return false }
    // What begins with an address is no feed, whatever stands in the addresses.
    if !bytes.beginsWithAddress, FeedParser().recognize(bytes) == .feed { return false }
    switch PlanetFile.format(of: bytes) {
    case .opml: return bytes.containsWord("<opml")
    case .list: return PlanetFile(reading: bytes.wholeLines, name: "", as: .list).planet.feeds.isEmpty == false
    case .tamis, .venus, .pluto, .osmosfeed: return false
    }
  }
}

extension [UInt8] {
  fileprivate func containsWord(_ word: StaticString) -> Bool {
    word.withUTF8Buffer { word in indices.contains { self[$0...].starts(with: word) } }
  }

  /// Whether an address to subscribe to stands at the very beginning.
  fileprivate var beginsWithAddress: Bool {
    let beginning = String(decoding: prefix(8), as: UTF8.self).asciiLowercased()
    return ["http://", "https://", "feed:"].contains { beginning.hasPrefix($0) }
  }

  /// Without a last line that may have been cut off.
  fileprivate var wholeLines: [UInt8] { lastIndex(of: UInt8(ascii: "\n")).map { Array(self[...$0]) } ?? self }
}
