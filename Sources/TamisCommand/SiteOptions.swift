import ArgumentParser
import Foundation
import Tamis

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
      "The language of the pages' own words: \(Words.languages.joined(separator: ", ")), or a file; see tamis theme words.",
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
      "A search engine for the search page: an address with {words} as the value of a parameter.", valueName: "address")
  )
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
    _ = try settings(over: SiteSettings())
  }

  /// The settings of a configuration, overridden by those of the command line.
  private func settings(over configured: SiteSettings) throws -> SiteSettings {
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
    return settings
  }

  /// The options of the command line, with the values of the configuration where it has none.
  func options(over inputs: CommandInputs) throws -> Site.Options {
    let settings = try settings(over: inputs.planet.site)
    var options = Site.Options(title: settings.title)
    options.theme = try ThemeCommand.load(theme ?? Self.theme(settings.theme, inputs))
    options.words = try Self.words(language ?? settings.language)
    (options.dateForm, options.zone) = (settings.dateForm, SiteZone(settings.timeZone))
    (options.owner, options.isOffline) = (settings.owner, settings.isOffline)
    (options.tagThreshold, options.mostInRow) = (settings.tagThreshold, settings.mostInRow)
    (options.search, options.postsPerPage) = (settings.search, settings.postsPerPage)
    options.showsFullPosts = settings.showsFullPosts
    options.address = try address(url ?? settings.link)
    return options
  }

  /// A theme of the configuration: a built-in name, or a folder relative to the configuration.
  private static func theme(_ name: String, _ inputs: CommandInputs) -> String {
    Theme.names.contains(name) ? name : inputs.inFolder(name).description
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
  static func words(_ name: String) throws -> Words {
    if let words = Words.shipped(name) { return words }
    guard name.contains("/") || name.contains(".") else {
      throw ValidationError(
        "--language takes \(Words.languages.joined(separator: ", ")), or a file of words, not '\(TerminalText.beginning(of: name))'"
          + Arguments.hint(name, Words.languages))
    }
    do { return try Words(file: name) } catch {
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

/// The options for the storage of pictures.
struct PictureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where pictures are when the site is read: link, where the feed has them; keep, in the site.",
      valueName: "link|keep"),
    transform: PictureOptions.pictures)
  var pictures: SiteSettings.Pictures?

  private static func pictures(_ text: String) throws -> SiteSettings.Pictures {
    guard let pictures = SiteSettings.Pictures(rawValue: text) else {
      throw ValidationError("--pictures takes link or keep")
    }
    return pictures
  }
}

/// The options for reading sources into an archive.
struct IngestArguments: ParsableArguments {
  @Argument(
    help:
      "Feeds: files, folders, addresses, lists of addresses such as OPML, and WARC files of a crawl, - for standard input (default: those of the configuration)."
  )
  var sources: [FilePath] = []

  @OptionGroup var addresses: AddressOptions

  @Option(
    help: "Write the decision about each post to this file, one line of JSON each; this reads all feeds.")
  var report: FilePath?

  @Flag(help: "Report how much was removed from each post and feed, and by which rules; shows all notes too.")
  var removals = false

  @Flag(
    help: ArgumentHelp(
      "Build the same bytes at any time: do not use the clock.",
      discussion:
        "Posts without a date and those from the future stand where the clock says they were seen first; with this, or with "
        + "SOURCE_DATE_EPOCH, it is not asked."))
  var reproducible = false

  @Option(
    help: ArgumentHelp(
      "What happens to posts that have left their feed: keep; now, which deletes them at once; or a number, which drops their content after "
        + "a number of looks at their feed.",
      valueName: "keep|now|LOOKS"),
    transform: IngestArguments.purgePolicy)
  var purge: PurgePolicy?

  @Flag(help: "Show a post in each feed that has it: do not fold copies.")
  var noFold = false

  @Option(
    help: ArgumentHelp(
      "How posts are recognized: ladder, by the best of their keys; guid-or-link, by the id, else the link.",
      valueName: "ladder|guid-or-link"),
    transform: IngestArguments.keyPolicy)
  var key = KeyPolicy.ladder

  @Option(
    help: ArgumentHelp(
      "A file with pages of posts, JSON lines or WARC: full text is taken from it before pages are fetched; can be repeated.",
      discussion: #"Each line is {"url": …, "html": …}."#, valueName: "file"))
  var known: [FilePath] = []

  @OptionGroup var fields: FieldOptions

  @OptionGroup var fetching: FetchArguments

  func options(over settings: SiteSettings) -> IngestOptions {
    var options = IngestOptions()
    (options.keys, options.purge, options.folds) = (key, purge ?? settings.purge, settings.folds && !noFold)
    return options
  }

  /// The files of known pages: those of the command line, and those of a configuration.
  func knownPages(besides inputs: CommandInputs) throws -> [FilePath] {
    for file in known where file.kind != .file {
      throw ValidationError("--known \(TerminalText.beginning(of: file.description)): this is not a regular file")
    }
    return known + inputs.planet.pages.known.map(inputs.inFolder)
  }

  /// The time after which dates are in the future (https://reproducible-builds.org/specs/source-date-epoch/).
  func now() throws -> Int64? {
    guard let text = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"], !text.isEmpty else {
      return reproducible ? nil : Int64(Date().timeIntervalSince1970)
    }
    guard let seconds = Int64(text), (0...253_402_300_799).contains(seconds) else {
      throw ValidationError("SOURCE_DATE_EPOCH is '\(text)'; it takes seconds since 1970")
    }
    return seconds
  }

  /// Writes the decisions to the report file, if one was named.
  func write(_ events: [IngestEvent]) throws {
    guard let report else { return }
    var writer = JSONWriter()
    for event in events {
      writer.event(event)
      writer.endLine()
    }
    do {
      try FileOutput.write(writer.bytes, to: report)
    } catch {
      Terminal.error("tamis: error: \(report): the report cannot be written: \(error) [build.report]")
      throw ExitCode.cannotWrite
    }
  }

  private static func keyPolicy(_ text: String) throws -> KeyPolicy {
    guard let policy = KeyPolicy(rawValue: text) else { throw ValidationError("--key takes ladder or guid-or-link") }
    return policy
  }

  private static func purgePolicy(_ text: String) throws -> PurgePolicy {
    guard let policy = PurgePolicy(text) else {
      throw ValidationError("--purge takes keep, now or a number of looks from 1")
    }
    return policy
  }
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

  @Flag(name: [.short, .long], help: "Print nothing when nothing is wrong.")
  var quiet = false

  func validate() throws {
    if jobs < 1 { throw ValidationError("--jobs takes a number from 1") }
  }
}
