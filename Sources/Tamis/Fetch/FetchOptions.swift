import TamisCore
package import TamisFetch

/// How a build fetches the subscribed feeds.
public struct FetchOptions: Sendable {
  /// Which of them are fetched.
  public enum Extent: String, Sendable, Hashable, CaseIterable {
    /// Those that are due.
    case due
    /// All but those that are gone.
    case all
    /// None: the archive's posts are all there is.
    case none
  }

  /// Which of them are fetched.
  public var extent = Extent.due
  /// How large stored pictures may be.
  package var pictures = PictureLimits()
  /// The most pictures that are fetched in one run (default 2000); the next run goes on with the others.
  public var picturesPerRun = 2000
  /// The most pages of entries that are fetched in one run (default 500); the next run goes on with the others.
  public var pagesPerRun = 500
  /// How requests are made.
  package var transport = CurlTransport.Options()
  /// Makes the requests instead of libcurl; of ``transport`` only the limit of redirects and the guard apply then.
  package var otherTransport: (any HTTPTransport)?
  /// How many requests are made at once, in all and to one host.
  package var courtesy = RequestPacing()
  /// When feeds are fetched again.
  package var schedule = Schedule()

  /// The defaults.
  public init() {}

  /// A fetcher with these options.
  ///
  /// - Throws: when requests cannot be made at all.
  func fetcher() throws(FetchProblem) -> Fetcher {
    Fetcher(
      transport: try sender(transport), guardian: transport.guardian, limits: transport.limits, courtesy: courtesy)
  }

  /// The transport that sends requests.
  func sender(_ options: CurlTransport.Options) throws(FetchProblem) -> any HTTPTransport {
    if let otherTransport { return otherTransport }
    return try CurlTransport(options)
  }
}
