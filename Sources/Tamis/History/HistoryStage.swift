import TamisArchive
import TamisCore
import TamisFeed
import TamisFetch
import TamisPlanet
import TamisSystem
import TamisURL

/// Fetches the documents before those of the subscribed feeds, from the newest on, until the first or the bound of a
/// run; the next run continues.
struct HistoryStage {
  /// A document of a feed's history.
  struct Document: Sendable {
    /// The document, with the subscribed address of its feed.
    var source: FeedSources.File
    /// How far the history is read with it.
    var state: HistoryState
  }

  /// What a run has of the history of one feed.
  struct Walk: Sendable {
    var subscription: Planet.Subscription
    /// The documents, the newest first.
    var documents: [Document] = []
    /// How far the history is read with all of them.
    var state: HistoryState
    var findings: [Finding] = []
  }

  /// The maximum number of documents of one feed in a run.
  static let mostPerRun = 100
  /// The maximum number of documents in a run of a feed of which all was read before.
  static let mostOfGap = 3
  /// The maximum number of feeds whose history is read at once.
  private static let mostAtOnce = 64

  private let configuration: SiteBuild.Configuration
  private let folder: FetchFolder

  init(_ configuration: SiteBuild.Configuration) {
    self.configuration = configuration
    folder = FetchFolder(configuration.archive.appending(ending: ".history"))
  }

  /// Fetches what a run may take.
  ///
  /// - Parameters:
  ///   - feeds: the subscribed feeds, with the results of fetching them.
  ///   - archive: the archive, which has how far the earlier runs came.
  /// - Returns: the documents of each feed, in the order of the feeds.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read; ``FetchProblem`` when requests cannot be made at
  ///   all.
  func run(_ feeds: [FetchedFeed], _ archive: Archive) async throws -> [Walk] {
    if configuration.isRehearsal || configuration.fetching.extent == .none { return [] }
    let states = try archive.histories()
    let wanted = feeds.filter { isWanted($0, states[$0.storedAddress]) }
    if wanted.isEmpty { return [] }
    let fetcher = try configuration.fetching.fetcher()
    let end = ContinuousClock.now + configuration.fetching.timePerHost
    var walks = [Walk?](repeating: nil, count: wanted.count)
    try await withThrowingTaskGroup(of: (Int, Walk).self) { group in
      for (number, feed) in wanted.enumerated() {
        if number >= Self.mostAtOnce, let (number, walk) = try await group.next() { walks[number] = walk }
        let walker = Walker(
          feed: feed, fetcher: fetcher, folder: folder, configuration: configuration, end: end)
        let state = states[feed.storedAddress] ?? HistoryState()
        group.addTask { (number, await walker.walk(from: state)) }
      }
      while let (number, walk) = try await group.next() { walks[number] = walk }
    }
    try Task.checkCancellation()
    return walks.compactMap { $0 }
  }

  /// Deletes the documents.
  func forget(_ walks: [Walk]) {
    for document in walks.flatMap(\.documents) {
      folder.remove(Self.name(document.source.name, document.state.documents))
    }
    folder.removeIfEmpty()
  }

  private func isWanted(_ feed: FetchedFeed, _ state: HistoryState?) -> Bool {
    let settings = feed.subscription.settings
    guard settings.history ?? configuration.readsHistory, !settings.isOff, !feed.before.isGone, feed.problem == nil
    else { return false }
    if state?.ending != nil { return false }
    if let retry = state?.retry, let now = configuration.now, retry > now { return false }
    if state?.next != nil { return true }
    if case .document = feed.result { return true }
    return false
  }

  /// The name of a document for the folder: two feeds may have the same one.
  fileprivate static func name(_ feed: String, _ number: Int) -> String { "\(feed)#\(number)" }
}

/// Follows the history of one feed.
private struct Walker: Sendable {
  let feed: FetchedFeed
  let fetcher: Fetcher
  let folder: FetchFolder
  let configuration: SiteBuild.Configuration
  let end: ContinuousClock.Instant

  /// What is read of a document to find the one before it.
  private struct Reading {
    var feed: Feed
    /// The checksum of the ids of its entries; nil when it has none.
    var entries: Int64?
    var isWhole: Bool
  }

  func walk(from before: HistoryState) async -> HistoryStage.Walk {
    var walk = HistoryStage.Walk(subscription: feed.subscription, state: before)
    if before.next == nil, !begin(&walk) {
      if before.fillsGap { walk.state.ending = .first }
      return walk
    }
    let most = before.fillsGap ? HistoryStage.mostOfGap : HistoryStage.mostPerRun
    while let next = walk.state.next, walk.documents.count < most, ContinuousClock.now < end,
      !Task.isCancelled
    {
      guard await read(next, &walk) else { break }
    }
    return walk
  }

  /// Takes the first step from the feed's present document; false when it cannot be the beginning.
  private func begin(_ walk: inout HistoryStage.Walk) -> Bool {
    guard case .document(let file, let answer) = feed.result, let reading = try? read(file, answer), reading.isWhole
    else { return false }
    walk.state.walked = [Self.checksum(answer.address)] + (reading.entries.map { [$0] } ?? [])
    step(to: HistoryLink.before(reading.feed, at: answer.address), from: answer.address, isFirst: true, &walk)
    return true
  }

