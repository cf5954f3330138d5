import ArgumentParser
import Tamis
import TamisCore

/// `tamis init`: creates a configuration.
struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Create a configuration, new or from another program's.",
    discussion: """
      With --from, subscriptions and what else has a counterpart are taken over from OPML, a list of addresses, or the \
      configuration of Planet Venus or osmosfeed; which it is, is seen by its content. Example:

        tamis init --title "Planet Fog" --from subscriptions.opml
      """)

  @OptionGroup var options: ConfigOptions

  @Option(help: ArgumentHelp("Subscriptions to begin with; - is standard input.", valueName: "file"))
  var from: FilePath?

  @Option(help: "The site's name.")
  var title: String?

  @Flag(help: "Overwrite an existing configuration.")
  var force = false

  @Flag(name: [.short, .long], help: "Also show notes.")
  var verbose = false

  func run() throws {
    if options.config.kind != nil, !force {
      throw ValidationError("\(options.config) exists already; --force overwrites it")
    }
    var (planet, isWhole) = (Planet(), true)
    var kind = ""
    if let from {
      var file = PlanetFile(reading: try ConfigFile.read(from), name: from.description)
      file.dropUntrustedSettings()
      Terminal.report(file.findings, notes: verbose)
      if !file.isValid, file.planet.feeds.isEmpty, file.planet.readingLists.isEmpty { throw ExitCode.badData }
      (planet, kind, isWhole) = (file.planet, " from \(file.format.name)", file.isValid)
      leaveOutUnknownLanguage(of: &planet)
    }
    if let title { planet.site.title = title.collapsingSpace() }
    try options.config.save(Array(planet.text.utf8), as: "the configuration", code: "config")
    Terminal.error("\(options.config) written, with \(planet.feeds.count.counted("feed"))\(kind)")
    if !isWhole { throw ExitCode.someFailed }
  }

  /// Leaves out a language for which there are no words: the site would not be built.
  private func leaveOutUnknownLanguage(of planet: inout Planet) {
    let language = planet.site.language
    if Site.Words.shipped(language) != nil || FilePath(language).kind != nil { return }
    planet.site.language = SiteSettings().language
    let known = Site.Words.languages.joined(separator: ", ")
    let message = "there are no words in '\(language)' for pages, only in \(known); pages are in English"
    let location = Finding.Location(file: options.config.description)
    Terminal.report([Finding(.warning, "config.language", message, at: location)], notes: true)
  }

  func validate() throws {
    if title?.collapsingSpace().isEmpty == true { throw ValidationError("--title takes a name") }
  }
}

