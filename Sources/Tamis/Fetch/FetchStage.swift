import TamisArchive
import TamisCore
import TamisFetch
import TamisSystem
import TamisPlanet

/// The first stage of a build: fetches the subscribed feeds that are due.
///
/// Documents are stored beside the archive until they are recorded, so that an interrupted run loses none.
struct FetchStage {
  /// The result of fetching.
  struct Result {
    /// The feeds, in the order of the subscriptions.
    var feeds: [FetchedFeed] = []
    /// Whether these are all subscriptions: other fetched feeds are removed.
    var isWhole = false
    /// The number of lists of subscriptions that could not be fetched or are none.
    var failedLists = 0
    /// The findings about lists of subscriptions.
    var findings: [Finding] = []
    /// Whether the network is unavailable; nothing else is fetched then.
    var isOffline = false
  }

  private let configuration: SiteBuild.Configuration
  private let folder: FetchFolder

  init(_ configuration: SiteBuild.Configuration) {
    self.configuration = configuration
    folder = FetchFolder(configuration.archive.appending(ending: ".fetched"))
  }

  func run(_ archive: Archive, _ progress: @escaping @Sendable (SiteBuild.Progress) -> Void) async throws -> Result {
    var result = Result()
    result.isWhole = configuration.subscriptions.isWhole
    var feeds = configuration.subscriptions.feeds
    if feeds.isEmpty, configuration.subscriptions.lists.isEmpty {
      if result.isWhole { _ = try forgetGone([], try archive.fetchStates(), archive) }
      return result
    }
    var options = configuration.fetching
    if configuration.isRehearsal { options.extent = .none }
    var states = try archive.fetchStates()
    let lists = try await listed(states, options, &result)
    feeds += self.feeds(of: lists)
    if try adoptMoved(feeds, states, archive) { states = try archive.fetchStates() }
    if result.isWhole, try forgetGone(feeds, states, archive) { states = try archive.fetchStates() }
    let known = try archive.sources(purge: .keep)
    let histories = try archive.histories()
    let fetching = try Fetching(options, into: folder, now: configuration.now)
    var found = [FetchedFeed?](repeating: nil, count: feeds.count)
    var count = 0
    result.isOffline = try await fetching.run(feeds, states, reasons: try reasons(feeds, known, histories, archive)) {
      number, feed in
      found[number] = feed
      count += 1
      progress(.fetched(count, of: feeds.count))
    }
    if !configuration.isRehearsal, let lists {
      try archive.remember(result.isOffline ? lists.states.filter { $0.value.failure == nil } : lists.states)
    }
    result.feeds = found.compactMap { $0 }
    return result
  }

  /// Deletes the documents that were recorded.
  func forget(_ result: Result) {
    for feed in result.feeds { if case .document = feed.result { folder.remove(feed.storedAddress) } }
    folder.removeIfEmpty()
  }

  /// Reads the remote lists; nil when there is none.
  private func listed(
    _ states: [String: FetchState], _ options: SiteBuild.FetchOptions, _ result: inout Result
  ) async throws -> ReadingLists? {
    let subscriptions = configuration.subscriptions
    if subscriptions.lists.isEmpty { return nil }
    var lists = ReadingLists(in: configuration.archive.appending(ending: ".lists"))
    try await lists.read(subscriptions.lists, subscriptions.planet, states, options, now: configuration.now)
    (result.findings, result.failedLists) = (lists.findings, lists.failed)
    result.isWhole = result.isWhole && lists.isWhole
    return lists
  }

  /// Returns the feeds of remote lists that are not subscribed to directly.
  private func feeds(of lists: ReadingLists?) -> [Planet.Subscription] {
    guard let lists else { return [] }
    var seen = Set(configuration.subscriptions.feeds.map(\.storedAddress))
    return lists.feeds.filter {
      seen.insert($0.storedAddress).inserted && configuration.shard?.holds(feedNamed: $0.storedAddress) ?? true
    }
  }

  /// Returns the paths of the feeds whose documents have to be read again.
  ///
  /// Their settings or the articles of their pages have changed, they were never read, or their posts could not be
  /// decided.
  private func reasons(
    _ feeds: [Planet.Subscription], _ known: [KnownSource], _ histories: [String: HistoryState], _ archive: Archive
  ) throws -> [String: Fetching.Reason] {
    let readings = Dictionary(known.map { ($0.path, $0.source?.reading) }) { first, _ in first }
    let pipelines = Pipelines(configuration)
    var reasons: [String: Fetching.Reason] = [:]
    for feed in feeds {
      // The way to its earlier posts begins in its document.
      let history = histories[feed.storedAddress]
      if feed.settings.history ?? configuration.readsHistory, history.map({ $0.fillsGap && $0.needsBeginning }) ?? true
      {
        reasons[feed.storedAddress] = .now
        continue
      }
      let reading = (readings[feed.storedAddress] ?? nil) ?? ""
      let wanted = pipelines.reading(feed.settings)
      let pages = try archive.readingOfPages(at: feed.storedAddress, feed.settings)
      let isSame = reading.hasSuffix(pages + pipelines.dating(feed.settings))
      if reading.hasPrefix(wanted), isSame { continue }
      // A filter program that keeps failing must not cause a request in every run.
      reasons[feed.storedAddress] = isSame && reading.hasPrefix(PreparedDocument.undecided + wanted) ? .whenDue : .now
    }
    return reasons
  }

  /// Keeps the identity of a feed that has moved and is now subscribed to by its new address.
  ///
  /// - Returns: whether there is such a feed.
  private func adoptMoved(
    _ feeds: [Planet.Subscription], _ states: [String: FetchState], _ archive: Archive
  ) throws -> Bool {
    var isAny = false
    let addresses = Set(feeds.map(\.storedAddress))
    let moved = states.filter { $0.value.address != $0.key && !addresses.contains($0.key) }
    for (old, state) in moved.sorted(by: { $0.key < $1.key })
    where addresses.contains(state.address) && states[state.address] == nil {
      try archive.adopt(old, as: state.address)
      // An address that is subscribed to again is fetched again.
      if state.isGone { try archive.forgetFetching(of: [state.address]) }
      isAny = true
    }
    return isAny
  }

  /// Deletes the fetch states of gone feeds that are no longer subscribed to, so that they are fetched if they are
  /// subscribed to again.
  ///
  /// - Returns: whether there is such a feed.
  private func forgetGone(
    _ feeds: [Planet.Subscription], _ states: [String: FetchState], _ archive: Archive
  ) throws -> Bool {
    let lists = configuration.subscriptions.lists.compactMap { list in
      if case .address(let address) = list.source { address.forAll } else { nil }
    }
    let addresses = Set(feeds.map(\.storedAddress) + lists)
    let gone = states.filter { $0.value.isGone && !addresses.contains($0.key) }.keys.sorted()
    try archive.forgetFetching(of: gone)
    return !gone.isEmpty
  }
}
