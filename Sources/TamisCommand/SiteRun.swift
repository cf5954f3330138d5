import ArgumentParser
import Tamis

/// A run of `tamis build`, `ingest` or `publish`, with its configuration and reports.
struct SiteRun {
  private(set) var configuration: SiteBuild.Configuration
  let inputs: CommandInputs
  let work: WorkOptions
  /// The file of the rules, if an option names one.
  private let rules: FilePath?
  private var failedSources = 0
  /// The problems with the named sources.
  private(set) var sourceFindings: [Finding] = []
  private var showsNotes: Bool

  /// Makes a run.
  ///
  /// - Parameters:
  ///   - planet: the options that name the configuration.
  ///   - sources: the named sources; nil when nothing is read.
  ///   - site: the appearance of the site; nil when none is made.
  ///   - archive: the named archive; nil for that of the configuration or of the folder.
  ///   - settings: the settings that have options of their own.
  ///   - policy: the options that choose the sanitizer's rules.
  ///   - work: the options for jobs, reports and rehearsals.
  ///   - isPublished: whether pages are written, and need a folder.
  /// - Throws: an error of the arguments when the inputs, the folder, the archive or the rules cannot be used.
  init(
    _ planet: PlanetOptions, reading sources: [FilePath]?, _ site: SiteOptions?, archive: String?,
    _ settings: [PlanetOptions.GivenSetting], _ policy: PolicyOptions, _ work: WorkOptions, isPublished: Bool = true
  ) throws {
    let (inputs, isConfigured) = try planet.gather(sources, settings + (site?.settings ?? []), notes: work.verbose)
    (self.inputs, self.work, showsNotes) = (inputs, work, work.verbose)
    rules = policy.rules.map { FilePath($0) }
    failedSources = inputs.findings.count { $0.severity == .error }
    let output = try isPublished ? site.map { try $0.folder(over: inputs, isConfigured: isConfigured) } : nil
    let file = try Self.archive(archive, output, isConfigured: isConfigured, inputs)
    configuration = SiteBuild.Configuration(
      sources: FeedSources(files: []), archive: file, output: output ?? file,
      site: inputs.planet.site)
    if let site {
      configuration.theme = try site.theme(over: inputs)
      configuration.words = try site.words(over: inputs)
      configuration.makesAll = site.all
    }
    configuration.sanitizer = try policy.sanitizer(fallback: .reading)
    (configuration.jobs, configuration.isRehearsal) = (work.jobs, work.check)
    configuration.keepsSite = site != nil && isPublished && inputs.isSiteFaulty
    if configuration.keepsSite {
      Terminal.error("tamis: error: the site is left as it is, as its settings have a mistake [config.site]")
    }
  }

  /// The archive that a run reads or writes.
  static func archive(
    _ named: String?, _ output: FilePath?, isConfigured: Bool, _ inputs: CommandInputs
  ) throws -> FilePath {
    if let named { return FilePath(named) }
    if let configured = inputs.planet.site.archive { return inputs.inFolder(configured) }
    if let output { return FilePath(SiteOptions.archive(of: output)) }
    guard isConfigured else { throw ValidationError("name the archive: --archive") }
    return FilePath(SiteOptions.archive(of: inputs.inFolder(inputs.planet.site.output)))
  }

  /// The archive, the rules, the configuration and what it names.
  var inputFiles: [FilePath] {
    [configuration.archive] + [rules, inputs.file].compactMap { $0 } + inputs.filesOfConfiguration
  }