/// `tamis add`: adds subscriptions to the configuration.
struct AddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Subscribe to feeds: write their addresses into the configuration.",
    discussion: """
      The address of a page stands for the feed that it names: the first of them that is there is taken, and the others are told, by \
      numbers for --pick. All else in the file stays as it is, comments too. Examples:

        tamis add https://example.org/ --category News
        tamis add example.org --pick 2
      """)

  @Argument(help: ArgumentHelp("Addresses of feeds, or of pages that name some.", valueName: "url"))
  var addresses: [String]

  @OptionGroup var options: ConfigOptions

  @Option(help: "The category of the feeds; News/Science is a category in News.")
  var category: String?

  @Option(help: "The title to show for the feed.")
  var title: String?

  @Option(
    help: ArgumentHelp("Which of several feeds that a page names, by its number in their list.", valueName: "number"))
  var pick: Int?

  @Flag(help: "Read the feed's earlier posts too, to the first.")
  var history = false

  @Flag(help: "Add the addresses without looking at them.")
  var asIs = false

  @OptionGroup var allowed: AllowedNetworks

  func validate() throws {
    if addresses.isEmpty { throw ValidationError("name at least one address") }
    if let pick, pick < 1 { throw ValidationError("--pick takes a number from 1") }
    if pick != nil, addresses.count > 1 || asIs {
      throw ValidationError("--pick is for one page, and not with --as-is")
    }
    if title != nil, addresses.count > 1 { throw ValidationError("--title is for one feed") }
    if title?.collapsingSpace().isEmpty == true { throw ValidationError("--title takes a name") }
    if let category, !(1...Planet.longestName).contains(category.collapsingSpace().utf8.count) {
      throw ValidationError("--category takes a name of no more than \(Planet.longestName) bytes")
    }
  }

  func run() async throws {
    let planet = try options.edit().planet
    let inputs = try PlanetOptions.inputs(options.config, allowed.settings)
    let discovery = asIs ? nil : try FeedDiscovery(inputs.fetchOptions)
    var known = Dictionary(
      planet.feeds.map { ($0.address, $0.location.description) }, uniquingKeysWith: { first, _ in first })
    var new: [Planet.Subscription] = []
    var failed = false
    for text in addresses {
      do {
        guard let found = try await feed(at: text, discovery) else {
          failed = true
          continue
        }
        let wasGone = try GoneFeeds.askAgain(found.address, options.config)
        if let location = known[found.address] {
          if wasGone { continue }
          let feed = found.page == nil ? "" : ", whose feed is \(found.address.written),"
          Terminal.error("\(ConfigFile.shown(text + feed)) is already there, and nothing is changed: \(location)")
          continue
        }
        found.reportOthers(of: text)
        known[found.address] = "it is named twice"
        var settings = Planet.FeedSettings()
        settings.title = title?.collapsingSpace()
        settings.history = history ? true : nil
        settings.categories = category.map { [$0.collapsingSpace()] } ?? []
        new.append(Planet.Subscription(found.address, settings: settings))
      } catch {
        Terminal.error("tamis: error: \(ConfigFile.shown("\(error)")) [config]")
        failed = true
      }
    }
    if !new.isEmpty {
      // Another command may have added feeds since the file was read.
      let lock = try options.lock()
      var edit = try options.edit()
      let others = Set(edit.planet.feeds.map(\.address))
      for feed in new where others.contains(feed.address) {
        Terminal.error("\(ConfigFile.shown(feed.address.written)) is already there: another run has added it")
      }
      new.removeAll { others.contains($0.address) }
      do { try edit.add(new) } catch {
        throw Terminal.failure(error.description, .badData)
      }
      try options.config.save(edit.bytes, as: "the configuration", code: "config")
      withExtendedLifetime(lock) {}
      for feed in new { Terminal.error("\(ConfigFile.shown(feed.address.written)) added") }
      noteNewCategory(among: planet)
    }
    if failed { throw new.isEmpty ? ExitCode.badData : ExitCode.someFailed }
  }

  /// Tells that the category is new, when it is close to one of the configuration.
  private func noteNewCategory(among planet: Planet) {
    guard let category = category?.collapsingSpace() else { return }
    let known = Set(planet.feeds.flatMap(\.settings.categories))
    guard !known.contains(category), let near = NearestName.of(category, among: known.sorted()) else { return }
    Terminal.error(
      "note: the category '\(ConfigFile.shown(category))' is new; did you mean '\(ConfigFile.shown(near))'?")
  }

  /// A feed that was found for a URL.
  private struct Found {
    var address: Planet.Address
    /// The named page; nil when the feed itself was named.
    var page: FeedDiscovery.Page?

    func reportOthers(of name: String) {
      guard let page else { return }
      let others = page.feeds.count > 1 ? "; number \(page.index + 1) is added, --pick takes another" : ""
      Terminal.error("\(ConfigFile.shown(name)) is a page with \(page.feeds.count.counted("feed"))\(others):")
      for (index, link) in page.feeds.enumerated() {
        let title = link.title.isEmpty ? "" : "  \(link.title)"
        let source = link.source == .usualPath ? "  (not named by the page)" : ""
        let note = page.problems[index].map { "  (\($0.message))" } ?? source
        Terminal.error("  \(index + 1)  \(ConfigFile.shown(link.address + title + note))")
      }
    }
  }

  /// The feed for a URL; nil when there is none, which is reported.
  private func feed(at text: String, _ discovery: FeedDiscovery?) async throws(Planet.Address.Refusal) -> Found? {
    var address = try Planet.Address(completing: text)
    guard let discovery else { return Found(address: address) }
    var answer = await discovery.find(at: address.url.href, number: pick)
    // A URL that was typed without a scheme may be on a server without https.
    if case .failure(let problem) = answer, [.tls, .connect].contains(problem.reason),
      let plain = try? Planet.Address("http://" + text), "https://" + plain.written.dropFirst(7) == address.written
    {
      let other = await discovery.find(at: plain.url.href, number: pick)
      if case .failure = other {} else { (address, answer) = (plain, other) }
    }
    switch answer {
    case .feed where (pick ?? 1) > 1:
      Terminal.error("\(ConfigFile.shown(text)): error: this is a feed itself, and --pick is for pages [config]")
      return nil
    case .feed(let found):
      let own = found == address.url.href
      return Found(address: own ? address : try Planet.Address(found).takingCredentials(of: address))
    case .page(let page):
      let index = pick.map { $0 - 1 } ?? page.index
      guard page.feeds.indices.contains(index) else {
        Terminal.error(
          "\(ConfigFile.shown(text)): error: the page names \(page.feeds.count.counted("feed")); there is no number \(index + 1) [config]"
        )
        return nil
      }
      let chosen = try Planet.Address(page.feeds[index].address).takingCredentials(of: address)
      return Found(address: chosen, page: page)
    case .failure(let problem):
      Terminal.error(
        "\(ConfigFile.shown(text)): error: \(ConfigFile.shown(problem.advised)); --as-is adds it anyway [fetch.\(problem.reason.rawValue)]"
      )
      return nil
    }
  }
}

