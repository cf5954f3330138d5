import CBuiltInFiles
public import TamisCore

/// Rules files in YAML, such as those in `Rules/`, which are built into the library.
extension Policy {
  /// Reads a rules file.
  ///
  /// - Parameters:
  ///   - yaml: the file's content.
  ///   - file: the name used in messages, and the policy's name if the file gives none.
  /// - Throws: ``InvalidRules`` with all mistakes, each with its line and column.
  public init(yaml: String, file: String) throws(InvalidRules) {
    self = try Self.read(yaml, file: file).policy
  }

  /// The policy as a rules file that extends nothing; equal policies give the same text.
  public var yaml: String {
    var writer = RuleFileWriter()
    writer.write(self)
    return writer.lines.joined(separator: "\n") + "\n"
  }

  /// Returns likely slips in a valid rules file: misspelled names, and settings without effect.
  ///
  /// - Parameters:
  ///   - yaml: the file's content.
  ///   - file: the name used in messages, and the policy's name if the file gives none.
  /// - Returns: the likely slips, each with its line and column; empty when there are none.
  /// - Throws: ``InvalidRules`` with all mistakes, each with its line and column.
  public static func lint(yaml: String, file: String) throws(InvalidRules) -> [Finding] {
    let (policy, reader) = try read(yaml, file: file)
    return RuleLint(policy: policy, parent: reader.parent, file: file).findings(reader.mentions)
  }

  private static func read(
    _ yaml: String, file: String
  ) throws(InvalidRules) -> (policy: Policy, reader: RuleFileReader) {
    var reader = RuleFileReader(file: file)
    let policy = reader.read(yaml)
    guard reader.findings.isEmpty else { throw InvalidRules(findings: reader.findings) }
    return (policy, reader)
  }
}

/// The shipped rules files.
extension Policy {
  /// Rules for reading articles, used for pages (`Rules/reading.yaml`).
  public static let reading = shipped("reading")

  /// Rules for comments (`Rules/strict.yaml`).
  public static let strict = shipped("strict")

  /// Rules that allow no markup (`Rules/text.yaml`).
  public static let text = shipped("text")

  /// Universal Feed Parser's rules (`Rules/universal-feed-parser.yaml`).
  public static let universalFeedParser = shipped("universal-feed-parser")

  /// The names of the shipped rules.
  public static var shippedNames: [String] { files.keys.sorted() }

  /// Returns the policy of a shipped rules file; nil when there is none of that name.
  ///
  /// Each file is read once, at first use.
  public static func shipped(named name: String) -> Policy? {
    switch name {
    case "reading": reading
    case "strict": strict
    case "text": text
    case "universal-feed-parser": universalFeedParser
    default: nil
    }
  }

  /// Returns the text of a shipped rules file with its comments; nil when there is none of that name.
  public static func shippedYAML(named name: String) -> String? {
    files[name].map { String(decoding: $0, as: UTF8.self) }
  }

  private static let files: [String: [UInt8]] = [
    "reading": Array(tamis_reading_yaml),
    "strict": Array(tamis_strict_yaml),
    "text": Array(tamis_text_yaml),
    "universal-feed-parser": Array(tamis_universal_feed_parser_yaml),
  ]

  private static func shipped(_ name: String) -> Policy {
    guard let yaml = shippedYAML(named: name), let policy = try? Policy(yaml: yaml, file: "Rules") else {
      // The files are part of this binary, and a test loads each of them.
      preconditionFailure("the shipped rules '\(name)' cannot be read")
    }
    return policy
  }
}
