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
    /// The current time for the age of posts, in seconds since 1970-01-01T00:00:00Z; nil to treat no post as old.
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

  /// A decision of a rule.
  package struct Decision: Sendable, Hashable, CustomStringConvertible {
    /// The rule.
    package var rule: Planet.FilterRule
    /// The effect and the reason, in a few words, such as `dropped: 'sponsored' is in the title`.
    package var reason: String

    /// The reason with the location of the rule.
    package var description: String { "\(rule.location): \(reason)" }
  }

  private let rules: [PreparedRule]

  /// Prepares rules.
  package init(_ rules: [Planet.FilterRule]) { self.rules = rules.map(PreparedRule.init) }

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
    for prepared in rules {
      func decide(_ reason: String) { outcome.decisions.append(Decision(rule: prepared.rule, reason: reason)) }
      switch prepared.rule.action {
      case .keep:
        if subject.reason(for: prepared) == nil {
          decide("dropped: the condition \(prepared.rule.summary) is not met")
          return outcome
        }
      case .drop:
        if let reason = subject.reason(for: prepared) {
          decide("dropped: \(reason)")
          return outcome
        }
      case .excerpt:
        if !outcome.isExcerpt, let reason = subject.reason(for: prepared) {
          outcome.isExcerpt = true
          decide("shown by its excerpt: \(reason)")
        }
      case .rename(let rename):
        let title = rename.applied(to: subject.post.title)
        if title != subject.post.title {
          decide("renamed: it was '\(subject.post.title)'")
          subject.rename(title)
        }
      case .retag:
        let tags = prepared.retagged(subject.post.tags)
        if tags != subject.post.tags {
          subject.post.tags = tags
          decide("its tags are changed")
        }
      case .program(let command):
        switch program?(command, subject.post) {
        case nil: break
        case .keep(let changed): subject = Subject(changed, context)
        case .drop:
          decide("dropped by '\(command.command.first ?? "the program")'")
          return outcome
        case .failure(let reason):
          outcome.failure = reason
          return outcome
        }
      }
    }
    outcome.post = subject.post
    return outcome
  }
}

extension Planet.FilterRule {
  /// The condition of a `keep` rule, in a few words.
  fileprivate var summary: String {
    guard case .keep(let condition) = action else { return "the condition" }
    let parts = [
      ("words", condition.words), ("tags", condition.tags), ("authors", condition.authors),
      ("languages", condition.languages), ("categories", condition.categories),
    ].filter { !$0.1.isEmpty }.map { name, list in
      "\(name) (\(list.prefix(3).joined(separator: ", "))\(list.count > 3 ? ", …" : ""))"
    }
    return (parts + (condition.olderThan.map { ["older than \($0.counted("day"))"] } ?? [])).joined(separator: " and ")
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
