public import TamisArchive
public import TamisArticle
import TamisCore
import TamisFoundation
public import TamisFeed
package import TamisSystem
import TamisPlanet
public import TamisSanitizer
public import TamisSite

/// The main job: reads feeds and makes a static site.
///
///     let report = try await SiteBuild(configuration).run()
///
/// The two halves can be run separately: reading the sources that have changed into the archive, and making the site
/// from the archive.
public struct SiteBuild: Sendable {
  /// The progress of a build.
  public enum Progress: Sendable, Hashable {
    /// The number of subscribed feeds that were fetched or need not be.
    case fetched(Int, of: Int)
    /// The number of wanted pages that were fetched.
    case paged(Int, of: Int)
    /// The number of changed feeds that were read and recorded.
    case read(Int, of: Int)
    /// The number of missing pictures that were fetched.
    case pictured(Int, of: Int)
    /// The number of files that were written or are unchanged.
    case written(Int)
  }

  /// The inputs and options of a build.
  public struct Configuration: Sendable {
    /// The feeds.
    ///
    /// A feed whose file no longer exists in one of these folders is removed; a feed whose file is no longer a feed
    /// counts as failed.
    package var sources: FeedSources
    /// The subscribed feeds.
    public var subscriptions = Subscriptions()
    /// The options for fetching them.
    public var fetching = SiteBuild.FetchOptions()
    /// The archive's file.
    package var archive: FilePath
    /// The site's folder.
    package var output: FilePath
    /// The settings of the site; its theme and its language are those of ``theme`` and ``words``.
    public var site: SiteSettings
    /// The theme of the pages.
    public var theme: Site.Theme = .standard
    /// The texts of the pages' interface, and their language.
    public var words: Site.Words = .standard
    /// The sanitizer of bodies; its hooks are called for elements when feeds are read, and for URLs when pages are
    /// made.
    public var sanitizer = Sanitizer.reading
    /// The sanitizers for the bodies of single feeds, by the names in ``Planet/FeedSettings/rules``.
    ///
    /// Their output passes through ``sanitizer`` again when pages are made; only the hooks of that one are called for
    /// URLs.
    public var sanitizers: [String: Sanitizer] = [:]
    /// Additional stages for documents when they are read.
    public var stages = Stages()
    /// The elements of entries that are read by name, for posts and templates.
    public var fields: [FeedParser.CustomField] = []
    /// Files with pages of posts, JSON lines or WARC: wanted pages are taken from these before any request.
    package var knownPages: [FilePath] = []
    /// The rules for the location of the article on the pages of single sites.
    public var siteRules = SiteRules()
    /// The time of the build, in seconds since 1970-01-01T00:00:00Z; nil when the result must not depend on it.
    ///
    /// By it feeds are due and future dates are detected. It is that of the machine when the configuration was created.
    /// Without a time each feed is due in each build.
    public var now: Int64? = Int64(Date().timeIntervalSince1970)
    /// The number of feeds or pages that are processed at once, from 1; the result does not depend on it.
    public var jobs = 1
    /// Whether the posts before those of each feed's document are read too, where its settings do not say.
    public var readsHistory = false
    /// Whether all feeds are read, including unchanged ones.
    public var readsAll = false
    /// Whether all pages are made and compared, including those without changes.
    public var makesAll = false
    /// Whether the report contains the decision on each post.
    public var wantsEvents = false
    /// Whether the findings contain the amount that was removed from each post and feed.
    public var reportsRemovals = false
    /// Whether the site is left as it is, as its settings have a mistake.
    package var keepsSite = false
    /// Whether this is a dry run: nothing is written.
    public var isRehearsal = false
    /// The shard of the feeds that is read into a separate archive; nil for all feeds.
    package var shard: Archive.Shard?
    /// The number of seconds to wait for another run that is writing the archive or the site.
    public var patience = 30

    /// Creates the configuration of a build of some feeds into an archive and a site.
    ///
    /// - Parameters:
    ///   - sources: the feeds in files and folders.
    ///   - archive: the archive's file.
    ///   - output: the site's folder.
    ///   - site: the settings of the site.
    package init(sources: FeedSources, archive: FilePath, output: FilePath, site: SiteSettings = SiteSettings()) {
      (self.sources, self.archive, self.output, self.site) = (sources, archive, output, site)
    }

    /// Creates the configuration of a build of feeds in files and folders into a site.
    ///
    /// - Parameters:
    ///   - feeds: the paths of files, and of folders whose feeds are read.
    ///   - output: the path of the site's folder; the archive is beside it, `output.archive`.
    ///   - title: the site's name.
    public init(feeds: [String], output: String, title: String) {
      self.init(feeds: feeds.map { FilePath($0) }, output: FilePath(output), title: title)
    }

    /// Creates the same configuration of paths that need not be text.
    package init(feeds: [FilePath], output: FilePath, title: String) {
      let archive = output.appending(ending: ".archive")
      self.init(
        sources: FeedSources(
          feeds, home: archive.folder, output: output,
          except: [archive, archive.appending(ending: "-journal"), archive.appending(ending: ".lock")]),
        archive: archive, output: output, site: SiteSettings(title: title))
    }

    /// The folder of stored pictures, beside the archive.
    var pictureFolder: FilePath { archive.appending(ending: ".pictures") }

    /// Returns a text that changes when all pages have to be made again.
    func fingerprint(of site: Site) -> String {
      SHA256(
        [site.fingerprint, site.settings.fingerprint, SiteBuild.digest(of: sanitizer.forPages)].joined(separator: "\n")
      ).hex
    }
  }

