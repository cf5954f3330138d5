package import TamisCore
package import TamisFetch
package import TamisSystem
package import TamisPlanet

/// A subscribed feed, and the result of fetching it.
package struct FetchedFeed: Sendable {
  /// The result of fetching a feed.
  package enum Result: Sendable, Hashable {
    /// A document in a file, with the server's answer.
    case document(FilePath, FetchAnswer)
    /// An answer without a document to read.
    case answered(FetchAnswer)
    /// The feed was not requested: it is not due, or fetching is disabled.
    case notDue
    /// The feed is permanently gone.
    case gone
    /// The feed is disabled.
    case off
  }

  /// The result as a word for programs.
  package enum Word: String, Sendable, Hashable, CaseIterable {
    case fetched
    case notModified = "not-modified"
    case notDue = "not-due"
    case off
    case gone
    case failed
  }

  /// The feed with its settings.
  package var subscription: Planet.Subscription
  /// The previous fetch state.
  package var before: FetchState
  /// The result.
  package var result: Result

  /// The address by which the archive identifies the feed, without user name and password.
  package var storedAddress: String { subscription.storedAddress }

  /// Returns the new fetch state.
  ///
  /// - Parameters:
  ///   - pace: the frequency of changes to the document, by the document itself; nil when there is no document.
  ///   - isNew: whether the document differs from the last one.
  ///   - isWhole: whether the document is not cut off; one that is must not be confirmed as unchanged by the server.
  ///   - now: the time, in seconds since 1970; nil when the result must not depend on it, in which case no time is
  ///     stored.
  ///   - schedule: the schedule for the next request.
  /// - Returns: the new state; the earlier one when the feed was not requested.
  func state(
    pace: FetchState.Pace?, isNew: Bool, isWhole: Bool = true, now: Int64?, _ schedule: Schedule
  ) -> FetchState {
    var state = state(pace: pace, isNew: isNew, at: now ?? 0, schedule)
    if !isWhole { state.validators = nil }
    if now == nil { (state.asked, state.fetched, state.next, state.answerTimes) = (nil, nil, nil, []) }
    return state
  }

  private func state(pace: FetchState.Pace?, isNew: Bool, at now: Int64, _ schedule: Schedule) -> FetchState {
    guard let answer else { return before }
    var state = before.after(answer, of: storedAddress, pace: pace, isNew: isNew, now: now, schedule)
    // The time of the file itself is used: a file that is written later is another document.
    if case .document(let file, _) = result { state.fetched = max(now, file.stamp?.second ?? now) }
    return state
  }

  /// Returns the feed with a failed result, for a document that cannot be read.
  func failed(_ problem: FetchProblem) -> FetchedFeed {
    guard case .document(_, var answer) = result else { return self }
    answer.outcome = .failed(problem)
    var feed = self
    feed.result = .answered(answer)
    return feed
  }

  /// The request that was made for the feed; nil when there was none.
  var contact: Reachability.Contact? {
    answer.flatMap { Reachability.Contact($0, from: before.addressToAsk(of: storedAddress)) }
  }

  /// The feed with its failure attributed to the network.
  var offline: FetchedFeed {
    guard case .answered(var answer) = result, case .failed(var problem) = answer.outcome else { return self }
    problem.reason = .offline
    answer.outcome = .failed(problem)
    var feed = self
    feed.result = .answered(answer)
    return feed
  }

  /// Returns the findings about the failures of feeds, in their order.
  ///
  /// All that failed because of the network have a single finding, which is the last.
  ///
  /// - Parameters:
  ///   - feeds: the feeds with their results.
  ///   - now: the time, in seconds since 1970; nil when the result must not depend on it.
  /// - Returns: the findings; empty when no feed has failed.
  package static func findings(of feeds: some Sequence<FetchedFeed>, now: Int64?) -> [Finding] {
    var (findings, offline): ([Finding], [Finding]) = ([], [])
    for feed in feeds {
      guard let finding = feed.finding(now: now) else { continue }
      if feed.problem?.reason == .offline { offline.append(finding) } else { findings.append(finding) }
    }
    guard let first = offline.first else { return findings }
    return findings
      + [Reachability.finding(offline.count, of: "feed", first.message, at: first.location.file)]
  }

  /// Returns the finding about the failure of the feed; nil when it has not failed.
  ///
  /// - Parameter now: the time, in seconds since 1970; nil when the result must not depend on it.
  /// - Returns: the finding; nil when the feed has not failed.
  private func finding(now: Int64?) -> Finding? {
    let days = now.flatMap { now in before.failure.map { (now - $0.since) / 86_400 } } ?? 0
    return problem?.finding(of: subscription, days: days)
  }

  /// The reason for the failure; nil when the feed has not failed.
  package var problem: FetchProblem? {
    if case .answered(let answer) = result, case .failed(let problem) = answer.outcome { problem } else { nil }
  }
}

extension FileStamp {
  /// The modification time of the file, in whole seconds since 1970.
  var second: Int64 { modified / 1_000_000_000 }
}

extension FeedSources.File {
  /// Creates the source for the document of a fetched feed; nil when there is none.
  init?(_ feed: FetchedFeed) {
    guard case .document(let path, let answer) = feed.result else { return nil }
    self.init(path: path, name: feed.storedAddress)
    (response.address, response.headers) = (answer.address, answer.fields)
    (settings, isFetched) = (feed.subscription.settings, true)
  }
}

extension FetchProblem {
  /// Returns the finding about a feed that could not be fetched.
  ///
  /// - Parameters:
  ///   - feed: the subscription to the feed.
  ///   - days: the number of days for which the feed has been failing.
  /// - Returns: the finding, at the feed's address.
  func finding(of feed: Planet.Subscription, days: Int64 = 0) -> Finding {
    let since = days >= Self.long ? "; it has failed for \(Int(days).counted("day"))" : ""
    var reported = self
    // A remote list must not allow private addresses, so no advice is given for its feeds.
    if feed.isListedElsewhere, reason != .request { reported.advice = nil }
    if reason == .gone {
      reported.advice =
        "it is not fetched again; remove it with: tamis remove ADDRESS, or fetch it again with: tamis add ADDRESS"
    }
    return Finding(
      .error, "fetch.\(reason.rawValue)", reported.advised + since, at: Finding.Location(file: feed.storedAddress))
  }

  /// The number of days of failure from which the finding states it: the feed may have moved.
  private static let long: Int64 = 7
}

extension Planet.Subscription {
  /// The feed's address as the archive stores it, without user name and password, which are for its server alone.
  package var storedAddress: String { address.forAll }

  /// Whether the feed comes from a remote list, which somebody else maintains.
  fileprivate var isListedElsewhere: Bool { WebAddress.absolute(location.file) != nil }
}
