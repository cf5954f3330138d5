import ArgumentParser
import Tamis
import TamisSystem

/// `tamis config`: inspects the configuration.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Check the configuration, list its settings.",
    subcommands: [Check.self, Settings.self, Schema.self])

  /// `tamis config settings`: prints the reference of all settings.
  struct Settings: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "settings", abstract: "List all settings of a configuration, with their values and defaults.")

    func run() { Terminal.write(Array(ConfigReference.markdown.utf8)) }
  }

  /// `tamis config schema`: prints the JSON Schema for editors.
  struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "schema", abstract: "Print a JSON Schema of the configuration, for editors.")

    func run() { Terminal.write(Array(ConfigReference.schema.utf8)) }
  }

  /// `tamis config check`: lists all mistakes.
  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "List every mistake and every likely slip in a configuration, with its line.",
      discussion: """
        Exit code 65 when there are mistakes. OPML, lists of addresses and what tamis init --from reads can be checked too. \
        Example:

          tamis config check
        """)

    @Argument(help: "The file (default: that of --config).")
    var file: FilePath?

    @OptionGroup var options: ConfigOptions
    @OptionGroup var success: SuccessOptions

    func run() throws {
      let path = file ?? options.config
      let bytes = try file.map { try ConfigFile.read($0) } ?? options.bytes()
      let read = PlanetFile(reading: bytes, name: path.description)
      let findings =
        read.findings + Self.missingFiles(of: read.planet, at: path) + Self.siteRules(of: read.planet, at: path)
      Terminal.report(findings, notes: true)
      if findings.contains(where: { $0.severity == .error }) { throw ExitCode.badData }
      let count = findings.count { $0.severity == .warning }
      if success.quiet, count == 0 { return }
      let result = count == 0 ? "no problems found" : count.counted("warning")
      let feeds = read.planet.feeds.count.counted("feed")
      Terminal.line("\(ConfigFile.shown(path.description)): \(feeds), \(result)\(Self.zones(of: read.planet))")
    }

    /// The release of the time zone database, which the machine has and not Tamis; empty when no zone is named.
    private static func zones(of planet: Planet) -> String {
      let settings = [planet.defaults] + planet.feeds.map(\.settings)
      let zones = [planet.site.timeZone] + settings.compactMap(\.timeZone)
      return zones.contains(where: \.isNamed)
        ? "; time zones as of \(ZoneName.release ?? "an unknown release") of the database" : ""
    }

    /// The mistakes in the rules for sites.
    private static func siteRules(of planet: Planet, at path: FilePath) -> [Finding] {
      guard let name = planet.pages.siteRules else { return [] }
      let isHere = name.hasPrefix("/") || path.folder == "."
      let file = isHere ? FilePath(name) : path.folder.appending(FilePath(name))
      guard file.kind == .file, let bytes = try? ConfigFile.read(file) else { return [] }
      do throws(InvalidRules) {
        _ = try SiteRules(yaml: String(decoding: bytes, as: UTF8.self), file: file.description)
        return []
      } catch { return error.findings }
    }

    /// The themes, rules and lists that are neither built in nor found as files.
    private static func missingFiles(of planet: Planet, at path: FilePath) -> [Finding] {
      let top = Finding.Location(file: path.description)
      var findings: [Finding] = []
      func look(for name: String, as what: String, among known: [String], at location: Finding.Location) {
        let file = FilePath(name)
        let isThere = (file.bytes.first == UInt8(ascii: "/") ? file : path.folder.appending(file)).kind != nil
        if known.contains(name) || isThere { return }
        let near = NearestName.of(name, among: known).map { "; did you mean '\($0)'?" } ?? ""
        findings.append(Finding(.error, "config.missing", "there is no \(what) '\(name)'\(near)", at: location))
      }
      look(for: planet.site.theme, as: "theme", among: Site.Theme.names, at: top)
      if Site.Words.shipped(planet.site.language) == nil {
        look(for: planet.site.language, as: "language", among: Site.Words.languages, at: top)
      }
      for list in planet.readingLists {
        if case .file(let name) = list.source { look(for: name, as: "list", among: [], at: list.location) }
      }
      for name in planet.pages.known { look(for: name, as: "file of known pages", among: [], at: top) }
      if let name = planet.pages.siteRules { look(for: name, as: "file of site rules", among: [], at: top) }
      let filters = planet.filters + planet.defaults.filters + planet.feeds.flatMap(\.settings.filters)
      for case (.program(let program), let location) in filters.map({ ($0.action, $0.location) }) {
        if let name = program.command.first, name.contains("/") {
          look(for: name, as: "program", among: [], at: location)
        }
      }
      if let rules = planet.defaults.rules { look(for: rules, as: "rules", among: Policy.shippedNames, at: top) }
      for feed in planet.feeds {
        if let rules = feed.settings.rules {
          look(for: rules, as: "rules", among: Policy.shippedNames, at: feed.location)
        }
      }
      return findings
    }
  }
}
