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
  /// An external program that decides about posts: its command and its limits.
  package struct FilterProgram: Sendable, Hashable {
    /// The program and its arguments, run without a shell; not empty.
    package var command: [String]
    /// The maximum running time (default 10 seconds).
    package var timeLimit = Duration.seconds(10)
    /// The maximum memory in bytes (default 256 MiB).
    package var memoryLimit = 256 << 20
  }
}

extension Planet.FilterRule {
  /// A text that changes with the effect of the rule, independent of its location and the same in every run: the rule
  /// as a configuration has it.
  package var fingerprint: String { FilterText.rule(self) }

  /// The name of the action, as a configuration has it.
  package var name: String {
    switch action {
    case .keep: "keep"
    case .drop: "drop"
    case .rename: "rename"
    case .retag: "retag"
    case .excerpt: "excerpt"
    case .program: "program"
    }
  }
}
