package import TamisURL

extension Planet {
  /// The settings for fetching feeds.
  package struct FetchSettings: Sendable, Hashable {
    /// A mail address or a page where publishers can contact the owner, sent with each request; nil for none.
    package var contact: String?
    /// The maximum time for a whole response (default 30 seconds).
    package var timeout = Duration.seconds(30)
    /// The maximum time for establishing a connection (default 10 seconds).
    package var connectTimeout = Duration.seconds(10)
    /// The maximum time to the first byte of a response; nil for the whole ``timeout``.
    package var firstByteTimeout: Duration?
    /// The maximum size of a response, compressed and uncompressed, in bytes (default 20 MiB).
    package var maximumBytes = 20 << 20
    /// The maximum number of concurrent requests, from 1 (default 16).
    package var atOnce = 16
    /// The maximum number of these to one host, from 1 (default 1).
    package var perHost = 1
    /// The pause between two requests to one host (default 1 second).
    package var delay = Duration.seconds(1)
    /// The proxy's address, see ``proxy(_:)``; nil for none.
    package var proxy: String?
    /// A PEM file of certificates of authorities, relative to the configuration's folder; nil for those of the system.
    package var authorities: String?
    /// The file of secrets, relative to the configuration's folder; nil for none.
    package var secrets: String?
    /// The private networks that may be accessed in addition to public addresses.
    package var allowedNetworks: [IPRange] = []
    /// The minimum time between two requests for a feed, whatever it declares (default 15 minutes).
    package var shortestInterval = Duration.seconds(15 * 60)
    /// The maximum time between two requests for a feed, whatever it declares (default a day).
    package var longestInterval = Duration.seconds(86_400)
  }
}

extension Planet.FetchSettings {
  /// Returns the address of a proxy as it is written: `http://proxy.example:3128`, `socks5h://proxy.example:1080`.
  ///
  /// - Throws: ``SettingRefusal`` for anything else.
  static func proxy(_ text: String) throws(SettingRefusal) -> String {
    let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
    if let url = WebURL(text.contains("://") ? text : "http://" + text), schemes.contains(url.scheme),
      url.hostname?.isEmpty == false
    {
      return text
    }
    throw SettingRefusal(
      description: "this is not a proxy; write it as in http://proxy.example:3128 or socks5h://proxy.example:1080")
  }

  /// The least value of a limit of time; libcurl takes none for no limit.
  static let shortestTimeout = Duration.milliseconds(1)

  /// Returns the network of `10.0.0.0/8`, or of one address.
  ///
  /// - Throws: ``SettingRefusal`` for anything else.
  static func network(_ text: String) throws(SettingRefusal) -> IPRange {
    if let range = IPRange(text) { return range }
    throw SettingRefusal(description: "'\(text)' is not a network; write it as in 10.0.0.0/8, fd00::/8 or 192.168.1.5")
  }

  /// The settings of the section `fetch`.
  static let table: [Setting<Planet.FetchSettings>] = [
    Setting(
      "contact", optional: \.contact, .line, "how publishers reach you; without it, the site's link",
      example: "somebody@planet.example"),
    Setting("timeout", \.timeout, .duration(from: shortestTimeout), "for a whole answer"),
    Setting("connect-timeout", \.connectTimeout, .duration(from: shortestTimeout), "for a connection"),
    Setting(
      "first-byte-timeout", optional: \.firstByteTimeout, .duration(from: shortestTimeout),
      "to the first byte of an answer; without it, the whole timeout", example: "20s"),
    Setting("delay", \.delay, .duration(from: .zero), "between two requests to one host"),
    Setting(
      "shortest-interval", \.shortestInterval, .duration(from: .zero),
      "the least time between two requests for a feed"),
    Setting(
      "longest-interval", \.longestInterval, .duration(from: .seconds(1)),
      "the most time between two requests for a feed, up to a tenth more to spread them"),
    Setting("max-size", \.maximumBytes, .size, "of an answer, compressed and uncompressed"),
    Setting("at-once", \.atOnce, .integer(1...1000), "requests at the same time"),
    Setting("per-host", \.perHost, .integer(1...100), "of these, to one host"),
    Setting("proxy", optional: \.proxy, .proxy, "a proxy for all requests", example: "http://proxy.example:3128"),
    Setting(
      "authorities", optional: \.authorities, .path,
      "a PEM file with certificate authorities, instead of the system's", example: "authorities.pem"),
    Setting(
      "secrets", optional: \.secrets, .path, "a file with the values of secrets, lines of NAME=value",
      example: "../tamis.secrets"),
    Setting(
      "allow", \.allowedNetworks, listed: .networks, "networks to fetch from although they are not public",
      example: "[192.168.1.0/24]"),
  ]
}
