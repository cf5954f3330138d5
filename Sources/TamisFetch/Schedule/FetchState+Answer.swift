package import TamisCore

extension FetchState {
  /// What is to be remembered when an answer has come.
  ///
  /// - Parameters:
  ///   - answer: what came of asking.
  ///   - subscribed: the address that is subscribed to; nil when it is where the feed is now.
  ///   - pace: what the document says of how often it changes; nil when none came or it could not be read.
  ///   - isNew: whether the document is another than the last.
  ///   - now: the time, seconds since 1970.
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
    case .failed(let problem) where problem.reason == .offline: return self
    case .failed(let problem): state.fail(problem, answer, isInTurn: asked != address, now, schedule)
    case .document, .notModified:
      let quiet = isNew ? 0 : self.pace.quiet + 1
      state.pace = pace ?? self.pace
      state.pace.quiet = quiet
      state.failure = nil
      // What it had moved to has failed, and now it leads elsewhere or nowhere.
      if answer.permanent != address { state.address = asked }
      state.follow(answer.permanent)
      if answer.outcome == .document {
        state.fetched = now
        state.validators = Self.validators(of: answer, now: now)
      }
      state.next = schedule.next(after: now, state.pace, answer.fields, of: address)
    }
    return state
  }

  /// So many times in a row an address has to fail that a feed has moved to before the one that is subscribed to is asked too.
  package static let failuresToDoubt = 3

  /// Where to ask for a feed: where it has moved to; and where it is subscribed to, each second time, when that has failed for long.
  package func addressToAsk(of subscribed: String) -> String {
    guard address != subscribed, let count = failure?.count, count >= Self.failuresToDoubt else { return address }
    return (count - Self.failuresToDoubt).isMultiple(of: 2) ? subscribed : address
  }

  /// - Parameter isInTurn: whether another URL was requested than the feed's present one: the failure is not that
  ///   one's.
  private mutating func fail(
    _ problem: FetchProblem, _ answer: FetchAnswer, isInTurn: Bool, _ now: Int64, _ schedule: Schedule
  ) {
    let count = (failure?.count ?? 0) + 1
    var told = isInTurn ? failure?.problem ?? problem : problem
    told.advice = nil
    failure = Failure(
      since: failure?.since ?? now, count: count, problem: told,
      guardDigest: problem.reason == .forbidden ? answer.guardDigest : nil)
    isGone = problem.reason == .gone && !isInTurn
    next = isGone ? nil : schedule.next(after: now, failures: count, answer.fields, of: address)
    // What cannot be read or came in part is not what the server believes that we have.
    if problem.reason == .notAFeed || problem.reason == .empty { validators = nil }
  }

  /// So many times in a row a redirect has to lead to an address before that is taken for the feed's own.
  package static let movesToBelieve = 2

  /// A permanent redirect becomes the address when it was seen twice: one may be a mistake that is mended tomorrow.
  private mutating func follow(_ permanent: String?) {
    guard let permanent, permanent != address else {
      move = nil
      return
    }
    let count = move?.address == permanent ? (move?.count ?? 0) + 1 : 1
    move = Move(to: permanent, count: count)
    if count >= Self.movesToBelieve { (address, move) = (permanent, nil) }
  }

  /// Longer ones are not remembered.
  private static let mostValidatorBytes = 1024

  /// By what an answer names its document; nil when by nothing that can be asked about.
  ///
  /// - Parameter now: the time, seconds since 1970: a date from the future names nothing.
  package static func validators(of answer: FetchAnswer, now: Int64) -> Validators? {
    func usable(_ name: String) -> String? {
      answer.fields.value(of: name).flatMap { value in
        value.utf8.count <= mostValidatorBytes && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? value : nil
      }
    }
    let date = usable("Last-Modified").flatMap { text in
      // One from the future would be answered with "not modified" until then.
      Freshness.date(text).flatMap { $0 <= now + Schedule.day ? text : nil }
    }
    let etag = usable("ETag")
    guard etag != nil || date != nil else { return nil }
    return Validators(address: answer.address, etag: etag, lastModified: date)
  }
}
