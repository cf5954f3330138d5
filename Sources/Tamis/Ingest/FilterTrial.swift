package import TamisArchive
package import TamisCore
package import TamisFeed
package import TamisPlanet
import TamisSanitizer

/// A trial of the filters of a feed: what they make of its posts, and why.
///
/// Nothing is written.
package struct FilterTrial: Sendable {
  /// The result for a post.
  package struct Verdict: Sendable {
    /// The outcome of all rules together.
    package enum Outcome: String, Sendable, Hashable, CaseIterable {
      /// The post is shown.
      case kept
      /// The post is held back.
      case dropped
      /// The post is held back because a program has no answer.
      case undecided
    }

    /// The post before the filters.
    package var post: Post
    /// The post after the filters; nil when it is held back.
    package var filtered: Post?
    /// The outcome.
    package var outcome: Outcome
    /// Whether only the excerpt is shown.
    package var isExcerpt: Bool
    /// The decisions of the rules, in order.
    package var decisions: [PostFilter.Decision]
    /// The reason for holding the post back when it is not one of the rules, such as `max-age`; nil for none.
    package var objection: String?
    /// The number of rules that the post reached.
    package var reached: Int
  }

  /// The results for a feed.
  package struct Result: Sendable {
    /// The title of the feed.
    package var title: String
    /// The rules, in order.
    package var rules: [Planet.FilterRule]
    /// The results for its posts, in the order of the document, or the newest first.
    package var verdicts: [Verdict]
    /// The findings about the document.
    package var findings: [Finding]

    /// Returns the number of posts with an outcome.
    package func count(_ outcome: Verdict.Outcome) -> Int { verdicts.count { $0.outcome == outcome } }

    /// Returns the number of posts on which some rule had an effect.
    package func count(having effect: PostFilter.Effect) -> Int {
      verdicts.count { $0.decisions.contains { $0.effect == effect } }
    }

    /// The rules that had no effect, each with the number of posts that reached it; one that keeps posts has none when
    /// it keeps no post.
    package var idle: [(rule: Planet.FilterRule, reached: Int)] {
      var active: Set<Int> = []
      for decision in verdicts.lazy.flatMap(\.decisions) {
        let isRefusal = decision.effect == .dropped && decision.rule.name == "keep"
        if !isRefusal { active.insert(decision.position) }
      }
      return rules.enumerated().filter { !active.contains($0.offset) }.map { position, rule in
        (rule, verdicts.count { $0.reached > position })
      }
    }
  }

  private let pipelines: Pipelines
  private let runsPrograms: Bool

  /// Creates a trial.
  ///
  /// - Parameters:
  ///   - configuration: the sanitizers, the folder of programs and the time.
  ///   - runsPrograms: whether filter programs are run; without them their rules have no effect.
  package init(_ configuration: SiteBuild.Configuration, runsPrograms: Bool) {
    (pipelines, self.runsPrograms) = (Pipelines(configuration), runsPrograms)
  }

  /// Returns the results for the posts of a document, which are read by the settings of its source.
  ///
  /// - Throws: ``FeedParser/Failure`` when the document cannot be read.
  package func result(for file: FeedSources.File) throws(FeedParser.Failure) -> Result {
    let output = try pipelines[file.settings].process(
      try file.document(), details: false, zone: file.settings.timeZone.map(LocalDates.init),
      fullText: nil)
    return result(
      for: output.posts, of: file.settings.title ?? output.title, file.settings, language: output.feed.language,
      output.findings)
  }

  /// Returns the results for the newest posts of a feed, as the archive has them.
  ///
  /// - Parameters:
  ///   - key: the key of the feed.
  ///   - title: the title of the feed.
  ///   - settings: the settings of the feed.
  ///   - count: the maximum number of posts.
  ///   - archive: the archive.
  /// - Returns: the results.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read.
  package func result(
    for key: Feed.Key, title: String, _ settings: Planet.FeedSettings, newest count: Int, in archive: Archive
  ) throws(Archive.Failure) -> Result {
    let sanitizer = pipelines.withholding(settings).sanitizer
    let posts = try archive.newestPosts(of: key, count: count).map { Post($0, sanitizer) }
    return result(for: posts, of: title, settings, language: nil, [])
  }

  private func result(
    for posts: [Post], of title: String, _ settings: Planet.FeedSettings, language: String?, _ findings: [Finding]
  ) -> Result {
    var shaping = pipelines.shaping(settings, language: language)
    shaping.runsPrograms = runsPrograms
    var heldBack: [Finding] = []
    let shaped = shaping.shape(posts, ofFeed: title, into: &heldBack)
    let verdicts = zip(posts, shaped).map { before, after in
      let isDropped = after.objection != nil
      let isByRule = after.decisions.last?.effect == .dropped
      return Verdict(
        post: before, filtered: isDropped ? nil : after.post,
        outcome: after.isUndecided ? .undecided : isDropped ? .dropped : .kept,
        isExcerpt: after.isExcerpt && !isDropped,
        decisions: after.decisions, objection: isByRule ? nil : after.objection, reached: after.reached)
    }
    return Result(title: title, rules: settings.filters, verdicts: verdicts, findings: findings)
  }
}
