import CBuiltInFiles
public import TamisCore

/// Rules files, such as those in `Rules/`, which are built into the library.
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

  /// Reads rules: a ``SanitizerConfig`` from a file whose name ends with `.json`, a rules file from others.
  ///
  /// - Parameters:
  ///   - rules: the file's content.
  ///   - file: the name used in messages.
  /// - Returns: the policy, and what of a configuration it cannot say.
  /// - Throws: ``InvalidRules`` with all mistakes, each with its line and column.
  package static func read(rules: String, file: String) throws(InvalidRules) -> (policy: Policy, findings: [Finding]) {
    guard SanitizerConfig.isFile(named: file) else { return (try Policy(yaml: rules, file: file), []) }
    let config = try SanitizerConfig(json: rules, file: file)
    return (config.policy, config.findings)
  }

  /// Returns likely slips in rules, which are as in ``read(rules:file:)``.
  package static func lint(rules: String, file: String) throws(InvalidRules) -> [Finding] {
    SanitizerConfig.isFile(named: file)
      ? try read(rules: rules, file: file).findings : try lint(yaml: rules, file: file)
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

  /// The safe default of the browsers' own sanitizer (`Rules/browser-default.json`).
  public static let browserDefault = shipped("browser-default")

  /// Rules for comments (`Rules/strict.yaml`).
  public static let strict = shipped("strict")

  /// Rules that allow no markup (`Rules/text.yaml`).
  public static let text = shipped("text")

  /// Universal Feed Parser's rules (`Rules/universal-feed-parser.yaml`).
  public static let universalFeedParser = shipped("universal-feed-parser")

  /// The names of the shipped rules.
  package static var shippedNames: [String] { files.keys.sorted() }

  /// Returns the policy of a shipped rules file; nil when there is none of that name.
  ///
  /// Each file is read once, at first use.
  public static func shipped(named name: String) -> Policy? { Sanitizer.shipped(named: name)?.policy }

  /// Returns the text of a shipped rules file with its comments; nil when there is none of that name.
  package static func shippedText(named name: String) -> String? {
    files[name].map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  private static let files: [String: (name: String, bytes: [UInt8])] = unsafe [
    "browser-default": ("browser-default.json", Array(tamis_browser_default_json)),
    "reading": ("reading.yaml", Array(tamis_reading_yaml)),
    "strict": ("strict.yaml", Array(tamis_strict_yaml)),
    "text": ("text.yaml", Array(tamis_text_yaml)),
    "universal-feed-parser": ("universal-feed-parser.yaml", Array(tamis_universal_feed_parser_yaml)),
  ]

  private static func shipped(_ name: String) -> Policy {
    guard let file = files[name]?.name, let text = shippedText(named: name),
      let policy = try? read(rules: text, file: file).policy
    else {
      // The files are part of this binary, and a test loads each of them.
      preconditionFailure("the shipped rules '\(name)' cannot be read")
    }
    return policy
  }
}
