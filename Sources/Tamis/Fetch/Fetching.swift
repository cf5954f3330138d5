import TamisArchive
import TamisCore
import TamisFeed
import TamisFetch
import TamisSystem
import TamisPlanet
import TamisURL

/// Fetches the subscribed feeds that are due into a folder.
///
/// Documents that an interrupted run left in the folder, and that were never recorded, are not fetched again.
struct Fetching {
  /// The expected kind of document.
  enum Expectation: Sendable {
    case feed
    /// A list of subscriptions.
    case list
  }

  /// The reason for fetching a document even if it is unchanged.
  enum Reason: Sendable {
    /// There is no document, or it has to be read again: it is fetched at once.
    case now
    /// The posts are undecided: the document is fetched when it is due.
    case whenDue
  }

  private let expectation: Expectation
  private let options: SiteBuild.FetchOptions
  private let folder: FetchFolder
  private let fetcher: Fetcher
  private let now: Int64?

  /// Creates a fetching job.
  ///
  /// - Parameters:
  ///   - options: the options for fetching.
  ///   - folder: the folder of fetched documents.
  ///   - expectation: the kind of document that is expected.
  ///   - now: the time, in seconds since 1970; nil when the result must not depend on it, in which case all feeds are
  ///     due.
  /// - Throws: ``FetchProblem`` when requests cannot be made at all.
  init(
    _ options: SiteBuild.FetchOptions, into folder: FetchFolder, of expectation: Expectation = .feed, now: Int64?
  ) throws(FetchProblem) {
    (self.options, self.folder, self.expectation, self.now) = (options, folder, expectation, now)
    fetcher = try options.fetcher()
  }

  /// The maximum number of feeds that wait for their server at once, since each takes memory.
  private static let mostTasks = 10_000

  /// Fetches feeds concurrently.
  ///
  /// - Parameters:
  ///   - feeds: the subscriptions.
  ///   - states: the fetch states of the feeds, by path.
  ///   - reasons: the documents that are fetched even if they are unchanged, by the paths of their feeds.
  ///   - body: a function that is called with the result of each feed as soon as it is certain, in no order, with the
  ///     feed's index.
  /// - Returns: whether the network is unavailable.
  /// - Throws: the error that `body` throws.
  @discardableResult func run(
    _ feeds: [Planet.Subscription], _ states: [String: FetchState], reasons: [String: Reason],
    _ body: (Int, FetchedFeed) throws -> Void
  ) async throws -> Bool {
    var (reach, silent): (Reachability, [(Int, FetchedFeed)]) = (Reachability(), [])
    func take(_ number: Int, _ feed: FetchedFeed) throws {
      // A request that was cancelled is no failure of its server.
      try Task.checkCancellation()
      let contact = feed.contact
      if let contact { reach.add(contact, isHealthy: feed.before.fetched != nil && feed.before.failure == nil) }
      // A failure of the network can be distinguished from that of a server only when all servers have been asked.
      if contact?.isAnswered == false { silent.append((number, feed)) } else { try body(number, feed) }
    }
    try await withThrowingTaskGroup(of: (Int, FetchedFeed).self) { group in
      var running = 0
      for (number, subscription) in feeds.enumerated() {
        let before = states[subscription.storedAddress] ?? FetchState(address: subscription.storedAddress)
        if let result = rest(subscription, before, isWanted: reasons[subscription.storedAddress] == .now) {
          try body(number, FetchedFeed(subscription: subscription, before: before, result: result))
        } else {
          let isWanted = reasons[subscription.storedAddress] != nil || isStale(before)
          let validators = isWanted ? nil : before.validators
          if running == Self.mostTasks, let (number, feed) = try await group.next() {
            try take(number, feed)
          } else {
            running += 1
          }
          group.addTask {
            let result = await ask(subscription, before, unless: validators)
            return (number, FetchedFeed(subscription: subscription, before: before, result: result))
          }
        }
      }
      while let (number, feed) = try await group.next() { try take(number, feed) }
    }
    for (number, feed) in silent { try body(number, reach.isOffline ? feed.offline : feed) }
    return reach.isOffline
  }

  /// The time in seconds after which a request is unconditional (two weeks): some servers send the same ETag for every
  /// document.
  private static let longestTrust: Int64 = 14 * 86_400

  private func isStale(_ before: FetchState) -> Bool {
    guard let now, let fetched = before.fetched else { return false }
    return now - fetched > Self.longestTrust
  }

  /// Returns the result of a feed that is not fetched; nil when it is to be fetched.
  private func rest(_ subscription: Planet.Subscription, _ before: FetchState, isWanted: Bool) -> FetchedFeed.Result? {
    if subscription.settings.isOff { return .off }
    if before.isGone { return expectation == .feed ? .gone : nil }
    if let left = left(subscription.storedAddress, before) { return left }
    if options.extent == .none { return .notDue }
    guard options.extent == .due, let now else { return nil }
    // A feed that was refused, here or by its server, is requested as soon as it is asked in another way.
    if let digest = before.failure?.guardDigest, digest != manner(of: subscription) { return nil }
    // A failing feed is not fetched earlier for that reason.
    if isWanted, before.failure == nil { return nil }
    return options.schedule.isDue(before, now: now) ? nil : .notDue
  }

