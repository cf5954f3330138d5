import ArgumentParser
import Tamis
import TamisFoundation

/// The options for a site's folder and appearance.
struct SiteOptions: ParsableArguments {
  @Option(name: [.short, .long], help: "The folder for the pages (default: that of the configuration).")
  var output: String?

  @Option(help: "The site's name.")
  var title: String?

  @Option(help: "Where the site will be published: feeds and the site map name it.")
  var url: String?

  @Option(
    help: ArgumentHelp(
      "How pages look: default, newspaper, plain, or a folder; see tamis theme.", valueName: "name|folder"))
  var theme: String?

  @Option(
    help: ArgumentHelp(
      "The language of the pages' own words: \(Site.Words.languages.joined(separator: ", ")), or a file; see tamis theme words.",
      valueName: "name|file"))
  var language: String?

  @Option(help: ArgumentHelp("How dates are written, as the language has it.", valueName: "iso|long|short"))
  var dateForm: String?

  @Option(
    help: ArgumentHelp(
      "The time zone in which pages show dates, such as Europe/Vienna, UTC or +02:00.", valueName: "zone"))
  var zone: String?

  @Flag(help: "Make pages that load nothing from elsewhere: pictures from other servers become links.")
  var offline = false

  @Flag(help: "Ask search engines to leave the site out.")
  var noindex = false

  @Flag(help: "List only posts that were not marked as read: see tamis archive mark-read.")
  var onlyNew = false

  @Option(
    help: ArgumentHelp(
      "How many posts a tag needs to have a page of its own (3); the archive's tag pages name the posts of the others.",
      valueName: "posts"))
  var tagThreshold: String?

  @Option(
    help: ArgumentHelp(
      "How many posts of one feed are shown in a row on the front page; a link leads to the rest (all).",
      valueName: "posts"))
  var inARow: String?

  @Option(
    help: ArgumentHelp(
      "page, for a script that searches, or an engine: an address with {words} as the value of a parameter.",
      valueName: "search"))
  var search: String?

  @Flag(help: "Show posts whole on the front page.")
  var fullPosts = false

  @Option(help: ArgumentHelp("Posts on each numbered page of a list (50).", valueName: "posts"))
  var postsPerPage: String?

  @Flag(help: "Make and compare all pages, also unchanged ones.")
  var all = false

  func validate() throws {
    if let output, !Arguments.isUTF8(output) { throw ValidationError("--output takes a name in UTF-8") }
    if output?.isEmpty == true { throw ValidationError("--output takes the name of a folder") }
    if title?.allSatisfy(\.isWhitespace) == true { throw ValidationError("--title takes a name") }
    _ = try settings(over: Planet.SiteSettings())
  }

  /// The settings of a configuration, overridden by those of the command line.
  private func settings(over configured: Planet.SiteSettings) throws -> Planet.SiteSettings {
    var settings = configured
    let said = [
      ("date-form", "dates", dateForm), ("zone", "time-zone", zone), ("tag-threshold", "tag-threshold", tagThreshold),
      ("in-a-row", "in-a-row", inARow), ("search", "search", search),
      ("posts-per-page", "posts-per-page", postsPerPage),
    ]
    for (option, name, text) in said {
      guard let text else { continue }
      do throws(SettingRefusal) {
        try settings.set(name, to: text)
      } catch {
        throw ValidationError("--\(option): \(error.description)")
      }
    }
    settings.title = title ?? settings.title
    settings.isOffline = offline || settings.isOffline
    settings.showsFullPosts = fullPosts || settings.showsFullPosts
    settings.isUnlisted = noindex || settings.isUnlisted
    return settings
  }

  /// The options of the command line, with the values of the configuration where it has none.
  func options(over inputs: CommandInputs) throws -> Site.Options {
    let settings = try settings(over: inputs.planet.site)
    var options = Site.Options(title: settings.title)
    options.theme = try ThemeCommand.load(theme ?? Self.theme(settings.theme, inputs))
    options.words = try Self.words(language ?? settings.language)
    (options.dateForm, options.zone) = (settings.dateForm, Site.Zone(settings.timeZone))
    (options.owner, options.isOffline) = (settings.owner, settings.isOffline)
    (options.tagThreshold, options.mostInRow) = (settings.tagThreshold, settings.mostInRow)
    (options.search, options.postsPerPage) = (settings.search, settings.postsPerPage)
    options.showsFullPosts = settings.showsFullPosts
    options.isUnlisted = settings.isUnlisted
    options.showsRemovals = settings.showsRemovals
    options.address = try address(url ?? settings.link)
    return options
  }

  /// A theme of the configuration: a built-in name, or a folder relative to the configuration.
  private static func theme(_ name: String, _ inputs: CommandInputs) -> String {
    Site.Theme.names.contains(name) ? name : inputs.inFolder(name).description
  }

  private func address(_ url: String?) throws -> String? {
    guard let url else { return nil }
    guard let address = WebURL(url), address.isHTTP else {
      throw ValidationError("--url takes an address that begins with https:// or http://")
    }
    guard address.query == nil, address.username.isEmpty, address.password.isEmpty else {
      throw ValidationError("--url takes an address without a query, user name and password: it is published")
    }
    let plain = address.removingFragment.href
    return plain.hasSuffix("/") ? plain : plain + "/"
  }

  /// The folder for the pages.
  func folder(over inputs: CommandInputs, isConfigured: Bool) throws -> FilePath {
    if let output { return FilePath(output) }
    guard isConfigured else { throw ValidationError("name the folder for the pages: --output") }
    return inputs.inFolder(inputs.planet.site.output)
  }

  /// The words of a built-in language, else those of a file.
  static func words(_ name: String) throws -> Site.Words {
    if let words = Site.Words.shipped(name) { return words }
    guard name.contains("/") || name.contains(".") else {
      throw ValidationError(
        "--language takes \(Site.Words.languages.joined(separator: ", ")), or a file of words, not '\(TerminalText.beginning(of: name))'"
          + Arguments.hint(name, Site.Words.languages))
    }
    do { return try Site.Words(file: name) } catch {
      Terminal.error("tamis: error: \(TerminalText.beginning(of: "\(error)")) [language]")
      throw ExitCode.badData
    }
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
  @Flag(help: "Show what would change, and change nothing; exit code 1 when something would.")
  var check = false

  @Option(
    name: [.customShort("j", allowingJoined: true), .long], help: "How many feeds or pages are worked on at once.")
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  @Flag(name: [.short, .long], help: "Also show notes, and each of many findings of a kind.")
  var verbose = false

  @OptionGroup var success: SuccessOptions

  func validate() throws {
    if jobs < 1 { throw ValidationError("--jobs takes a number from 1") }
  }
}
