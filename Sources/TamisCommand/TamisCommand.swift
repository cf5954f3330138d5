import ArgumentParser

/// The `tamis` command.
@main
struct TamisCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tamis",
    abstract: "Turns feeds into safe, readable static pages, and sanitizes HTML.",
    discussion: """
      Exit codes: 0 done, 1 some input failed (the rest is done), 2 usage, 65 the data could not be read at all, \
      74 something could not be written.
      """,
    subcommands: [
      BuildCommand.self, ParseCommand.self, SanitizeCommand.self, ExtractCommand.self, IndexCommand.self,
      CheckCommand.self, RulesCommand.self, ThemeCommand.self,
    ])

  static func main() async {
    do {
      var command = try parseAsRoot(Arguments.strings)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let code as ExitCode {
      exit(withError: code)
    } catch {
      // What the parser rejects is a mistake in usage; everything else is reported where it happens.
      let isUsage = exitCode(for: error) == .validationFailure
      guard isUsage else { exit(withError: error) }
      Terminal.error(fullMessage(for: error))
      exit(withError: ExitCode(2))
    }
  }
}

extension ExitCode {
  /// Some input failed, the rest is done.
  static let someFailed = ExitCode(1)
  /// The data could not be read at all (`EX_DATAERR` of sysexits.h).
  static let badData = ExitCode(65)
  /// Something could not be written (`EX_IOERR` of sysexits.h).
  static let cannotWrite = ExitCode(74)
}
