import FoundationEssentials
public import TamisCore
import TamisExtract
public import TamisFeed
public import TamisIndex
import TamisDigest
import TamisFiles
import TamisRules
public import TamisSanitizer
public import TamisSite
import TamisURL

/// The main job: feeds in, a static site out.
public struct SiteBuild: Sendable {
  /// How far a build is.
  public enum Progress: Sendable, Hashable {
    /// So many feeds are read.
    case read(Int)
    /// It was decided about the posts of so many feeds.
    case decided(Int)
    /// So many files are written, or are as they were.
    case written(Int)
  }

  /// What a build came to.
  public struct Report: Sendable {
    /// Feeds that were read.
    public var feeds = 0
    /// Feeds that could not be read.
    public var failed = 0
    /// What was decided about each post, by source, in the order of the sources and documents.
    public var events: [BuildEvent] = []
    /// The files of the site.
    public var pages = Site.Summary()
    /// Whether everything was as in the build before, so that nothing had to be done.
    public var isUnchanged = false
    /// What was odd, by source, in the order of the sources.
    public var findings: [Finding] = []

    /// How many posts a decision was made about.
    public func count(_ decision: String) -> Int { events.count { $0.decision == decision } }
  }

  /// How posts are recognized, kept and shown.
  public struct Options: Sendable {
    /// By what posts are recognized.
    public var keys = KeyPolicy.ladder
    /// What becomes of posts that have left their feed.
    public var purge = PurgePolicy.keep
    /// Whether only posts are shown that were not read.
    public var showsUnreadOnly = false
    /// Whether pages ask nobody for anything: links stand where pictures from elsewhere would.
    public var isOffline = false
    /// The time of the build, seconds since 1970-01-01T00:00:00Z, by which dates from the future are known; nil when it is
    /// not to depend on any.
    public var now: Int64?
    /// Whether to do nothing when nothing has changed; each decision is made anew otherwise.
    public var skipsUnchanged = false

    /// Posts are recognized by the best of their keys, all are kept and shown.
    public init() {}
  }

  private let pipeline: Pipeline
  private let options: Options
  private let jobs: Int

  /// What counts for nothing in addresses: always those of the shipped rules, so that what is remembered does not depend
  /// on the rules in force.
  static let tracking = TrackingParameters(Policy.reading.improvements.trackingParameters)

  /// What of the options, besides the feeds, the pages follow from.
  private let fingerprint: String

  /// Makes a build.
  ///
  /// - Parameters:
  ///   - policy: the rules for bodies.
  ///   - fields: elements of entries that posts and templates are to have by name.
  ///   - jobs: how many feeds are worked on at once; the result does not depend on it.
  ///   - reportsRemovals: whether the findings say how much was taken away from each post and feed.
  public init(
    policy: Policy = .reading, fields: [CustomField] = [], options: Options = Options(), jobs: Int,
    reportsRemovals: Bool = false
  ) {
    pipeline = Pipeline(policy: policy, fields: fields, reportsRemovals: reportsRemovals)
    self.options = options
    self.jobs = max(1, jobs)
    // Not what time it is: what is known has its place already.
    fingerprint = [
      Rules.text(of: policy), "\(fields)", "\(options.keys) \(options.purge)",
      "\(options.showsUnreadOnly) \(options.isOffline) \(options.now != nil)",
    ].joined(separator: "\n")
  }

  /// A feed that was read and sanitized, with what the index is to know of it.
  struct Prepared: Sendable {
    var output: Pipeline.Output
    var keys: [PostKeys]
  }