/// `tamis remove`: removes subscriptions from the configuration.
struct RemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Unsubscribe from feeds: take them out of the configuration.",
    discussion: "What was read of them stays in the archive. Example:\n\n  tamis remove https://example.org/feed.xml")

  @Argument(
    help: ArgumentHelp("Feeds, by their addresses or their titles in the configuration.", valueName: "url|title"))
  var names: [String]

  @OptionGroup var options: ConfigOptions

  func validate() throws {
    if names.isEmpty { throw ValidationError("name at least one feed") }
  }

  func run() throws {
    let lock = try options.lock()
    defer { withExtendedLifetime(lock) {} }
    var edit = try options.edit()
    var gone: [Planet.Address] = []
    var failed = false
    for name in names {
      let found = Self.feeds(named: name, in: edit.planet)
      if found.count == 1 {
        gone += found
      } else {
        failed = true
        let shown = ConfigFile.shown(name)
        if found.isEmpty {
          let known = edit.planet.feeds.flatMap { [$0.address.written] + ($0.settings.title.map { [$0] } ?? []) }
          let near = NearestName.of(name, among: known).map { "; did you mean '\(ConfigFile.shown($0))'?" } ?? ""
          Terminal.error("tamis: error: there is no feed '\(shown)' in \(options.config)\(near) [config]")
        } else {
          let list = found.map { "\n  \(ConfigFile.shown($0.written))" }.joined()
          Terminal.error(
            "tamis: error: there are \(found.count) feeds '\(shown)'; name one by its address:\(list) [config]")
        }
      }
    }
    if gone.isEmpty { throw ExitCode.badData }
    do { try edit.remove(Set(gone)) } catch {
      throw Terminal.failure(error.description, .badData)
    }
    try options.config.save(edit.bytes, as: "the configuration", code: "config")
    for address in gone { Terminal.error("\(ConfigFile.shown(address.written)) removed") }
    if failed { throw ExitCode.someFailed }
  }

  /// The feeds with a URL, else with a title in any case, else with a URL that lacks its scheme.
  private static func feeds(named name: String, in planet: Planet) -> [Planet.Address] {
    if let address = try? Planet.Address(name) {
      return planet.feeds.contains { $0.address == address } ? [address] : []
    }
    let title = name.lowercased()
    let titled = planet.feeds.filter { $0.settings.title?.lowercased() == title }.map(\.address)
    if !titled.isEmpty { return titled }
    // The name may be a URL without its scheme, as tamis add takes it.
    let typed = ["https://", "http://"].compactMap { try? Planet.Address($0 + name) }
    return planet.feeds.map(\.address).filter(typed.contains)
  }
}

/// `tamis list`: lists the subscriptions.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the feeds of the configuration: address, title and categories.",
    discussion:
      "Columns are separated by tabs. The title is that of the configuration, else what the feed calls itself. Example:\n\n  tamis list --opml > subscriptions.opml"
  )

  @OptionGroup var options: ConfigOptions

  @Flag(help: "Write OPML, as feed readers exchange subscriptions.")
  var opml = false

  @Flag(help: "Write a line of JSON for each feed: address, title, categories, off, file and line of its setting.")
  var json = false

  func validate() throws {
    if opml, json { throw ValidationError("--opml and --json exclude each other") }
  }

  func run() throws {
    let file = PlanetFile(reading: try options.bytes(), name: options.config.description, as: .tamis)
    Terminal.report(file.findings.filter { $0.severity == .error }, notes: false)
    if opml {
      Terminal.write(file.planet.opml())
    } else {
      let titles = Self.titles(options.config)
      for feed in file.planet.feeds {
        let settings = file.planet.settings(for: feed)
        write(feed, settings, title: settings.title ?? titles[feed.address.forAll] ?? "")
      }
    }
    if !file.isValid { throw file.planet.feeds.isEmpty ? ExitCode.badData : ExitCode.someFailed }
  }

  private func write(_ feed: Planet.Subscription, _ settings: Planet.FeedSettings, title: String) {
    guard json else {
      let columns = [feed.address.written, title, settings.categories.joined(separator: ", ")]
      return Terminal.line(columns.map(ConfigFile.shown).joined(separator: "\t") + (settings.isOff ? "\toff" : ""))
    }
    Terminal.json { writer in
      writer.member("address", feed.address.written)
      writer.member("title", title)
      writer.member("categories", settings.categories)
      writer.member("off", settings.isOff)
      writer.member("location", feed.location.description)
    }
  }

  /// The titles of the feeds by their URLs, as far as they were read.
  private static func titles(_ configuration: FilePath) -> [String: String] {
    guard let file = try? PlanetOptions.archive(of: configuration), file.kind == .file,
      let archive = try? Archive(file: file.description, mode: .reading)
    else { return [:] }
    return (try? FeedNames(archive).titles) ?? [:]
  }
}
