import ArgumentParser
import Tamis
import TamisFoundation
import TamisProcess

/// The options for fetching feeds.
struct FetchArguments: ParsableArguments {
  @Flag(help: "Fetch all feeds, also those that are not due.")
  var now = false

  @Flag(help: "Fetch nothing; use what was read before.")
  var noFetch = false

  @Option(
    help: ArgumentHelp(
      "Allow fetching from this address or network although it is not public; can be repeated.",
      valueName: "address|range"
    ),
    transform: Planet.FetchSettings.network)
  var allow: [IPRange] = []

  @Option(
    help: ArgumentHelp(
      "The proxy: http://host:port or socks5h://host:port; environment variables are ignored.",
      valueName: "address"
    ),
    transform: Planet.FetchSettings.proxy)
  var proxy: String?

  @Option(
    help: ArgumentHelp(
      "A file with the values of secrets, lines of NAME=value; environment variables \(ChildProcess.secretPrefix)NAME count before it.",
      valueName: "file"))
  var secrets: FilePath?

  @Option(help: ArgumentHelp("A PEM file with certificate authorities, instead of the system's.", valueName: "file"))
  var authorities: String?

  @Option(
    help: ArgumentHelp("The longest time to connect.", valueName: "duration"),
    transform: { try Quantity.duration($0, from: Planet.FetchSettings.shortestTimeout) })
  var connectTimeout: Duration?

  @Option(
    help: ArgumentHelp("The longest time to the first byte of an answer.", valueName: "duration"),
    transform: { try Quantity.duration($0, from: Planet.FetchSettings.shortestTimeout) })
  var firstByteTimeout: Duration?

  @Option(
    help: ArgumentHelp("The longest time for a whole answer.", valueName: "duration"),
    transform: { try Quantity.duration($0, from: Planet.FetchSettings.shortestTimeout) })
  var timeout: Duration?

  @Option(
    help: ArgumentHelp("The largest answer, compressed as it is sent, such as 20MB.", valueName: "size"),
    transform: Quantity.size)
  var maxSize: Int?

  @Option(help: ArgumentHelp("The largest answer, uncompressed.", valueName: "size"), transform: Quantity.size)
  var maxUnpacked: Int?

  @Option(help: ArgumentHelp("The most requests at the same time.", valueName: "requests"))
  var atOnce: Int?

  @Option(help: ArgumentHelp("The most requests at the same time to one host.", valueName: "requests"))
  var perHost: Int?

  @Option(
    help: ArgumentHelp("How long to pause between two requests to one host.", valueName: "duration"),
    transform: { try Quantity.duration($0) })
  var delay: Duration?

  func validate() throws {
    if now, noFetch { throw ValidationError("--now and --no-fetch exclude each other") }
    if let atOnce, !(1...1000).contains(atOnce) { throw ValidationError("--at-once takes a number from 1 to 1000") }
    if let perHost, !(1...100).contains(perHost) { throw ValidationError("--per-host takes a number from 1 to 100") }
  }

  /// The options, with the values of a configuration where the command line has none.
  ///
  /// - Parameters:
  ///   - settings: the settings of the configuration.
  ///   - site: the URL of the published site, which identifies the user to servers.
  /// - Returns: the options, with the command line before the configuration.
  func options(over settings: Planet.FetchSettings, site: String?) -> SiteBuild.FetchOptions {
    var options = SiteBuild.FetchOptions()
    options.extent = now ? .all : noFetch ? .none : .due
    options.transport.userAgent = ReleaseVersion.userAgent(contact: settings.contact ?? site)
    options.transport.proxy = proxy ?? settings.proxy
    // The environment variable is that of OpenSSL's own programs.
    options.transport.authorities = authorities ?? ProcessInfo.processInfo.environment["SSL_CERT_FILE"]
    options.transport.guardian.allowed = settings.allowedNetworks + allow
    let whole = timeout ?? settings.timeout
    options.transport.limits.whole = whole.milliseconds
    options.transport.limits.connecting = min(connectTimeout ?? settings.connectTimeout, whole).milliseconds
    options.transport.limits.firstByte = min(firstByteTimeout ?? whole, whole).milliseconds
    options.transport.limits.unpackedBytes = maxUnpacked ?? settings.maximumBytes
    options.transport.limits.wireBytes = maxSize ?? settings.maximumBytes
    options.courtesy.atOnce = atOnce ?? settings.atOnce
    options.courtesy.perHost = perHost ?? settings.perHost
    options.courtesy.delay = (delay ?? settings.delay).milliseconds
    options.schedule.shortest = settings.shortestInterval.components.seconds
    options.schedule.longest = settings.longestInterval.components.seconds
    return options
  }

  /// The options with the secrets that are at hand; what is wrong with their file is reported.
  ///
  /// - Parameters:
  ///   - inputs: the configuration, which may name the file.
  ///   - site: the URL of the published site, which identifies the user to servers.
  /// - Returns: the options, with the command line before the configuration.
  func options(over inputs: CommandInputs, site: String?) -> SiteBuild.FetchOptions {
    var options = options(over: inputs.planet.fetching, site: site)
    options.secrets = SecretStore(
      environment: ProcessInfo.processInfo.environment, file: fileOfSecrets(over: inputs))
    Terminal.report(options.secrets.findings, notes: false)
    return options
  }

  /// The file with the values of secrets, by the command line before the configuration; nil for none.
  func fileOfSecrets(over inputs: CommandInputs) -> FilePath? {
    secrets ?? inputs.planet.fetching.secrets.map(inputs.inFolder)
  }
}

extension Duration {
  fileprivate var milliseconds: Int {
    Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
