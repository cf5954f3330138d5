package import TamisCore

extension Planet {
  /// A filter rule: an action on posts that meet a condition.
  ///
  /// Rules are applied in order; the first that drops a post decides about it.
  package struct FilterRule: Sendable, Hashable {
    /// The action of a rule.
    package enum Action: Sendable, Hashable {
      /// Keeps posts that meet the condition and drops all others.
      case keep(Planet.FilterCondition)
      /// Drops posts that meet the condition.
      case drop(Planet.FilterCondition)
      /// Changes titles.
      case rename(Rename)
      /// Replaces or removes tags, ignoring case: new names, or nil for removal, by old names.
      case retag([String: String?])
      /// Shows posts that meet the condition by their excerpt only.
      case excerpt(Planet.FilterCondition)
      /// Runs a program that drops or changes posts; ``PostFilter`` ignores it.
      case program(Planet.FilterProgram)
    }

    /// A change of a title.
    package enum Rename: Sendable, Hashable {
      /// Replaces each exact occurrence of a text.
      case replace(String, with: String)
      /// Removes a text from the beginning.
      case removePrefix(String)
      /// Removes a text from the end.
      case removeSuffix(String)
    }

    /// The action.
    package var action: Action
    /// The location of the rule in its file.
    package var location: Finding.Location

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - action: the action.
    ///   - location: the location of the rule in its file.
    package init(_ action: Action, at location: Finding.Location = Finding.Location(file: "-")) {
      self.action = action
      self.location = location
    }

    /// Whether two rules have the same action, wherever they are written.
    package static func == (lhs: Planet.FilterRule, rhs: Planet.FilterRule) -> Bool { lhs.action == rhs.action }

    /// Hashes the action.
    package func hash(into hasher: inout Hasher) { hasher.combine(action) }
  }
}

extension Planet {
  /// A condition that selects posts: each list that is not empty must have a match.
  ///
  /// An empty condition is met by every post.
  package struct FilterCondition: Sendable, Hashable {
    /// The part of a post that is searched for words.
    package enum Field: String, Sendable, Hashable, CaseIterable {
      /// The title.
      case title
      /// The body.
      case text
      /// The title and the body.
      case both
    }

    /// Words and phrases, matched as whole words, ignoring case and accents.
    package var words: [String] = []
    /// The part of a post that is searched for ``words``.
    package var field = Field.both
    /// The tags of the post, ignoring case.
    package var tags: [String] = []
    /// The names of authors, matched as whole words, ignoring case and accents.
    package var authors: [String] = []
    /// The languages (BCP 47); `de` includes `de-AT`.
    package var languages: [String] = []
    /// The categories of the feed, ignoring case.
    package var categories: [String] = []
    /// The minimum age in days; posts without a date never match.
    package var olderThan: Int?

    /// Creates an empty condition, which is met by every post.
    package init() {}

    /// Whether the condition is empty, so that every post meets it.
    package var isEmpty: Bool {
      words.isEmpty && tags.isEmpty && authors.isEmpty && languages.isEmpty && categories.isEmpty && olderThan == nil
    }
  }
}

extension Planet {
  /// An external program that decides about posts: its command and its limits.
  package struct FilterProgram: Sendable, Hashable {
    /// The program and its arguments, run without a shell; not empty.
    package var command: [String]
    /// The maximum running time (default 10 seconds).
    package var timeLimit = Duration.seconds(10)
    /// The maximum memory in bytes (default 256 MiB).
    package var memoryLimit = 256 << 20

    /// Creates a program with the default limits.
    package init(command: [String]) { self.command = command }
  }
}

extension Planet.FilterRule {
  /// A text that changes with the effect of the rule, independent of its location and the same in every run.
  package var fingerprint: String {
    switch action {
    // Sets and dictionaries are sorted first.
    case .retag(let names): "retag \(names.sorted { $0.key < $1.key }.map { "\($0.key)\n\($0.value ?? "")" })"
    default: "\(action)"
    }
  }
}
