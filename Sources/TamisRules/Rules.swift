public import TamisCore
public import TamisSanitizer
import Synchronization

/// The rules files that the library carries inside itself, and the way to load others.
public enum Rules {
  /// Every mistake in a rules file.
  public struct Invalid: Error, CustomStringConvertible {
    /// The mistakes, in the order of the file.
    public let findings: [Finding]

    /// One mistake a line.
    public var description: String { findings.map(\.description).joined(separator: "\n") }
  }

  /// The names of the shipped rules.
  public static var names: [String] { shipped.keys.sorted() }

  /// The policy of a shipped rules file, nil when there is none of that name.
  ///
  /// Each file is read once, when it is first asked for.
  public static func policy(named name: String) -> Policy? {
    guard let bytes = shipped[name] else { return nil }
    return policies.withLock { known in
      if let policy = known[name] { return policy }
      known[name] = try? policy(from: String(decoding: bytes, as: UTF8.self), file: "Rules")
      return known[name]
    }
  }

  /// The text of a shipped rules file, nil when there is none of that name.
  public static func text(named name: String) -> String? {
    shipped[name].map { String(decoding: $0, as: UTF8.self) }
  }

  /// The policy in a rules file of one's own.
  ///
  /// - Parameters:
  ///   - text: the file's content, YAML.
  ///   - file: the name used in messages; without its extension also the policy's name if the file gives none.
  /// - Throws: all mistakes, each with its line and column.
  public static func policy(from text: String, file: String) throws(Invalid) -> Policy {
    try read(text, file: file).policy
  }

  /// What in a rules file is no mistake but hardly meant: names that nearly are others, and settings that come to nothing.
  ///
  /// - Parameters: as for ``policy(from:file:)``.
  /// - Throws: all mistakes, each with its line and column.
  public static func lint(_ text: String, file: String) throws(Invalid) -> [Finding] {
    let (policy, parent, mentions) = try read(text, file: file)
    return RuleLint(policy: policy, parent: parent, file: file).findings(mentions)
  }

  private static func read(
    _ text: String, file: String
  ) throws(Invalid) -> (policy: Policy, parent: Policy?, mentions: [RuleMention]) {
    var reader = RuleFileReader(file: file)
    let rules = reader.read(text)
    var findings = reader.findings
    var parent: Policy?
    if let (name, location) = rules.extends {
      parent = shipped[name].flatMap { try? policy(from: String(decoding: $0, as: UTF8.self), file: name) }
      if parent == nil {
        let known = names.joined(separator: ", ")
        findings.append(
          Finding(
            .error, "rules.invalid", "there are no rules '\(name)' to extend; shipped are \(known)", at: location))
      }
    }
    guard findings.isEmpty else { throw Invalid(findings: findings) }
    return (rules.policy(extending: parent, fallbackName: file), parent, reader.mentions)
  }

  private static let shipped: [String: [UInt8]] = [
    "reading": PackageResources.reading_yaml,
    "strict": PackageResources.strict_yaml,
    "text": PackageResources.text_yaml,
    "universal-feed-parser": PackageResources.universal_feed_parser_yaml,
  ]

  private static let policies = Mutex<[String: Policy]>([:])
}

extension Policy {
  /// What a reader of articles needs: the rules for pages (`Rules/reading.yaml`).
  public static let reading = shipped("reading")

  /// What a comment needs (`Rules/strict.yaml`).
  public static let strict = shipped("strict")

  /// No markup at all (`Rules/text.yaml`).
  public static let text = shipped("text")

  /// Universal Feed Parser's rules (`Rules/universal-feed-parser.yaml`).
  public static let universalFeedParser = shipped("universal-feed-parser")

  private static func shipped(_ name: String) -> Policy {
    guard let policy = Rules.policy(named: name) else {
      // The files are part of this binary and a test loads each of them.
      preconditionFailure("the shipped rules '\(name)' cannot be read")
    }
    return policy
  }
}