  /// Fetches a document and takes the step to the one before it; false when the run ends with it.
  private func read(_ address: String, _ walk: inout HistoryStage.Walk) async -> Bool {
    let number = walk.state.documents + 1
    guard let download = try? folder.begin(HistoryStage.name(feed.storedAddress, number)) else { return false }
    guard let identity = try? configuration.fetching.secrets.identity(of: feed.subscription.settings.request) else {
      return false
    }
    let answer = await fetcher.fetch(address, for: feed.subscription.address.url, as: identity, into: download)
    if Task.isCancelled { return false }
    guard case .document = answer.outcome else {
      if case .failed(let problem) = answer.outcome { fail(problem, at: address, &walk) }
      return false
    }
    do throws(FetchProblem) { try download.finish(answer) } catch {
      fail(error, at: address, &walk)
      return false
    }
    guard let reading = try? read(download.file, answer) else {
      fail(FetchProblem(.notAFeed, "this is not a feed"), at: address, &walk)
      return false
    }
    let marks = [Self.checksum(answer.address)] + (reading.entries.map { [$0] } ?? [])
    let isKnown = answer.address != address && walk.state.walked.contains(marks[0])
    if isKnown || reading.entries.map(walk.state.walked.contains) ?? walk.state.isGuess {
      (walk.state.next, walk.state.ending) = (nil, reading.entries == nil ? .first : .loop)
      return false
    }
    (walk.state.documents, walk.state.failures, walk.state.retry) = (number, 0, nil)
    walk.state.walked += marks
    step(to: HistoryLink.before(reading.feed, at: answer.address), from: answer.address, isFirst: false, &walk)
    // The archive of a month may have no posts.
    if reading.entries == nil {
      folder.remove(HistoryStage.name(feed.storedAddress, number))
      return true
    }
    var source = FeedSources.File(path: download.file, name: feed.storedAddress)
    (source.response.address, source.response.headers) = (answer.address, answer.fields)
    (source.settings, source.isFetched) = (feed.subscription.settings, true)
    walk.documents.append(HistoryStage.Document(source: source, state: walk.state))
    return true
  }

  private func step(
    to found: HistoryLink.Found, from address: String, isFirst: Bool, _ walk: inout HistoryStage.Walk
  ) {
    walk.state.next = nil
    switch found {
    case .none: walk.state.ending = .first
    case .whole: walk.state.ending = .whole
    case .link(let link):
      // Another server is asked only when the feed itself names it.
      let isHere = WebURL(link.address)?.hostname == WebURL(address)?.hostname
      if !isHere, !isFirst {
        walk.state.ending = .first
        note(
          .warning, "history.elsewhere", "its earlier posts are said to be on another server, \(link.address)", &walk)
      } else if walk.state.walked.contains(Self.checksum(link.address)) {
        walk.state.ending = .loop
      } else if walk.state.documents == HistoryState.mostDocuments {
        walk.state.ending = .limit
        let most = HistoryState.mostDocuments.counted("document")
        note(.warning, "history.limit", "its earlier posts are in more than \(most); the others are left out", &walk)
      } else {
        (walk.state.next, walk.state.isGuess) = (link.address, link.isGuess)
      }
    }
  }

  /// Notes that a document could not be had; one that the feed does not name need not exist.
  private func fail(_ problem: FetchProblem, at address: String, _ walk: inout HistoryStage.Walk) {
    if walk.state.isGuess, [.notFound, .gone, .notAFeed, .empty].contains(problem.reason) {
      (walk.state.next, walk.state.ending) = (nil, .first)
      return
    }
    walk.state.failures += 1
    walk.state.retry = configuration.now.map { $0 + Self.hour << Int64(walk.state.failures) }
    let isLast = walk.state.failures >= HistoryState.mostFailures
    if isLast { (walk.state.next, walk.state.ending) = (nil, .broken) }
    note(
      isLast ? .warning : .note, "history.broken",
      "the document \(address) of its history cannot be had: \(problem.message)"
        + (isLast ? "; what is before it is left out" : "; it is asked for again later"), &walk)
  }

  private static let hour: Int64 = 3600

  private func note(_ severity: Finding.Severity, _ code: String, _ message: String, _ walk: inout HistoryStage.Walk) {
    walk.findings.append(Finding(severity, code, message, at: Finding.Location(file: feed.storedAddress)))
  }

  private func read(_ file: FilePath, _ answer: FetchAnswer) throws(FeedParser.Failure) -> Reading {
    let source = try FeedDocument.source(of: file)
    let document = FeedDocument(
      name: feed.storedAddress, source: source, url: answer.address, headers: answer.fields)
    var (ids, findings): ([String], [Finding]) = ([], [])
    let (feed, ending) = try FeedParser().parse(document, into: &findings) { entry in
      ids.append(entry.id ?? entry.link ?? entry.title?.value ?? "")
      return .continue
    }
    let entries = ids.isEmpty ? nil : Checksum(Array(ids.sorted().joined(separator: "\n").utf8)).shortened
    return Reading(feed: feed, entries: entries, isWhole: ending.isComplete)
  }

  private static func checksum(_ address: String) -> Int64 { Checksum(Array(address.utf8)).shortened }
}
