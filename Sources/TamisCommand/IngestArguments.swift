import ArgumentParser
import Tamis
import TamisFoundation

/// The options for reading sources into an archive.
struct IngestArguments: ParsableArguments {
  @Argument(help: "Files and folders of feeds, addresses, lists such as OPML, WARC files; - is standard input.")
  var sources: [FilePath] = []

  @OptionGroup var addresses: AddressOptions

  @Option(help: "Write the decision about each post to this file.")
  var report: FilePath?

  @Flag(help: "Say how much was removed, and by which rules.")
  var removals = false

  @Flag(help: "Read the posts before those of each feed's document too, to the first; a run takes a part.")
  var history = false

  @Flag(help: "Do not use the clock: the same bytes at any time.")
  var reproducible = false

  @OptionGroup var fields: FieldOptions

  @OptionGroup var fetching: FetchArguments

  @OptionGroup var allowed: AllowedNetworks

  /// The settings that have options of their own.
  var settings: [PlanetOptions.GivenSetting] { allowed.settings }

  /// The time after which dates are in the future (https://reproducible-builds.org/specs/source-date-epoch/).
  func now() throws -> Int64? { try Self.now(isReproducible: reproducible) }

  /// The present time, or that of SOURCE_DATE_EPOCH; nil when the result must not depend on it.
  static func now(isReproducible: Bool) throws -> Int64? {
    try BookOptions.sourceDate() ?? (isReproducible ? nil : Int64(Date().timeIntervalSince1970))
  }

  /// Writes the decisions to the report file, if one was named.
  func write(_ events: [SiteBuild.Event]) throws {
    guard let report else { return }
    var writer = JSONWriter()
    for event in events {
      writer.event(event)
      writer.endLine()
    }
    try report.save(writer.bytes, as: "the report", code: "build.report")
  }
}
