import TamisArchive
import TamisCore
import TamisFeed
import TamisFetch
import TamisSystem
import TamisPlanet
import TamisSanitizer
import TamisSite

/// The first half of a build: reads the sources that have changed and records them in the archive.
///
/// Feeds are read concurrently and recorded one after the other in the order of their paths, so the result does not
/// depend on the number read at once. No feed is in memory longer than needed for that.
struct Ingestion {
  private let archive: Archive
  private let sources: FeedSources
  private let fetched: [FetchedFeed]
  /// The fetched feeds by path.
  private let fetchedByName: [String: FetchedFeed]
  /// Whether these are all subscriptions.
  private let subscribesWholly: Bool
  private let configuration: SiteBuild.Configuration
  private let pipelines: Pipelines
  private let progress: @Sendable (SiteBuild.Progress) -> Void
  private var report = SiteBuild.IngestReport()
  private var selectors = UnmatchedSelectors()
  private let histories: [HistoryStage.Walk]
  /// How far the histories were read before.
  private var earlierHistories: [String: HistoryState] = [:]
  /// The keys of the feeds that were read, by path.
  private var keysByName: [String: Feed.Key] = [:]

  /// Creates an ingestion.
  ///
  /// - Parameters:
  ///   - configuration: the configuration of the build.
  ///   - fetched: the subscribed feeds, with the results of fetching them.
  ///   - histories: the documents of their histories.
  ///   - archive: the archive, open for writing.
  ///   - progress: a function that is called with the progress, on any thread.
  init(
    _ configuration: SiteBuild.Configuration, _ fetched: FetchStage.Result, _ histories: [HistoryStage.Walk] = [],
    into archive: Archive,
    progress: @escaping @Sendable (SiteBuild.Progress) -> Void
  ) {
    (self.archive, self.configuration, self.progress) = (archive, configuration, progress)
    (self.fetched, self.histories) = (fetched.feeds, histories)
    subscribesWholly = fetched.isWhole
    (report.findings, report.failed) = (fetched.findings, fetched.failedLists)
    fetchedByName = Dictionary(fetched.feeds.map { ($0.storedAddress, $0) }) { first, _ in first }
    sources = configuration.sources
    pipelines = Pipelines(configuration)
  }

  mutating func run() async throws -> SiteBuild.IngestReport {
    let known = try archive.sources(purge: configuration.site.purge)
    earlierHistories = try archive.histories()
    let byPath = Dictionary(known.map { ($0.path, $0) }) { first, _ in first }
    let documents = fetched.compactMap(FeedSources.File.init)
    let files = (sources.files + sources.others.filter { byPath[$0.name] != nil } + documents).sorted {
      $0.name < $1.name
    }
    let paths = Set(fetched.map(\.storedAddress)).union(files.map(\.name))
    let run = try Ingest(
      archive, now: configuration.now, settings: configuration.site, isShard: configuration.shard != nil, paths: paths,
      existing: Set(byPath.keys.filter { !paths.contains($0) && sources.exists($0) }))
    if let version = run.earlierUnicode {
      report.findings.append(Self.finding(ofUnicode: version, configuration.archive))
    }
    var keys: Set<Feed.Key> = []
    try passUnread(byPath, run, &keys)
    let changed = try passOverUnchanged(files, byPath, run, &keys)
    let postponed = try await read(changed, run, &keys, isLast: false)
    // The feeds of these files are known only now; they are few and are read again rather than kept in memory.
    _ = try await read(postponed, run, &keys, isLast: true)
    for walk in histories { try await read(walk, byPath, run) }
    if !sources.crawls.isEmpty {
      var captures = CaptureIngestion(configuration, pipelines, run, progress: progress)
      keys.formUnion(try await captures.read(sources.crawls, &report))
    }
    for key in removed(known, keys, paths) { try run.remove(key) }
    let feeds =
      fetched.map { ($0.storedAddress, $0.subscription.settings) } + sources.files.map { ($0.name, $0.settings) }
    report.findings += selectors.findings(feeds: feeds.map(\.1), in: fetched.first?.subscription.location.file)
    try StoredPostFilter(feeds, read: Set(changed.map(\.name)), pipelines, now: configuration.now).apply(to: run)
    try run.finish()
    report.folded = try archive.foldedPosts(seenFirstAt: run.moment)
    try namePages()
    return report
  }

