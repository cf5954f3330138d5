import ArgumentParser
import Dispatch
import Tamis
import TamisFoundation
import TamisLibC
import TamisServe

/// `tamis serve`: shows a site while it is worked on.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Build a site, show it in the browser, and build it again when something changes.",
    discussion: """
      The site is served on this machine, and built again when the configuration, a rules file, a theme, a list or a feed \
      in a file changes. All options of tamis build can be given. Examples:

        tamis serve --open
        tamis serve feeds/ --output site --theme mine --port 8000
      """)

  @Option(help: "The port; 0 for any free one.")
  var port: UInt16 = 8080

  @Option(help: ArgumentHelp("The address to serve from, 0.0.0.0 for others too.", valueName: "address"))
  var host = "127.0.0.1"

  @Flag(help: "Open the site in the browser.")
  var open = false

  @OptionGroup var options: BuildOptions

  /// The options of the command's own, and whether a value follows each.
  private static let ownOptions = ["--port": true, "--host": true, "--open": false]

  func validate() throws {
    if options.work.check { throw ValidationError("--check changes nothing: use it with tamis build") }
    if options.ingest.sources.contains(.standardInput) {
      throw ValidationError("- can be read only once: name the files of the feeds")
    }
  }

  func run() throws {
    // The file may be away for a moment, as when another branch is checked out.
    let configuration = options.planet.file(besides: options.ingest.sources)
    if configuration == nil, options.ingest.sources.isEmpty {
      throw ValidationError("name at least one feed, or create a configuration with: tamis init")
    }
    var folder = try places(of: inputs(configuration), isConfigured: configuration != nil).site
    let server = SiteServer(folder)
    let url: String
    do throws(SiteServer.Failure) { url = try server.start(address: host, port: port) } catch {
      throw Terminal.failure("tamis: error: \(error.description) [serve]", .cannotWrite)
    }
    Terminal.error("the site is at \(url); Ctrl-C ends it")
    let builder = SiteBuilder(Self.buildArguments(Arguments.strings))
    let signals = [SIGINT, SIGTERM, SIGHUP].map { Self.onSignal($0, end: builder) }
    defer { signals.forEach { $0.cancel() } }
    if open { Self.browse(url) }
    while true {
      let inputs = try inputs(configuration)
      let (site, archive) = try places(of: inputs, isConfigured: configuration != nil)
      if site != folder { server.show(.building, of: site) }
      folder = site
      let watch = FileWatch(paths(of: inputs, configuration), exceptSite: site, archive: archive)
      // A feed that fails costs only itself, but with a mistake in the configuration the site is not what was meant.
      server.show(builder.build(isMistaken: inputs.findings.contains { $0.severity == .error }), of: site)
      watch.wait()
      if !options.work.success.quiet { Terminal.error("something has changed: the site is built again") }
    }
  }

  /// The configuration of the build, as it is now.
  private func inputs(_ configuration: FilePath?) throws -> CommandInputs {
    try options.planet.inputs(
      configuration, options.ingest.settings + options.pictures.settings + options.site.settings)
  }

  /// The folder of the site, and the file of its archive.
  private func places(of inputs: CommandInputs, isConfigured: Bool) throws -> (site: FilePath, archive: FilePath) {
    let site = try options.site.folder(over: inputs, isConfigured: isConfigured)
    return (site, try SiteRun.archive(options.archive, site, isConfigured: isConfigured, inputs))
  }

  /// The arguments of `tamis build` among those of this command.
  static func buildArguments(_ arguments: [String]) -> [String] {
    var (kept, rest) = (["build"], arguments.dropFirst())
    while let argument = rest.popFirst() {
      if argument == "--" { return kept + [argument] + rest }
      let name = argument.prefix { $0 != "=" }
      guard let takesValue = ownOptions[String(name)] else {
        kept.append(argument)
        continue
      }
      if takesValue, name == argument { rest = rest.dropFirst() }
    }
    return kept
  }

  /// The files and folders that the site is made of.
  private func paths(of inputs: CommandInputs, _ configuration: FilePath?) -> [FilePath] {
    let named = [options.policy.rules, options.site.theme, options.site.language].compactMap { $0 }.map { FilePath($0) }
    let sources = options.ingest.sources.filter { $0.utf8Text?.contains("://") != true }
    return [configuration].compactMap { $0 } + sources + named + inputs.filesOfConfiguration
  }

  private static func browse(_ url: String) {
    #if canImport(Darwin)
      let program = "/usr/bin/open"
    #else
      let program = "/usr/bin/xdg-open"
    #endif
    if !SiteBuilder.start(program, with: url) {
      Terminal.error("tamis: warning: \(program) is missing, so no browser was opened [serve]")
    }
  }

  private static func onSignal(_ number: Int32, end builder: SiteBuilder) -> any DispatchSourceSignal {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler {
      // A build that is interrupted leaves the archive and the site consistent.
      builder.interrupt()
      _exit(0)
    }
    source.resume()
    return source
  }
}
