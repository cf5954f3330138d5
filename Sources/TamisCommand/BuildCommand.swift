import ArgumentParser
import Tamis

/// `tamis build`: builds a static site from feeds.
struct BuildCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build",
    abstract: "Build a static site from feeds: fetch, ingest, publish.",
    discussion: """
      A folder stands for all feeds in it and below it: the files whose contents begin as a feed does, packed or not, \
      whatever they are called. Addresses are fetched when their time has come. Only feeds that have changed are read, and only pages \
      of which something has changed are made. Without anything to read, the configuration says what to do. Examples:

        tamis build feeds/ more/news.xml https://example.org/feed --output site
        tamis build
      """)

  @OptionGroup var options: BuildOptions

  func run() async throws {
    let run = try options.run()
    try await run.run(options.ingest) { try await $0.run(progress: $1) }
  }
}

/// What a build reads and how it is made: the options of `tamis build`, which `tamis serve` passes on.
struct BuildOptions: ParsableArguments {
  @OptionGroup var ingest: IngestArguments

  @OptionGroup var planet: PlanetOptions

  @OptionGroup var site: SiteOptions

  @Option(help: "The archive, the file that keeps all posts (default: OUTPUT.archive, beside the site).")
  var archive: String?

  @OptionGroup var pictures: PictureOptions

  @OptionGroup var policy: PolicyOptions

  @OptionGroup var work: WorkOptions

  /// The run of these options, with its sources.
  func run() throws -> SiteRun {
    var run = try SiteRun(
      planet, reading: ingest.sources, site, archive: archive, ingest.settings + pictures.settings, policy, work)
    try run.read(ingest)
    return run
  }
}

/// `tamis ingest`: reads feeds into the archive.
struct IngestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ingest",
    abstract: "Fetch and read the feeds that have changed into an archive.",
    discussion: """
      The archive keeps posts with their bodies, also those that have left their feed. Archives that were filled apart can be \
      joined: tamis archive merge. With --shard one of several processes reads its part of the feeds, into a folder that all of \
      them share. Examples:

        tamis ingest feeds/ --archive planet.archive
        tamis ingest feeds/ --shard 3/8 --to shards
      """)

  @OptionGroup var ingest: IngestArguments

  @OptionGroup var planet: PlanetOptions

  @Option(help: "The archive; one that is not there is begun (default: that of the configuration).")
  var archive: String?

  @OptionGroup var shard: ShardOptions

  @OptionGroup var pictures: PictureOptions

  @OptionGroup var policy: PolicyOptions

  @OptionGroup var work: WorkOptions

  func validate() throws {
    try shard.validate(besides: archive, ingest.report, work)
  }

  private var settings: [PlanetOptions.GivenSetting] { ingest.settings + pictures.settings }

  func run() async throws {
    if let (shard, folder) = try shard.chosen() {
      var run = try SiteRun(planet, reading: ingest.sources, nil, archive: folder.description, settings, policy, work)
      try run.read(ingest, shard: shard)
      return try await run.run(shard, into: folder, isStrict: self.shard.strict)
    }
    var run = try SiteRun(planet, reading: ingest.sources, nil, archive: archive, settings, policy, work)
    try run.read(ingest)
    try await run.run(ingest) { try await $0.ingest(progress: $1) }
  }
}
