public import TamisArchive
public import TamisArticle
import TamisCore
import TamisDigest
public import TamisFeed
public import TamisFiles
public import TamisPlanet
import TamisRules
public import TamisSanitizer
public import TamisSite

/// The main job: feeds in, a static site out.
///
///     let report = try await SiteBuild(configuration).run()
///
/// It has two halves, which can be done by themselves: what has changed among the sources goes into the archive, and the site is made
/// of what the archive holds.
public struct SiteBuild: Sendable {
  /// How far a build is.
  public enum Progress: Sendable, Hashable {
    /// So many of the feeds that are subscribed to were asked for, or need not be.
    case fetched(Int, of: Int)
    /// So many of the pages that entries want were asked for.
    case paged(Int, of: Int)
    /// So many of the feeds that have changed are read and recorded.
    case read(Int, of: Int)
    /// So many of the pictures that are missing were asked for.
    case pictured(Int, of: Int)
    /// So many files are written, or are as they were.
    case written(Int)
  }

  /// All that a build depends on.
  public struct Configuration: Sendable {
    /// The feeds.
    ///
    /// A feed whose file is in a folder of these no more is no source any more; one whose file holds something else now has failed.
    public var sources: Sources
    /// The feeds that are subscribed to.
    public var subscriptions = Subscriptions()
    /// How they are fetched.
    public var fetching = FetchOptions()
    /// The archive's file.
    public var archive: FilePath
    /// The site's folder.
    public var output: FilePath
    /// How the site looks and where it will be.
    public var site: Site.Options
    /// The rules for bodies.
    public var policy: Policy = .reading
    /// Rules for the bodies of single feeds, by the names by which ``FeedSettings/rules`` asks for them; what they let pass goes
    /// through ``policy`` again when pages are made.
    public var policies: [String: Policy] = [:]
    /// Elements of entries that posts and templates are to have by name.
    public var fields: [CustomField] = []
    /// Files with pages of posts, JSON lines or WARC: what feeds want is taken from there before anything is asked of the web.
    public var knownPages: [FilePath] = []
    /// Where on the pages of single sites the article is.
    public var siteRules = SiteRules()
    /// How posts are recognized and kept.
    public var ingest = IngestOptions()
    /// Whether posts are listed only that were not read.
    public var showsUnreadOnly = false
    /// The time of the build, seconds since 1970-01-01T00:00:00Z, by which dates from the future are known; nil when it is
    /// not to depend on any.
    public var now: Int64?
    /// How many feeds or pages are worked on at once, from 1; the result does not depend on it.
    public var jobs = 1
    /// Whether all feeds are read, also those that are as they were.
    public var readsAll = false
    /// Whether all pages are made and looked at, also those of which nothing has changed.
    public var makesAll = false
    /// Whether the report says of each post what was decided.
    public var wantsEvents = false
    /// Whether the findings say how much was taken away from each post and feed.
    public var reportsRemovals = false
    /// Whether it is only said what would be done.
    public var isRehearsal = false
    /// The part of the feeds that is read into an archive of its own; nil for all.
    public var shard: Shard?
    /// How many seconds to wait for another run that writes the archive or the site.
    public var patience = 30

    /// A build of some feeds into an archive and a site.
    public init(sources: Sources, archive: FilePath, output: FilePath, site: Site.Options) {
      (self.sources, self.archive, self.output, self.site) = (sources, archive, output, site)
    }

    /// Where pictures are when the site is read.
    public var pictures: SiteSettings.Pictures {
      get { site.keepsPictures ? .keep : .link }
      set { site.keepsPictures = newValue == .keep }
    }

    /// The folder in which pictures are kept, beside the archive.
    var pictureFolder: FilePath { archive.appending(ending: ".pictures") }

    /// Another when the pages are.
    func fingerprint(of site: Site) -> String {
      SHA256([site.fingerprint, SiteBuild.digest(of: policy), "\(showsUnreadOnly)"].joined(separator: "\n")).hex
    }
  }

  /// What a build came to.
  public struct Report: Sendable {
    /// What reading the sources came to; nil when that was not asked for.
    public internal(set) var ingest: IngestReport?
    /// What publishing came to; nil when that was not asked for.
    public internal(set) var pages: PublishingSummary?
    /// What would be made, a line each; empty unless that was all that was asked for.
    public internal(set) var plan: [String] = []
    /// Whether there were feeds, and somebody has said that there are none any more.
    public internal(set) var hasNone = false
    /// What became of a damaged archive.
    public internal(set) var rescue: Archive.Rescue?
  }

  private let configuration: Configuration

  /// Makes a build.
  public init(_ configuration: Configuration) { self.configuration = configuration }

  /// The digest of rules.
  static func digest(of policy: Policy) -> String { SHA256(Rules.text(of: policy)).hex }

  /// Reads what has changed into the archive, and makes the site of it.
  ///
  /// - Parameter progress: told how far it is.
  /// - Throws: ``ArchiveError`` or ``SiteError`` when the archive or a page cannot be written. What is wrong with a feed is in
  ///   the report and costs only that feed.
  public func run(progress: @escaping (Progress) -> Void = { _ in }) async throws -> Report {
    var report = Report()
    // A folder that cannot be used is no reason to read anything.
    if !configuration.isRehearsal {
      _ = try SiteFolder(path: configuration.output, isWritten: true, patience: configuration.patience)
    }
    let archive = try open(&report)
    report.ingest = try await ingest(into: archive, progress)
    // Where nothing could be read there is nothing to say either, but that nothing is to be read any more.
    report.hasNone = try hasNone(archive)
    if report.ingest?.isEmpty == true, !report.hasNone { return report }
    try await publish(archive, &report, progress)
    return report
  }

  /// Reads what has changed into the archive.
  public func ingest(progress: @escaping (Progress) -> Void = { _ in }) async throws -> Report {
    var report = Report()
    let archive = try open(&report)
    report.ingest = try await ingest(into: archive, progress)
    report.hasNone = try hasNone(archive)
    return report
  }

  /// Makes the site of what the archive holds; an archive that cannot be written is read.
  public func publish(progress: @escaping (Progress) -> Void = { _ in }) async throws -> Report {
    var report = Report()
    let file = configuration.archive
    guard file.kind != nil else { throw ArchiveError(missing: file.description) }
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
    into archive: Archive, _ progress: @escaping (Progress) -> Void
  ) async throws -> IngestReport {
    let fetching = FetchStage(configuration)
    var pages = FullTextStage(configuration)
    try await pages.askAgain(archive, progress)
    let fetched = try await fetching.run(archive, progress)
    try await pages.run(fetched.feeds, archive, progress)
    var ingestion = Ingestion(configuration, fetched, into: archive, progress: progress)
    var report = try await ingestion.run()
    fetching.forget(fetched)
    report.add(pages)
    if !configuration.isRehearsal { try archive.tidyPages() }
    if !report.isEmpty { report.add(try await PictureStage(configuration).run(archive, progress)) }
    return report
  }

  private func publish(
    _ archive: Archive, _ report: inout Report, _ progress: @escaping (Progress) -> Void
  ) async throws {
    let publisher = try Publisher(configuration, of: archive, into: configuration.output, progress: progress)
    if configuration.isRehearsal {
      report.plan = publisher.lines
    } else {
      report.pages = try await publisher.run()
    }
  }
}
