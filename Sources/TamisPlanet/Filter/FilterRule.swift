public import TamisCore

/// A filter rule: what is done with posts that meet a condition.
///
/// Rules are applied in their order; the first that drops a post decides about it.
public struct FilterRule: Sendable, Hashable {
  /// What a rule does.
  public enum Action: Sendable, Hashable {
    /// Posts stay for which the condition holds; all others go.
    case keep(FilterCondition)
    /// Posts go for which the condition holds.
    case drop(FilterCondition)
    /// Titles are changed.
    case rename(Rename)
    /// Tags are replaced by others or taken away, whatever their case: new names, or nil, by the old ones.
    case retag([String: String?])
    /// Posts for which the condition holds are shown by their excerpt alone.
    case excerpt(FilterCondition)
    /// A program decides or changes; who applies the built-in rules leaves it alone.
    case program(FilterProgram)
  }

  /// How a title is changed.
  public enum Rename: Sendable, Hashable {
    /// Each place of a text is replaced, letter for letter.
    case replace(String, with: String)
    /// A text goes from the beginning.
    case removePrefix(String)
    /// A text goes from the end.
    case removeSuffix(String)
  }

  /// What it does.
  public var action: Action
  /// Where it is written.
  public var location: SourceLocation

  /// Makes a rule.
  public init(_ action: Action, at location: SourceLocation = SourceLocation(file: "-")) {
    self.action = action
    self.location = location
  }

  /// Whether two rules do the same, wherever they are written.
  public static func == (lhs: FilterRule, rhs: FilterRule) -> Bool { lhs.action == rhs.action }

  /// Hashes what it does.
  public func hash(into hasher: inout Hasher) { hasher.combine(action) }
}

/// Which posts a rule is about: those for which every list that is not empty has something that fits.
///
/// An empty condition holds for every post.
public struct FilterCondition: Sendable, Hashable {
  /// Where words are looked for.
  public enum Field: String, Sendable, Hashable, CaseIterable {
    /// In the title.
    case title
    /// In the body.
    case text
    /// In both.
    case both
  }

  /// Words and runs of words, found as whole words whatever their case and accents.
  public var words: [String] = []
  /// Where ``words`` are looked for.
  public var field = Field.both
  /// Tags of the post, whatever their case.
  public var tags: [String] = []
  /// Names of its authors, found as whole words whatever their case and accents.
  public var authors: [String] = []
  /// Languages (BCP 47); `de` includes `de-AT`.
  public var languages: [String] = []
  /// Categories of the feed, whatever their case.
  public var categories: [String] = []
  /// The age in days from which it holds; posts without a date are never old.
  public var olderThan: Int?

  /// Holds for every post.
  public init() {}

  /// Whether it holds for every post.
  public var isEmpty: Bool {
    words.isEmpty && tags.isEmpty && authors.isEmpty && languages.isEmpty && categories.isEmpty && olderThan == nil
  }
}

/// An external program that decides about posts: what is to be run, and what it may use.
public struct FilterProgram: Sendable, Hashable {
  /// The program and its arguments, run without a shell; not empty.
  public var command: [String]
  /// How long it may take (default 10 seconds).
  public var timeLimit = Duration.seconds(10)
  /// How much memory it may use, in bytes (default 256 MiB).
  public var memoryLimit = 256 << 20

  /// A program with the default limits.
  public init(command: [String]) { self.command = command }
}

extension FilterRule {
  /// Changes when the effect of the rule does, wherever it is written; the same in every run.
  public var fingerprint: String {
    switch action {
    // Sets and dictionaries are sorted first.
    case .retag(let names): "retag \(names.sorted { $0.key < $1.key }.map { "\($0.key)\n\($0.value ?? "")" })"
    default: "\(action)"
    }
  }
}
