import ArgumentParser
import Tamis
import TamisFoundation

/// `tamis rules`: lists, shows and checks rules.
struct RulesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules", abstract: "List, show and check sanitizing rules.",
    subcommands: [ListRules.self, ShowRules.self, LintRules.self, RulesSchema.self])
}

/// `tamis rules schema`: prints the JSON Schema for editors.
struct RulesSchema: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print a JSON Schema of rules files, for editors.")

  func run() { Terminal.write(Array(RuleFileSchema.json.utf8)) }
}

/// `tamis rules list`: lists the names of the built-in rules.
struct ListRules: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List the rules that are built in.")

  func run() { Policy.shippedNames.forEach(Terminal.line) }
}

/// `tamis rules show`: prints the text of built-in rules, or rules as a configuration of the browsers' sanitizer.
struct ShowRules: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print built-in rules, to read or to start from.",
    discussion: """
      Examples:

        tamis rules show reading > mine.yaml
        tamis rules show mine.yaml --as sanitizer-config > mine.json
      """)

  /// A format of rules.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    /// A rules file that extends nothing.
    case rules
    /// The argument of `setHTML` in browsers.
    case sanitizerConfig = "sanitizer-config"
  }

  @Argument(help: ArgumentHelp("Rules by name; with --as, a file too.", valueName: "name|file"))
  var name: String

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "Write the rules in full: rules, or sanitizer-config, for setHTML in browsers.", valueName: "format"))
  var format: Format?

  func run() throws {
    if let format { return show(try PolicyOptions.load(name).policy, as: format) }
    guard let text = Policy.shippedText(named: name) else {
      if FileManager.default.fileExists(atPath: name) {
        throw ValidationError("'\(name)' is a file; say --as rules or --as sanitizer-config to write it in full")
      }
      throw ValidationError("there are no rules '\(name)'; built in are \(Policy.shippedNames.joined(separator: ", "))")
    }
    Terminal.write(Array(text.utf8))
  }

  private func show(_ policy: Policy, as format: Format) {
    switch format {
    case .rules: Terminal.write(Array(policy.yaml.utf8))
    case .sanitizerConfig:
      let config = SanitizerConfig(policy)
      Terminal.report(config.findings, notes: true)
      Terminal.write(Array(config.json.utf8))
    }
  }
}

/// `tamis rules lint`: lists mistakes in rules files.
struct LintRules: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint", abstract: "List every mistake and every likely slip in rules files, with its line.")

  @OptionGroup var success: SuccessOptions

  @Argument(help: "Rules files.")
  var files: [String]

  func run() throws {
    var failed = false
    for file in files {
      guard let data = FilePath(file).contents(upTo: FilePath.longestConfiguration) else {
        Terminal.error("\(file): error: this file cannot be read, or has more than 16 MiB [read.failed]")
        failed = true
        continue
      }
      do {
        let text = String(decoding: data, as: UTF8.self)
        let findings = try Policy.lint(rules: text, file: file)
        Terminal.report(findings, notes: true)
        if findings.isEmpty, !success.quiet { Terminal.line("\(TerminalText.beginning(of: file)): no problems found") }
        if findings.contains(where: { $0.severity > .note }) { failed = true }
      } catch {
        Terminal.report(error.findings, notes: true)
        failed = true
      }
    }
    if failed { throw ExitCode.someFailed }
  }
}
