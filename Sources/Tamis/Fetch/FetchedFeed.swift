public import TamisCore
public import TamisFetch
public import TamisFiles
public import TamisPlanet

/// A feed that is subscribed to, and what came of asking for it.
public struct FetchedFeed: Sendable {
  /// What came of it.
  public enum Result: Sendable, Hashable {
    /// A document, in a file, with all that is known of the answer.
    case document(FilePath, FetchAnswer)
    /// Nothing that is to be read.
    case answered(FetchAnswer)
    /// It was not asked for: its time has not come, or nothing was to be asked for.
    case notDue
    /// It is gone for good.
    case gone
    /// It is switched off.
    case off
  }

  /// What came of it, as programs know it.
  public enum Word: String, Sendable, Hashable, CaseIterable {
    case fetched
    case notModified = "not-modified"
    case notDue = "not-due"
    case off
    case gone
    case failed
  }

  /// The feed with all that holds for it.
  public var subscription: Subscription
  /// What was remembered of it before.
  public var before: FetchState
  /// What came of it.
  public var result: Result

  /// What the feed is called where the archive keeps its places: its address, without a name and a password.
  public var place: String { subscription.place }

  /// What is to be remembered of it.
  ///
  /// - Parameters:
  ///   - pace: what its document says of how often it changes; nil when there is none.
  ///   - isNew: whether its document is another than the last.
  ///   - now: the time, seconds since 1970; nil when nothing is to depend on it: then no time is remembered.
  func state(pace: FetchState.Pace?, isNew: Bool, now: Int64?, _ schedule: Schedule) -> FetchState {
    var state = state(pace: pace, isNew: isNew, at: now ?? 0, schedule)
    if now == nil { (state.asked, state.fetched, state.next, state.answerTimes) = (nil, nil, nil, []) }
    return state
  }

  private func state(pace: FetchState.Pace?, isNew: Bool, at now: Int64, _ schedule: Schedule) -> FetchState {
    switch result {
    case .document(let file, let answer):
      var state = before.after(answer, of: place, pace: pace, isNew: isNew, now: now, schedule)
      // By its file's own time: what is written after that is another document.
      state.fetched = max(now, file.stamp?.second ?? now)
      return state
    case .answered(let answer): return before.after(answer, of: place, pace: pace, isNew: isNew, now: now, schedule)
    case .notDue, .gone, .off: return before
    }
  }

  /// The same, of which has turned out that the document cannot be read.
  func failed(_ problem: FetchProblem) -> FetchedFeed {
    guard case .document(_, var answer) = result else { return self }
    answer.outcome = .failed(problem)
    var feed = self
    feed.result = .answered(answer)
    return feed
  }

  /// What is to be said of it; nil when it has not failed.
  ///
  /// - Parameter now: the time, seconds since 1970; nil when nothing is to depend on it.
  func finding(now: Int64?) -> Finding? {
    let days = now.flatMap { now in before.failure.map { (now - $0.since) / 86_400 } } ?? 0
    return problem?.finding(of: subscription, days: days)
  }

  /// Why it has failed; nil when it has not.
  public var problem: FetchProblem? {
    if case .answered(let answer) = result, case .failed(let problem) = answer.outcome { problem } else { nil }
  }
}

extension FileStamp {
  /// When the file was changed last, in whole seconds since 1970.
  var second: Int64 { modified / 1_000_000_000 }
}

extension Sources.File {
  /// The document of a feed that was fetched; nil when none came.
  init?(_ feed: FetchedFeed) {
    guard case .document(let path, let answer) = feed.result else { return nil }
    self.init(path: path, place: feed.place)
    (response.address, response.headers) = (answer.address, answer.fields)
    (settings, isFetched) = (feed.subscription.settings, true)
  }
}

extension FetchProblem {
  /// What is said of a feed that could not be fetched.
  ///
  /// - Parameter days: for how many days it has failed before.
  func finding(of feed: Subscription, days: Int64 = 0) -> Finding {
    let since = days >= Self.long ? "; it has failed for \(Int(days).counted("day"))" : ""
    var told = self
    // What others list is not for us to allow.
    if feed.isListedElsewhere { told.advice = nil }
    if reason == .gone {
      told.advice =
        "it is asked no more; take it out with: tamis remove ADDRESS, or have it asked again with: tamis add ADDRESS"
    }
    return Finding(.error, "fetch.\(reason.rawValue)", told.advised + since, at: SourceLocation(file: feed.place))
  }

  /// So many days of failing are said: somebody may want to look whether the feed has moved.
  private static let long: Int64 = 7
}

extension Subscription {
  /// The feed's address as the archive keeps it: without a name and a password, which are for its server alone.
  public var place: String { address.forAll }

  /// Whether a list on the web names it, that somebody else keeps.
  fileprivate var isListedElsewhere: Bool { WebAddress.absolute(location.file) != nil }
}
