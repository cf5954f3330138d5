import TamisArchive
import TamisCore
import TamisFetch
import TamisFiles
import TamisPlanet

/// The first stage of a build: the feeds that are subscribed to are asked for, as far as they are due.
///
/// Documents lie beside the archive until they are recorded, so that a run that is cut short loses none.
struct FetchStage {
  /// What came of it.
  struct Result {
    /// The feeds, in the order in which they are subscribed to.
    var feeds: [FetchedFeed] = []
    /// Whether these are all: a feed that is not among them is no source any more.
    var isWhole = false
    /// What is wrong with lists of subscriptions.
    var findings: [Finding] = []
  }

  private let configuration: SiteBuild.Configuration
  private let folder: FetchFolder

  init(_ configuration: SiteBuild.Configuration) {
    self.configuration = configuration
    folder = FetchFolder(configuration.archive.appending(ending: ".fetched"))
  }

  func run(_ archive: Archive, _ progress: @escaping (SiteBuild.Progress) -> Void) async throws -> Result {
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
    feeds += try await listed(archive, states, options, &result)
    if try adoptMoved(feeds, states, archive) { states = try archive.fetchStates() }
    if result.isWhole, try forgetGone(feeds, states, archive) { states = try archive.fetchStates() }
    let known = try archive.sources(purge: .keep)
    let fetching = try Fetching(options, into: folder, now: configuration.now)
    var found = [FetchedFeed?](repeating: nil, count: feeds.count)
    var count = 0
    try await fetching.run(feeds, states, wants: try wants(feeds, known, archive)) { number, feed in
      found[number] = feed
      count += 1
      progress(.fetched(count, of: feeds.count))
    }
    result.feeds = found.compactMap { $0 }
    return result
  }

  /// Removes the documents that were recorded.
  func forget(_ result: Result) {
    for feed in result.feeds { if case .document = feed.result { folder.remove(feed.place) } }
    folder.removeIfEmpty()
  }

  /// The feeds of lists on the web that are not subscribed to by themselves.
  private func listed(
    _ archive: Archive, _ states: [String: FetchState], _ options: FetchOptions, _ result: inout Result
  ) async throws -> [Subscription] {
    let subscriptions = configuration.subscriptions
    if subscriptions.lists.isEmpty { return [] }
    var lists = ReadingLists(in: configuration.archive.appending(ending: ".lists"))
    try await lists.read(
      subscriptions.lists, subscriptions.planet, states, options, now: configuration.now)
    if !configuration.isRehearsal { try archive.remember(lists.states) }
    result.findings = lists.findings
    result.isWhole = result.isWhole && lists.isWhole
    var seen = Set(subscriptions.feeds.map(\.place))
    return lists.feeds.filter {
      seen.insert($0.place).inserted && configuration.shard?.holds(feedNamed: $0.place) ?? true
    }
  }

  /// The places of the feeds whose documents would be read in another way today, because their settings or what is known of their
  /// pages are others, of which nothing was ever read, or about whose posts nobody could decide.
  private func wants(
    _ feeds: [Subscription], _ known: [KnownSource], _ archive: Archive
  ) throws -> [String: Fetching.Want] {
    let readings = Dictionary(known.map { ($0.place, $0.source?.reading) }) { first, _ in first }
    let pipelines = Pipelines(configuration)
    var wants: [String: Fetching.Want] = [:]
    for feed in feeds {
      let reading = (readings[feed.place] ?? nil) ?? ""
      let wanted = pipelines.reading(feed.settings)
      let isSame = reading.hasSuffix(try archive.readingOfPages(at: feed.place, feed.settings))
      if reading.hasPrefix(wanted), isSame { continue }
      // A program that fails each time is no reason to ask each time.
      wants[feed.place] = isSame && reading.hasPrefix(PreparedDocument.undecided + wanted) ? .whenDue : .now
    }
    return wants
  }

  /// A feed that has moved, and is subscribed to by its new address now, stays the feed that it was.
  ///
  /// - Returns: whether there is such a feed.
  private func adoptMoved(
    _ feeds: [Subscription], _ states: [String: FetchState], _ archive: Archive
  ) throws -> Bool {
    var isAny = false
    let places = Set(feeds.map(\.place))
    let moved = states.filter { $0.value.address != $0.key && !places.contains($0.key) }
    for (old, state) in moved.sorted(by: { $0.key < $1.key })
    where places.contains(state.address) && states[state.address] == nil {
      try archive.adopt(old, as: state.address)
      // Who writes an address anew wants it asked.
      if state.isGone { try archive.forgetFetching(of: [state.address]) }
      isAny = true
    }
    return isAny
  }

  /// A feed that is gone and that nobody subscribes to any more is asked again when somebody does.
  ///
  /// - Returns: whether there is such a feed.
  private func forgetGone(
    _ feeds: [Subscription], _ states: [String: FetchState], _ archive: Archive
  ) throws -> Bool {
    let lists = configuration.subscriptions.lists.compactMap { list in
      if case .address(let address) = list.place { address.forAll } else { nil }
    }
    let places = Set(feeds.map(\.place) + lists)
    let gone = states.filter { $0.value.isGone && !places.contains($0.key) }.keys.sorted()
    try archive.forgetFetching(of: gone)
    return !gone.isEmpty
  }
}
