// To add a subcommand: a file in this folder, its type in the list here, a test in Tests/TamisCommandTests, and the
// page of docs about its work. Output goes through `Terminal`.

import ArgumentParser
import Tamis

/// The `tamis` command.
@main
struct TamisCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tamis",
    abstract: "Turns feeds into safe, readable static pages, and sanitizes HTML.",
    discussion: """
      Exit codes: 0 done, 1 some input failed (the rest is done), 2 usage, 65 the data could not be read at all, \
      69 a library of this machine is too old, 74 something could not be written, 130 interrupted.
      """,
    version: ProgramVersion.description,
    subcommands: [
      BuildCommand.self, ServeCommand.self, FetchCommand.self, IngestCommand.self, PublishCommand.self,
      ArchiveCommand.self,
      ParseCommand.self,
      SanitizeCommand.self, ExtractCommand.self, ArticleCommand.self, CheckCommand.self, RulesCommand.self,
      ThemeCommand.self,
      InitCommand.self, AddCommand.self, RemoveCommand.self, ListCommand.self, StatusCommand.self, ConfigCommand.self,
      FilterCommand.self,
    ])

  static func main() async {
    let arguments = Arguments.strings
    var kind: (any ParsableCommand.Type)?
    do {
      var command = try parseAsRoot(arguments)
      kind = type(of: command)
      try ProgramVersion.checkLibraries()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let code as ExitCode {
      exit(withError: code)
    } catch {
      // Errors of the parser are usage errors; all others are reported where they happen.
      let isUsage = exitCode(for: error) == .validationFailure
      guard isUsage else { exit(withError: error) }
      // An error of the command itself lacks the command's usage.
      let message =
        kind.map { "Error: \(Self.message(for: error))\nUsage: \(usageString(for: $0))" }
        ?? fullMessage(for: error)
      Terminal.error(message + (suggestion(for: arguments).map { "\nDid you mean '\($0)'?" } ?? ""))
      exit(withError: ExitCode(2))
    }
  }
}

extension TamisCommand {
  /// The command that a misspelled name may mean; nil when the names are right, or no command is near.
  private static func suggestion(for arguments: [String]) -> String? {
    var path = ["tamis"]
    var command: any ParsableCommand.Type = TamisCommand.self
    for word in arguments {
      let subcommands = command.configuration.subcommands
      if subcommands.isEmpty || word.hasPrefix("-") { return nil }
      guard let next = subcommands.first(where: { $0._commandName == word }) else {
        return NearestName.of(word, among: subcommands.map { $0._commandName }).map {
          (path + [$0]).joined(separator: " ")
        }
      }
      path.append(word)
      command = next
    }
    return nil
  }
}

extension ExitCode {
  /// Some input failed, and the rest was processed.
  static let someFailed = ExitCode(1)
  /// A library of the machine is too old (`EX_UNAVAILABLE` of sysexits.h).
  static let unavailable = ExitCode(69)
  /// The data could not be read at all (`EX_DATAERR` of sysexits.h).
  static let badData = ExitCode(65)
  /// Something could not be written (`EX_IOERR` of sysexits.h).
  static let cannotWrite = ExitCode(74)
}
