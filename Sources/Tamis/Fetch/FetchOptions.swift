import TamisCore
public import TamisFetch
public import TamisPictures

/// How a build fetches the feeds that are subscribed to.
public struct FetchOptions: Sendable {
  /// Which of them are asked for.
  public enum Extent: String, Sendable, Hashable, CaseIterable {
    /// Those whose time has come.
    case due
    /// All but those that are gone.
    case all
    /// None: what was read of them before is what there is.
    case none
  }

  /// Which of them are asked for.
  public var extent = Extent.due
  /// How large pictures may be that are kept.
  public var pictures = PictureLimits()
  /// Most pictures that are asked for in one run (default 2000); the next goes on with the others.
  public var picturesPerRun = 2000
  /// Most pages of entries that are asked for in one run (default 500); the next goes on with the others.
  public var pagesPerRun = 500
  /// How requests are made.
  public var transport = CurlTransport.Options()
  /// What makes them instead of libcurl; of ``transport`` then only the limit of redirects and the guard are followed here.
  public var otherTransport: (any HTTPTransport)?
  /// How much is asked of others at once.
  public var courtesy = Courtesy()
  /// When feeds are asked again.
  public var schedule = Schedule()

  /// The defaults.
  public init() {}

  /// What asks for feeds so.
  ///
  /// - Throws: when requests cannot be made at all.
  func fetcher() throws(FetchProblem) -> Fetcher {
    Fetcher(
      transport: try sender(transport), guardian: transport.guardian, limits: transport.limits, courtesy: courtesy)
  }

  /// What sends requests.
  func sender(_ options: CurlTransport.Options) throws(FetchProblem) -> any HTTPTransport {
    if let otherTransport { return otherTransport }
    return try CurlTransport(options)
  }
}
