import ArgumentParser
import Tamis
import TamisFoundation

/// The options for a site's folder and appearance.
struct SiteOptions: ParsableArguments {
  @Option(name: [.short, .long], help: "The folder for the pages.")
  var output: String?

  @Option(help: "The site's name.")
  var title: String?

  @Option(help: "Where the site will be published.")
  var url: String?

  @Option(help: ArgumentHelp("How pages look; see tamis theme.", valueName: "name|folder"))
  var theme: String?

  @Option(
    help: ArgumentHelp("\(Site.Words.languages.joined(separator: ", ")), or a file of words.", valueName: "name|file"))
  var language: String?

  @Flag(help: "Make pages that load nothing from elsewhere.")
  var offline = false

  @Flag(help: "Make and compare unchanged pages too.")
  var all = false

  func validate() throws {
    if let output, !Arguments.isUTF8(output) { throw ValidationError("--output takes a name in UTF-8") }
    if output?.isEmpty == true { throw ValidationError("--output takes the name of a folder") }
    if title?.allSatisfy(\.isWhitespace) == true { throw ValidationError("--title takes a name") }
  }

  /// The settings that have options of their own.
  var settings: [PlanetOptions.GivenSetting] {
    var given: [PlanetOptions.GivenSetting] = []
    if let title { given.append(("--title", "site.title", title)) }
    if let url { given.append(("--url", "site.link", url)) }
    if offline { given.append(("--offline", "site.offline", "true")) }
    return given
  }

  /// The theme: that of the command line, else that of the configuration, a built-in name or a folder beside it.
  func theme(over inputs: CommandInputs) throws -> Site.Theme {
    let name = inputs.planet.site.theme
    return try ThemeCommand.load(
      theme ?? (Site.Theme.names.contains(name) ? name : inputs.inFolder(name).description))
  }

  /// The words of the pages: those of the command line, else those of the configuration; a built-in language or a file.
  func words(over inputs: CommandInputs) throws -> Site.Words {
    let name = language ?? inputs.planet.site.language
    if let words = Site.Words.shipped(name) { return words }
    guard name.contains("/") || name.contains(".") else {
      throw ValidationError(
        "--language takes \(Site.Words.languages.joined(separator: ", ")), or a file of words, not '\(TerminalText.beginning(of: name))'"
          + Arguments.hint(name, Site.Words.languages))
    }
    do { return try Site.Words(file: name) } catch {
      throw Terminal.failure("tamis: error: \(TerminalText.beginning(of: "\(error)")) [language]", .badData)
    }
  }

  /// The folder for the pages.
  func folder(over inputs: CommandInputs, isConfigured: Bool) throws -> FilePath {
    if let output { return FilePath(output) }
    guard isConfigured else {
      let file = PlanetOptions.standard
      throw ValidationError(
        "name the folder for the pages: --output"
          + (file.kind == .file ? "; or use the configuration that is here: --config \(file)" : ""))
    }
    return inputs.inFolder(inputs.planet.site.output)
  }

  /// The default file of a site's archive: beside its folder.
  static func archive(of output: FilePath) -> String {
    // The full path is needed: beside `.` is another place than in it.
    let beside = URL(filePath: output.utf8Text ?? output.description).standardizedFileURL.path
    return (beside.hasSuffix("/") ? String(beside.dropLast()) : beside) + ".archive"
  }
}

/// The option of commands that say at their end that all is well.
struct SuccessOptions: ParsableArguments {
  @Flag(name: [.short, .long], help: "Print nothing when nothing is wrong.")
  var quiet = false
}

/// The options that are common to all commands.
struct WorkOptions: ParsableArguments {
  @Flag(help: "Show what would change, and change nothing.")
  var check = false

  @Option(name: [.customShort("j", allowingJoined: true), .long], help: "Feeds or pages that are worked on at once.")
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  @Flag(name: [.short, .long], help: "Also show notes, and each of many findings.")
  var verbose = false

  @OptionGroup var success: SuccessOptions

  func validate() throws { try Self.validate(jobs: jobs) }

  private static let mostJobs = 10_000

  static func validate(jobs: Int) throws {
    if !(1...mostJobs).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to \(mostJobs)") }
  }
}