  /// Builds a site.
  ///
  /// - Parameters:
  ///   - sources: the feeds. A feed of the site whose file is in a folder of these no more is no part of it any more; one whose
  ///     file holds something else now has failed.
  ///   - site: where the pages go.
  ///   - index: what is known about earlier posts.
  ///   - progress: told how far it is.
  /// - Throws: ``IndexError`` or ``SiteError`` when the index or a page cannot be written. What is wrong with a feed is in
  ///   the report and costs only that feed.
  public func run(
    _ sources: Sources, site: Site, index: PostIndex, progress: @escaping (Progress) -> Void = { _ in }
  ) async throws -> Report {
    let places = try index.places()
    let files = Self.files(of: sources, site, places)
    let digests = digests(of: files, in: sources.folders)
    let inputs = try inputs(digests, site, index)
    if let inputs, options.skipsUnchanged, let count = site.unchangedFiles(inputs: inputs) {
      try index.endRun(try index.beginRun())
      var report = Report()
      report.feeds = files.count
      report.pages.unchanged = count
      report.isUnchanged = true
      return report
    }
    var report = Report()
    var results: [Result<Prepared, NotAFeed>] = []
    try await inOrder(count: files.count, jobs: jobs, work: { prepare(files[$0]) }) { position, result in
      results.append(result)
      progress(.read(position + 1))
    }
    // Which feed a file is shows when all were read.
    let run = try index.beginRun()
    let names = try names(of: files, results, in: sources, site, index, places: places, run: run)
    var batch = Batch(run: run, removed: names.removed, digests: digests)
    for (position, (file, key)) in zip(files, names.keys).enumerated() {
      progress(.decided(position))
      switch results[position] {
      case .failure(let failure):
        report.failed += 1
        report.findings.append(failure.finding)
        batch.failures[key] = failure.finding.message
      case .success(let prepared):
        report.feeds += 1
        report.findings += prepared.output.findings
        let verdicts = try index.record(
          prepared.keys, of: key, run: run, ending: prepared.output.ending, keys: options.keys, purge: options.purge)
        batch.feeds.append(
          Recorded(
            feed: prepared, key: key, address: prepared.output.feed.ownAddress ?? file.response.address,
            file: file.path.description, verdicts: verdicts))
      }
    }
    report.findings += names.findings
    // Where nothing could be read there is nothing to say either.
    if !batch.feeds.isEmpty { try publish(batch, site, index, &report) { progress(.written($0)) } }
    try index.endRun(batch.run, hasPurged: options.purge == .seed)
    return report
  }

  /// What the site is made of: the digests of the feeds, and the folders; nil when a feed cannot be read.
  private func digests(of files: [Sources.File], in folders: [String]) -> [String]? {
    let lines = files.sorted { $0.place < $1.place }.map { file in
      // What can be read only once is not read for this.
      file.path.kind == .file
        ? (try? FileSource(file.path).digest()).map { "\(file.place) \(file.response) \($0)" } : nil
    }
    return lines.contains(nil) ? nil : lines.compactMap { $0 } + folders
  }

  /// The digest of all that the site follows from.
  ///
  /// Nil when a run that brings nothing new does something all the same: it counts for what is to be purged after a number
  /// of runs, and for what a second run has to say.
  private func inputs(_ digests: [String]?, _ site: Site, _ index: PostIndex) throws(IndexError) -> String? {
    if case .after = options.purge { return nil }
    guard let digests, let known = try index.fingerprint() else { return nil }
    return SHA256(([site.fingerprint, fingerprint, known] + digests).joined(separator: "\n")).hex
  }

  /// What a run has read and decided.
  private struct Batch {
    var run: Int64
    var removed: Set<FeedKey>
    var digests: [String]?
    var feeds: [Recorded] = []
    /// Why feeds could not be read, by their keys.
    var failures: [FeedKey: String] = [:]
  }

  private struct Recorded {
    var feed: Prepared
    var key: FeedKey
    /// Where the feed is published; nil when that is not known.
    var address: String?
    var file: String
    var verdicts: [Verdict]
  }

  private func prepare(_ file: Sources.File) -> Result<Prepared, NotAFeed> {
    Result { () throws(NotAFeed) in
      var output = try pipeline.process(try file.document(), details: false)
      var keys = PostKeys.all(
        of: output.posts, texts: output.texts, home: output.feed.link, tracking: Self.tracking, name: Site.name)
      if case .insideEntry(let cut) = output.ending { keys[cut].isCutOff = true }
      // What follows looks at posts and keys only.
      output.texts = []
      return Prepared(output: output, keys: keys)
    }
  }

  private func publish(
    _ batch: Batch, _ site: Site, _ index: PostIndex, _ report: inout Report, progress: @escaping (Int) -> Void
  ) throws {
    let feeds = batch.feeds
    var (new, known): ([Int64: PostKeys], [Int64: PostKeys]) = ([:], [:])
    for feed in feeds {
      for (verdict, keys) in zip(feed.verdicts, feed.feed.keys) where verdict.decision.isShown {
        if verdict.isNew { new[verdict.post] = keys } else { known[verdict.post] = keys }
      }
    }
    let folds = try index.fold(run: batch.run, new: new, known: known)
    let hidden = try index.hiddenPages(includingRead: false)
    let paths = Set(hidden.pages.map { Site.path(ofPage: $0.name, inFeed: $0.feed) })
    // What was read is not listed; its pages stay.
    let read = options.showsUnreadOnly ? try index.hiddenPages(includingRead: true).pages : []
    let left = Set(read.map { Site.path(ofPage: $0.name, inFeed: $0.feed) }).subtracting(paths)
    // What stands for another must have a page: in this run, or from an earlier one.
    let removed = batch.removed
    var pages = Set(site.pages.lazy.filter { !removed.contains($0.key) }.flatMap(\.value)).subtracting(paths)
    for feed in feeds {
      let folder = Site.folder(ofFeed: feed.key)
      for verdict in feed.verdicts where verdict.decision.isShown && folds[verdict.post] == nil {
        pages.insert("\(folder)\(verdict.name).html")
      }
    }
    let told = folds.filter { _, page in
      hidden.posts.contains(page.post) || pages.contains(Site.path(ofPage: page.name, inFeed: page.feed))
    }
    for feed in feeds { report.events += events(of: feed, told) }
    let shown = feeds.map { siteFeed($0, folds, pages, hidden.posts) }
    let form = PageForm(isOffline: options.isOffline)
    report.pages = try site.publish(
      shown, failures: batch.failures, hiding: paths, leaving: left, removing: removed,
      standing: { (try? index.hasPost(withPage: $1, inFeed: $0)) ?? true },
      inputs: batch.failures.isEmpty ? try inputs(batch.digests, site, index) : nil,
      bodies: Site.Bodies(form: form.apply) { pipeline.sanitizeAgain($0) }, progress: progress)
  }