  /// Returns the finding about keys that were made by another version of libunistring.
  private static func finding(ofUnicode version: Int, _ archive: FilePath) -> Finding {
    Finding(
      .note, "archive.unicode",
      "its keys were made with libunistring \(version >> 8).\(version & 255), and this is another version; posts with letters that "
        + "only one of the two knows may be taken for changed once", at: Finding.Location(file: archive.description))
  }

  // MARK: - Changes

  /// Skips the unchanged files; returns the others.
  private mutating func passOverUnchanged(
    _ files: [FeedSources.File], _ known: [String: KnownSource], _ run: Ingest, _ keys: inout Set<Feed.Key>
  ) throws -> [FeedSources.File] {
    var changed: [FeedSources.File] = []
    for file in files {
      guard !configuration.readsAll, let source = known[file.name],
        case .unchanged(let stamp, let isSeen) = try look(at: file, source.source)
      else {
        changed.append(file)
        continue
      }
      try run.markUnchanged(source, stamp: stamp, isSeen: isSeen)
      keys.insert(source.key)
      report.unchanged += 1
      try remember(file.name, isWhole: !source.isPartial, run)
    }
    return changed
  }

  /// Skips the subscribed feeds without a document to read.
  private mutating func passUnread(_ known: [String: KnownSource], _ run: Ingest, _ keys: inout Set<Feed.Key>) throws {
    let feeds = fetched.sorted { $0.storedAddress < $1.storedAddress }
    report.findings += FetchedFeed.findings(of: feeds, now: configuration.now)
    for feed in feeds {
      report.fetching[feed.word, default: 0] += 1
      if case .document = feed.result { continue }
      let name = feed.storedAddress
      if feed.problem != nil { report.failed += 1 }
      if let source = known[name] {
        // A server that says that the document is the same has been asked for it.
        var isSeen = false
        if case .answered(let answer) = feed.result, case .notModified = answer.outcome { isSeen = true }
        try run.markUnchanged(source, isSeen: isSeen)
        keys.insert(source.key)
        // A site is made only from feeds that were read at some time.
        if source.wasRead { if feed.isFailing { report.failing += 1 } else { report.unchanged += 1 } }
      } else if let problem = feed.problem {
        keys.insert(try fail(name, because: problem.message, feed.subscription.settings, run))
      }
      try remember(name, run)
    }
  }

  /// Stores the fetch state of a feed whose document was not read; does nothing when the feed was not fetched.
  private func remember(_ name: String, isWhole: Bool = true, _ run: Ingest) throws {
    guard let feed = fetchedByName[name] else { return }
    let state = feed.state(
      pace: nil, isNew: false, isWhole: isWhole, now: configuration.now, configuration.fetching.schedule)
    if state != feed.before { try run.remember(state, of: name) }
  }

  /// The state of a file.
  private enum Look {
    case changed
    /// The file has the same bytes; the stamp is to be stored unless it is nil. The file is seen again if it was
    /// written since.
    case unchanged(stamp: FileStamp?, isSeen: Bool)
  }

  /// Compares a file with what was read last.
  ///
  /// Size and modification time are compared first, as git and make do, then the digest if these differ.
  private func look(at file: FeedSources.File, _ source: ReadSource?) throws -> Look {
    guard let source, source.reading == (try reading(of: file)), let stamp = file.path.stamp else { return .changed }
    if stamp == source.stamp { return .unchanged(stamp: nil, isSeen: false) }
    guard (try? FileSource(file.path).digest()) == source.document else { return .changed }
    let settled = configuration.shard == nil ? Self.settled(stamp, of: file) : nil
    // Without a known stamp the file may be as it was.
    return .unchanged(stamp: settled, isSeen: file.isFetched || source.stamp != nil)
  }

  /// Returns a stamp that was taken before a file was read, if it will show each later change; else nil.
  ///
  /// A download is another file each time.
  private static func settled(_ stamp: FileStamp?, of file: FeedSources.File) -> FileStamp? {
    !file.isFetched && stamp == file.path.stamp && stamp?.isFresh == false ? stamp : nil
  }

  /// Returns the digest of the way a file is read: the rules, the settings of its feed, the data of its download and
  /// the articles of its entries' pages.
  private func reading(of file: FeedSources.File) throws -> String {
    pipelines.reading(file.settings) + SHA256(file.response.facts).hex.prefix(16)
      + (try archive.readingOfPages(at: file.name, file.settings)) + pipelines.dating(file.settings)
  }

  // MARK: - Reading and recording

