import ArgumentParser
import Tamis
import TamisFoundation

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
  var key = Archive.KeyPolicy.ladder

  @Option(
    help: ArgumentHelp(
      "A file with pages of posts, JSON lines or WARC: full text is taken from it before pages are fetched; can be repeated.",
      discussion: #"Each line is {"url": …, "html": …}."#, valueName: "file"))
  var known: [FilePath] = []

  @OptionGroup var fields: FieldOptions

  @OptionGroup var fetching: FetchArguments

  func options(over settings: Planet.SiteSettings) -> Archive.IngestOptions {
    var options = Archive.IngestOptions()
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
  func now() throws -> Int64? { try Self.now(isReproducible: reproducible) }

  /// The present time, or that of SOURCE_DATE_EPOCH; nil when the result must not depend on it.
  static func now(isReproducible: Bool) throws -> Int64? {
    guard let text = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"], !text.isEmpty else {
      return isReproducible ? nil : Int64(Date().timeIntervalSince1970)
    }
    guard let seconds = Int64(text), (0...253_402_300_799).contains(seconds) else {
      throw ValidationError("SOURCE_DATE_EPOCH is '\(text)'; it takes seconds since 1970")
    }
    return seconds
  }

  /// Writes the decisions to the report file, if one was named.
  func write(_ events: [SiteBuild.Event]) throws {
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

  private static func keyPolicy(_ text: String) throws -> Archive.KeyPolicy {
    guard let policy = Archive.KeyPolicy(rawValue: text) else {
      throw ValidationError("--key takes ladder or guid-or-link")
    }
    return policy
  }

  private static func purgePolicy(_ text: String) throws -> PurgePolicy {
    guard let policy = PurgePolicy(text) else {
      throw ValidationError("--purge takes keep, now or a number of looks from 1")
    }
    return policy
  }
}
