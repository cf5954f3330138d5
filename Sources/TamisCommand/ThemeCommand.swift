import ArgumentParser
import Tamis
import TamisFoundation

/// `tamis theme`: lists, creates and checks themes.
struct ThemeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "theme", abstract: "List, create and check themes.",
    discussion: """
      A theme is a folder with a style sheet, style.css, and Mustache templates; what it does not hold is as in the default
      theme. Example:

        tamis theme new mine --from newspaper
        tamis theme check mine
        tamis build feeds --output site --theme mine
      """,
    subcommands: [List.self, New.self, Check.self, Words.self])

  /// Returns the shipped theme of this name, else the theme in the folder.
  static func load(_ name: String) throws -> Site.Theme {
    do { return try Site.Theme.shipped(name) ?? Site.Theme(folder: name) } catch {
      throw Terminal.failure("tamis: error: \(TerminalText.beginning(of: "\(error)")) [theme]", .badData)
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the themes that are built in.")

    func run() { Site.Theme.names.forEach(Terminal.line) }
  }

  struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "new", abstract: "Create a theme from another one's files.")
    @Argument(help: "The folder to create.") var folder: String
    @Option(help: "The theme to begin with.") var from = "default"

    func run() throws {
      let theme = try ThemeCommand.load(from)
      guard !FileManager.default.fileExists(atPath: folder) else {
        throw ValidationError("\(folder) exists already; choose a new folder")
      }
      do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, bytes) in theme.files { try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)")) }
      } catch {
        throw Terminal.failure(
          "tamis: error: \(TerminalText.beginning(of: folder)): the theme cannot be written: \(error) [theme]",
          .cannotWrite)
      }
      Terminal.error(
        "\(theme.files.count.counted("file")) written to \(folder); a file that you delete is taken from the default theme"
      )
    }
  }

  struct Words: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "words",
      abstract: "Print the words of a language, as a start for your own.",
      discussion: "Example:\n\n  tamis theme words en > it.words\n  tamis build feeds --output site --language it.words"
    )
    @Argument(help: "A language that is built in.") var language = "en"

    func run() throws {
      guard let source = Site.Words.source(of: language) else {
        let names = Site.Words.languages
        throw ValidationError(
          "there are languages \(names.joined(separator: ", ")), none in '\(TerminalText.beginning(of: language))'"
            + Arguments.hint(language, names))
      }
      Terminal.write(source)
    }
  }

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract:
        "Check a theme: landmarks, what the pages' policy refuses, what would be loaded from elsewhere.")
    @Argument(help: "A folder, or the name of a theme that is built in.") var theme: String
    @OptionGroup var success: SuccessOptions

    func run() throws {
      let findings = ThemeCheck.findings(in: try ThemeCommand.load(theme), named: theme)
      Terminal.report(findings, notes: true)
      if findings.contains(where: { $0.severity == .error }) { throw ExitCode.someFailed }
      if !success.quiet { Terminal.error("no problems found") }
    }
  }
}
