import ArgumentParser
import Tamis
import TamisFoundation

/// `tamis fetch`: fetches feeds into a folder, for other programs.
struct FetchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Fetch the feeds that are due into a folder, for use by other programs.",
    discussion: """
      Each document lies in a file of its own, unpacked, with its address (FILE.url) and header fields (FILE.headers) beside it. What \
      has to be remembered until the next time is in the archive. tamis build and tamis ingest fetch by themselves. Example:

        tamis fetch subscriptions.opml --into feeds
      """)

  @Argument(
    help: "Addresses of feeds, and files that list some: OPML, a line each (default: those of the configuration).")
  var sources: [FilePath] = []

  @Option(help: "The folder.")
  var into: FilePath

  @Option(help: "The file that remembers when to ask each feed again (default: INTO.archive, beside the folder).")
  var archive: FilePath?

  @Option(help: "Write the result for each feed to this file, one line of JSON each.")
  var report: FilePath?

  @OptionGroup var fetching: FetchArguments

  @OptionGroup var allow: AllowedNetworks

  @OptionGroup var planet: PlanetOptions

  @OptionGroup var success: SuccessOptions

  func run() async throws {
    let (inputs, _) = try planet.gather(sources, allow.settings, notes: false)
    for file in inputs.files {
      Terminal.error(
        "tamis: error: \(TerminalText.beginning(of: file.description)): this is neither an address nor a list of addresses [fetch]"
      )
    }
    let archive = archive ?? into.appending(ending: ".archive")
    try report?.refuseAsOutput(of: "--report", besides: [archive] + [inputs.file].compactMap { $0 })
    let subscriptions = inputs.subscriptions.feeds
    if subscriptions.isEmpty { throw ExitCode.badData }
    let errors = inputs.findings.count { $0.severity == .error } + inputs.files.count
    let progress = Progress(leaving: "the documents fetched so far are saved")
    defer { progress.finish() }
    let total = subscriptions.count
    let fetch = FeedFetch(
      fetching.options(over: inputs),
      archive: archive,
      into: into,
      now: Int64(Date().timeIntervalSince1970))
    let lines = try await fetch.run(subscriptions) { progress.update($0, of: total, noun: "feed", done: "asked for") }
    progress.finish()
    try write(lines)
    let now = Int64(Date().timeIntervalSince1970)
    Terminal.report(FetchedFeed.findings(of: lines.map(\.feed), now: now), notes: false)
    let failed = lines.count { $0.feed.problem != nil }
    if !success.quiet || failed > 0 { Terminal.error(Self.summary(lines)) }
    if failed + errors > 0 { throw failed == lines.count ? ExitCode.badData : ExitCode.someFailed }
  }

  private func write(_ lines: [FeedFetch.Line]) throws {
    guard let report else { return }
    var writer = JSONWriter()
    for line in lines {
      writer.fetched(line)
      writer.endLine()
    }
    try report.save(writer.bytes, as: "the report", code: "fetch.report")
  }

  private static func summary(_ lines: [FeedFetch.Line]) -> String {
    let counts = Dictionary(grouping: lines, by: \.feed.word).mapValues(\.count)
    return ([lines.count.counted("feed")] + FetchedFeed.Word.summary(counts)).joined(separator: ", ")
  }
}

extension FetchedFeed.Word {
  /// The number of feeds of each kind, in words.
  static func summary(_ counts: [Self: Int]) -> [String] {
    allCases.compactMap { word in
      guard let count = counts[word] else { return nil }
      let text =
        switch word {
        case .fetched: "fetched"
        case .notModified: "not modified"
        case .notDue: "not due"
        case .off: "switched off"
        case .gone: "gone"
        case .failed: "failed"
        }
      return "\(count) \(text)"
    }
  }
}
