import TamisArchive
import TamisCore
import TamisFeed
import TamisFetch
import TamisFiles
import TamisPlanet
import TamisURL

/// Asks for the feeds that are subscribed to, as far as their time has come; documents go into a folder.
///
/// What lies in the folder from a run that was cut short, and was never recorded, is not asked for again.
struct Fetching {
  /// What documents are to be.
  enum Expectation: Sendable {
    case feed
    /// A list of subscriptions.
    case list
  }

  /// Why a document is wanted also when it is as it was.
  enum Want: Sendable {
    /// There is none, or it is to be read in another way: it is asked for at once.
    case now
    /// Something is left to do: it is asked for when it is due.
    case whenDue
  }

  private let expectation: Expectation
  private let options: FetchOptions
  private let folder: FetchFolder
  private let fetcher: Fetcher
  private let now: Int64?

  /// - Parameters:
  ///   - now: the time, seconds since 1970; nil when nothing is to depend on it: then all feeds are due.
  /// - Throws: when requests cannot be made at all.
  init(
    _ options: FetchOptions, into folder: FetchFolder, of expectation: Expectation = .feed, now: Int64?
  ) throws(FetchProblem) {
    (self.options, self.folder, self.expectation, self.now) = (options, folder, expectation, now)
    fetcher = try options.fetcher()
  }

  /// Asks for feeds, several at once.
  ///
  /// - Parameters:
  ///   - states: what is remembered of them, by their places.
  ///   - wants: which documents are wanted also when they are as they were, by the places of their feeds.
  ///   - body: takes what came of each as soon as it has come, in no order, with its number.
  func run(
    _ feeds: [Subscription], _ states: [String: FetchState], wants: [String: Want],
    _ body: (Int, FetchedFeed) throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: (Int, FetchedFeed).self) { group in
      for (number, subscription) in feeds.enumerated() {
        let before = states[subscription.place] ?? FetchState(address: subscription.place)
        if let result = rest(subscription, before, isWanted: wants[subscription.place] == .now) {
          try body(number, FetchedFeed(subscription: subscription, before: before, result: result))
        } else {
          let isWanted = wants[subscription.place] != nil || isStale(before)
          let validators = isWanted ? nil : before.validators
          group.addTask {
            let result = await ask(subscription, before, unless: validators)
            return (number, FetchedFeed(subscription: subscription, before: before, result: result))
          }
        }
      }
      while let (number, feed) = try await group.next() { try body(number, feed) }
    }
  }

  /// Some servers name each document by the same: after two weeks a document is asked for whatever it is named by.
  private static let longestTrust: Int64 = 14 * 86_400

  private func isStale(_ before: FetchState) -> Bool {
    guard let now, let fetched = before.fetched else { return false }
    return now - fetched > Self.longestTrust
  }

  /// What is known of a feed without asking; nil when it is to be asked for.
  private func rest(_ subscription: Subscription, _ before: FetchState, isWanted: Bool) -> FetchedFeed.Result? {
    if subscription.settings.isOff { return .off }
    if before.isGone { return .gone }
    if let left = left(subscription.place, before) { return left }
    if options.extent == .none { return .notDue }
    guard options.extent == .due, let now else { return nil }
    // What fails is not asked sooner because of that.
    if isWanted, before.failure == nil { return nil }
    return options.schedule.isDue(before, now: now) ? nil : .notDue
  }

  /// A document that a run has fetched which was cut short before it was recorded.
  private func left(_ place: String, _ before: FetchState) -> FetchedFeed.Result? {
    guard let file = folder.standing(for: place), let stamp = file.stamp else { return nil }
    let response = Response(beside: file)
    var answer = FetchAnswer(.document, address: response.address ?? place)
    (answer.status, answer.fields) = (200, response.headers)
    let last = before.fetched ?? before.asked ?? -1
    // Of one second the server's name for it tells whether it is the one that was recorded, read as it was read then.
    let isOther = FetchState.validators(of: answer, now: before.fetched ?? now ?? .max / 2) != before.validators
    guard stamp.second > last || stamp.second == last && isOther else { return nil }
    return .document(file, answer)
  }

  private func ask(
    _ subscription: Subscription, _ before: FetchState, unless validators: FetchState.Validators?
  ) async -> FetchedFeed.Result {
    let place = subscription.place
    var answer: FetchAnswer
    do {
      let download = try folder.begin(place)
      let asked = before.addressToAsk(of: place)
      answer = await fetcher.fetch(asked, for: subscription.address.url, unless: validators, into: download)
      if asked != before.address, case .failed(let problem) = answer.outcome, problem.reason == .gone {
        // The feed has moved away from there: that ends nothing.
        answer.outcome = .failed(FetchProblem(.notFound, problem.message, status: problem.status))
      }
      answer.unpackedBytes = download.byteCount
      guard answer.outcome == .document else { return .answered(answer) }
      if let problem = objection(to: download, answer) {
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
      return .answered(FetchAnswer(.failed(problem), address: place))
    }
  }

  /// So much of a document is looked at to see whether it is a feed.
  private static let lengthOfBeginning = 256 << 10

  /// What is wrong with a document; nil when it is what is expected.
  private func objection(to download: Download, _ answer: FetchAnswer) -> FetchProblem? {
    if download.byteCount == 0 { return FetchProblem(.empty, "the answer is empty", status: answer.status) }
    let beginning = download.beginning(Self.lengthOfBeginning)
    if expectation == .list {
      let list = Gathering.list(download.beginning(PlanetFile.maximumBytes), name: answer.address)
      if !list.planet.feeds.isEmpty { return nil }
      let why =
        list.findings.max { $0.severity < $1.severity }.map { ": \($0.message.collapsingSpace().prefix(300))" } ?? ""
      return FetchProblem(.notAFeed, "this is no list of feeds\(why)", status: answer.status)
    }
    switch FeedParser().recognize(beginning) {
    case .feed: return nil
    case .empty: return FetchProblem(.empty, "there is only white space in the answer", status: answer.status)
    case .somethingElse(let words):
      let found = FeedLinks.find(in: beginning, base: WebURL(answer.address)).first
      let hint = found.map { "; the page says that its feed is at \($0.address)" } ?? ""
      return FetchProblem(.notAFeed, words + hint, status: answer.status)
    }
  }
}
