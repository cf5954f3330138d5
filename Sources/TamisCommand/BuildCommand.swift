import ArgumentParser
import Tamis

/// `tamis build`: builds a static site from feeds.
struct BuildCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build",
    abstract: "Build a static site from feeds: fetch, ingest, publish.",
    discussion: """
      Only feeds that have changed are read, and only pages that change are made. Without sources the configuration \
      says what to do. Examples:

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

  @Option(help: "The archive (default: OUTPUT.archive).")
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
      The archive keeps posts with their bodies, also those that have left their feed. With --shard one of several processes \
      reads its part of the feeds. Examples:

        tamis ingest feeds/ --archive planet.archive
        tamis ingest feeds/ --shard 3/8 --to shards
      """)

  @OptionGroup var ingest: IngestArguments

  @OptionGroup var planet: PlanetOptions

  @Option(help: "The archive; one that is not there is begun.")
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
