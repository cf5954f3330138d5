import ArgumentParser
import Tamis

/// `tamis filter`: tries out filters.
struct FilterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter", abstract: "Try out the filters of the configuration.", subcommands: [Test.self])

  /// `tamis filter test`: shows what filters make of the posts of a feed.
  struct Test: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "test",
      abstract: "Show for each post of a feed what the filters make of it, and why.",
      discussion: """
        A file is read as tamis build reads it; of a subscribed feed the archive's posts are taken. Nothing is fetched or written. \
        Rules that no post met are named at the end. Examples:

          tamis filter test feed.xml
          tamis filter test https://example.org/feed.xml
          tamis filter test feed.xml --rule 'drop: {matches: "crypto(currency)?", in: title}'
        """)

    @Argument(
      help: ArgumentHelp(
        "The feed: a file (- is standard input), or the address or title of a subscribed feed.", valueName: "feed"))
    var feed: String

    @OptionGroup var planet: PlanetOptions

    @Option(help: "The archive with the posts of subscribed feeds (default: that of the configuration).")
    var archive: String?

    @Option(
      help: ArgumentHelp(
        "Try this rule, as it would stand under 'filters', instead of those of the configuration; can be repeated.",
        valueName: "rule"))
    var rule: [String] = []

    @Option(help: "How many posts of the archive are tried at most, the newest.")
    var most = 1000

    @Flag(help: "Run filter programs too.")
    var programs = false

    @Flag(help: "Write a line of JSON for each post.")
    var json = false

    @OptionGroup var policy: PolicyOptions

    @Flag(name: [.short, .long], help: "Show notes about the document too, and each of many warnings of a kind.")
    var verbose = false

    func validate() throws {
      if most < 1 { throw ValidationError("--most takes a number from 1") }
    }

    func run() throws {
      let (inputs, isConfigured) = try planet.gather(nil, notes: verbose)
      if inputs.findings.contains(where: { $0.severity == .error }) { throw ExitCode.badData }
      let given = try givenRules()
      if !isConfigured, given.isEmpty {
        throw ValidationError("there are no filters: name a configuration by --config, or a rule by --rule")
      }
      let file =
        isConfigured ? try SiteRun.archive(archive, nil, isConfigured: true, inputs) : archive.map { FilePath($0) }
      let trial = FilterTrial(try configuration(inputs, file), runsPrograms: programs)
      let results = try results(of: trial, inputs, given, file)
      for result in results {
        Terminal.reportGathered(result.findings, all: verbose)
        json ? FilterReport.writeLines(result) : FilterReport.write(result)
        FilterReport.summary(result, runsPrograms: programs).forEach { json ? Terminal.error($0) : Terminal.line($0) }
      }
    }

    /// The rules of `--rule`.
    private func givenRules() throws -> [Planet.FilterRule] {
      let read = rule.enumerated().map { position, text in
        Planet.FilterRule.rules(text, name: rule.count == 1 ? "--rule" : "--rule \(position + 1)")
      }
      let findings = read.flatMap(\.findings)
      Terminal.report(findings, notes: true)
      if findings.contains(where: { $0.severity == .error }) { throw ExitCode.badData }
      return read.flatMap(\.rules)
    }

    private func configuration(_ inputs: CommandInputs, _ archive: FilePath?) throws -> SiteBuild.Configuration {
      let file = archive ?? PlanetOptions.standard
      var configuration = SiteBuild.Configuration(sources: FeedSources(files: []), archive: file, output: file)
      configuration.sanitizer = try policy.sanitizer(fallback: .reading)
      configuration.sanitizers = try inputs.sanitizers().read
      configuration.subscriptions.folder = inputs.folder
      configuration.now = try IngestArguments.now(isReproducible: false)
      return configuration
    }

    // MARK: - The feed

    private func results(
      of trial: FilterTrial, _ inputs: CommandInputs, _ given: [Planet.FilterRule], _ file: FilePath?
    ) throws -> [FilterTrial.Result] {
      func chosen(_ settings: Planet.FeedSettings?) -> Planet.FeedSettings {
        var settings = settings ?? inputs.planet.standardSettings
        if !given.isEmpty { settings.filters = given }
        return settings
      }
      let path = FilePath(feed)
      if feed == "-" || path.kind != nil {
        var sources = FeedSources([path])
        sources.readStandardInputAsFeed()
        Terminal.report(sources, notes: verbose)
        if sources.files.isEmpty { throw ExitCode.badData }
        return try sources.files.map { source in
          var source = source
          // A file that was fetched from a subscribed address has the filters of that feed.
          let known = inputs.subscriptions.feeds.first { $0.storedAddress == source.response.address }
          source.settings = chosen(known?.settings)
          do { return try trial.result(for: source) } catch let error as FeedParser.Failure {
            throw Terminal.failure(error.finding.description, .badData)
          }
        }
      }
      let opened = try file.flatMap { $0.kind == nil ? nil : try ArchiveCommand.openToRead($0.description) }
      let names = try opened.map { archive in try ArchiveCommand.attempt { try FeedNames(archive) } }
      let address = subscribed(inputs, names) ?? feed
      let key = try opened.flatMap { archive in try ArchiveCommand.attempt { try archive.feed(named: address) } }
      guard let opened, let key else { throw missing(address, inputs, names) }
      let settings = inputs.subscriptions.feeds.first { $0.storedAddress == address }?.settings
      let title = settings?.title ?? names?.titles[address] ?? address
      return [
        try ArchiveCommand.attempt {
          try trial.result(for: key, title: title, chosen(settings), newest: most, in: opened)
        }
      ]
    }

    /// The stored address of the subscribed feed that has the named address or title; nil when there is none.
    private func subscribed(_ inputs: CommandInputs, _ names: FeedNames?) -> String? {
      let feeds = inputs.subscriptions.feeds
      let typed = [feed, "https://" + feed, "http://" + feed].compactMap { try? Planet.Address($0) }
      if let found = feeds.first(where: { typed.contains($0.address) }) { return found.storedAddress }
      let title = feed.lowercased()
      let titles = names?.titles ?? [:]
      if let found = feeds.first(where: { ($0.settings.title ?? titles[$0.storedAddress])?.lowercased() == title }) {
        return found.storedAddress
      }
      return titles.filter { $0.value.lowercased() == title }.keys.min()
    }

    /// Reports that the feed is not there, and returns the exit code.
    private func missing(_ address: String, _ inputs: CommandInputs, _ names: FeedNames?) -> ExitCode {
      let shown = TerminalText.beginning(of: feed)
      if inputs.subscriptions.feeds.contains(where: { $0.storedAddress == address }) {
        return Terminal.failure(
          "tamis: error: the archive has no posts of '\(shown)' yet; read it by tamis ingest, or name a file of it [filter]",
          .badData)
      }
      let known = inputs.subscriptions.feeds.flatMap { [$0.address.written] + ($0.settings.title.map { [$0] } ?? []) }
      let near =
        names.map { $0.near(feed) }.flatMap { $0.isEmpty ? nil : $0 }
        ?? NearestName.of(feed, among: known).map { "; did you mean '\(TerminalText.beginning(of: $0))'?" } ?? ""
      return Terminal.failure(
        "tamis: error: there is no file and no subscribed feed '\(shown)'\(near) [filter]", .badData)
    }
  }
}

