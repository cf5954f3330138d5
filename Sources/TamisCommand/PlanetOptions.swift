import ArgumentParser
import Tamis

/// The options that name the configuration of a run, and change its settings.
struct PlanetOptions: ParsableArguments {
  @Option(help: "The configuration (default: tamis.yaml).")
  var config: FilePath?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp("Change a setting: site.in-a-row=5; can be repeated.", valueName: "name=value"))
  var changes: [String] = []

  /// A setting such as `site.offline` with its value, and the option that stands for it.
  typealias GivenSetting = (option: String, name: Substring, value: String)

  static let standard: FilePath = "tamis.yaml"

  /// The archive of the configuration in this folder; nil when there is no configuration.
  static func standardArchive() throws -> FilePath? {
    guard standard.kind != nil else { return nil }
    return try archive(of: standard)
  }

  /// The archive of a configuration, whether it exists yet or not.
  static func archive(of configuration: FilePath) throws -> FilePath {
    let inputs = CommandInputs(configuration)
    return try SiteRun.archive(nil, nil, isConfigured: true, inputs)
  }

  /// The configuration of a run that reads these sources; nil when it has none.
  func file(besides sources: [FilePath]?) -> FilePath? {
    config ?? (sources?.isEmpty != false && Self.standard.kind != nil ? Self.standard : nil)
  }

  /// The inputs of a configuration, with the settings of the command line.
  func inputs(_ configuration: FilePath?, _ settings: [GivenSetting]) throws -> CommandInputs {
    try Self.inputs(configuration, settings, changes)
  }

  /// The inputs of a configuration, with settings of the command line, the last of which counts.
  static func inputs(
    _ configuration: FilePath?, _ settings: [GivenSetting], _ changes: [String] = []
  ) throws -> CommandInputs {
    try CommandInputs(configuration) { planet in
      for (option, name, value) in settings {
        do throws(SettingRefusal) { try planet.set(name, to: value) } catch {
          throw ValidationError("\(option): \(error.description)")
        }
      }
      for change in changes {
        do throws(SettingRefusal) { try planet.set(change) } catch {
          throw ValidationError("--set \(TerminalText.beginning(of: change)): \(error.description)")
        }
      }
    }
  }

  /// Collects the inputs, and the configuration of the run.
  ///
  /// - Parameters:
  ///   - sources: the named inputs; nil when nothing is read.
  ///   - settings: the settings that have options of their own.
  ///   - notes: whether notes are reported.
  /// - Returns: the inputs, and whether there is a configuration.
  /// - Throws: `ExitCode` when the configuration does not exist; `ValidationError` when there is no input at all.
  func gather(
    _ sources: [FilePath]?, _ settings: [GivenSetting] = [], notes: Bool
  ) throws -> (inputs: CommandInputs, isConfigured: Bool) {
    let path = file(besides: sources)
    if let path, path.kind == nil {
      throw Terminal.failure(
        "tamis: error: \(TerminalText.beginning(of: path.description)) does not exist; create it with: tamis init [config]",
        .badData)
    }
    if path == nil, sources?.isEmpty == true {
      throw ValidationError("name at least one feed, or create a configuration with: tamis init")
    }
    var inputs = try inputs(path, settings)
    for source in sources ?? [] { inputs.add(source: source) }
    Terminal.report(inputs.findings, notes: notes)
    return (inputs, path != nil)
  }
}

extension CommandInputs {
  /// Reads the rules that the feeds name.
  ///
  /// - Returns: the sanitizers by those names, and the names of rules that cannot be read, which are reported.
  /// - Throws: the error of rules that are for all feeds, also for those in files.
  func sanitizers() throws -> (read: [String: Sanitizer], missing: Set<String>) {
    var (sanitizers, missing): ([String: Sanitizer], Set<String>) = ([:], [])
    let named =
      subscriptions.feeds.compactMap(\.settings.rules) + [planet.defaults.rules].compactMap { $0 }
      + readingLists.compactMap(\.settings.rules)
    for name in Set(named).sorted() {
      do {
        sanitizers[name] = try PolicyOptions.load(
          Policy.shippedNames.contains(name) ? name : inFolder(name).description)
      } catch  where name != planet.defaults.rules {
        let feed = subscriptions.feeds.first { $0.settings.rules == name }
        let place = feed?.location.description ?? file?.description ?? ""
        if !(error is ExitCode) { Terminal.error("\(place): error: \(error) [config.rules]") }
        missing.insert(name)
      }
    }
    return (sanitizers, missing)
  }
}