  /// The result of a build.
  public struct Report: Sendable {
    /// The result of reading the sources; nil when they were not read.
    public internal(set) var ingest: SiteBuild.IngestReport?
    /// The result of publishing; nil when nothing was published.
    public internal(set) var pages: SiteBuild.PublishingSummary?
    /// The files that would be made, one line each; empty unless this is a dry run.
    public internal(set) var plan: [String] = []
    /// Whether the user has removed all of the existing feeds.
    package internal(set) var hasNone = false
    /// The result of rescuing a damaged archive; nil when it was not damaged.
    public internal(set) var rescue: Archive.Rescue?
  }

  private let configuration: Configuration

  /// Creates a build.
  public init(_ configuration: Configuration) { self.configuration = configuration }

  /// Returns the digest of the rules of a sanitizer.
  static func digest(of sanitizer: Sanitizer) -> String { SHA256(sanitizer.fingerprint).hex }

  /// Reads the sources that have changed into the archive, and makes the site from it.
  ///
  /// The work is done off the caller's actor, which stays free meanwhile.
  ///
  /// - Parameter progress: a function that is called with the progress, on any thread, one call after the other.
  /// - Returns: the report on both; its `pages` is nil when nothing could be read and the site was kept.
  /// - Throws: ``Archive/Failure`` or ``Site/Failure`` when the archive or a page cannot be written. Faults of a feed
  ///   are in the report and affect only that feed. `CancellationError` soon after the task is cancelled: archive and
  ///   site are then as after an interrupted run, which the next one completes.
  @concurrent public func run(progress: @escaping @Sendable (Progress) -> Void = { _ in }) async throws -> Report {
    var report = Report()
    // The output folder is checked before anything is read.
    if !configuration.isRehearsal {
      _ = try SiteFolder(path: configuration.output, isWritten: true, patience: configuration.patience)
    }
    let archive = try open(&report)
    report.ingest = try await ingest(into: archive, progress)
    try Task.checkCancellation()
    // If nothing could be read, the site is kept, unless the user has removed all feeds.
    report.hasNone = try hasNone(archive)
    if configuration.keepsSite || report.ingest?.isEmpty == true && !report.hasNone { return report }
    try await publish(archive, &report, progress)
    return report
  }

  /// Reads the sources that have changed into the archive.
  ///
  /// - Parameter progress: a function that is called with the progress, on any thread, one call after the other.
  /// - Returns: the report; its `pages` is nil.
  /// - Throws: ``Archive/Failure`` when the archive cannot be written; `CancellationError` when the task is cancelled.
  @concurrent public func ingest(progress: @escaping @Sendable (Progress) -> Void = { _ in }) async throws -> Report {
    var report = Report()
    let archive = try open(&report)
    report.ingest = try await ingest(into: archive, progress)
    report.hasNone = try hasNone(archive)
    return report
  }

  /// Makes the site from the archive; an archive that cannot be written is opened for reading.
  ///
  /// - Parameter progress: a function that is called with the progress, on any thread, one call after the other.
  /// - Returns: the report; its `ingest` is nil.
  /// - Throws: ``Archive/Failure`` or ``Site/Failure`` when the archive cannot be read or a page cannot be written;
  ///   `CancellationError` when the task is cancelled.
  @concurrent public func publish(progress: @escaping @Sendable (Progress) -> Void = { _ in }) async throws -> Report {
    var report = Report()
    if configuration.keepsSite { return report }
    let file = configuration.archive
    guard file.kind != nil else { throw Archive.Failure(missing: file.description) }
    let archive =
      file.isWritable && file.folder.isWritable
      ? try open(&report) : try Archive(file: file.description, mode: .reading)
    if archive.mode != .reading { try archive.settle() }
    try await publish(archive, &report, progress)
    return report
  }

  // MARK: - Parts

  private func hasNone(_ archive: Archive) throws -> Bool {
    guard configuration.subscriptions.areNone, configuration.sources.files.isEmpty else { return false }
    return try !archive.sources(purge: .keep).isEmpty
  }

  private func open(_ report: inout Report) throws -> Archive {
    let file = configuration.archive.description
    if configuration.isRehearsal {
      return try Archive(file: file, mode: .rehearsing, patience: configuration.patience)
    }
    let opened = try Archive.open(file: file, patience: configuration.patience)
    report.rescue = opened.rescue
    return opened.archive
  }

  func ingest(
    into archive: Archive, _ progress: @escaping @Sendable (Progress) -> Void
  ) async throws -> SiteBuild.IngestReport {
    let fetching = FetchStage(configuration)
    var pages = FullTextStage(configuration)
    try await pages.askAgain(archive, progress)
    let fetched = try await fetching.run(archive, progress)
    try Task.checkCancellation()
    var configuration = configuration
    if fetched.isOffline {
      configuration.fetching.extent = .none
      pages.stopFetching()
    }
    try await pages.run(fetched.feeds, archive, progress)
    let histories = HistoryStage(configuration)
    let walks = try await histories.run(fetched.feeds, archive)
    var ingestion = Ingestion(configuration, fetched, walks, into: archive, progress: progress)
    var report = try await ingestion.run()
    fetching.forget(fetched)
    histories.forget(walks)
    report.add(pages)
    if !configuration.isRehearsal { try archive.tidyPages() }
    if !report.isEmpty { report.add(try await PictureStage(configuration).run(archive, progress)) }
    return report
  }

  private func publish(
    _ archive: Archive, _ report: inout Report, _ progress: @escaping @Sendable (Progress) -> Void
  ) async throws {
    try await archive.withSharedReads {
      let publisher = try Publisher(configuration, of: archive, into: configuration.output, progress: progress)
      if configuration.isRehearsal {
        report.plan = publisher.lines
      } else {
        report.pages = try await publisher.run()
      }
    }
  }
}
