import TamisArchive
import TamisCore
import TamisFetch
import TamisSystem
import TamisURL

/// Fetches the pages and pictures to which posts link: concurrently, with the hosts in turn, and with growing delays
/// after failures.
enum PoliteQueue {
  /// The maximum number of requests in progress or waiting; each may hold its response in memory.
  private static let mostAtOnce = 16
  /// The number of answers in a batch; each commit waits for the disk.
  private static let answersInBatch = 20
  /// The number of consecutive failures after which a URL is given up.
  private static let mostFailures = 10
  private static let hour: Int64 = 3600

  /// Returns things in an order in which servers take turns, so that none has to wait for all things of another; those
  /// of a server that failed before come behind those that were never asked for.
  static func ordered<Thing: WantedThing>(_ things: [Thing]) -> [Thing] {
    var counts: [String: Int] = [:]
    let tried = things.enumerated().sorted { ($0.1.failures, $0.0) < ($1.1.failures, $1.0) }
    let ranked = tried.map { index, thing in
      let server = server(thing.address)
      defer { counts[server, default: 0] += 1 }
      return (rank: counts[server] ?? 0, index: index, thing: thing)
    }
    return ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.thing)
  }

  /// Returns the host of a URL, and whether it is at a port of its own: whoever names things at many ports of another's
  /// host has no part of the time of its usual ports.
  private static func server(_ url: String) -> String {
    guard let url = WebURL(url) else { return "" }
    return "\(url.hostname ?? "")\(url.port == nil ? "" : ", at other ports,")"
  }

  /// The result of fetching a thing.
  struct Answer<Thing: WantedThing, Content: Sendable & Hashable>: Sendable {
    var thing: Thing
    var outcome: RequestOutcome<Content>
    /// The finding about a failure; nil when there is none.
    var finding: Finding?
    /// The request; nil when there was none.
    var contact: Reachability.Contact?
    /// Further findings.
    var notes: [Finding] = []

    init(_ thing: Thing, _ outcome: RequestOutcome<Content>, notes: [Finding] = []) {
      (self.thing, self.outcome, self.notes) = (thing, outcome, notes)
    }

    /// Creates the result of a request that failed.
    ///
    /// A thing that fails is asked for again after an hour, then after twice as long each time, and not sooner than the
    /// server allows; it is given up when it would certainly fail again, or has failed too often.
    ///
    /// - Parameters:
    ///   - thing: the thing.
    ///   - answer: the response.
    ///   - now: the time, in seconds since 1970; nil without a clock.
    ///   - message: the reason.
    ///   - code: the code of the finding.
    ///   - isFinal: whether it would certainly fail again.
    init(failed thing: Thing, _ answer: FetchAnswer, now: Int64?, _ message: String, _ code: String, isFinal: Bool) {
      self.init(thing, .givenUp(message))
      finding = Finding(.note, code, message, at: Finding.Location(file: thing.address))
      guard !isFinal, thing.failures + 1 < mostFailures else { return }
      let next = now.map { now in
        let asked = Freshness(answer.fields, now: now).retryAfter ?? 0
        return now + min(max(hour << Int64(thing.failures), asked), Schedule.longestFailing)
      }
      outcome = .failed(message, next: next)
    }
  }

  /// The maximum number of things that are requested while no server answers.
  private static let mostUnanswered = 64

  /// What came of a run, besides the answers.
  struct Outcome {
    /// The finding about an unavailable network; nil when it is available.
    fileprivate(set) var away: Finding?
    /// The number of things that were left for the next runs, by the hosts that had taken their time.
    fileprivate(set) var left: [String: Int] = [:]
  }

  /// Fetches things concurrently.
  ///
  /// If the network is unavailable, fetching stops, and nothing is stored about unanswered requests. Things are left
  /// when their host has taken its time.
  ///
  /// - Parameters:
  ///   - things: the things to fetch, in the order in which they are asked for.
  ///   - noun: the kind of thing, such as `page`.
  ///   - options: the limits of simultaneous requests, and of time.
  ///   - ask: a function that fetches one thing.
  ///   - remember: a function that stores the answers, some at a time.
  ///   - progress: a function that is called with the number of processed things.
  /// - Returns: what came of it.
  /// - Throws: the error that `remember` throws.
  static func ask<Thing: WantedThing, Content>(
    _ things: [Thing], _ noun: String, _ options: SiteBuild.FetchOptions,
    _ ask: @escaping @Sendable (Thing) async -> Answer<Thing, Content>,
    remember: ([Answer<Thing, Content>]) throws -> Void, progress: (Int) -> Void
  ) async throws -> Outcome {
    var (waiting, silent): ([Answer<Thing, Content>], [Answer<Thing, Content>]) = ([], [])
    var reach = Reachability()
    var turns = HostTurns(things.map { (WebURL($0.address)?.hostname ?? "", server($0.address)) }, options)
    try await withThrowingTaskGroup(of: (Int, Answer<Thing, Content>, Duration).self) { group in
      var done = 0
      while true {
        let isLost = reach.isOffline && silent.count >= mostUnanswered
        while !isLost, turns.running < mostAtOnce, let next = turns.next() {
          let thing = things[next]
          group.addTask {
            let start = ContinuousClock.now
            let answer = await ask(thing)
            return (next, answer, .now - start)
          }
        }
        guard let (number, answer, time) = try await group.next() else { return }
        try Task.checkCancellation()
        turns.end(number, time)
        done += 1
        if let contact = answer.contact { reach.add(contact, isHealthy: false) }
        if answer.contact?.isAnswered == false { silent.append(answer) } else { waiting.append(answer) }
        if waiting.count >= answersInBatch {
          try remember(waiting)
          waiting = []
        }
        progress(done)
      }
    }
    if !reach.isOffline { waiting += silent }
    try remember(waiting)
    var outcome = Outcome(left: turns.left)
    guard reach.isOffline, let first = silent.first?.finding else { return outcome }
    outcome.away = Reachability.finding(silent.count, of: noun, first.message, at: first.location.file)
    return outcome
  }

  /// The turns of hosts: which thing may be asked for next.
  private struct HostTurns {
    private let things: [(host: String, server: String)]
    private let options: SiteBuild.FetchOptions
    private let start = ContinuousClock.now
    private var waiting: [Int]
    private var runningAt: [String: Int] = [:]
    private var spent: [String: Duration] = [:]
    private(set) var running = 0
    private(set) var left: [String: Int] = [:]

    init(_ things: [(host: String, server: String)], _ options: SiteBuild.FetchOptions) {
      (self.things, self.options) = (things, options)
      waiting = Array(things.indices)
    }

    /// Begins the first waiting thing of a host that is not busy; nil when there is none.
    mutating func next() -> Int? {
      var index = 0
      while index < waiting.count {
        let (host, server) = things[waiting[index]]
        if spent[server].map({ $0 >= options.timePerHost }) ?? false || .now - start >= options.timePerRun {
          left[server, default: 0] += 1
          waiting.remove(at: index)
        } else if runningAt[host, default: 0] >= options.pacing.perHost {
          index += 1
        } else {
          running += 1
          runningAt[host, default: 0] += 1
          return waiting.remove(at: index)
        }
      }
      return nil
    }

    /// Ends a thing after a time, in which others of its host may have been asked for too.
    mutating func end(_ number: Int, _ time: Duration) {
      running -= 1
      runningAt[things[number].host, default: 1] -= 1
      spent[things[number].server, default: .zero] += time / options.pacing.perHost
    }
  }

  /// Returns the findings about a run: how many things could not be fetched, and how many are left for the next runs.
  ///
  /// - Parameters:
  ///   - failed: the number of things that could not be fetched.
  ///   - left: the number of things that are left.
  ///   - outcomes: what came of the run.
  ///   - noun: the kind of thing, such as `page`.
  ///   - codes: the codes of the findings.
  ///   - consequence: the consequence for the things that failed.
  ///   - archive: the archive's file, which is the location of the findings.
  /// - Returns: the findings; none when nothing failed and nothing is left.
  static func findings(
    failed: Int, left: Int, _ outcomes: [Outcome], of noun: String, codes: (missing: String, more: String),
    consequence: String,
    archive: FilePath
  ) -> [Finding] {
    let location = Finding.Location(file: archive.description)
    let missing = Finding(
      .warning, codes.missing, "\(failed.counted(noun)) could not be fetched; \(consequence); -v lists them",
      at: location)
    let more = Finding(.note, codes.more, "\(left.counted(noun)) will be fetched in the next runs", at: location)
    let slow = outcomes.flatMap(\.left).sorted { $0.key < $1.key }.map { host, count in
      Finding(
        .note, codes.more, "\(host) took too long; \(count.counted(noun)) of it will be fetched in the next runs",
        at: location)
    }
    return outcomes.compactMap(\.away) + (failed > 0 ? [missing] : []) + (left > 0 ? [more] : []) + slow
  }
}

extension FetchProblem {
  /// Whether another request would give the same result.
  var isFinal: Bool { reason == .gone || reason == .tooLarge || reason == .address }
}
