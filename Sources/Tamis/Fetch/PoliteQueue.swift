import TamisCore
import TamisFetch
import TamisFiles
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

  /// Returns things in an order in which hosts take turns, so that none has to wait for all things of another.
  static func ordered<Thing>(_ things: [Thing], address: (Thing) -> String) -> [Thing] {
    var counts: [String: Int] = [:]
    let ranked = things.enumerated().map { index, thing in
      let host = WebURL(address(thing))?.hostname ?? ""
      defer { counts[host, default: 0] += 1 }
      return (rank: counts[host] ?? 0, index: index, thing: thing)
    }
    return ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.thing)
  }

  /// The result of fetching a thing.
  protocol Contacting: Sendable {
    /// The request; nil when there was none.
    var contact: Reachability.Contact? { get }
    /// The finding about a failure; nil when there is none.
    var finding: Finding? { get }
  }

  /// The maximum number of things that are requested while no server answers.
  private static let mostUnanswered = 64

  /// Fetches things concurrently.
  ///
  /// If the network is unavailable, fetching stops, and nothing is stored about unanswered requests.
  ///
  /// - Parameters:
  ///   - things: the things to fetch, in the order in which they are asked for.
  ///   - noun: the kind of thing, such as `page`.
  ///   - ask: a function that fetches one thing.
  ///   - remember: a function that stores the answers, some at a time.
  ///   - progress: a function that is called with the number of processed things.
  /// - Returns: the finding about an unavailable network; nil when it is available.
  /// - Throws: the error that `remember` throws.
  static func ask<Thing: Sendable, Answer: Contacting>(
    _ things: [Thing], _ noun: String, _ ask: @escaping @Sendable (Thing) async -> Answer,
    remember: ([Answer]) throws -> Void, progress: (Int) -> Void
  ) async throws -> Finding? {
    var (waiting, silent, reach): ([Answer], [Answer], Reachability) = ([], [], Reachability())
    try await withThrowingTaskGroup(of: Answer.self) { group in
      var (next, done) = (0, 0)
      while done < things.count {
        let isLost = reach.isAway && silent.count >= mostUnanswered
        if isLost, next == done { break }
        while !isLost, next < things.count, next - done < mostAtOnce {
          let thing = things[next]
          group.addTask { await ask(thing) }
          next += 1
        }
        guard let answer = try await group.next() else { return }
        try Task.checkCancellation()
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
    if !reach.isAway { waiting += silent }
    try remember(waiting)
    guard reach.isAway, let first = silent.first?.finding else { return nil }
    return Reachability.finding(silent.count, of: noun, first.message, at: first.location.file)
  }

  /// Returns the findings about a run: how many things could not be fetched, and how many are left for the next runs.
  ///
  /// - Parameters:
  ///   - failed: the number of things that could not be fetched.
  ///   - left: the number of things that are left.
  ///   - noun: the kind of thing, such as `page`.
  ///   - codes: the codes of the findings.
  ///   - consequence: the consequence for the things that failed.
  ///   - archive: the archive's file, which is the location of the findings.
  /// - Returns: at most two findings; none when nothing failed and nothing is left.
  static func findings(
    failed: Int, left: Int, of noun: String, codes: (missing: String, more: String), consequence: String,
    archive: FilePath
  ) -> [Finding] {
    let location = Finding.Location(file: archive.description)
    let missing = Finding(
      .warning, codes.missing, "\(failed.counted(noun)) could not be fetched; \(consequence); -v lists them",
      at: location)
    let more = Finding(.note, codes.more, "\(left.counted(noun)) will be fetched in the next runs", at: location)
    return (failed > 0 ? [missing] : []) + (left > 0 ? [more] : [])
  }

  /// Whether a thing is given up.
  ///
  /// - Parameters:
  ///   - isFinal: whether it would certainly fail again.
  ///   - failures: the number of consecutive failures before.
  /// - Returns: whether the thing is given up.
  static func isGivenUp(isFinal: Bool, failures: Int) -> Bool { isFinal || failures + 1 >= mostFailures }

  /// Returns the time at which a failed thing is fetched again, in seconds since 1970; nil without a clock.
  ///
  /// The delay is an hour, then doubles with each failure, and is not shorter than the server allows.
  static func nextTime(after answer: FetchAnswer, failures: Int, now: Int64?) -> Int64? {
    now.map { now in
      let asked = Freshness(answer.fields, now: now).retryAfter ?? 0
      return now + min(max(hour << Int64(failures), asked), Schedule.longestFailing)
    }
  }
}

extension FetchProblem {
  /// Whether another request would give the same result.
  var isFinal: Bool { reason == .gone || reason == .tooLarge || reason == .address }
}

extension SiteBuild.FetchOptions {
  /// Returns a fetcher for things up to a number of bytes, both compressed and decompressed.
  func fetcher(largest: Int) throws(FetchProblem) -> Fetcher {
    var transport = transport
    transport.limits.wireBytes = min(transport.limits.wireBytes, largest)
    transport.limits.unpackedBytes = min(transport.limits.unpackedBytes, largest)
    return Fetcher(
      transport: try sender(transport), guardian: transport.guardian, limits: transport.limits, courtesy: courtesy)
  }
}
