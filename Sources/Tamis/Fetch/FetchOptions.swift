import TamisCore
package import TamisFetch
package import TamisPlanet

extension SiteBuild {
  /// The options for fetching the subscribed feeds.
  public struct FetchOptions: Sendable {
    /// The subscribed feeds that are fetched.
    public enum Extent: String, Sendable, Hashable, CaseIterable {
      /// The feeds that are due.
      case due
      /// All feeds except those that are gone.
      case all
      /// No feeds: only the archive's posts are used.
      case none
    }

    /// The subscribed feeds that are fetched.
    public var extent = Extent.due
    /// The limits for stored pictures.
    package var pictures = PictureLimits()
    /// The maximum number of pictures that are fetched in one run (default 2000); the next run continues with the
    /// others.
    public var picturesPerRun = 2000
    /// The maximum number of entries' pages that are fetched in one run (default 500); the next run continues with the
    /// others.
    public var pagesPerRun = 500
    /// The time in which a run begins requests for pictures to one host, and for pages (default five minutes).
    ///
    /// A server that answers each after half a minute would hold a run for hours; the next run continues.
    public var timePerHost = Duration.seconds(300)
    /// The time in which a run begins requests for pictures, and for pages (default half an hour).
    public var timePerRun = Duration.seconds(1800)
    /// The options for requests.
    package var transport = CurlTransport.Options()
    /// A transport that replaces libcurl; only the limit of redirects and the guard of ``transport`` apply then.
    package var otherTransport: (any HTTPTransport)?
    /// The limits of concurrent requests, in all and to one host.
    package var pacing = RequestPacing()
    /// The values of the secrets that the settings of feeds name.
    package var secrets = SecretStore()
    /// The schedule for fetching feeds again.
    package var schedule = Schedule()

    /// Creates the default options.
    public init() {}

    /// Creates the options of a configuration.
    ///
    /// - Parameters:
    ///   - settings: the section `fetch` of the configuration.
    ///   - site: the URL of the published site, which identifies the user to servers when no contact is given.
    package init(_ settings: Planet.FetchSettings, site: String?) {
      transport.userAgent = ReleaseVersion.userAgent(contact: settings.contact ?? site)
      (transport.proxy, transport.authorities) = (settings.proxy, settings.authorities)
      transport.guardian.allowed = settings.allowedNetworks
      let whole = settings.timeout
      transport.limits.whole = whole.milliseconds
      transport.limits.connecting = min(settings.connectTimeout, whole).milliseconds
      transport.limits.firstByte = min(settings.firstByteTimeout ?? whole, whole).milliseconds
      transport.limits.unpackedBytes = settings.maximumBytes
      transport.limits.wireBytes = settings.maximumBytes
      pacing.atOnce = settings.atOnce
      pacing.perHost = settings.perHost
      pacing.delay = settings.delay.milliseconds
      schedule.shortest = settings.shortestInterval.components.seconds
      schedule.longest = settings.longestInterval.components.seconds
    }

    /// Returns a fetcher with these options, for things up to a number of bytes, both compressed and decompressed.
    ///
    /// - Throws: ``FetchProblem`` when requests cannot be made at all.
    func fetcher(largest: Int = .max) throws(FetchProblem) -> Fetcher {
      var options = transport
      options.limits.wireBytes = min(options.limits.wireBytes, largest)
      options.limits.unpackedBytes = min(options.limits.unpackedBytes, largest)
      let sender: any HTTPTransport
      if let otherTransport { sender = otherTransport } else { sender = try CurlTransport(options) }
      return Fetcher(transport: sender, guardian: options.guardian, limits: options.limits, pacing: pacing)
    }
  }
}

extension Duration {
  fileprivate var milliseconds: Int {
    Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
