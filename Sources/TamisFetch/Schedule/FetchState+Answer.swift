package import TamisCore

extension FetchState {
  /// Returns the state after an answer.
  ///
  /// - Parameters:
  ///   - answer: the result of the fetch.
  ///   - subscribed: the subscribed address; nil when it is the present address of the feed.
  ///   - pace: how often the document says that it changes; nil when there is none or it could not be read.
  ///   - isNew: whether the document differs from the last one.
  ///   - now: the time, in seconds since 1970.
  ///   - schedule: the schedule for the next request.
  /// - Returns: the new state; the present one when the cause of a failure is on this machine.
  package func after(
    _ answer: FetchAnswer, of subscribed: String? = nil, pace: Pace?, isNew: Bool, now: Int64, _ schedule: Schedule
  ) -> FetchState {
    var state = self
    let asked = subscribed.map(addressToAsk) ?? address
    state.asked = now
    if answer.milliseconds > 0 {
      state.answerTimes = Array((answerTimes + [answer.milliseconds]).suffix(Self.lengthOfHistory))
    }
    switch answer.outcome {
    case .failed(let problem) where problem.reason.isOwn: return self
    case .failed(let problem): state.fail(problem, answer, isInTurn: asked != address, now, schedule)
    case .document, .notModified:
      let quiet = isNew ? 0 : self.pace.quiet + 1
      state.pace = pace ?? self.pace
      state.pace.quiet = quiet
      state.failure = nil
      // The address to which the feed had moved has failed, and the subscribed one now leads elsewhere or nowhere.
      if answer.permanent != address { state.address = asked }
      state.follow(answer.permanent)
      if answer.outcome == .document {
        state.fetched = now
        state.validators = Self.validators(of: answer, now: now)
      } else if state.validators?.address == answer.address, let new = Self.validators(of: answer, now: now) {
        // Fields of a 304 replace those that are stored (RFC 9111, 4.3.4).
        state.validators?.etag = new.etag ?? validators?.etag
        state.validators?.lastModified = new.lastModified ?? validators?.lastModified
      }
      state.next = schedule.next(after: now, state.pace, answer.fields, of: address)
    }
    return state
  }

  /// The number of consecutive failures of the present address of a feed that has moved that cause doubt about it.
  ///
  /// From then on, the subscribed address is requested too.
  package static let failuresToDoubt = 3

  /// Returns the address at which to request a feed.
  ///
  /// This is the one to which the feed has moved. After ``failuresToDoubt`` failures, every second request goes to the
  /// subscribed address.
  package func addressToAsk(of subscribed: String) -> String {
    guard address != subscribed, let count = failure?.count, count >= Self.failuresToDoubt else { return address }
    return (count - Self.failuresToDoubt).isMultiple(of: 2) ? subscribed : address
  }

  /// Records a failure.
  ///
  /// - Parameters:
  ///   - problem: the reason for the failure.
  ///   - answer: the answer that failed, whose fields may delay the next request.
  ///   - isInTurn: whether the request went to another address than the present one of the feed, in which case the
  ///     failure is not attributed to the present one.
  ///   - now: the time, in seconds since 1970.
  ///   - schedule: the schedule for the next request.
  private mutating func fail(
    _ problem: FetchProblem, _ answer: FetchAnswer, isInTurn: Bool, _ now: Int64, _ schedule: Schedule
  ) {
    let count = (failure?.count ?? 0) + 1
    var reported = isInTurn ? failure?.problem ?? problem : problem
    reported.advice = nil
    failure = Failure(since: failure?.since ?? now, count: count, problem: reported, guardDigest: answer.guardDigest)
    isGone = problem.reason == .gone && !isInTurn
    next = isGone ? nil : schedule.next(after: now, failures: count, answer.fields, of: address)
    // A document that cannot be read or is empty must not be confirmed as unchanged by the server.
    if problem.reason == .notAFeed || problem.reason == .empty { validators = nil }
  }

  /// The number of consecutive permanent redirects to an address after which it becomes that of the feed.
  package static let movesToBelieve = 2

  /// Follows a permanent redirect after it was seen ``movesToBelieve`` times.
  ///
  /// A single redirect may be a mistake that is corrected later.
  private mutating func follow(_ permanent: String?) {
    guard let permanent, permanent != address else {
      // A move that was followed stays, since the list of subscriptions still has the old address.
      if move?.address != address { move = nil }
      return
    }
    let count = move?.address == permanent ? (move?.count ?? 0) + 1 : 1
    move = Move(to: permanent, count: count)
    if count >= Self.movesToBelieve { address = permanent }
  }

  /// The maximum size of a validator in bytes; longer ones are not stored.
  private static let mostValidatorBytes = 1024

  /// Returns the validators of the document in an answer; nil when there are none that can be used.
  ///
  /// - Parameters:
  ///   - answer: the answer.
  ///   - now: the time, in seconds since 1970; dates more than a day later are not used.
  /// - Returns: the validators; nil when neither `ETag` nor `Last-Modified` can be used.
  package static func validators(of answer: FetchAnswer, now: Int64) -> Validators? {
    func usable(_ name: String) -> String? {
      answer.fields.value(of: name).flatMap { value in
        value.utf8.count <= mostValidatorBytes && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? value : nil
      }
    }
    let date = usable("Last-Modified").flatMap { text in
      // A date in the future would be answered with "not modified" until then.
      Freshness.date(text).flatMap { $0 <= now + Schedule.day ? text : nil }
    }
    let etag = usable("ETag")
    guard etag != nil || date != nil else { return nil }
    return Validators(address: answer.address, etag: etag, lastModified: date)
  }
}

extension FetchProblem.Reason {
  /// Whether the cause is on this machine, so that the feed is due when it was due before.
  fileprivate var isOwn: Bool { self == .offline || self == .request }
}
