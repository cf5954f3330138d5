package import TamisCore

/// A filter that applies rules to posts.
///
/// Applying is a pure function, in time linear in the post for each rule, however many words the rule has.
package struct PostFilter: Sendable {
  /// The context of a post.
  package struct Context: Sendable, Hashable {
    /// The categories of the feed.
    package var categories: [String] = []
    /// The language of the feed, for posts without one (BCP 47).
    package var language: String?
    /// The current time for the age of posts, in seconds since 1970-01-01T00:00:00Z; nil when no condition on
    /// the age is to hold.
    package var now: Int64?

    /// Creates an empty context.
    package init() {}
  }

  /// The result for a post.
  package struct Outcome: Sendable {
    /// The post as changed by the rules, or nil when one dropped it.
    package var post: Post?
    /// Whether the post is to be shown by its excerpt only.
    package var isExcerpt = false
    /// The reason for which a program has no answer; nil when there is none.
    package var failure: String?
    /// The decisions of the rules in order; for a dropped post the last is the one that dropped it.
    package var decisions: [Decision] = []
    /// The number of rules that the post reached.
    package var reached = 0
  }

  /// The answer of a program for a post.
  package enum ProgramAnswer: Sendable {
    /// The post, changed or not.
    case keep(Post)
    /// The program drops the post.
    case drop
    /// The program failed, with the reason in words; the post is held back until the program has an answer.
    case failure(String)
  }

  /// The effect of a rule on a post.
  package enum Effect: String, Sendable, Hashable, CaseIterable {
    /// The post meets the condition of a rule that keeps posts.
    case kept
    /// The post is held back.
    case dropped
    /// The post is shown by its excerpt.
    case excerpt
    /// The title is another.
    case renamed
    /// The tags are others.
    case retagged
    /// A program has changed the post.
    case changed

    /// The effect in words.
    package var words: String { self == .excerpt ? "shown by its excerpt" : rawValue }
  }

  /// A decision of a rule.
  package struct Decision: Sendable, Hashable, CustomStringConvertible {
    /// The rule.
    package var rule: Planet.FilterRule
    /// The position of the rule among the rules of the filter, from 0.
    package var position: Int
    /// The effect on the post.
    package var effect: PostFilter.Effect
    /// The reason in a few words, such as `'sponsored' is in the title`.
    package var reason: String

    /// The effect and the reason, such as `dropped: 'sponsored' is in the title`.
    package var words: String { "\(effect.words): \(reason)" }
    /// The effect and the reason, with the location of the rule.
    package var description: String { "\(rule.location): \(words)" }
  }

  private let prepared: [PreparedRule]

  /// The rules.
  package var rules: [Planet.FilterRule] { prepared.map(\.rule) }

  /// Prepares rules.
  ///
  /// - Parameters:
  ///   - rules: the rules.
  ///   - patterns: the compiled expressions, which filters with the same rules share.
  package init(_ rules: [Planet.FilterRule], _ patterns: PatternCache = PatternCache()) {
    prepared = rules.map { PreparedRule($0, patterns) }
  }

  /// Applies the rules to a post, in order.
  ///
  /// - Parameters:
  ///   - post: the post.
  ///   - context: the context of the post.
  ///   - program: a function that asks a program; without one, rules that run programs are skipped.
  /// - Returns: the post as the rules leave it, and their decisions.
  package func apply(
    to post: Post, in context: Context, program: ((Planet.FilterProgram, Post) -> ProgramAnswer)? = nil
  ) -> Outcome {
    var outcome = Outcome()
    var subject = Subject(post, context)
    for (position, prepared) in prepared.enumerated() {
      outcome.reached = position + 1
      let decision: (effect: Effect, reason: String)?
      if case .program(let command) = prepared.rule.action {
        switch program?(command, subject.post) {
        case .failure(let reason):
          outcome.failure = reason
          return outcome
        case let answer: decision = Self.decision(of: answer, command, &subject)
        }
      } else {
        decision = Self.decision(of: prepared, &subject)
      }
      guard let decision else { continue }
      outcome.decisions.append(
        Decision(rule: prepared.rule, position: position, effect: decision.effect, reason: decision.reason))
      if decision.effect == .dropped { return outcome }
      if decision.effect == .excerpt { outcome.isExcerpt = true }
    }
    outcome.post = subject.post
    return outcome
  }

  /// Applies a rule that runs no program; returns its effect and the reason, or nil when it has none.
  private static func decision(of prepared: PreparedRule, _ subject: inout Subject) -> (Effect, String)? {
    let reason = prepared.condition.map { subject.reason(for: $0) } ?? nil
    switch prepared.rule.action {
    case .keep:
      if let reason { return (.kept, reason) }
      return (.dropped, "the condition \(prepared.condition?.summary ?? "") is not met")
    case .drop: return reason.map { (.dropped, $0) }
    case .excerpt: return reason.map { (.excerpt, $0) }
    case .rename(let rename):
      let before = subject.post.title
      let title = rename.applied(to: before)
      if title == before { return nil }
      subject.rename(title)
      return (.renamed, "it was '\(before)'")
    case .retag:
      let before = subject.post.tags
      let tags = prepared.retagged(before)
      if tags == before { return nil }
      subject.post.tags = tags
      return (.retagged, "it had \(before.map { "'\($0)'" }.joined(separator: ", "))")
    case .program: return nil
    }
  }

  /// Applies the answer of a program; returns its effect and the reason, or nil when it has none.
  private static func decision(
    of answer: ProgramAnswer?, _ command: Planet.FilterProgram, _ subject: inout Subject
  ) -> (Effect, String)? {
    let name = command.command.first ?? ""
    switch answer {
    case .keep(let changed) where changed != subject.post:
      subject = subject.replaced(by: changed)
      return (.changed, "'\(name)' answered so")
    case .drop: return (.dropped, "'\(name)' gave no answer")
    case nil, .keep, .failure: return nil
    }
  }
}

extension Planet.FilterRule.Rename {
  /// Returns the changed title, or the original when the result would be empty.
  fileprivate func applied(to title: String) -> String {
    var changed = title
    switch self {
    case .replace(let text, let other):
      changed = title.split(separator: text, omittingEmptySubsequences: false).joined(separator: other)
    case .removePrefix(let text): if title.hasPrefix(text) { changed.removeFirst(text.count) }
    case .removeSuffix(let text): if title.hasSuffix(text) { changed.removeLast(text.count) }
    }
    changed = changed.collapsingSpace()
    return changed.isEmpty ? title : changed
  }
}
