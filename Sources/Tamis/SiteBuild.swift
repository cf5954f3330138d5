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
    /// Posts that were never seen before.
    public var new = 0
    /// Posts that say something else than before.
    public var updated = 0
    /// Posts that are as they were.
    public var known = 0
    /// Posts that stood in their document twice.
    public var duplicates = 0
    /// The files of the site.
    public var pages = Site.Summary()
    /// What was odd, by source, in the order of the sources.
    public var findings: [Finding] = []
  }

  private let pipeline: Pipeline
  private let jobs: Int

  /// Makes a build.
  ///
  /// - Parameters:
  ///   - policy: the rules for bodies.
  ///   - fields: elements of entries that posts and templates are to have by name.
  ///   - jobs: how many feeds are worked on at once; the result does not depend on it.
  ///   - reportsRemovals: whether the findings say how much was taken away from each post and feed.
  public init(policy: Policy = .reading, fields: [CustomField] = [], jobs: Int, reportsRemovals: Bool = false) {
    pipeline = Pipeline(policy: policy, fields: fields, reportsRemovals: reportsRemovals)
    self.jobs = max(1, jobs)
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
    var feeds: [SiteFeed] = []
    try await inOrder(count: files.count, jobs: jobs, work: { process(files[$0]) }) { position, result in
      progress(position + 1)
      switch result {
      case .failure(let failure):
        report.failed += 1
        report.findings.append(failure.finding)
      case .success(let output):
        report.feeds += 1
        report.findings += output.findings
        feeds.append(try decide(output, files[position], index, &report))
      }
    }
    // Where nothing could be read there is nothing to say either.
    if !feeds.isEmpty { report.pages = try site.publish(feeds) }
    return report
  }

  private func process(_ file: Sources.File) -> Result<Pipeline.Output, NotAFeed> {
    Result { () throws(NotAFeed) in try pipeline.process(try FeedDocument(file: file.path)) }
  }

  /// Asks the index about a feed's posts; duplicates are left out.
  private func decide(
    _ output: Pipeline.Output, _ file: Sources.File, _ index: PostIndex, _ report: inout Report
  ) throws(IndexError) -> SiteFeed {
    let all = output.posts
    let decisions = try index.record(all, of: file.key) { post, suffix in
      Site.path(of: post, inFeed: file.key, suffix: suffix)
    }
    var posts: [(post: Post, path: String)] = []
    for (post, decision) in zip(all, decisions) {
      switch decision {
      case .new: report.new += 1
      case .known: report.known += 1
      case .updated: report.updated += 1
      case .duplicate(let first):
        report.duplicates += 1
        let kept = all[first]
        let message = "this entry has the same \(post.identity.rule.rawValue) as the one in line \(kept.location.line)"
        report.findings.append(
          Finding(.note, "dedupe.duplicate", message, at: post.location, entry: post.title))
      }
      if let path = decision.path { posts.append((post, path)) }
    }
    return SiteFeed(
      key: file.key, title: output.title, subtitle: output.subtitle, link: Self.webAddress(output.feed.link),
      image: Self.webAddress(output.feed.image?.url ?? output.feed.logo), language: output.feed.language, posts: posts)
  }

  private static func webAddress(_ text: String?) -> String? {
    guard let url = text.flatMap({ WebURL($0) }), url.scheme == "http" || url.scheme == "https" else { return nil }
    return url.href
  }
}
