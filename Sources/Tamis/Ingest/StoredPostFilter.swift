import TamisArchive
import TamisCore
import TamisFetch
import TamisSystem
import TamisPlanet
import TamisSanitizer

/// Applies filters to all stored posts of a feed, including those that have left its document and those of a feed that
/// does not answer.
///
/// A new filter excludes stored posts, and removing one shows them again. The filters are applied only when those of
/// the feed have changed, when its posts have changed and a filter counts them, or when time has passed.
struct StoredPostFilter {
  private let feeds: [(name: String, settings: Planet.FeedSettings)]
  private let read: Set<String>
  private let pipelines: Pipelines
  private let now: Int64?

  private static let batch = 500

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - feeds: the names of the feeds in the archive, with their settings.
  ///   - read: the names of those of which a document was read.
  ///   - pipelines: the pipelines, which give the filter and the sanitizer of each feed.
  ///   - now: the time, in seconds since 1970; nil when the result must not depend on it.
  init(_ feeds: [(name: String, settings: Planet.FeedSettings)], read: Set<String>, _ pipelines: Pipelines, now: Int64?)
  {
    (self.feeds, self.read, self.pipelines, self.now) = (feeds, read, pipelines, now)
  }

  func apply(to run: Ingest) throws {
    let known = try run.appliedFilters()
    var isSettled = false
    for (name, settings) in feeds {
      // A misspelled filter must not show what it has held back.
      guard !settings.request.isFaulty, let (key, before) = known[name] else { continue }
      let rules = settings.withholding
      let isCounted = settings.maximumPosts != nil && read.contains(name)
      if rules != before || isCounted {
        // The order of posts has to be known.
        if !isSettled { try run.settle() }
        isSettled = true
        try decide(key, settings, hasOtherRules: rules != before, run)
        if rules != before { try run.remember(appliedFilters: rules, key) }
      } else if let cutoff = cutoff(settings) {
        let old = try run.shownPosts(of: key, before: cutoff)
        if !old.isEmpty { try run.hold(Dictionary(uniqueKeysWithValues: old.map { ($0, true) })) }
      }
    }
  }

  private func cutoff(_ settings: Planet.FeedSettings) -> Int64? {
    guard let days = settings.maximumAge, let now else { return nil }
    return now - Int64(days) * 86_400
  }

  /// Decides which stored posts of a feed are held back, and records what has changed.
  ///
  /// - Parameters:
  ///   - key: the key of the feed.
  ///   - settings: the settings of the feed.
  ///   - hasOtherRules: whether the stored posts were judged by other rules.
  ///   - run: the run that reads and writes the posts.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read or written.
  private func decide(_ key: Feed.Key, _ settings: Planet.FeedSettings, hasOtherRules: Bool, _ run: Ingest) throws {
    let (filter, sanitizer) = pipelines.withholding(settings)
    var context = PostFilter.Context()
    (context.categories, context.language, context.now) = (settings.categories, settings.language, now)
    let hasRules = settings.filters.contains { !$0.isProgram }
    let hasPrograms = settings.filters.contains(where: \.isProgram)
    var (position, kept) = (0, 0)
    while true {
      let posts = try run.posts(of: key, skipping: position, count: Self.batch, withBodies: hasRules)
      if posts.isEmpty { return }
      var changes: [PostNumber: Bool] = [:]
      for post in posts {
        let isOld = cutoff(settings).map { (post.card.published ?? .max) < $0 } ?? false
        // Rules change what is stored of a post that they keep, so they judge it again only when they are others.
        let mustJudge = hasRules && !post.isJudged && (hasOtherRules || post.isHeldBack)
        let isDropped =
          mustJudge
          ? filter.apply(to: Post(post, sanitizer), in: context).post == nil : post.isJudged && post.isHeldBack
        let isBeyond = settings.maximumPosts.map { kept >= $0 } ?? false
        position += 1
        let isHeldBack = isBeyond || isOld || isDropped || hasPrograms && post.isRejected
        if !isHeldBack { kept += 1 }
        if isHeldBack != post.isHeldBack { changes[post.number] = isHeldBack }
      }
      if !changes.isEmpty { try run.hold(changes) }
    }
  }
}

extension Planet.FeedSettings {
  /// A text that changes when other posts may be excluded; empty when there are no filters.
  fileprivate var withholding: String {
    if filters.isEmpty, maximumPosts == nil, maximumAge == nil { return "" }
    let words = filters.map(\.fingerprint) + [maximumPosts, maximumAge].map { $0.map { String($0) } ?? "" }
    return String(SHA256((words + categories).joined(separator: "\n")).hex.prefix(16))
  }
}

extension Planet.FilterRule {
  /// Whether it asks a program.
  var isProgram: Bool {
    if case .program = action { return true }
    return false
  }
}

extension Post {
  /// Creates a post from a stored one, with the fields that filters test.
  init(_ kept: FilteredPost, _ sanitizer: Sanitizer) {
    self.init(card: kept.card, content: sanitizer.sanitizedHTML(of: kept.body?.unpacked.html ?? ""))
  }
}
