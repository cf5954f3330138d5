import TamisArchive
package import TamisCore
import TamisFeed
import TamisFetch
package import TamisSystem
package import TamisPlanet

/// Fetches feeds into a folder, for other programs: `tamis fetch`.
///
/// The fetch states are stored in an archive, which need not contain anything else.
package struct FeedFetch: Sendable {
  private let options: SiteBuild.FetchOptions
  private let archive: FilePath
  private let folder: FetchFolder
  private let now: Int64

  /// Creates a job.
  ///
  /// - Parameters:
  ///   - options: the options for fetching.
  ///   - archive: the archive's file, which is created if it does not exist.
  ///   - folder: the folder for the documents.
  ///   - now: the time, in seconds since 1970.
  package init(_ options: SiteBuild.FetchOptions, archive: FilePath, into folder: FilePath, now: Int64) {
    (self.options, self.archive, self.folder, self.now) = (options, archive, FetchFolder(folder), now)
  }

  /// The result for a feed.
  package struct Line: Sendable {
    /// The feed with its result.
    package var feed: FetchedFeed
    /// The new fetch state of the feed.
    package var state: FetchState
  }

  /// The number of fetch states in a batch; each commit waits for the disk.
  private static let batch = 20

  /// Fetches the feeds that are due.
  ///
  /// - Parameters:
  ///   - feeds: the feeds.
  ///   - progress: a function that is called with the number of processed feeds.
  /// - Returns: the result of each feed, in the given order.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read or written; ``FetchProblem`` when requests cannot be
  ///   made at all.
  package func run(_ feeds: [Planet.Subscription], progress: @escaping (Int) -> Void = { _ in }) async throws -> [Line]
  {
    let archive = try Archive(file: archive.description)
    let states = try archive.fetchStates()
    let fetching = try Fetching(options, into: folder, now: now)
    var lines = [Line?](repeating: nil, count: feeds.count)
    var (count, waiting): (Int, [String: FetchState]) = (0, [:])
    // A deleted document is fetched again, whatever its fetch state.
    let missing = feeds.map(\.storedAddress).filter { folder.leftover(for: $0) == nil }
    let reasons = Dictionary(missing.map { ($0, Fetching.Reason.now) }) { first, _ in first }
    try await fetching.run(feeds, states, reasons: reasons) { number, feed in
      let state = Self.state(of: feed, now: now, options.schedule)
      lines[number] = Line(feed: feed, state: state)
      if state != feed.before { waiting[feed.storedAddress] = state }
      if waiting.count >= Self.batch {
        try archive.remember(waiting)
        waiting = [:]
      }
      count += 1
      progress(count)
    }
    try archive.remember(waiting)
    return lines.compactMap { $0 }
  }

  private static func state(of feed: FetchedFeed, now: Int64, _ schedule: Schedule) -> FetchState {
    guard case .document(let file, _) = feed.result, let document = try? FeedDocument(file: file) else {
      return feed.state(pace: nil, isNew: false, now: now, schedule)
    }
    var (dates, findings): ([Int64], [Finding]) = ([], [])
    let parsed = try? FeedParser().parse(document, into: &findings) { entry in
      if let date = entry.date { dates.append(date) }
      return .continue
    }
    let pace = (parsed?.feed).map { FetchState.Pace($0, dates: dates, now: now) }
    return feed.state(pace: pace, isNew: true, isWhole: parsed?.ending.isComplete ?? true, now: now, schedule)
  }
}

extension FetchedFeed {
  /// The server's answer; nil when the feed was not requested.
  var answer: FetchAnswer? {
    switch result {
    case .document(_, let answer), .answered(let answer): answer
    case .notDue, .gone, .off: nil
    }
  }

  /// The result in a word.
  package var word: Word {
    switch result {
    case .document: .fetched
    case .answered(let answer):
      switch answer.outcome {
      case .document: .fetched
      case .notModified: .notModified
      case .failed(let problem): problem.reason == .gone ? .gone : .failed
      }
    case .gone: .gone
    case .notDue: .notDue
    case .off: .off
    }
  }

  /// Whether the last request failed, in this run or before.
  var isFailing: Bool {
    switch result {
    case .document: false
    case .answered: problem != nil
    case .notDue, .gone, .off: before.failure != nil
    }
  }
}

extension JSONWriter {
  /// Writes the result for a feed as one object.
  package mutating func fetched(_ line: FeedFetch.Line) {
    let (feed, state, answer) = (line.feed, line.state, line.feed.answer)
    object { writer in
      writer.member("address", feed.subscription.address.written)
      writer.member("outcome", feed.word.rawValue)
      writer.nullable("status", answer?.status)
      writer.nullable("reason", feed.problem?.reason.rawValue)
      writer.member("message", feed.problem?.message ?? "")
      writer.nullable("location", answer.flatMap { $0.address == feed.before.address ? nil : $0.address })
      writer.nullable("moved", state.move?.address ?? (state.address == feed.before.address ? nil : state.address))
      writer.member("requests", answer?.requests ?? 0)
      writer.member("wire", answer?.wireBytes ?? 0)
      writer.member("unpacked", answer?.unpackedBytes ?? 0)
      writer.nullable("next", state.next.map { Int($0) })
    }
  }
}