  private mutating func read(
    _ files: [FeedSources.File], _ run: Ingest, _ keys: inout Set<Feed.Key>, isLast: Bool
  ) async throws -> [FeedSources.File] {
    let (work, digests) = (
      Reader(
        pipelines: pipelines, archive: archive, now: configuration.now,
        // The jobs that remain beside the files process their entries.
        jobs: configuration.jobs / max(1, min(files.count, configuration.jobs))), try files.map(reading)
    )
    var (found, later): ([Feed.Key], [FeedSources.File]) = ([], [])
    var report = report
    try await inOrder(
      count: files.count, jobs: configuration.jobs, work: { work.prepare(files[$0], reading: digests[$0]) }
    ) {
      position, result in
      let file = files[position]
      switch result {
      case .failure(let failure as FeedParser.Failure):
        found.append(try record(failure, of: file, run, &report))
      // The archive cannot be read; this is not a fault of the feed.
      case .failure(let failure): throw failure
      case .success(let document):
        guard let key = try record(document, of: file, run, isLast: isLast, &report) else {
          later.append(file)
          return
        }
        found.append(key)
      }
      progress(.read(position + 1, of: files.count))
    }
    self.report = report
    keys.formUnion(found)
    return later
  }

  /// Reads documents concurrently.
  private struct Reader: Sendable {
    let pipelines: Pipelines
    let archive: Archive
    let now: Int64?
    let jobs: Int

    func prepare(_ file: FeedSources.File, reading: String) -> Result<PreparedDocument, any Error> {
      Result {
        let before = file.path.stamp
        let (document, bytes) = try file.opened()
        let output = try pipelines[file.settings].process(
          document, details: false, zone: file.settings.timeZone.map(LocalDates.init),
          fullText: try archive.fullText(at: file.name, file.settings), jobs: jobs)
        let found: String
        do throws(ReadFailure) { found = try bytes.digest() } catch {
          throw FeedParser.Failure(unreadable: file.path.description, error)
        }
        let source = ReadSource(stamp: Ingestion.settled(before, of: file), document: found, reading: reading)
        return PreparedDocument(
          output, shaped: pipelines.shaping(file.settings, language: output.feed.language), of: file, source: source,
          now: now, jobs: jobs)
      }
    }
  }

  /// Reads the documents of a feed's history, the newest first; nothing of one that cannot be read is recorded.
  private mutating func read(_ walk: HistoryStage.Walk, _ known: [String: KnownSource], _ run: Ingest) async throws {
    let name = walk.subscription.storedAddress
    report.findings += walk.findings
    guard let key = keysByName[name] ?? known[name]?.key else { return }
    let reader = Reader(pipelines: pipelines, archive: archive, now: configuration.now, jobs: configuration.jobs)
    for document in walk.documents {
      try Task.checkCancellation()
      let prepared: PreparedDocument
      switch reader.prepare(document.source, reading: try reading(of: document.source)) {
      case .success(let value): prepared = value
      case .failure(let failure as FeedParser.Failure):
        report.findings.append(failure.finding)
        continue
      case .failure(let failure): throw failure
      }
      var recording = prepared.recording(of: key, rules: pipelines.rules(document.source.settings))
      // The document is read again when the filter program answers.
      if recording.source.reading.hasPrefix(PreparedDocument.undecided) { return }
      recording.historyNumber = document.state.documents
      if configuration.shard != nil { recording.twinSlug = Slug.ofFeed(prepared.identity.key.at(name)) }
      let verdicts = try run.recordHistory(recording, document.state, of: name)
      report.earlierDocuments += 1
      report.findings += prepared.findings
      report.count(verdicts, in: name)
      if configuration.wantsEvents {
        for (index, verdict) in verdicts.enumerated() { report.note(verdict, index, prepared, key) }
      }
      if document.state.fillsGap, verdicts.contains(where: { $0.decision == .known }) {
        var state = document.state
        (state.next, state.ending) = (nil, .first)
        return try run.remember(state, of: name)
      }
    }
    if walk.documents.last?.state != walk.state { try run.remember(walk.state, of: name) }
  }

  private func record(
    _ failure: FeedParser.Failure, of file: FeedSources.File, _ run: Ingest, _ report: inout SiteBuild.IngestReport
  ) throws -> Feed.Key {
    report.failed += 1
    report.findings.append(failure.finding)
    if let feed = fetchedByName[file.name]?.failed(FetchProblem(.notAFeed, failure.finding.message)) {
      try run.remember(
        feed.state(pace: nil, isNew: false, now: configuration.now, configuration.fetching.schedule), of: file.name)
    }
    return try fail(file.name, because: failure.finding.message, file.settings, run)
  }

