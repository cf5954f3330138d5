import ArgumentParser
import Tamis
import TamisFoundation
import TamisSystem

/// The options for fetching feeds.
struct FetchArguments: ParsableArguments {
  @Flag(help: "Fetch all feeds, also those that are not due.")
  var now = false

  @Flag(help: "Fetch nothing; use what was read before.")
  var noFetch = false

  func validate() throws {
    if now, noFetch { throw ValidationError("--now and --no-fetch exclude each other") }
  }

  /// The options, with those of the configuration and the secrets that are at hand; what is wrong with their file is
  /// reported.
  func options(over inputs: CommandInputs) -> SiteBuild.FetchOptions {
    var options = inputs.fetchOptions
    options.extent = now ? .all : noFetch ? .none : .due
    options.secrets = SecretStore(
      environment: ProcessInfo.processInfo.environment, file: inputs.planet.fetching.secrets.map(inputs.inFolder))
    Terminal.report(options.secrets.findings, notes: false)
    return options
  }
}

/// The option for networks that are not public.
struct AllowedNetworks: ParsableArguments {
  @Option(help: ArgumentHelp("A private network to fetch from; can be repeated.", valueName: "network"))
  var allow: [String] = []

  /// The settings that are given.
  var settings: [PlanetOptions.GivenSetting] { allow.map { ("--allow", "fetch.allow", $0) } }
}

extension CommandInputs {
  /// The options for fetching of the configuration, without secrets.
  var fetchOptions: SiteBuild.FetchOptions {
    var settings = planet.fetching
    // The environment variable is that of OpenSSL's own programs.
    settings.authorities =
      settings.authorities.map { inFolder($0).description } ?? ProcessInfo.processInfo.environment["SSL_CERT_FILE"]
    return SiteBuild.FetchOptions(settings, site: planet.site.link)
  }
}