  private func siteFeed(
    _ recorded: Recorded, _ folds: [Int64: PostIndex.Page], _ pages: Set<String>, _ hidden: Set<Int64>
  ) -> SiteFeed {
    let output = recorded.feed.output
    let folder = Site.folder(ofFeed: recorded.key)
    let today = today(output.feed, output.posts)
    let posts = output.posts.indices.compactMap { index -> SitePost? in
      let verdict = recorded.verdicts[index]
      guard verdict.decision.isShown, !hidden.contains(verdict.post) else { return nil }
      // The page that the whole post has stays.
      if output.ending == .insideEntry(index), verdict.decision == .known { return nil }
      // Who has read the one has read the other.
      if let page = folds[verdict.post], hidden.contains(page.post) { return nil }
      let fold = folds[verdict.post].map { Site.path(ofPage: $0.name, inFeed: $0.feed) }.flatMap {
        pages.contains($0) ? $0 : nil
      }
      return SitePost(
        post: output.posts[index], path: "\(folder)\(verdict.name).html", foldedInto: fold,
        memo: verdict.memo, place: Self.place(of: output.posts[index], today))
    }
    return SiteFeed(
      key: recorded.key, title: output.title, subtitle: output.subtitle, link: WebAddress.absolute(output.feed.link),
      address: recorded.address,
      image: WebAddress.absolute(output.feed.image?.url ?? output.feed.logo),
      language: output.feed.language.flatMap(LanguageTag.normalized),
      rights: output.rights, status: Self.status(of: output), posts: posts)
  }

  /// The day that it is for a feed, by which dates from the future are known (rule K8 of the design): that of the build, or
  /// the one that the feed says, if that is not behind most of its posts, as it is where nobody keeps it up.
  private func today(_ feed: Feed, _ posts: [Post]) -> Int64? {
    let dates = posts.compactMap(\.published)
    let said = (feed.updated?.seconds ?? feed.published?.seconds).flatMap { said in
      dates.count { $0 > said + 86_400 } * 2 > dates.count ? nil : said
    }
    return [options.now, said].compactMap { $0 }.min()
  }

  /// Where a post stands in time: at its date, unless it has none or that lies more than a day ahead; then where it was seen
  /// first, which the site keeps.
  private static func place(of post: Post, _ today: Int64?) -> Int64? {
    guard let date = post.published else { return today }
    guard let today, date > today + 86_400 else { return date }
    return today
  }

  private static func status(of output: Pipeline.Output) -> FeedStatus {
    var status = FeedStatus()
    status.entries = output.posts.count
    let problems = output.findings.filter { $0.severity > .note }
    // Pages are for everybody: where the file lies is nobody's business.
    status.problems = problems.prefix(20).map { "line \($0.location.line): \($0.message) [\($0.code)]" }
    if problems.count > 20 { status.problems.append("and \(problems.count - 20) more") }
    status.removals = output.removals.removals.map { FeedStatus.Removals(rule: $0.key.rawValue, count: $0.value) }
      .sorted { $0.rule < $1.rule }
    return status
  }

  private func events(of recorded: Recorded, _ folds: [Int64: PostIndex.Page]) -> [BuildEvent] {
    let posts = recorded.feed.output.posts
    let folder = Site.folder(ofFeed: recorded.key)
    return posts.indices.map { index in
      let verdict = recorded.verdicts[index]
      var event = BuildEvent(feed: recorded.key, file: recorded.file, folder: folder, post: posts[index], verdict)
      if case .duplicate(let kept) = verdict.decision { event.of = posts[kept].location.description }
      if verdict.decision == .new, let page = folds[verdict.post] {
        event.decision = "folded"
        event.of = Site.path(ofPage: page.name, inFeed: page.feed)
      }
      return event
    }
  }
}