  private func fail(
    _ name: String, because reason: String, _ settings: Planet.FeedSettings, _ run: Ingest
  ) throws -> Feed.Key {
    // A subscription has a title before it is first read.
    let own = fetchedByName[name].map { _ in
      FeedIdentity(address: name, home: nil, path: name, tracking: PreparedDocument.tracking).key
    }
    let key = run.keyBefore(at: name, else: own ?? Feed.Key(path: name))
    var card = FeedCard(key: key, slug: Slug.ofFeed(key), title: settings.title ?? key.publicName)
    card.link = WebAddress.absolute(settings.page)
    (card.address, card.face) = (WebAddress.absolute(name), WebAddress.absolute(settings.face))
    card.categories = settings.categories.map { CategoryCard(slug: Slug.ofTag($0), name: $0) }
    try run.fail(card, at: name, because: reason)
    return key
  }

  /// Records a document; returns its feed's key, or nil when the key depends on other feeds that are still to be read.
  private mutating func record(
    _ document: PreparedDocument, of file: FeedSources.File, _ run: Ingest, isLast: Bool,
    _ report: inout SiteBuild.IngestReport
  ) throws -> Feed.Key? {
    guard case .key(let key, let twin) = run.choose(document.identity, isLast: isLast) else { return nil }
    report.feeds += 1
    report.findings += document.findings
    if let twin { report.findings.append(Self.twins(file, twin)) }
    keysByName[file.name] = key
    let before = run.keyBefore(at: file.name, else: key)
    if before != key, !file.isFetched {
      let message =
        "this file had the feed \(before.publicName) before; by address, home page and title this is another; the posts of the "
        + "former leave the site if no other file has it"
      report.findings.append(
        Finding(.warning, "build.other-feed", message, at: Finding.Location(file: file.path.description)))
    }
    var recording = document.recording(of: key, rules: pipelines.rules(file.settings))
    if configuration.shard != nil {
      recording.twinSlug = Slug.ofFeed(document.identity.key.at(file.name))
      // The same bytes make the same archive on every machine and disk.
      recording.source.stamp = nil
    }
    if let feed = fetchedByName[file.name] {
      recording.fetching = feed.state(
        pace: document.pace, isNew: true, isWhole: recording.ending.isComplete, now: configuration.now,
        configuration.fetching.schedule)
    }
    selectors.add(document.selectionUse, file.settings.selection, of: file.name)
    let verdicts = try run.record(recording, document.identity)
    try noteGap(before: verdicts, of: file, run)
    report.count(verdicts, in: file.isFetched ? file.name : file.path.description)
    if configuration.wantsEvents {
      for (index, verdict) in verdicts.enumerated() { report.note(verdict, index, document, key) }
    }
    return key
  }

  /// Has the history of a feed read again, up to what is known, when none of the posts of its document was.
  private func noteGap(before verdicts: [Verdict], of file: FeedSources.File, _ run: Ingest) throws {
    guard file.settings.history ?? configuration.readsHistory, earlierHistories[file.name]?.ending != nil,
      !verdicts.isEmpty, verdicts.allSatisfy({ [.new, .backfill].contains($0.decision) })
    else { return }
    var state = HistoryState()
    state.fillsGap = true
    try run.remember(state, of: file.name)
  }

  private static func twins(_ file: FeedSources.File, _ twin: String) -> Finding {
    let message =
      "this feed has the same address or home page as the one in \(twin); they are kept apart by their file paths; "
      + "give their addresses with --address FILE=URL"
    return Finding(.warning, "build.same-feed", message, at: Finding.Location(file: file.path.description))
  }

  // MARK: - Removed sources

  /// Returns the feeds that are no longer in the folders of this run.
  private func removed(_ known: [KnownSource], _ keys: Set<Feed.Key>, _ taken: Set<String>) -> [Feed.Key] {
    known.filter { source in
      if keys.contains(source.key) || source.isRemoved { return false }
      if WebAddress.absolute(source.path) != nil {
        return subscribesWholly && !taken.contains(source.path)
      }
      guard taken.contains(source.path) else { return sources.isGone(source.path) }
      // A feed that could never be read is known only by its path.
      return source.key.text == source.path || sources.isInFolder(source.path)
    }.map(\.key)
  }

  // MARK: - Events

  /// Adds page names and folds to the events; both are known only at the end.
  private mutating func namePages() throws {
    for index in report.events.indices {
      guard let post = report.posts[index] else { continue }
      report.events[index].page = try archive.page(of: post)
      guard report.events[index].decision == .new else { continue }
      report.events[index].folded = try archive.pageOfFold(post)
    }
  }
}
