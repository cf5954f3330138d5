import TamisCore
import TamisFetch
import TamisSystem
import TamisPlanet

/// Remote lists of subscriptions, which are fetched like feeds and stored beside the archive.
///
/// A list that cannot be reached therefore removes no feed.
struct ReadingLists {
  /// The feeds of the lists, with their settings.
  private(set) var feeds: [Planet.Subscription] = []
  /// Whether all lists could be read, now or before.
  private(set) var isWhole = true
  /// The findings about the lists.
  private(set) var findings: [Finding] = []
  /// The number of lists that could not be fetched or are none.
  private(set) var failed = 0
  /// The new fetch states of the lists.
  private(set) var states: [String: FetchState] = [:]

  private let folder: FetchFolder

  /// Creates the lists.
  ///
  /// - Parameter folder: the folder in which they are stored.
  init(in folder: FilePath) { self.folder = FetchFolder(folder) }

  /// Fetches the lists that are due, and reads all lists.
  mutating func read(
    _ lists: [Planet.ReadingList], _ planet: Planet, _ known: [String: FetchState], _ options: SiteBuild.FetchOptions,
    now: Int64?
  ) async throws {
    let subscriptions = lists.compactMap { list in
      if case .address(let address) = list.source { Self.subscription(to: list, at: address, planet) } else { nil }
    }
    let missing = subscriptions.map(\.storedAddress).filter { folder.leftover(for: $0) == nil }
    let fetching = try Fetching(options, into: folder, of: .list, now: now)
    var found = [FetchedFeed?](repeating: nil, count: subscriptions.count)
    let reasons = Dictionary(missing.map { ($0, Fetching.Reason.now) }) { first, _ in first }
    try await fetching.run(subscriptions, known, reasons: reasons) { number, feed in found[number] = feed }
    findings += FetchedFeed.findings(of: found.compactMap(\.self), now: now)
    for (list, feed) in zip(lists, found) {
      guard let feed else { continue }
      take(list, feed, planet, options, now: now)
    }
  }

  /// Returns the subscription by which a list is fetched, with what its requests send.
  private static func subscription(
    to list: Planet.ReadingList, at address: Planet.Address, _ planet: Planet
  ) -> Planet.Subscription {
    var settings = Planet.FeedSettings()
    settings.request = list.settings.over(planet.defaults).request
    return Planet.Subscription(address, settings: settings, at: list.location)
  }

  private mutating func take(
    _ list: Planet.ReadingList, _ fetched: FetchedFeed, _ planet: Planet, _ options: SiteBuild.FetchOptions, now: Int64?
  ) {
    let isNew = if case .document = fetched.result { true } else { false }
    let state = fetched.state(pace: nil, isNew: isNew, now: now, options.schedule)
    if state != fetched.before { states[fetched.storedAddress] = state }
    if fetched.problem != nil { failed += 1 }
    guard
      let file = folder.leftover(for: fetched.storedAddress).flatMap({
        CommandInputs.list(at: $0, name: fetched.storedAddress)
      })
    else {
      isWhole = false
      if fetched.problem == nil { findings.append(Self.unread(fetched)) }
      return
    }
    findings += file.findings
    feeds += CommandInputs.feeds(of: file, in: list, planet)
    if !file.isValid, fetched.problem == nil { failed += 1 }
    if file.isWhole { return }
    isWhole = false
    findings.append(Self.finding("this list has mistakes", fetched))
  }

  private static func finding(_ problem: String, _ list: FetchedFeed) -> Finding {
    Finding(
      .warning, "fetch.list", "\(problem); no feed is removed because of that",
      at: Finding.Location(file: list.storedAddress))
  }

  /// Returns the finding about a list that was not fetched and is not stored.
  private static func unread(_ list: FetchedFeed) -> Finding {
    let why = list.before.failure.map { "it is not due yet: \($0.problem.message)" }
    return finding("this list was never read: \(why ?? "it was not asked")", list)
  }
}