  /// Returns the digest of what may let a request succeed where the last one failed: the allowlist, and what it sends.
  private func manner(of subscription: Planet.Subscription) -> Int64 {
    let request = subscription.settings.request
    let sent = request.isEmpty ? 0 : Checksum(Array(request.fingerprint.utf8)).shortened
    return fetcher.guardian.digest &+ sent
  }

  /// Returns a document that an interrupted run fetched and did not record.
  private func left(_ address: String, _ before: FetchState) -> FetchedFeed.Result? {
    guard let file = folder.leftover(for: address), let stamp = file.stamp else { return nil }
    let response = Response(beside: file)
    var answer = FetchAnswer(.document, address: response.address ?? address)
    (answer.status, answer.fields) = (200, response.headers)
    let last = before.fetched ?? before.asked ?? -1
    // Within one second, the ETag tells whether this document was recorded; a later 304 may have given another.
    let isOther =
      (before.asked ?? last) <= last && before.validators != nil
      && FetchState.validators(of: answer, now: before.fetched ?? now ?? .max / 2) != before.validators
    guard stamp.second > last || stamp.second == last && isOther else { return nil }
    return .document(file, answer)
  }

  private func ask(
    _ subscription: Planet.Subscription, _ before: FetchState, unless validators: FetchState.Validators?
  ) async -> FetchedFeed.Result {
    let address = subscription.storedAddress
    var answer: FetchAnswer
    let identity: RequestIdentity
    do throws(FetchProblem) { identity = try options.secrets.identity(of: subscription.settings.request) } catch {
      return .answered(FetchAnswer(.failed(error), address: address))
    }
    do {
      let download = try folder.begin(address)
      let asked = before.addressToAsk(of: address)
      answer = await fetcher.fetch(
        asked, for: subscription.address.url, as: identity, unless: validators, into: download)
      let mayReturn = expectation == .list || asked != before.address
      if mayReturn, case .failed(let problem) = answer.outcome, problem.reason == .gone {
        // The feed has moved away from this address and is not gone; a list is asked for as long as it is named.
        answer.outcome = .failed(FetchProblem(.notFound, problem.message, status: problem.status))
      }
      (answer.unpackedBytes, answer.guardDigest) = (download.byteCount, manner(of: subscription))
      guard answer.outcome == .document else { return .answered(answer) }
      if let problem = objection(to: download, of: address, answer) {
        answer.outcome = .failed(problem)
        return .answered(answer)
      }
      do throws(FetchProblem) { try download.finish(answer) } catch {
        answer.outcome = .failed(error)
        return .answered(answer)
      }
      return .document(download.file, answer)
    } catch {
      let problem = FetchProblem(.write, "\(folder.path) cannot be made: \(error)")
      return .answered(FetchAnswer(.failed(problem), address: address))
    }
  }

  /// The number of bytes of a document that are read to determine whether it is a feed.
  private static let lengthOfBeginning = 256 << 10

  /// Returns the reason why a document is not of the expected kind; nil when it is.
  private func objection(to download: Download, of address: String, _ answer: FetchAnswer) -> FetchProblem? {
    if download.byteCount == 0 { return FetchProblem(.empty, "the answer is empty", status: answer.status) }
    let beginning = download.beginning(Self.lengthOfBeginning)
    if expectation == .list {
      let list = CommandInputs.list(download.beginning(PlanetFile.maximumBytes), name: answer.address)
      // The copy of before has more feeds than a list that is cut off.
      let before = list.isWhole ? nil : folder.leftover(for: address).flatMap { CommandInputs.list(at: $0, name: "") }
      let listed = Set(list.planet.feeds.map(\.address))
      let isKept = before.map { $0.isWhole && listed.isStrictSubset(of: $0.planet.feeds.map(\.address)) } ?? false
      if !list.planet.feeds.isEmpty, !isKept { return nil }
      let why =
        list.findings.max { $0.severity < $1.severity }.map { ": \($0.message.collapsingSpace().prefix(300))" } ?? ""
      let what = isKept ? "this list has mistakes, and the one before is kept" : "this is not a list of feeds"
      return FetchProblem(.notAFeed, what + why, status: answer.status)
    }
    switch FeedParser().recognize(beginning) {
    case .feed: return nil
    case .empty: return FetchProblem(.empty, "the answer has only white space", status: answer.status)
    case .somethingElse(let words):
      if let challenge = BotChallenge(page: beginning) { return challenge.problem(status: answer.status) }
      let found = DiscoveredFeeds.find(in: beginning, base: WebURL(answer.address), fields: answer.fields).first
      let hint = found.map { "; the page says that its feed is at \($0.address)" } ?? ""
      return FetchProblem(.notAFeed, words + hint, status: answer.status)
    }
  }
}
