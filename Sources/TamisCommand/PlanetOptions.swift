import ArgumentParser
import Tamis

/// The option that names the configuration of a run.
struct PlanetOptions: ParsableArguments {
  @Option(help: "The configuration (default: tamis.yaml, when nothing else is named to be read).")
  var config: FilePath?

  static let standard: FilePath = "tamis.yaml"

  /// The archive of the configuration in this folder; nil when there is no configuration.
  static func standardArchive() throws -> FilePath? {
    guard standard.kind != nil else { return nil }
    return try archive(of: standard)
  }

  /// The archive of a configuration, whether it exists yet or not.
  static func archive(of configuration: FilePath) throws -> FilePath {
    var inputs = CommandInputs()
    inputs.add(configuration: configuration)
    return try SiteRun.archive(nil, nil, isConfigured: true, inputs)
  }

  /// The configuration of a run that reads these sources; nil when it has none.
  func file(besides sources: [FilePath]?) -> FilePath? {
    config ?? (sources?.isEmpty != false && Self.standard.kind != nil ? Self.standard : nil)
  }

  /// Collects the inputs, and the configuration of the run.
  ///
  /// - Parameters:
  ///   - sources: the named inputs; nil when nothing is read.
  ///   - notes: whether notes are reported.
  /// - Returns: the inputs, and whether there is a configuration.
  /// - Throws: `ExitCode` when the configuration does not exist; `ValidationError` when there is no input at all.
  func gather(_ sources: [FilePath]?, notes: Bool) throws -> (inputs: CommandInputs, isConfigured: Bool) {
    var inputs = CommandInputs()
    let path = file(besides: sources)
    if let path {
      if path.kind == nil {
        Terminal.error(
          "tamis: error: \(TerminalText.beginning(of: path.description)) does not exist; create it with: tamis init [config]"
        )
        throw ExitCode.badData
      }
      inputs.add(configuration: path)
    } else if sources?.isEmpty == true {
      throw ValidationError("name at least one feed, or create a configuration with: tamis init")
    }
    for source in sources ?? [] { inputs.add(source: source) }
    Terminal.report(inputs.findings, notes: notes)
    return (inputs, path != nil)
  }
}

extension CommandInputs {
  /// The sanitizers for the rules that the feeds name, by those names.
  func sanitizers() throws -> [String: Sanitizer] {
    var sanitizers: [String: Sanitizer] = [:]
    let named =
      subscriptions.feeds.compactMap(\.settings.rules) + [planet.defaults.rules].compactMap { $0 }
      + readingLists.compactMap(\.settings.rules)
    for name in Set(named).sorted() {
      sanitizers[name] = try PolicyOptions.load(Policy.shippedNames.contains(name) ? name : inFolder(name).description)
    }
    return sanitizers
  }
}
