package import TamisURL

/// How feeds are fetched.
public struct FetchSettings: Sendable, Hashable {
  /// A mail address or a page by which publishers can reach the owner, sent with each request; nil for none.
  public var contact: String?
  /// How long a whole response may take (default 30 seconds).
  public var timeout = Duration.seconds(30)
  /// How long a connection may take to be made (default 10 seconds).
  public var connectTimeout = Duration.seconds(10)
  /// Largest answer, unpacked, in bytes (default 20 MiB).
  public var maximumBytes = 20 << 20
  /// How many feeds are fetched at once, from 1 (default 16).
  public var atOnce = 16
  /// How many of them from one host, from 1 (default 1).
  public var perHost = 1
  /// The pause between two requests to one host (default 1 second).
  public var delay = Duration.seconds(1)
  /// The proxy's URL, http(s); nil for none.
  public var proxy: String?
  /// Private networks from which fetching is allowed; otherwise only public addresses are.
  package var allowedNetworks: [IPRange] = []
  /// The shortest time between two looks at a feed, whatever it declares (default 15 minutes).
  public var shortestInterval = Duration.seconds(15 * 60)
  /// The longest time between two looks at a feed, whatever it declares (default a day).
  public var longestInterval = Duration.seconds(86_400)

  /// The defaults.
  public init() {}
}