  /// Sets the sources to read.
  ///
  /// - Parameters:
  ///   - ingest: the options for reading.
  ///   - shard: the shard to read; nil for all sources.
  /// - Throws: an error when the sources cannot be used.
  mutating func read(_ ingest: IngestArguments, shard: Archive.Shard? = nil) throws {
    if let file = inputs.planet.fetching.secrets.map(inputs.inFolder),
      file.absolute.isInside(configuration.output.absolute)
    {
      throw Terminal.failure(
        "tamis: error: \(file): these secrets are in the folder of the site, and would be published; move them [secrets.file]",
        .badData)
    }
    let archive = configuration.archive
    var feeds = FeedSources(
      inputs.files, home: archive.folder, output: configuration.output,
      except: [archive, archive.appending(ending: "-journal"), archive.appending(ending: ".lock")],
      known: shard == nil ? Archive.knownFiles(in: archive.description) : [:], shard: shard)
    feeds.setSettings(inputs.planet.standardSettings)
    try ingest.addresses.apply(to: &feeds)
    Terminal.report(feeds, notes: work.verbose)
    if !feeds.files.isEmpty, inputs.planet.standardSettings.wantsPages {
      Terminal.error(
        "tamis: warning: full text is for feeds with addresses: name these by their addresses, not as files [pages.files]"
      )
    }
    configuration.subscriptions = inputs.subscriptions
    configuration.subscriptions.lists = inputs.readingLists
    configuration.subscriptions.planet = inputs.planet
    configuration.subscriptions.folder = inputs.folder
    configuration.siteRules =
      try inputs.planet.pages.siteRules.map { try .load(inputs.inFolder($0)) } ?? SiteRules()
    let sanitizers = try inputs.sanitizers()
    configuration.sanitizers = sanitizers.read
    configuration.subscriptions.leave(feedsWithRules: sanitizers.missing)
    let isNothing =
      feeds.files.isEmpty && feeds.crawls.isEmpty && !feeds.hasElsewhere && inputs.subscriptions.feeds.isEmpty
      && inputs.readingLists.isEmpty
    if let shard {
      configuration.shard = shard
      configuration.subscriptions.feeds.removeAll { !shard.holds(feedNamed: $0.storedAddress) }
    }
    try ingest.report?.refuseAsOutput(of: "--report", besides: inputFiles + feeds.files.map(\.path) + feeds.crawls)
    sourceFindings = inputs.findings + feeds.findings
    // Without sources no archive is started; an existing one may be emptied by an explicitly empty list of feeds.
    if isNothing, !inputs.subscriptions.areNone || archive.kind == nil {
      if shard == nil, archive.kind != nil, failedSources == 0 {
        Terminal.error(
          "tamis: error: nothing to read is named, and nothing is changed; to remove the last feed, write 'feeds: []' [config]"
        )
      }
      throw ExitCode.badData
    }
    failedSources += feeds.findings.count { $0.severity == .error }
    configuration.sources = feeds
    configuration.fields = ingest.fields.field
    configuration.knownPages = inputs.planet.pages.known.map(inputs.inFolder)
    configuration.fetching = ingest.fetching.options(over: inputs)
    configuration.now = try ingest.now()
    configuration.reportsRemovals = ingest.removals
    configuration.readsHistory = ingest.history
    showsNotes = showsNotes || ingest.removals
    configuration.wantsEvents = ingest.report != nil
    // Reports about every feed are possible only when every feed is read.
    configuration.readsAll = ingest.report != nil || ingest.removals || work.verbose
  }

  /// Runs, and reports the result.
  func run(
    _ ingest: IngestArguments?,
    _ body: (SiteBuild, @escaping @Sendable (SiteBuild.Progress) -> Void) async throws -> SiteBuild.Report
  ) async throws {
    let progress = Progress(leaving: "the archive and the site are consistent; the next run continues")
    defer { progress.finish() }
    let report: SiteBuild.Report
    do {
      report = try await body(SiteBuild(configuration)) { progress.update($0) }
    } catch {
      throw Terminal.failure("tamis: error: \(TerminalText.beginning(of: "\(error)")) [build.write]", .cannotWrite)
    }
    progress.finish()
    if let rescue = report.rescue { Terminal.error("tamis: warning: \(Self.text(of: rescue)) [archive.damaged]") }
    Terminal.reportGathered(report.ingest?.findings ?? [], all: showsNotes)
    try ingest?.write(report.ingest?.events ?? [])
    report.plan.forEach { Terminal.line(TerminalText.beginning(of: $0)) }
    report.pages?.notes.forEach { Terminal.error("tamis: warning: \(TerminalText.beginning(of: $0)) [site]") }
    let failed = (report.ingest?.failed ?? 0) + failedSources
    if !work.success.quiet || failed > 0 { Terminal.error(summary(report, failed: failed)) }
    if let read = report.ingest, read.isEmpty, !report.hasNone {
      if failed == 0 {
        Terminal.error(
          "tamis: error: no feed could be read yet, so there is nothing to show; --now asks again at once [build.nothing]"
        )
      }
      throw ExitCode.badData
    }
    if failed > 0 || !report.plan.isEmpty { throw ExitCode.someFailed }
  }

