import TamisArchive
import TamisCore
import TamisFeed
import TamisSystem
import TamisPlanet
import TamisSite

/// Reads the feeds in WARC files into the archive, each document at the time at which it was captured.
///
/// Several documents are read at once and recorded one after the other; memory is bounded by ``bytesAtOnce`` or the
/// largest document.
struct CaptureIngestion {
  private let configuration: SiteBuild.Configuration
  private let pipelines: Pipelines
  private let run: Ingest
  /// The feeds of this run, by path.
  private var keys: [String: Feed.Key] = [:]
  /// The feeds whose last document is new.
  private var renewed: Set<String> = []
  private let progress: @Sendable (SiteBuild.Progress) -> Void
  private var count = 0

  /// The maximum size in bytes of documents in memory at once, unless one document is larger (8 MiB).
  private static let bytesAtOnce = 8 << 20

  init(
    _ configuration: SiteBuild.Configuration, _ pipelines: Pipelines, _ run: Ingest,
    progress: @escaping @Sendable (SiteBuild.Progress) -> Void
  ) {
    (self.configuration, self.pipelines, self.run, self.progress) = (configuration, pipelines, run, progress)
  }

  /// Reads files in their order; returns the keys of their feeds.
  mutating func read(_ files: [FilePath], _ report: inout SiteBuild.IngestReport) async throws -> [Feed.Key] {
    for file in files {
      var feeds: ArchivedFeeds
      do throws(ReadFailure) { feeds = try ArchivedFeeds(file, shard: configuration.shard) } catch {
        report.failed += 1
        report.findings.append(FeedParser.Failure(unreadable: file.description, error).finding)
        continue
      }
      while true {
        let captures = Self.some(of: &feeds, configuration.jobs, &report.findings)
        if captures.isEmpty { break }
        try await record(captures, &report)
      }
    }
    return keys.values.sorted()
  }

  private static func some(
    of feeds: inout ArchivedFeeds, _ jobs: Int, _ findings: inout [Finding]
  ) -> [ArchivedFeeds.Capture] {
    var captures: [ArchivedFeeds.Capture] = []
    var bytes = 0
    while captures.count < 4 * jobs, bytes < bytesAtOnce, let capture = feeds.next(into: &findings) {
      bytes += capture.body?.count ?? 0
      captures.append(capture)
    }
    return captures
  }

  /// The settings of the configuration for feeds that it does not name.
  private var settings: Planet.FeedSettings { configuration.subscriptions.planet.standardSettings }

  private mutating func record(_ captures: [ArchivedFeeds.Capture], _ report: inout SiteBuild.IngestReport) async throws
  {
    let (pipelines, now) = (pipelines, configuration.now)
    let settings = settings
    var results: [Result<PreparedDocument, FeedParser.Failure>?] = []
    try await inOrder(count: captures.count, jobs: configuration.jobs) {
      captures[$0].body == nil ? nil : Self.prepare(captures[$0], settings, pipelines, now)
    } _: {
      results.append($1)
    }
    for (capture, result) in zip(captures, results) {
      switch result {
      case nil: try recordUnchanged(capture, &report)
      case .failure(let failure):
        report.failed += 1
        report.findings.append(failure.finding)
      case .success(let document): try record(document, capture, &report)
      }
      count += 1
      progress(.read(count, of: count))
    }
  }

  private static func prepare(
    _ capture: ArchivedFeeds.Capture, _ settings: Planet.FeedSettings, _ pipelines: Pipelines, _ now: Int64?
  ) -> Result<PreparedDocument, FeedParser.Failure> {
    Result { () throws(FeedParser.Failure) in
      var file = capture.file
      file.settings = settings
      let output = try pipelines[settings].process(capture.document, details: false)
      let source = ReadSource(
        stamp: nil, document: SHA256(capture.body ?? []).hex,
        reading: pipelines.reading(settings) + pipelines.dating(settings))
      return PreparedDocument(
        output, shaped: pipelines.shaping(settings, language: output.feed.language), of: file, source: source,
        now: capture.date ?? now)
    }
  }

  private mutating func record(
    _ document: PreparedDocument, _ capture: ArchivedFeeds.Capture, _ report: inout SiteBuild.IngestReport
  ) throws {
    let isFirst = keys[capture.name] == nil
    let key: Feed.Key
    if let known = keys[capture.name] {
      key = known
    } else {
      guard case .key(let chosen, _) = run.choose(document.identity, isLast: true) else { return }
      key = chosen
      keys[capture.name] = key
    }
    var recording = document.recording(of: key, rules: pipelines.rules(settings))
    if configuration.shard != nil { recording.twinSlug = Slug.ofFeed(document.identity.key.at(capture.name)) }
    let seen = try run.record(recording, document.identity, seenAt: capture.date)
    if isFirst { report.feeds += 1 }
    if case .now = seen { renewed.insert(capture.name) } else { renewed.remove(capture.name) }
    switch seen {
    case .now(let verdicts):
      report.findings += document.findings
      report.count(verdicts, in: capture.name)
      if configuration.wantsEvents {
        for (index, verdict) in verdicts.enumerated() { report.note(verdict, index, document, key) }
      }
    case .before: break
    case .tooLate:
      report.findings.append(
        Finding(
          .warning, "warc.order",
          "this document is older than one of the same feed that was read before, and is left out; name the files in order of "
            + "time, or read each into its own archive and merge the archives",
          at: Finding.Location(file: capture.address)))
    }
  }

  /// Records that a document was seen again unchanged; ignored for an unknown feed, and when this is already recorded.
  private func recordUnchanged(_ capture: ArchivedFeeds.Capture, _ report: inout SiteBuild.IngestReport) throws {
    guard renewed.contains(capture.name), let key = keys[capture.name], let date = capture.date else { return }
    try run.recordUnchanged(at: key, seenAt: date)
  }
}
