import Synchronization
import TamisCore
import TamisSystem
import TamisPlanet
import TamisSanitizer

/// Applies a feed's settings to its posts: additional tags, another language, filters.
///
/// Excluded posts are stored but not shown, so that they are available when the filters change.
struct Shaping: Sendable {
  /// A post to be recorded.
  struct ShapedPost: Sendable {
    var post: Post
    /// The reason for excluding the post; nil when it is shown.
    var objection: String?
    /// Whether the filter program failed, so that it has to be run again.
    var isUndecided = false
    /// Whether a filter program excludes the post, or has no answer yet.
    var isRejected = false
    /// Whether filters have excluded all but its excerpt.
    var isExcerpt = false
    /// The decisions of the filters.
    var decisions: [PostFilter.Decision] = []
    /// The number of filters that the post reached.
    var reached = 0
  }

  private let settings: Planet.FeedSettings
  private let filter: PostFilter
  private let context: PostFilter.Context
  private let programFolder: String
  private let plain: Sanitizer
  private let now: Int64?
  /// Whether filter programs are run.
  var runsPrograms = true

  /// Creates the changes of a feed.
  ///
  /// - Parameters:
  ///   - settings: the settings of the feed.
  ///   - filter: the filter that the settings contain.
  ///   - sanitizer: the sanitizer of bodies that a program has written.
  ///   - folder: the working directory of programs.
  ///   - language: the language of the feed (BCP 47).
  ///   - now: the time, in seconds since 1970; nil when the result must not depend on it.
  init(
    _ settings: Planet.FeedSettings, _ filter: PostFilter, sanitizer: Sanitizer, programsIn folder: String,
    language: String?,
    now: Int64?
  ) {
    (self.settings, self.filter, plain, self.now) = (settings, filter, sanitizer, now)
    programFolder = folder
    var context = PostFilter.Context()
    (context.categories, context.language, context.now) = (settings.categories, settings.language ?? language, now)
    self.context = context
  }

  /// Returns the posts to be recorded, in the same order.
  ///
  /// - Parameters:
  ///   - posts: the posts, in document order.
  ///   - title: the title of the feed.
  ///   - findings: the list to which posts that are held back are added, each with the reason.
  /// - Returns: a shaped post for each post.
  func shape(_ posts: [Post], ofFeed title: String, into findings: inout [Finding]) -> [ShapedPost] {
    var all = posts.map { ShapedPost(post: $0) }
    var kept = 0
    for index in newestFirst(posts) {
      let isBeyond = settings.maximumPosts.map { kept >= $0 } ?? false
      all[index] = shape(adorned(posts[index]), isBeyond: isBeyond, ofFeed: title)
      if all[index].objection == nil { kept += 1 }
    }
    for (post, shaped) in zip(posts, all) {
      guard let objection = shaped.objection else { continue }
      let (severity, code): (Finding.Severity, String) =
        shaped.isUndecided ? (.warning, "filter.failed") : (.note, "filter.held-back")
      findings.append(Finding(severity, code, objection, at: post.location, entry: post.title))
    }
    return all
  }

  private func shape(_ post: Post, isBeyond: Bool, ofFeed title: String) -> ShapedPost {
    var shaped = ShapedPost(post: post)
    if isOld(post) {
      shaped.objection = "it is older than \((settings.maximumAge ?? 0).counted("day"))"
      return shaped
    }
    if isBeyond {
      shaped.objection = "it is not among the newest \(settings.maximumPosts ?? 0) of its feed"
      return shaped
    }
    func ask(_ program: Planet.FilterProgram, _ post: Post) -> PostFilter.ProgramAnswer {
      ProgramFilter(program, in: programFolder, sanitizer: plain).apply(to: post, ofFeed: title)
    }
    let outcome = filter.apply(to: post, in: context, program: runsPrograms ? ask : nil)
    (shaped.decisions, shaped.reached, shaped.isExcerpt) = (outcome.decisions, outcome.reached, outcome.isExcerpt)
    if let changed = outcome.post {
      shaped.post = changed
      if outcome.isExcerpt { shaped.post.content = excerpt(of: changed) }
    } else {
      shaped.isUndecided = outcome.failure != nil
      shaped.isRejected = shaped.isUndecided || outcome.decisions.last?.rule.isProgram == true
      shaped.objection = outcome.failure ?? outcome.decisions.last?.description ?? "a rule"
    }
    return shaped
  }

  /// Returns a post with the tags and the language of the settings.
  private func adorned(_ post: Post) -> Post {
    var post = post
    if !settings.tags.isEmpty {
      // They come first, since only so many of a post's tags have pages.
      let own = Set(settings.tags.map { $0.lowercased() })
      post.tags = settings.tags + post.tags.filter { !own.contains($0.lowercased()) }
    }
    if post.language == nil, let language = settings.language {
      post.language = language
      post.direction = TextDirection(language: language)
    }
    return post
  }

  private func isOld(_ post: Post) -> Bool {
    guard let days = settings.maximumAge, let now, let date = post.published else { return false }
    return date < now - Int64(days) * 86_400
  }

  /// Returns the indices of posts in the order in which they count; posts without a date come last, as on pages.
  private func newestFirst(_ posts: [Post]) -> [Int] {
    guard settings.maximumPosts != nil else { return Array(posts.indices) }
    var dates = posts.indices.map { (date: posts[$0].published ?? .min, index: $0) }
    dates.sort { ($1.date, $0.index) < ($0.date, $1.index) }
    return dates.map(\.index)
  }

  private func excerpt(of post: Post) -> SanitizedHTML {
    plain.sanitize(PlainText.paragraphs(post.excerpt)).html
  }
}

/// A cache of compiled filters: compiling one with many words costs more than using it.
final class PreparedFilters: Sendable {
  /// A filter, and a version that changes with its effect.
  struct Prepared: Sendable {
    var filter: PostFilter
    var fingerprint: String
  }

  private let folder: FilePath
  private let patterns = PatternCache()
  private let prepared = Mutex<[[Planet.FilterRule]: Prepared]>([:])

  /// Creates a cache.
  ///
  /// - Parameter folder: the working directory of programs.
  init(in folder: FilePath) { self.folder = folder }

  subscript(rules: [Planet.FilterRule]) -> Prepared {
    prepared.withLock { known in
      if let prepared = known[rules] { return prepared }
      let fingerprint = rules.map { $0.fingerprint + version(of: $0) }.joined(separator: "\n")
      let prepared = Prepared(filter: PostFilter(rules, patterns), fingerprint: fingerprint)
      known[rules] = prepared
      return prepared
    }
  }

  /// Returns a text that changes when a program does: its size and modification time, if it is a file of the folder or
  /// has a path.
  private func version(of rule: Planet.FilterRule) -> String {
    guard case .program(let program) = rule.action, let name = program.command.first, name.contains("/") else {
      return ""
    }
    let path = name.hasPrefix("/") ? FilePath(name) : folder.appending(FilePath(name))
    return path.stamp.map { " \($0.size) \($0.modified)" } ?? ""
  }
}