  private static func text(of rescue: Archive.Rescue) -> String {
    let all = rescue.all.map { " of \($0)" } ?? ""
    return
      "\(rescue.problem); it was renamed to \(rescue.aside), and \(rescue.posts)\(all) posts could be recovered; nothing of the site is "
      + "deleted because of that"
  }

  private func summary(_ report: SiteBuild.Report, failed: Int) -> String {
    var parts: [String] = []
    if let read = report.ingest { parts += Self.words(read, failed: failed) }
    if configuration.isRehearsal {
      parts.append(report.plan.isEmpty ? "nothing to make" : "\(report.plan.count.counted("thing")) to make")
    } else if let pages = report.pages {
      if pages.written + pages.removed == 0 {
        parts.append("all \(pages.files.counted("file")) unchanged")
      } else {
        parts.append("\(pages.written.counted("file")) written")
        parts.append("\(max(0, pages.files - pages.written)) unchanged")
        if pages.removed > 0 { parts.append("\(pages.removed) removed") }
      }
    }
    let warnings = report.ingest?.findings.count { $0.severity == .warning } ?? 0
    if warnings > 0 { parts.append(warnings.counted("warning")) }
    let page = report.pages == nil ? "" : ": \(configuration.output.appending("index.html"))"
    return parts.joined(separator: ", ") + page
  }

  private static func words(_ read: SiteBuild.IngestReport, failed: Int) -> [String] {
    let feeds = (read.feeds + read.unchanged + read.failing).counted("feed")
    let fetching = FetchedFeed.Word.summary(read.fetching.filter { $0.key != .failed })
    var pictures = read.pages > 0 ? ["\(read.pages.counted("page")) of posts fetched"] : []
    if read.knownPages > 0 { pictures.append("\(read.knownPages.counted("page")) of posts from files") }
    if read.pictures > 0 { pictures.append("\(read.pictures.counted("picture")) fetched") }
    if read.earlierDocuments > 0 { pictures.append("\(read.earlierDocuments.counted("earlier document")) read") }
    if read.feeds == 0, failed == 0, read.earlierDocuments == 0 {
      return [feeds] + fetching + pictures + ["nothing has changed"]
    }
    var parts = [read.unchanged > 0 ? "\(feeds), \(read.feeds) of them read" : feeds] + fetching
    if failed > 0 { parts.append("\(failed) failed") }
    parts += pictures
    let new = read.count(.new) - read.folded
    let counts: [(Int, String, String, isAlwaysSaid: Bool)] = [
      (new, "new post", "new posts", true), (read.count(.updated), "updated", "updated", true),
      (read.folded, "folded", "folded", false), (read.count(.revived), "revived", "revived", false),
      (read.count(.backfill), "from an archive", "from an archive", false),
      (read.count(.buried), "buried", "buried", false),
      (read.count(.cutOff), "cut off and left out", "cut off and left out", false),
      (read.count(.heldBack), "held back by your settings", "held back by your settings", false),
      (read.count(.known), "known", "known", true), (read.count(.duplicate), "duplicate", "duplicates", true),
    ]
    for (count, one, many, isAlwaysSaid) in counts where count > 0 || isAlwaysSaid {
      parts.append(count.counted(one, plural: many))
    }
    return parts
  }
}

extension Progress {
  func update(_ progress: SiteBuild.Progress) {
    switch progress {
    case .read(let count, let total): update(count, of: total, noun: "feed", done: "read")
    case .fetched(let count, let total): update(count, of: total, noun: "feed", done: "asked for")
    case .paged(let count, let total): update(count, of: total, noun: "page", done: "asked for")
    case .pictured(let count, let total): update(count, of: total, noun: "picture", done: "asked for")
    case .written(let count): update(count, of: nil, noun: "file", done: "written")
    }
  }
}