/// Writes what filters make of posts, for people and as JSON.
private enum FilterReport {
  // MARK: - For people

  static func write(_ result: FilterTrial.Result) {
    for verdict in result.verdicts {
      let word = verdict.isExcerpt ? "excerpt" : verdict.outcome.rawValue
      let title = verdict.post.card.heading
      var lines = ["\(word.padding(to: 9))  \(title.isEmpty ? "(no title)" : title)"]
      lines += (verdict.objection.map { [$0] } ?? []).map { "           \($0)" }
      lines += verdict.decisions.map { "           \($0)" }
      lines.forEach { Terminal.line(TerminalText.beginning(of: $0)) }
    }
  }

  /// The numbers of posts, and the rules without an effect.
  static func summary(_ result: FilterTrial.Result, runsPrograms: Bool) -> [String] {
    var parts = [
      "\(result.verdicts.count.counted("post")) of '\(result.title)': \(result.count(.kept)) kept",
      "\(result.count(.dropped)) dropped",
    ]
    if result.count(.undecided) > 0 { parts.append("\(result.count(.undecided)) undecided") }
    for effect in [PostFilter.Effect.excerpt, .renamed, .retagged, .changed] where result.count(having: effect) > 0 {
      parts.append("\(result.count(having: effect)) \(effect.words)")
    }
    let lines = result.idle.map { rule, reached in
      if rule.name == "program", !runsPrograms {
        return "\(rule.location): this program was not run (--programs runs it)"
      }
      let name = "\(rule.location): '\(rule.name)'"
      if reached == 0 { return "\(name) had no effect: no post came to it" }
      let posts = "of \(reached.counted("post")) that came to it"
      return rule.name == "keep" ? "\(name) keeps none \(posts)" : "\(name) had no effect: \(posts)"
    }
    return ([parts.joined(separator: ", ")] + lines).map { TerminalText.beginning(of: $0) }
  }

  // MARK: - JSON

  static func writeLines(_ result: FilterTrial.Result) {
    var writer = JSONWriter()
    for verdict in result.verdicts {
      writer.object { write(verdict, of: result.title, to: &$0) }
      writer.endLine()
    }
    Terminal.write(writer.bytes)
  }

  private static func write(_ verdict: FilterTrial.Verdict, of title: String, to writer: inout JSONWriter) {
    writer.member("feed", title)
    writer.member("title", verdict.post.title)
    writer.member("link", verdict.post.permalink?.url)
    writer.member("outcome", verdict.outcome.rawValue)
    writer.member("excerpt", verdict.isExcerpt)
    if let filtered = verdict.filtered {
      if filtered.title != verdict.post.title { writer.member("new_title", filtered.title) }
      if filtered.tags != verdict.post.tags {
        writer.member("new_tags", filtered.tags)
      }
    }
    writer.member("objection", verdict.objection)
    writer.array("decisions") { writer in
      for decision in verdict.decisions {
        writer.object { writer in
          writer.member("file", decision.rule.location.file)
          writer.member("line", decision.rule.location.line)
          writer.member("filter", decision.rule.name)
          writer.member("effect", decision.effect.rawValue)
          writer.member("reason", decision.reason)
        }
      }
    }
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
