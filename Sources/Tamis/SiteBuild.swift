public import TamisCore
import TamisExtract
public import TamisFeed
public import TamisIndex
import TamisRules
public import TamisSanitizer
public import TamisSite
import TamisURL

/// The main job: feeds in, a static site out.
public struct SiteBuild: Sendable {
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

    /// Posts are recognized by the best of their keys, all are kept and shown.
    public init() {}
  }

  private let pipeline: Pipeline
  private let options: Options
  private let jobs: Int

  /// What counts for nothing in addresses: always those of the shipped rules, so that what is remembered does not depend
  /// on the rules in force.
  private static let tracking = TrackingParameters(Policy.reading.improvements.trackingParameters)

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
  }

  /// A feed that was read and sanitized, with what the index is to know of it.
  private struct Prepared: Sendable {
    var output: Pipeline.Output
    var posts: [Post]
    var keys: [PostKeys]
  }

  /// Builds a site.
  ///
  /// - Parameters:
  ///   - files: the feeds.
  ///   - site: where the pages go.
  ///   - index: what is known about earlier posts.
  ///   - progress: told after each feed how many are done.
  /// - Throws: ``IndexError`` or ``SiteError`` when the index or a page cannot be written. What is wrong with a feed is in
  ///   the report and costs only that feed.
  public func run(
    _ files: [Sources.File], site: Site, index: PostIndex, progress: (Int) -> Void = { _ in }
  ) async throws -> Report {
    var report = Report()
    var feeds: [Recorded] = []
    let run = try index.beginRun()
    try await inOrder(count: files.count, jobs: jobs, work: { prepare(files[$0]) }) { position, result in
      progress(position + 1)
      switch result {
      case .failure(let failure):
        report.failed += 1
        report.findings.append(failure.finding)
      case .success(let prepared):
        report.feeds += 1
        report.findings += prepared.output.findings
        let verdicts = try index.record(
          prepared.keys, of: files[position].key, run: run, isWhole: prepared.output.isWhole, keys: options.keys,
          purge: options.purge)
        feeds.append(Recorded(feed: prepared, key: files[position].key, verdicts: verdicts))
      }
    }
    // Where nothing could be read there is nothing to say either.
    if !feeds.isEmpty { try publish(feeds, run, site, index, &report) }
    try index.endRun(run, hasPurged: options.purge == .seed)
    return report
  }

  private struct Recorded {
    var feed: Prepared
    var key: String
    var verdicts: [Verdict]
  }

  private func prepare(_ file: Sources.File) -> Result<Prepared, NotAFeed> {
    Result { () throws(NotAFeed) in
      var output = try pipeline.process(try FeedDocument(file: file.path))
      let posts = output.posts
      var keys = PostKeys.all(
        of: output.extractions.map { ($0.post, $0.visibleText) }, home: output.feed.link, tracking: Self.tracking,
        name: Site.name)
      if let cut = output.cutOff { keys[cut].isCutOff = true }
      // What follows looks at posts and keys only.
      output.extractions = []
      return Prepared(output: output, posts: posts, keys: keys)
    }
  }

  private func publish(
    _ feeds: [Recorded], _ run: Int64, _ site: Site, _ index: PostIndex, _ report: inout Report
  ) throws {
    var (new, known): ([Int64: PostKeys], [Int64: PostKeys]) = ([:], [:])
    for feed in feeds {
      for (verdict, keys) in zip(feed.verdicts, feed.feed.keys) where verdict.decision.isShown {
        if verdict.isNew { new[verdict.post] = keys } else { known[verdict.post] = keys }
      }
    }
    let folds = try index.fold(run: run, new: new, known: known)
    for feed in feeds { report.events += events(of: feed, folds) }
    let hidden = try index.hiddenPages(includingRead: options.showsUnreadOnly)
    let paths = Set(hidden.pages.map { Site.path(ofPage: $0.name, inFeed: $0.feed) })
    // What stands for another must have a page: in this run, or from an earlier one.
    var pages = site.pages.subtracting(paths)
    for feed in feeds {
      for verdict in feed.verdicts where verdict.decision.isShown && folds[verdict.post] == nil {
        pages.insert(Site.path(ofPage: verdict.name, inFeed: feed.key))
      }
    }
    let shown = feeds.map { siteFeed($0, folds, pages, hidden.posts) }
    report.pages = try site.publish(shown, hiding: paths)
  }

  private func siteFeed(
    _ recorded: Recorded, _ folds: [Int64: PostIndex.Page], _ pages: Set<String>, _ hidden: Set<Int64>
  ) -> SiteFeed {
    let output = recorded.feed.output
    let posts = recorded.feed.posts.indices.compactMap { index -> SitePost? in
      let (post, verdict) = (recorded.feed.posts[index], recorded.verdicts[index])
      guard verdict.decision.isShown, !hidden.contains(verdict.post) else { return nil }
      // The page that the whole post has stays.
      if index == output.cutOff, verdict.decision == .known { return nil }
      // Who has read the one has read the other.
      if let page = folds[verdict.post], hidden.contains(page.post) { return nil }
      let fold = folds[verdict.post].map { Site.path(ofPage: $0.name, inFeed: $0.feed) }.flatMap {
        pages.contains($0) ? $0 : nil
      }
      return SitePost(
        post: post, path: Site.path(ofPage: verdict.name, inFeed: recorded.key), foldedInto: fold,
        memo: verdict.memo)
    }
    return SiteFeed(
      key: recorded.key, title: output.title, subtitle: output.subtitle, link: Self.webAddress(output.feed.link),
      image: Self.webAddress(output.feed.image?.url ?? output.feed.logo), language: output.feed.language, posts: posts)
  }

  private func events(of recorded: Recorded, _ folds: [Int64: PostIndex.Page]) -> [BuildEvent] {
    let posts = recorded.feed.posts
    return posts.indices.map { index in
      let verdict = recorded.verdicts[index]
      var event = BuildEvent(feed: recorded.key, post: posts[index], verdict)
      if case .duplicate(let kept) = verdict.decision { event.of = posts[kept].location.description }
      if verdict.decision == .new, let page = folds[verdict.post] {
        event.decision = "folded"
        event.of = Site.path(ofPage: page.name, inFeed: page.feed)
      }
      return event
    }
  }

  private static func webAddress(_ text: String?) -> String? {
    guard let url = text.flatMap({ WebURL($0) }), url.scheme == "http" || url.scheme == "https" else { return nil }
    return url.href
  }
}
